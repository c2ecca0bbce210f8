// Counts down to what is due: every element with `data-due`, in seconds since 1970.

const units = [[86400, "d"], [3600, "h"], [60, "m"]];

/** `42 s`, `3 h 5 m`: as the server writes it. */
function span(seconds) {
  if (seconds < 60) return `${seconds} s`;
  const parts = units.map(([size, name], index) => [Math.floor(seconds / size) % (index ? units[index - 1][0] / size : Infinity), name]);
  const first = parts.findIndex(([count]) => count > 0);
  return parts.slice(first, first + 2).filter(([count]) => count > 0).map(([count, name]) => `${count} ${name}`).join(" ");
}

/** Shows the time that is left now, without waiting for the next second. */
export function count() {
  for (const element of document.querySelectorAll("[data-due]")) {
    const left = Math.ceil(element.dataset.due - Date.now() / 1000);
    const words = left <= 0 ? "now" : `in ${span(left)}`;
    if (element.textContent !== words) element.textContent = words;
  }
}

count();
setInterval(count, 1000);
