// The pages about the library: counts down to what is due, and reads a page anew when the library has changed.

import { count } from "./due.js";
import { follow } from "./live.js";
import { make, post } from "./parts.js";

const main = document.querySelector("main[data-live]");
let isStale = false, readAt = Date.now();

/** The page as it is now; null if it cannot be had. */
async function current() {
  const answer = await fetch(location.href).catch(() => null);
  return answer?.ok ? new DOMParser().parseFromString(await answer.text(), "text/html") : null;
}

/** Puts the present page in place of the old one. What a person has opened or is in stays. */
async function renew() {
  if (!isStale || document.hidden || main.contains(document.activeElement) || getSelection().type === "Range") return;
  isStale = false;
  readAt = Date.now();
  const next = (await current())?.querySelector("main");
  if (!next) return;
  const open = [...main.querySelectorAll("details")].map(details => details.open);
  const boxes = [...next.querySelectorAll("details")];
  // Of another number of parts it is not known which one was opened.
  if (boxes.length === open.length) boxes.forEach((details, index) => { details.open = open[index]; });
  main.replaceChildren(...next.childNodes);
  count();
  offerFills();
}

// Gaps are filled where they are shown: by a button in place of the command, or on the bar.

const fills = new Map(), outcomes = new Map();
const said = feed => document.querySelector(`button[data-fill="${CSS.escape(feed)}"] + [role=status]`) ?? make("span");

function offerFills() {
  for (const details of document.querySelectorAll("details.fill")) {
    const { fill } = details.dataset;
    const button = make("button", { type: "button", "data-fill": fill }, details.querySelector("summary").textContent);
    details.replaceWith(button, make("span", { role: "status", class: "soft", dir: "auto" }, outcomes.get(fill) ?? ""));
  }
}
offerFills();

async function fill(feed) {
  try {
    said(feed).textContent = "Waiting …";
    const { jobs: [job] } = await post("/api/pull/fill", { feed });
    fills.set(job.id, feed);
    tellFill(job);
  } catch (error) { said(feed).textContent = error.message; }
}

function tellFill(job) {
  const feed = fills.get(job.id);
  if (feed == null) return;
  const isOver = !["waiting", "running"].includes(job.state);
  outcomes.set(feed, isOver ? job.failure ?? job.results.join(" · ") : job.progress ?? "Reading …");
  said(feed).textContent = outcomes.get(feed);
  if (!isOver) return;
  fills.delete(job.id);
  // What keeps the focus is not read anew.
  if (document.activeElement?.dataset.fill === feed) document.activeElement.blur();
}

if (main) {
  const pause = 1000 * Number(main.dataset.live);
  let timer = 0;
  const mark = () => {
    isStale = true;
    clearTimeout(timer);
    timer = setTimeout(renew, Math.max(300, readAt + pause - Date.now()));
  };
  document.addEventListener("visibilitychange", renew);
  main.addEventListener("focusout", () => setTimeout(renew, 0));
  let isFirst = true;
  // The first one says that a connection is open.
  follow({ change: data => { if (isFirst && data.everything) isFirst = false; else mark(); }, job: job => { tellFill(job); mark(); } });
}

/** A picture that cannot be drawn is its words. */
const replace = image => image.replaceWith(make("span", { class: image.className, dir: "auto" }, image.alt));
document.addEventListener("error", ({ target }) => { if (target instanceof HTMLImageElement) replace(target); }, true);
for (const image of [...document.images]) if (image.complete && !image.naturalWidth) replace(image);

const form = document.querySelector("form[data-feed]");
const status = form?.querySelector("[role=status]");

/** An address that is shown once: the focus selects it, and a button copies it where the browser lets it. */
function shownOnce(field) {
  field.onfocus = () => field.select();
  if (!navigator.clipboard) return;
  const copy = make("button", { type: "button" }, "Copy");
  copy.onclick = () => navigator.clipboard.writeText(field.value).then(() => { copy.textContent = "Copied"; }, () => field.focus());
  (field.closest("label") ?? field).after(copy);
}
for (const field of document.querySelectorAll("input[readonly]")) shownOnce(field);

/** Shows the feeds that there are now. */
async function relist() {
  const made = (await current())?.getElementById("made");
  if (made) document.getElementById("made").replaceWith(made);
  return made;
}

/** Shows the addresses of a new feed. They are not shown again. */
function show(made) {
  const lines = [["Atom", made.atom], ["JSON Feed", made.json]].map(([name, value]) => {
    const field = make("input", { readonly: "", value });
    return make("label", {}, `${name} (copy it now, it is not shown again)`, field);
  });
  status.replaceChildren(...lines);
  const fields = [...status.querySelectorAll("input")];
  fields.forEach(shownOnce);
  fields[0].focus();
  return relist();
}

form?.addEventListener("submit", async event => {
  event.preventDefault();
  try {
    await show(await post("/api/feeds", { name: form.elements.name.value, list: form.dataset.feed }));
    form.elements.name.value = "";
  } catch (error) { status.textContent = error.message; }
});

document.addEventListener("click", async event => {
  const { target } = event;
  const feed = target.closest("[data-fill]")?.dataset.fill;
  if (feed != null) { event.preventDefault(); return fill(feed); }
  const id = target.dataset?.revoke;
  if (!id) return;
  try {
    await post("/api/feeds/revoke", { id: Number(id) });
    if (!await relist()) target.closest("tr")?.remove();
  } catch (error) { (status ?? document.body).textContent = error.message; }
});
