// Counts down to what is due, and on from there: every element with `data-due`, in seconds since 1970. One with `data-overdue`
// is shown from that moment.

/** What was due so many seconds ago seems to have nothing that pulls it. */
const PATIENCE = 120;

const units = [[86400, "d"], [3600, "h"], [60, "m"]];

/** `42 s`, `3 h 5 m`; with one unit, `3 h`: as the server writes it. */
function span(seconds, most = 2) {
  if (seconds < 60) return `${seconds} s`;
  const parts = units.map(([size, name], index) => [Math.floor(seconds / size) % (index ? units[index - 1][0] / size : Infinity), name]);
  const first = parts.findIndex(([count]) => count > 0);
  return parts.slice(first, first + most).filter(([count]) => count > 0).map(([count, name]) => `${count} ${name}`).join(" ");
}

/** Shows the times as they are now, without waiting for the next second. */
export function count() {
  for (const element of document.querySelectorAll("[data-due]")) {
    const left = Math.ceil(element.dataset.due - Date.now() / 1000);
    const words = left > 0 ? `due in ${span(left)}` : left > -PATIENCE ? "due now" : `was due ${span(-left, 1)} ago`;
    if (element.textContent !== words) element.textContent = words;
    if (element.dataset.late) element.title = left > -PATIENCE ? "" : element.dataset.late;
  }
  for (const element of document.querySelectorAll("[data-overdue]")) element.hidden = Date.now() / 1000 < element.dataset.overdue;
}

count();
setInterval(count, 1000);
