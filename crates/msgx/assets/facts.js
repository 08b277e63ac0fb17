// The five facts with their rates, and the four cards below them.
import { age, backlog, number, say, words } from "./words.js";

const FACTS = ["landed", "enqueued", "processed", "delivered", "marked"];
// A minute of seconds needs one reading more.
const READINGS_MAX = 61;
// The rate in figures is that of the last seconds, so that people can read it.
const RATE_READINGS = 5;
// A head that fails is tried again after a second: only one that stays is trouble.
const BLOCKED_SECONDS = 5;
let minute = [];

export function showPast(readings) {
  minute = readings.slice(-READINGS_MAX);
}

export function showFacts(now) {
  if (!minute.length || now.atMillis > minute.at(-1).atMillis) minute.push({ atMillis: now.atMillis, facts: now.facts });
  if (minute.length > READINGS_MAX) minute.shift();
  const behind = {
    landed: 0,
    enqueued: now.facts.landed - now.facts.enqueued,
    processed: now.queue.waiting,
    delivered: total(now.outbox, "pending"),
    marked: now.marks.owed,
  };
  for (const id of FACTS) fact(id, now.facts[id], now.leader ? behind[id] : 0);
  head(now);
  gaps(now.gaps);
  outbox(now.outbox);
  marks(now.marks);
}

// What an operator must look at first, worst first: [level, words].
export function verdict(now) {
  if (now.problems.length) return ["bad", now.problems.join(" · ")];
  if (now.paused.length) return ["warn", now.paused.join(" · ")];
  // The facts are counted by who does the work: a standby has those of its own start.
  if (!now.leader) return ["good", words.standbyFacts];
  if (blocks(now.queue.head)) return ["bad", words.headBlocked];
  if (total(now.outbox, "dead") > 0) return ["bad", words.deadEvents];
  if (now.gaps.late > 0) return ["warn", `${number(now.gaps.late)} ${words.late}`];
  return ["good", words.allWell];
}

function blocks(head) {
  return head?.state === "FAILED" && head.ageSeconds > BLOCKED_SECONDS;
}

function total(targets, member) {
  return targets.reduce((sum, target) => sum + target[member], 0);
}

function fact(id, count, behind) {
  const element = document.getElementById(`fact-${id}`);
  const recent = perSecond(id, minute.at(-1 - RATE_READINGS) ?? minute[0], minute.at(-1));
  const stalled = behind > 0 && recent === 0 && minute.length > RATE_READINGS;
  element.classList.toggle("stalled", stalled);
  say(element.querySelector("[data-count]"), number(count));
  say(element.querySelector("[data-rate]"), number(Math.round(recent)));
  element.querySelector(".rate").classList.toggle("moving", recent >= 0.5);
  say(element.querySelector("[data-behind]"), stalled ? `${backlog(behind)} ${words.behind}` : "");
  const rates = minute.slice(1).map((reading, index) => perSecond(id, minute[index], reading));
  spark(element.querySelector("[data-spark]"), rates);
}

function perSecond(id, from, to) {
  const seconds = Math.max(0.2, (to.atMillis - from.atMillis) / 1000);
  return Math.max(0, (to.facts[id] - from.facts[id]) / seconds);
}

function spark(path, rates) {
  if (!rates.length) return;
  const top = Math.max(1, ...rates);
  const step = 120 / (READINGS_MAX - 2);
  const start = 120 - (rates.length - 1) * step;
  const points = rates.map((rate, index) => `${(start + index * step).toFixed(1)} ${(23 - (rate / top) * 21).toFixed(1)}`);
  path.setAttribute("d", `M${start.toFixed(1)} 24 L${points.join(" L")} L120 24 Z`);
}

function card(id, level, main, more) {
  const element = document.getElementById(id);
  element.className = `card ${level}`;
  const said = more.filter(Boolean).join(" · ");
  say(element.querySelector(".main"), main);
  say(element.querySelector(".more"), said);
  element.querySelector(".more").title = said;
}

function head({ queue, watermark }) {
  const water = watermark === null ? "" : `W ${number(watermark)}`;
  const dead = queue.dead > 0 && `${backlog(queue.dead)} ${words.deadLetters}`;
  const waiting = `${backlog(queue.waiting)} ${words.waiting}`;
  const first = queue.head;
  if (!first) return card("head", "good", words.noHead, [water, dead]);
  const id = `#${number(first.msgId)}`;
  if (first.state !== "FAILED") return card("head", "good", waiting, [`${words.head} ${id}`, water, dead]);
  const tries = `${words.attempts.replace("{}", first.attempts)} · ${words.next.replace("{}", age(first.dueInSeconds))}`;
  const kind = words.classes[first.class] ?? first.class;
  if (!blocks(first)) return card("head", "warn", waiting, [`${id} ${kind}`, tries]);
  card("head", "bad", `${id} ${words.blocked}`, [waiting, kind, tries, first.error]);
}

function gaps(now) {
  const late = now.late > 0 && `${number(now.late)} ${words.late}`;
  const released = `${words.released} ${number(now.releasedIds)}`;
  if (now.open === 0) return card("gaps", late ? "warn" : "good", words.noGaps, [late, released]);
  const open = `${number(now.openIds)} ${words.ids} · ${words.oldest} ${age(now.oldestSeconds)}`;
  // Most gaps close within a moment: an insert that commits later than its neighbour.
  const level = late || now.oldestSeconds > 5 ? "warn" : "good";
  card("gaps", level, `${number(now.open)} ${words.gapsOpen}`, [late, open, released]);
}

function outbox(targets) {
  const dead = total(targets, "dead");
  const oldest = Math.max(0, ...targets.map((target) => target.oldestSeconds ?? 0));
  const more = targets.map((target) => `${target.target} ${backlog(target.pending)}`);
  if (dead > 0) more.unshift(`${words.deadEvents} ${backlog(dead)}`);
  if (oldest > 5) more.push(`${words.oldest} ${age(oldest)}`);
  card("outbox", dead > 0 ? "bad" : oldest > 30 ? "warn" : "good", `${backlog(total(targets, "pending"))} ${words.pending}`, more);
}

function marks(now) {
  const oldest = now.oldestSeconds ?? 0;
  const level = now.abandoned > 0 || oldest > 60 ? "warn" : "good";
  const more = [`${words.abandoned} ${number(now.abandoned)}`, oldest > 5 && `${words.oldest} ${age(oldest)}`];
  card("marks", level, `${backlog(now.owed)} ${words.owed}`, more);
}
