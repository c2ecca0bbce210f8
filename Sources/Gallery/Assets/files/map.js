// The map's links by the keys that they name.

document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, textarea, select")) return;
  const key = event.key === "=" ? "+" : event.key;
  const link = document.querySelector(`nav.steps [aria-keyshortcuts="${CSS.escape(key)}"]`);
  if (!link) return;
  event.preventDefault();
  location.replace(link.href);
});
