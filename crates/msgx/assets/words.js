// The page's words, numbers and times.
export const words = JSON.parse(document.getElementById("words").textContent);

const format = new Intl.NumberFormat(document.documentElement.lang);

export function number(value) {
  return format.format(value);
}

// The store counts a backlog no further than this.
const COUNTED_MAX = 100000;

export function backlog(count) {
  return count < COUNTED_MAX ? number(count) : `${number(count)}+`;
}

export function age(seconds) {
  const past = Math.max(0, seconds ?? 0);
  if (past < 120) return `${Math.round(past)} ${words.seconds}`;
  return past < 7200 ? `${Math.round(past / 60)} ${words.minutes}` : `${Math.round(past / 3600)} ${words.hours}`;
}

// Changes nothing that stands there already, so that a screen reader isn't told it again.
export function say(element, value) {
  if (element.textContent !== value) element.textContent = value;
}
