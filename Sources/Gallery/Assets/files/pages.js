// The pages about the library: counts down to what is due, and reads a page anew when the library has changed.

import { follow } from "./live.js";
import { post } from "./parts.js";

const units = [[86400, "d"], [3600, "h"], [60, "m"]];

/** `42 s`, `3 h 5 m`: as the server writes it. */
function span(seconds) {
  if (seconds < 60) return `${seconds} s`;
  const parts = units.map(([size, name], index) => [Math.floor(seconds / size) % (index ? units[index - 1][0] / size : Infinity), name]);
  const first = parts.findIndex(([count]) => count > 0);
  return parts.slice(first, first + 2).filter(([count]) => count > 0).map(([count, name]) => `${count} ${name}`).join(" ");
}

function count() {
  for (const element of document.querySelectorAll("[data-due]")) {
    const left = Math.ceil(element.dataset.due - Date.now() / 1000);
    const words = left <= 0 ? "now" : `in ${span(left)}`;
    if (element.textContent !== words) element.textContent = words;
  }
}
count();
setInterval(count, 1000);

const main = document.querySelector("main[data-live]");
let isStale = false, readAt = Date.now();

/** Puts the present page in place of the old one. What a person has opened or is in stays. */
async function renew() {
  if (!isStale || document.hidden || main.contains(document.activeElement) || getSelection().type === "Range") return;
  isStale = false;
  readAt = Date.now();
  const answer = await fetch(location.href).catch(() => null);
  if (!answer?.ok) return;
  const next = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("main");
  if (!next) return;
  const open = [...main.querySelectorAll("details")].map(details => details.open);
  const boxes = [...next.querySelectorAll("details")];
  // Of another number of parts it is not known which one was opened.
  if (boxes.length === open.length) boxes.forEach((details, index) => { details.open = open[index]; });
  main.replaceChildren(...next.childNodes);
  count();
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
  follow({ change: data => { if (isFirst && data.everything) isFirst = false; else mark(); }, job: mark });
}

const form = document.querySelector("form[data-feed]");
const status = form?.querySelector("[role=status]");

/** Shows the addresses of a new feed. They are not shown again. */
function show(made) {
  const lines = [["Atom", made.atom], ["JSON Feed", made.json]].map(([name, address]) => {
    const label = document.createElement("label"), field = document.createElement("input");
    label.textContent = `${name} (copy it now, it is not shown again)`;
    field.readOnly = true;
    field.value = address;
    field.onfocus = () => field.select();
    label.append(field);
    return label;
  });
  status.replaceChildren(...lines);
  lines[0].lastChild.focus();
}

form?.addEventListener("submit", async event => {
  event.preventDefault();
  try {
    show(await post("/api/feeds", { name: form.elements.name.value, list: form.dataset.feed }));
    form.elements.name.value = "";
  } catch (error) { status.textContent = error.message; }
});

document.addEventListener("click", async ({ target }) => {
  const id = target.dataset?.revoke;
  if (!id) return;
  try {
    await post("/api/feeds/revoke", { id: Number(id) });
    target.closest("tr").remove();
  } catch (error) { (status ?? document.body).textContent = error.message; }
});
