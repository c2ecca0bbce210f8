// The map's links by the keys that they name. The arrows scroll the page, unless the map has the focus.

// By itself it has the focus with the first frame, and a key may come before that.
if (document.activeElement === document.body) document.querySelector(".earth")?.focus({ preventScroll: true });

document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, textarea, select")) return;
  if (event.key.startsWith("Arrow") && !event.target.closest(".earth, nav.steps")) return;
  const key = event.key === "=" ? "+" : event.key;
  const link = document.querySelector(`nav.steps [aria-keyshortcuts="${CSS.escape(key)}"]`);
  if (!link) return;
  event.preventDefault();
  location.assign(link.href);
});
