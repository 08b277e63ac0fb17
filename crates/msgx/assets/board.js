// Departures and arrivals: of each, as many flights as fit on the screen, those that changed last,
// in the order of their scheduled time.
import { words } from "./words.js";

const COLUMNS = {
  D: ["flight", "place", "scheduled", "estimated", "actual", "gate", "stand", "status", "remark"],
  A: ["flight", "place", "scheduled", "estimated", "actual", "belt", "stand", "status", "remark"],
};
const ROWS_MIN = 8;
const ROWS_MAX = 40;
// On a narrow screen the boards stand below each other and the page scrolls.
const ROWS_NARROW = 12;
const wide = matchMedia("(min-width: 1100px) and (min-height: 640px)");
const LATE_MILLIS = 15 * 60 * 1000;
// Of each board the rows by FLID, the one that changed longest ago first.
const rows = { A: new Map(), D: new Map() };

// The whole board again; nothing of the old one stays.
export function showBoard(flights) {
  for (const side of ["A", "D"]) {
    rows[side].forEach((row) => row.remove());
    rows[side].clear();
  }
  flights.sort((one, other) => one.lastMessage - other.lastMessage).forEach((flight) => show(flight, false));
  trim();
}

export function showChanged(flights) {
  flights.forEach((flight) => show(flight, true));
  trim();
}

function show(flight, changed) {
  const side = flight.movement === "A" ? "A" : "D";
  const row = rows[side].get(flight.flid) ?? blank(side);
  const now = cells(flight);
  COLUMNS[side].forEach((column, index) => fill(row.children[index], column, now, changed));
  row.classList.toggle("gone", flight.life === "DELETED" || flight.cancelled);
  row.dataset.begun = Boolean(flight.estimated || flight.actual || flight.cancelled);
  const key = `${flight.scheduled ?? "9"}#${String(flight.flid).padStart(19, "0")}`;
  if (row.dataset.key !== key) place(side, row, key);
  // Out and in again: the newest change is the last of the map.
  rows[side].delete(flight.flid);
  rows[side].set(flight.flid, row);
}

function blank(side) {
  const row = document.createElement("tr");
  for (const column of COLUMNS[side]) row.appendChild(document.createElement("td")).className = column;
  return row;
}

function cells(flight) {
  const [status, mood] = state(flight);
  const late = flight.estimated && Date.parse(flight.estimated) - Date.parse(flight.scheduled) >= LATE_MILLIS;
  return {
    flight: [flight.flight ?? `#${flight.flid}`],
    place: [flight.place ?? "", flight.via && `${words.via} ${flight.via}`],
    scheduled: [clock(flight.scheduled)],
    estimated: [clock(flight.estimated), "", late ? "late" : ""],
    actual: [clock(flight.actual)],
    gate: [flight.gate],
    belt: [flight.belt],
    stand: [flight.stand],
    status: [status, "", mood, flight.status],
    remark: [flight.remark, "", "", flight.remark],
  };
}

// What is out of the ordinary counts more than the airport's code; a code without a word of ours is
// shown as it came.
function state(flight) {
  if (flight.life === "DELETED") return [words.deleted, "alarm"];
  if (flight.cancelled) return [words.cancelled, "alarm"];
  if (flight.diverted) return [words.diverted, "alarm"];
  const label = words.statuses[flight.status] ?? flight.status ?? "";
  const waits = flight.delayed && !flight.actual;
  return [waits && ["", "SCH"].includes(flight.status ?? "") ? words.delayed : label, waits ? "late" : ""];
}

function fill(cell, column, now, changed) {
  const [main, more = "", mood = "", title = ""] = now[column];
  const said = [main, more, mood].join("|");
  if (cell.dataset.said === said) return;
  const first = cell.dataset.said === undefined;
  cell.dataset.said = said;
  cell.className = `${column} ${mood}`;
  cell.textContent = main ?? "";
  if (title) cell.title = title;
  if (more) cell.appendChild(document.createElement("small")).textContent = more;
  if (!changed || (first && !main)) return;
  // Read, so that the animation begins anew.
  void cell.offsetWidth;
  cell.classList.add("changed");
}

function place(side, row, key) {
  const body = document.querySelector(`#board-${side} tbody`);
  row.dataset.key = key;
  const after = [...body.children].find((other) => other !== row && other.dataset.key > key);
  body.insertBefore(row, after ?? null);
}

// Flights of which nothing but the plan is known go first, then those that changed longest ago.
function trim() {
  for (const side of ["A", "D"]) {
    const most = fitting(side);
    while (rows[side].size > most) {
      const all = [...rows[side]];
      const [flid, row] = all.find(([, other]) => other.dataset.begun === "false") ?? all[0];
      rows[side].delete(flid);
      row.remove();
    }
  }
}

function fitting(side) {
  if (!wide.matches) return ROWS_NARROW;
  const table = document.getElementById(`board-${side}`);
  const row = table.querySelector("tbody tr");
  if (!row) return ROWS_MAX;
  const room = table.parentElement.clientHeight - table.tHead.offsetHeight;
  return Math.min(ROWS_MAX, Math.max(ROWS_MIN, Math.floor(room / row.offsetHeight)));
}

// Times are shown as the airport's clock has them, whatever the browser's own.
function clock(time) {
  return time ? time.slice(11, 16) : "";
}

const sized = new ResizeObserver(trim);
for (const board of document.querySelectorAll(".scroll")) sized.observe(board);
