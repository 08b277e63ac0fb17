// Keeps the page up to date from /api/v1/stream: "past", the five facts of the last minute, and
// "board", all flights, at the beginning; "facts", the state of the pipeline, once a second;
// "flights", rows that changed.
import { showBoard, showChanged } from "./board.js";
import { showFacts, showPast, verdict } from "./facts.js";
import { say, words } from "./words.js";

// The server speaks every second: after so long it is gone, though the connection may not know.
const SILENCE_MILLIS = 5000;
const AGAIN_MILLIS = 3000;
const health = document.getElementById("health");
let heard = Date.now();

function connect() {
  const source = new EventSource("/api/v1/stream");
  const on = (name, show) => source.addEventListener(name, (event) => show(JSON.parse(event.data)));
  on("past", showPast);
  on("board", showBoard);
  on("flights", showChanged);
  on("facts", onFacts);
  source.onerror = () => {
    lost();
    // The browser tries again by itself unless the server refused.
    if (source.readyState === EventSource.CLOSED) setTimeout(connect, AGAIN_MILLIS);
  };
}

function onFacts(now) {
  heard = Date.now();
  // A store that doesn't answer tells no facts; what is shown is then of the past.
  if (!now.facts) return tell("bad", now.problems.join(" · "), true);
  showFacts(now);
  tell(...verdict(now), false);
  document.body.classList.toggle("standby", !now.leader);
  say(document.getElementById("leader"), now.leader ? words.leader : words.standby);
}

function lost() {
  const since = new Date(heard).toLocaleTimeString(document.documentElement.lang, { hour12: false });
  tell("bad", `${words.lost} ${since}`, true);
}

function tell(level, text, stale) {
  health.className = level;
  say(health, text);
  document.body.classList.toggle("stale", stale);
  document.title = level === "good" ? "msgexchange" : `⚠ ${text} · msgexchange`;
}

setInterval(() => {
  if (Date.now() - heard > SILENCE_MILLIS) lost();
}, 1000);
connect();
