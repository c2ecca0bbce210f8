// What the server does for this page: a list of pulls with their progress, and how each ended.

import { follow } from "./live.js";
import { get, make, post } from "./parts.js";

/** How many jobs that have ended are shown. */
const SHOWN = 8;
const WORDS = { waiting: "Waiting", running: "Running", done: "Done", failed: "Failed", cancelled: "Cancelled" };

/** Shows the jobs in a section. `ended` is called for each that ends. Returns a function that shows jobs at once. */
export function showJobs(section, ended = () => {}) {
  const list = section.querySelector(".jobs");
  const items = new Map();

  const show = job => {
    const before = items.get(job.id);
    // What was asked for earlier may come later.
    if (before && isOver(before.job) && !isOver(job)) return;
    const element = draw(job, before?.element, act);
    if (!before) {
      const next = [...items.keys()].filter(id => id < job.id).sort((one, other) => other - one)[0];
      list.insertBefore(element, items.get(next)?.element ?? null);
    }
    items.set(job.id, { job, element });
    section.hidden = false;
    const over = [...items].filter(([, item]) => isOver(item.job)).sort(([one], [other]) => other - one);
    for (const [id, item] of over.slice(SHOWN)) { item.element.remove(); items.delete(id); }
    if (before && !isOver(before.job) && isOver(job)) ended(job);
  };
  const act = async (path, job, element) => {
    try { for (const changed of (await post(path, { id: job.id })).jobs) show(changed); }
    catch (error) { element.querySelector(".failure").textContent = error.message; }
  };
  const read = async () => { for (const job of (await get("/api/jobs")).jobs.reverse()) show(job); };

  read().catch(() => {});
  follow({ job: show, online: () => read().catch(() => {}) });
  return jobs => jobs.forEach(show);
}

const isOver = job => job.state !== "waiting" && job.state !== "running";

function draw(job, before, act) {
  const element = before ?? make("li", { class: "card" },
    make("div", { class: "head" }, make("strong", { dir: "auto" }), make("span", { class: "how" })),
    make("progress", { "aria-label": "Progress" }), make("p", { class: "line soft", dir: "auto" }),
    make("ul", { class: "results" }), make("p", { class: "failure bad", dir: "auto", role: "status" }),
    make("ul", { class: "notes soft" }), make("div", { class: "buttons" }));
  const find = selector => element.querySelector(selector);
  element.dataset.state = job.state;
  find("strong").textContent = job.title;
  find(".how").textContent = WORDS[job.state] ?? job.state;
  const bar = find("progress");
  bar.hidden = job.state !== "running";
  if (job.part == null) bar.removeAttribute("value"); else bar.value = job.part;
  find(".line").textContent = job.state === "running" ? job.progress ?? "" : "";
  const rows = (name, lines) => find(name).replaceChildren(...lines.map(line => make("li", { dir: "auto" }, line)));
  rows(".results", job.results);
  rows(".notes", isOver(job) ? job.notes : []);
  find(".failure").textContent = job.failure && job.state !== "cancelled" ? sentence(job.failure) : "";
  const button = (title, path) => {
    const made = make("button", { type: "button" }, title);
    made.onclick = () => { made.disabled = true; act(path, job, element); };
    return made;
  };
  const buttons = !isOver(job) ? [button("Cancel", "/api/jobs/cancel")]
    : job.state === "done" ? []
    : [job.login == null ? null : make("a", { class: "button primary", href: `/login?server=${encodeURIComponent(job.login)}` }, `Log in at ${job.login}`),
      button("Try again", "/api/jobs/again")];
  const place = find(".buttons");
  // A button that stays keeps the focus.
  if (place.dataset.for !== job.state) place.replaceChildren(...buttons.filter(Boolean));
  place.dataset.for = job.state;
  return element;
}

/** A command's line as a sentence. */
const sentence = text => text.replace(/^[a-z]+ /, word => word[0].toUpperCase() + word.slice(1)) + (/[.!?]$/.test(text) ? "" : ".");
