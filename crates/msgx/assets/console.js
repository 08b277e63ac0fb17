// Keeps the page up to date from /api/v1/stream. Two kinds of events: "facts" once a second, the whole
// state of the pipeline; "flights", rows of the board that changed.
"use strict";
const words = JSON.parse(document.getElementById("words").textContent);
const ROWS_MAX = 80;
const HISTORY_MAX = 60;
const number = new Intl.NumberFormat(document.documentElement.lang);
const history = {};
const rows = { A: new Map(), D: new Map() };
let previous = null;

function text(element, value) {
  if (element.textContent !== value) element.textContent = value;
}

function age(seconds) {
  if (seconds === null || seconds === undefined) return "";
  if (seconds < 120) return `${Math.round(seconds)} ${words.seconds}`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}

function spark(path, values) {
  const top = Math.max(1, ...values);
  const step = 120 / (HISTORY_MAX - 1);
  const start = 120 - (values.length - 1) * step;
  const points = values.map((v, i) => `${(start + i * step).toFixed(1)} ${(23 - (v / top) * 21).toFixed(1)}`);
  path.setAttribute("d", `M${start.toFixed(1)} 24 L${points.join(" L")} L120 24 Z`);
}

function fact(id, count, rate) {
  const element = document.getElementById(`fact-${id}`);
  text(element.querySelector("[data-count]"), number.format(count));
  text(element.querySelector("[data-rate]"), number.format(Math.round(rate)));
  element.querySelector(".rate").classList.toggle("moving", rate >= 1);
  const values = (history[id] ||= []);
  values.push(rate);
  if (values.length > HISTORY_MAX) values.shift();
  spark(element.querySelector("[data-spark]"), values);
}

function card(id, level, main, more) {
  const element = document.getElementById(id);
  element.className = `card ${level}`;
  text(element.querySelector(".main"), main);
  text(element.querySelector(".more"), more);
}

function head(facts) {
  const queue = facts.queue;
  const waiting = `${number.format(queue.waiting)} ${words.waiting}`;
  if (!queue.head) return card("head", "good", words.noHead, `W = ${facts.watermark ?? "–"}`);
  const blocked = queue.head.state === "FAILED";
  const detail = blocked
    ? `${words.headBlocked} · ${queue.head.class} · ${words.attempts} ${queue.head.attempts} · ${words.next} ${age(queue.head.dueInSeconds)} · ${queue.head.error ?? ""}`
    : words.headPending;
  card("head", blocked ? "bad" : "good", `#${queue.head.msgId} · ${waiting}`, detail);
}

function gaps(facts) {
  const g = facts.gaps;
  const more = [`${words.released}: ${number.format(g.releasedIds)}`];
  if (g.late > 0) more.unshift(`${number.format(g.late)} ${words.late}`);
  if (g.open === 0) return card("gaps", g.late > 0 ? "warn" : "good", words.noGaps, more.join(" · "));
  more.unshift(`${number.format(g.openIds)} ${words.ids}`, `${words.oldest} ${age(g.oldestSeconds)}`);
  card("gaps", "warn", `${number.format(g.open)} ${words.gapsOpen}`, more.join(" · "));
}

function outbox(facts) {
  const parts = facts.outbox.map((o) => `${o.target} ${number.format(o.pending)}`);
  const dead = facts.outbox.reduce((sum, o) => sum + o.dead, 0);
  const pending = facts.outbox.reduce((sum, o) => sum + o.pending, 0);
  const oldest = Math.max(...facts.outbox.map((o) => o.oldestSeconds ?? 0));
  const level = dead > 0 ? "bad" : oldest > 30 ? "warn" : "good";
  const more = dead > 0 ? `${parts.join(" · ")} · ${words.dead} ${number.format(dead)}` : parts.join(" · ");
  card("outbox", level, `${number.format(pending)} ${words.pending}`, oldest > 5 ? `${more} · ${words.oldest} ${age(oldest)}` : more);
}

function marks(facts) {
  const m = facts.marks;
  const level = m.abandoned > 0 ? "warn" : (m.oldestSeconds ?? 0) > 60 ? "warn" : "good";
  card("marks", level, `${number.format(m.owed)} ${words.owed}`, m.oldestSeconds > 5 ? `${words.oldest} ${age(m.oldestSeconds)}` : "");
}

function onFacts(facts) {
  const seconds = previous ? Math.max(0.2, (facts.atMillis - previous.atMillis) / 1000) : 1;
  for (const id of ["landed", "enqueued", "processed", "delivered", "marked"]) {
    const before = previous ? previous.facts[id] : facts.facts[id];
    fact(id, facts.facts[id], Math.max(0, (facts.facts[id] - before) / seconds));
  }
  head(facts);
  gaps(facts);
  outbox(facts);
  marks(facts);
  const health = document.getElementById("health");
  health.className = facts.problems.length ? "bad" : "good";
  text(health, facts.problems.length ? facts.problems.join(" · ") : words.allWell);
  text(document.getElementById("leader"), facts.leader ? words.leader : words.standby);
  previous = facts;
}

const COLUMNS = ["flight", "route", "scheduled", "estimated", "actual", "gate", "stand", "status", "remark"];

function clock(time) {
  return time ? time.slice(11, 16) : "";
}

function cells(flight) {
  const alarm = flight.life === "DELETED" ? words.deleted : flight.cancelled ? words.cancelled : flight.diverted ? words.diverted : flight.delayed ? words.delayed : "";
  return {
    flight: flight.flight ?? `#${flight.flid}`,
    route: flight.route,
    scheduled: clock(flight.scheduled),
    estimated: clock(flight.estimated),
    actual: clock(flight.actual),
    gate: flight.gate,
    stand: flight.stand,
    status: [alarm, flight.status].filter(Boolean).join(" · "),
    remark: flight.remark,
    alarm: alarm !== "",
  };
}

function place(body, element, key) {
  element.dataset.key = key;
  let after = null;
  for (const row of body.children) {
    if (row !== element && row.dataset.key > key) { after = row; break; }
  }
  body.insertBefore(element, after);
}

function onFlight(flight, quiet) {
  const side = flight.movement === "A" ? "A" : "D";
  const body = document.querySelector(`#board-${side} tbody`);
  let row = rows[side].get(flight.flid);
  if (!row) {
    row = document.createElement("tr");
    for (const column of COLUMNS) row.appendChild(document.createElement("td")).className = column;
  }
  const now = cells(flight);
  COLUMNS.forEach((column, index) => {
    const cell = row.children[index];
    const value = now[column] ?? "";
    if (cell.textContent === value) return;
    cell.textContent = value;
    cell.className = column;
    if (quiet) return;
    void cell.offsetWidth;
    cell.classList.add("changed");
  });
  row.children[3].classList.toggle("late", Boolean(flight.estimated && flight.estimated > flight.scheduled));
  row.children[7].classList.toggle("alarm", now.alarm);
  row.classList.toggle("gone", flight.life === "DELETED" || flight.cancelled);
  const key = `${flight.scheduled ?? "9"}#${String(flight.flid).padStart(19, "0")}`;
  if (row.dataset.key !== key) place(body, row, key);
  rows[side].delete(flight.flid);
  rows[side].set(flight.flid, row);
  if (rows[side].size > ROWS_MAX) {
    const [oldest, element] = rows[side].entries().next().value;
    rows[side].delete(oldest);
    element.remove();
  }
}

const source = new EventSource("/api/v1/stream");
source.addEventListener("facts", (event) => onFacts(JSON.parse(event.data)));
source.addEventListener("board", (event) => JSON.parse(event.data).forEach((flight) => onFlight(flight, true)));
source.addEventListener("flights", (event) => JSON.parse(event.data).forEach((flight) => onFlight(flight, false)));
source.onerror = () => {
  const health = document.getElementById("health");
  health.className = "bad";
  text(health, words.lost);
};
