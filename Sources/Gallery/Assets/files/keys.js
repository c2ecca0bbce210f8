// The keys of the terminal's list, from its one table.

import { get, setting } from "./parts.js";

/** The bindings: action, group, keys, shown, help. */
export const bindings = () => known ??= get("/api/keys").catch(error => { known = null; throw error; });
let known = null;

const isTyping = target => target.closest?.("input, textarea, select, [contenteditable]");

/** Calls `act` with the action of each key. It returns false for what the browser shall do. */
export function listen(act) {
  let actions = new Map();
  const learn = () => bindings().then(list => { actions = new Map(list.flatMap(({ action, keys }) => keys.map(key => [key, action]))); }, () => {});
  learn();
  addEventListener("media-online", learn);
  document.addEventListener("keydown", event => {
    const { key, target } = event;
    // Ctrl, Alt and Command belong to the browser.
    if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector("dialog[open]") || isTyping(target)) return;
    if (key.length === 1 && setting.get("keys", "on") === "off") return;
    // Buttons and links keep what Enter and Space do with them; the strip of months keeps its arrows.
    if ((key === "Enter" || key === " ") && target.closest("button, a, summary")) return;
    if (target.closest("[role=slider]") && key.length > 1) return;
    const action = actions.get(key);
    if (action && act(action, event) !== false) event.preventDefault();
  });
}
