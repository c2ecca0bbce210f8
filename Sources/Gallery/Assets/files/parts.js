// Small parts that the other modules share.

/** Makes an element. Null attributes are left out. Children are nodes or text, never markup. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value != null) element.setAttribute(name, value);
  element.append(...children.filter(child => child != null));
  return element;
}

/** An icon: a path in a square of this size. */
export function icon(path, size = 20) {
  const [svg, line] = ["svg", "path"].map(tag => document.createElementNS("http://www.w3.org/2000/svg", tag));
  svg.setAttribute("viewBox", `0 0 ${size} ${size}`);
  svg.setAttribute("aria-hidden", "true");
  line.setAttribute("d", path);
  svg.append(line);
  return svg;
}

/** Why the server refused a request, as one sentence. */
export class Refusal extends Error {
  constructor(status, { error, cure } = {}) {
    super([error ?? "The server did not answer as expected", cure].filter(Boolean).join(": "));
    this.status = status;
  }
}

export const UNREACHED = "The gallery's server cannot be reached";

async function answer(request) {
  const response = await request.catch(() => { throw new Refusal(0, { error: UNREACHED }); });
  const body = await response.json().catch(() => ({}));
  if (response.ok) return body;
  const refusal = new Refusal(response.status, body);
  if (response.status === 401) dispatchEvent(new CustomEvent("signed-out"));
  throw refusal;
}

export const get = (path, signal) => answer(fetch(path, { signal }));

export const post = (path, body, options) => answer(fetch(path, {
  method: "POST", headers: { "Content-Type": "application/json", "X-Media": "1" }, body: JSON.stringify(body), ...options,
}));

/** Makes an error say what was not done because of it. */
export const failing = what => error => { error.message = `${what}: ${error.message}`; throw error; };

/** Undoes changes. Returns the sentence that tells how far. */
export const undone = changes => post("/api/undo", { changes }).then(({ said }) => said ?? "Undone", failing("Not undone"));

/** An address with a list's parameters and some of its own. */
export const address = (path, query, more = {}) => {
  const text = [query, new URLSearchParams(more).toString()].filter(Boolean).join("&");
  return text ? `${path}?${text}` : path;
};

const modules = new Map();

/**
 * A module that is loaded once it is needed. A browser may never ask again for one that it could not get (the module map of
 * HTML), so it is asked for only while the server answers.
 */
export function load(name) {
  const path = `/assets/${name}`;
  if (!modules.has(name)) {
    modules.set(name, reach(path).then(() => import(path)).catch(error => {
      modules.delete(name);
      throw error instanceof Refusal ? error : new Refusal(null, { error: "A part of this page could not be loaded", cure: "load the page again" });
    }));
  }
  return modules.get(name);
}

/** Fails with the reason if the server does not answer. */
async function reach(path) {
  const response = await fetch(path).catch(() => { throw new Refusal(0, { error: UNREACHED }); });
  await response.arrayBuffer().catch(() => { throw new Refusal(0, { error: UNREACHED }); });
}

/** Goes to another page. While nothing answers this one stays: the browser's own page about that leads nowhere. */
export const leave = path => reach("/api/keys").then(() => location.assign(path), error => tell(error.message));

const two = number => String(number).padStart(2, "0");

/** A moment, in milliseconds, as a clock shows it that is some seconds ahead of UTC: `["2026-11-21", "14:05", ":33"]` */
const reading = (moment, shift) => /^(.+)T(.{5})(.{3})/.exec(new Date(moment + shift * 1000).toISOString()).slice(1);

/** When a row's post was written, as all pages and the terminal show it: `2026-11-21 14:05`. With an end, until then. */
export function period({ at, shift, end, endShift }) {
  const [day, time] = reading(at, shift);
  if (end == null) return `${day} ${time}`;
  const [lastDay, lastTime] = reading(end, endShift);
  return day === lastDay ? `${day} ${time}–${lastTime}` : `${day} ${time} – ${lastDay} ${lastTime}`;
}

/** The same exactly, with the zone: `2026-11-21 14:05:33 UTC+01:00` */
export function exactly({ at, shift }) {
  const [day, time, second] = reading(at, shift);
  const minutes = Math.trunc(Math.abs(shift) / 60);
  return `${day} ${time}${second} UTC${minutes ? `${shift < 0 ? "-" : "+"}${two(Math.trunc(minutes / 60))}:${two(minutes % 60)}` : ""}`;
}

const words = form => { const format = new Intl.DateTimeFormat("en", { ...form, timeZone: "UTC" }); return day => format.format(new Date(`${day}T12:00Z`)); };
const [weekday, shortWeekday, month] = [{ weekday: "long" }, { weekday: "short" }, { month: "long" }].map(words);
const dayOfMonth = day => Number(day.slice(-2));

/** The day of a row, `2026-11-21`; without its last part, the month. */
export const dayOf = ({ at, shift }) => new Date(at + shift * 1000).toISOString().split("T")[0];

/** A day as headings show it, as pages of the calendar do: `Saturday, 21 November 2026` */
export const dayWords = day => `${weekday(day)}, ${dayOfMonth(day)} ${monthWords(day)}`;
/** The month of a day: `November 2026` */
export const monthWords = day => `${month(day)} ${Number(day.slice(0, -6))}`;
/** A day within its month: `Sat 21` */
export const shortDay = day => `${shortWeekday(day)} ${dayOfMonth(day)}`;

/** A setting of this browser. Storage may be forbidden. */
export const setting = {
  get(name, standard) {
    try { return localStorage.getItem(`media.${name}`) ?? standard; } catch { return standard; }
  },
  set(name, value) {
    // Or it lasts until the page is left.
    try { localStorage.setItem(`media.${name}`, value); } catch {}
  },
};

export const isCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

const numbers = new Intl.NumberFormat("en");

export const plural = (count, noun) => `${numbers.format(count)} ${noun}${count === 1 ? "" : "s"}`;

const region = make("div", { role: "status", class: "visually-hidden" });

/** Tells screen readers something. */
export function announce(text) {
  if (!region.isConnected) document.body.append(region);
  region.textContent = text;
}

/** Puts a message at the bottom of the window, where none covers another. */
export function stack(element) {
  const place = document.querySelector(".stack") ?? document.body.appendChild(make("div", { class: "stack", role: "region", "aria-label": "Messages" }));
  place.append(element);
}

let toast, timer;

/** Shows a sentence at the bottom for some seconds, with a button if something can be done about it. */
export function tell(text, button, act) {
  clearTimeout(timer);
  toast?.remove();
  // What stands there already is not said twice.
  const banner = document.querySelector(".banner");
  if (banner?.textContent.startsWith(text)) { announce(text); return void banner.animate({ opacity: [.3, 1] }, 400); }
  toast = make("div", { class: "toast" }, make("span", { dir: "auto" }, text));
  if (button) {
    const element = make("button", { type: "button" }, button);
    element.onclick = () => { hush(); act(); };
    toast.append(element);
  }
  stack(toast);
  announce(text);
  timer = setTimeout(hush, 7000);
}

export const hush = () => toast?.remove();

/** Runs some work once after calls have paused. */
export function debounced(milliseconds, work) {
  let timer;
  const later = (...words) => { clearTimeout(timer); timer = setTimeout(() => work(...words), milliseconds); };
  later.cancel = () => clearTimeout(timer);
  return later;
}
