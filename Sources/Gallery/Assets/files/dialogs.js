// Dialogs over a list: help, settings, another list, a question, and what can be done with a post.

import { leave, make, post, setting, tell } from "./parts.js";

/** Shows a dialog until it is closed; returns the value of the button that closed it. */
export function show(title, ...content) {
  const heading = make("h2", { id: "dialog-title" }, title);
  const form = make("form", { method: "dialog" }, heading, ...content);
  const dialog = make("dialog", { "aria-labelledby": "dialog-title" }, form);
  document.body.append(dialog);
  // A click beside it closes it.
  dialog.addEventListener("click", event => { if (event.target === dialog) dialog.close(""); });
  dialog.showModal();
  dialog.scrollTop = 0;
  return new Promise(resolve => dialog.addEventListener("close", () => { dialog.remove(); resolve(dialog.returnValue); }));
}

export const button = (text, value, isMain) => make("button", { value, class: isMain ? "primary" : null }, text);
export const buttons = (...all) => make("div", { class: "buttons" }, ...all);

export const ask = async (question, yes) => await show(question, buttons(button(yes, "yes", true), button("Cancel", ""))) === "yes";

export function help(bindings) {
  const row = ({ shown, help }) => make("tr", {}, make("th", { scope: "row" }, shown), make("td", {}, help));
  const groups = [...new Set(bindings.map(({ group }) => group))].map(title => make("section", {}, make("h3", {}, title),
    make("table", {}, make("tbody", {}, ...bindings.filter(({ group }) => group === title).map(row)))));
  return show("Keys", make("div", { class: "keymap" }, ...groups),
    make("p", {}, make("a", { href: "/help" }, "Mouse and touch")), buttons(button("Close", "", true)));
}

export async function settings(list) {
  const pick = (name, text, choices, standard, apply) => {
    const select = make("select", {}, ...Object.entries(choices).map(([value, words]) => make("option", { value }, words)));
    select.value = setting.get(name, standard);
    select.onchange = () => { setting.set(name, select.value); apply(select.value); };
    return make("label", { class: "choice" }, text, select);
  };
  const again = () => list.view.redrawAll(() => true);
  const box = (name, text, standard, apply) => {
    const input = make("input", { type: "checkbox" });
    input.checked = setting.get(name, standard) === "on";
    input.onchange = () => { setting.set(name, input.checked ? "on" : "off"); apply?.(); };
    return make("label", { class: "choice" }, input, text);
  };
  const answer = await show("Settings",
    pick("theme", "Colours", { system: "as the system has them", light: "light", dark: "dark" }, "system", theme => { document.documentElement.dataset.theme = theme; }),
    pick("size", "Pictures in the grid", { small: "small", medium: "medium", large: "large" }, "medium", () => list.view.relayout(list.view.place ?? undefined)),
    pick("sensitive", "Sensitive pictures", { hidden: "behind their warning", shown: "shown at once" }, "hidden", again),
    box("days", "Mark where a day begins", "on", () => list.showDays()),
    box("avatars", "Show pictures of authors", "on", () => list.showAvatars()),
    box("plays", "Play animations by themselves", "on"),
    box("keys", "Keys of one letter, such as d to delete", "on"),
    make("p", { class: "soft" }, "They hold for this browser."), buttons(button("Close", "", true), button("Sign out", "out")));
  if (answer !== "out") return;
  try { await post("/sign-out", {}); location.href = "/sign-in"; } catch (error) { tell(error.message); }
}

export async function choose() {
  const input = make("input", { type: "text", name: "list", "aria-label": "A tag, a user or words", placeholder: "#tag, @user or words", autocomplete: "off", autofocus: "" });
  const answer = await show("Another list", input, make("p", { class: "soft" }, make("a", { href: "/tags" }, "All tags"), " · ", make("a", { href: "/authors" }, "All authors"), " · ", make("a", { href: "/" }, "All posts")),
    buttons(button("Show", "yes", true), button("Cancel", "")));
  const text = input.value.trim();
  if (answer !== "yes" || !text) return;
  const name = text.startsWith("#") ? "tag" : text.startsWith("@") ? "user" : "q";
  leave(`/?${new URLSearchParams({ [name]: name === "q" ? text : text.slice(1) })}`);
}

/** What looks at a list's pictures one by one. */
export async function look(list, id) {
  const entries = [...(list.isReadOnly ? [] : [["Decide one by one", "decide"]]), ["Slideshow", "slideshow"]];
  const action = await show("Look through the list", make("div", { class: "menu" }, ...entries.map(([text, value]) => button(text, value))), buttons(button("Cancel", "")));
  // The post may have left the list meanwhile.
  if (action) list.act(action, list.rows.row(id) && id);
}

export async function menu(list, id) {
  const row = list.rows.row(id);
  const entries = [["Open", "read"], ["Open at its server", "openPage"], ["Copy link", "copyLink"], ["Select", "select"],
    ...(list.isReadOnly ? [] : [["Favourite", "markFavourite"], ["Rating", "markRating"], ["Own tag", "markTag"], ["Album", "markAlbum"], ["Pictures like this", "alike"],
      ...(row?.position ? [["Move earlier", "moveEarlier"], ["Move later", "moveLater"], ["Move to the start", "moveFirst"], ["Move to the end", "moveLast"]] : []), row?.isDeleted || list.isTrash ? ["Restore", "restoreSelected"] : ["Delete", "delete"], ["Undo the last change", "undo"]])];
  const action = await show(row?.author?.name || "Post", make("div", { class: "menu" }, ...entries.map(([text, value]) => button(text, value))), buttons(button("Cancel", "")));
  if (action) list.act(action, id, { ids: [id] });
}
