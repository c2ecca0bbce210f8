// A post over the whole window, above the list that it was opened from. The list stays as it is; Back closes the viewer.
// The viewer takes its parts from the post's page, on which everything from outside is escaped.
//
// showPost(id, list, options): `list.closed(id)` gets the focus back. What else a list may have: `query`, its parameters; `next(id)` and
// `previous(id)`, which follow along in it; and what `alone` has, so that what is done here and in the list has one order of undo.

import { address, icon, isCalm, leave, load, make, post as send, setting, tell, undone, UNREACHED } from "./parts.js";
import { drawPicture, reason, tile } from "./picture.js";
import { Viewport } from "./viewport.js";

const KEYS = [
  ["j → ↓", "next post"], ["k ← ↑", "post before"], ["l h", "next picture of the post, and the one before"],
  ["z", "full size, and fitted again"], ["+ − 0", "zoom"], ["Enter", "show what a warning hides"], ["i", "text beside the picture"], ["t", "where words stand in it, as a machine read them"], ["*", "favourite, or none any more"], ["1 to 5", "rate it"], ["n", "you have seen it; next post"],
  ["y", "copy the link"], ["o", "open its page at its server"], ["d", "delete"], ["u", "undo"], ["?", "this help"], ["Esc", "back to the list"],
];
const ICONS = {
  close: "M6 6l12 12M18 6L6 18", previous: "M15 5l-7 7 7 7", next: "M9 5l7 7-7 7",
  zoom: "M11 4a7 7 0 1 0 0 14a7 7 0 1 0 0-14M16 16l5 5M11 8v6M8 11h6", text: "M4 5h16v14H4zM14 5v14M16.5 9h1M16.5 12h1",
  words: "M4 8V4h4M16 4h4v4M20 16v4h-4M8 20H4v-4M8 9h8M12 9v7",
  link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
  origin: "M14 4h6v6M20 4l-9 9M18 14v5H5V6h5", save: "M12 4v11M7 11l5 5 5-5M5 20h14",
  remove: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13", restore: "M9 14l-4-4 4-4M5 10h9a5 5 0 0 1 0 10h-3",
  help: "M9 9a3 3 0 1 1 4 3q-1 .5-1 2M12 17.5v.5",
};

let ui, list, query, id, post, index = 0, isShown = false, title, timer, marking, wantOriginal = () => {};
const revealed = new Set(), undos = [];

/** Of a post without its list: changes it, and undoes what was changed last. */
const alone = {
  delete: id => send("/api/delete", { ids: [id] }).then(({ change }) => change && undos.push({ id, change })),
  restore: (id, undoes) => send("/api/restore", { ids: [id], undoes }),
  /** Takes note of changes, and of the post that is read again once they are undone. */
  remember: (changes, id) => undos.push({ changes, id }),
  /** Returns what was undone, with the sentence that tells it. */
  async undo() {
    const step = undos.pop();
    try {
      if (step?.changes) step.said = await undone(step.changes);
      else if (step && !(await alone.restore(step.id, step.change)).changed.length) step.said = "Not undone: it was changed again since";
    } catch (error) {
      if (!error.status) undos.push(step);
      throw error;
    }
    return step;
  },
};

function control(name, words, act) {
  const element = make(act ? "button" : "a", { class: `icon ${name}`, "aria-label": words, title: words }, icon(ICONS[name], 24));
  element.onclick = act;
  return element;
}

function build() {
  const area = make("div", { class: "viewport", tabindex: "-1" });
  ui = {
    area, count: make("span", { class: "count" }),
    previous: control("previous", "Post before (k)", () => step("prev")), next: control("next", "Next post (j)", () => step("next")),
    veil: make("div", { class: "veil" }, make("p", { dir: "auto" }), make("button", { class: "primary" }, "Show (Enter)")),
    strip: make("div", { class: "strip", role: "group", "aria-label": "Pictures of the post" }),
    said: make("p", { class: "said quiet", role: "status" }),
    keys: make("dl", { class: "keys", hidden: "" }, ...KEYS.map(([key, words]) => make("div", {}, make("dt", {}, key), make("dd", {}, words)))),
    panel: make("aside", { class: "panel", "aria-label": "About the post", tabindex: "0" }),
  };
  const tools = {
    zoom: control("zoom", "Full size (z)", () => viewport.toggle()), text: control("text", "Text (i)", toggleText), link: control("link", "Copy link (y)", copy),
    words: control("words", "Words in the picture (t)", toggleWords),
    origin: control("origin", "Open at its server (o)"), save: control("save", "Download"), remove: control("remove", "Delete (d)", remove),
    restore: control("restore", "Restore", restore), help: control("help", "Keys (?)", toggleHelp), close: control("close", "Close (Esc)", close),
  };
  Object.assign(tools.origin, { rel: "noopener noreferrer", target: "_blank" });
  tools.save.download = "";
  ui.dialog = make("dialog", { class: "viewer" }, make("div", { class: "tools" }, ui.count, ...Object.values(tools)),
    make("div", { class: "look" }, area, ui.previous, ui.next, ui.veil, ui.strip, ui.said, ui.keys), ui.panel);
  const viewport = new Viewport(area, {
    swiped: way => way ? step(way > 0 ? "next" : "prev") : close(), tapped: by => { if (isVeiled()) reveal(); else if (by === "touch") ui.dialog.classList.toggle("bare"); },
    scaled: pixels => { if (pixels > 1650) wantOriginal(); },
  });
  Object.assign(ui, { viewport, tools });
  ui.veil.lastChild.onclick = reveal;
  ui.dialog.onkeydown = key;
  ui.panel.addEventListener("submit", hide);
  ui.dialog.addEventListener("cancel", event => { event.preventDefault(); close(); });
  ui.dialog.addEventListener("close", () => { if (isShown) close(); });
  ui.dialog.classList.toggle("texted", setting.get("text", innerWidth > 900 ? "1" : "0") === "1");
  document.body.append(ui.dialog);
}

/** Opens a post over the list: at its first file or another one, and if it `zooms`, at full size. */
export function showPost(post, from, options) {
  const own = new URLSearchParams(location.search);
  for (const name of ["at", "view"]) own.delete(name);
  query = from.query ?? own.toString();
  history.pushState({ viewer: post }, "", address(`/post/${post}`, query));
  return open(post, from, options);
}

async function open(post, from, options) {
  if (!ui) build();
  list = { ...alone, ...from };
  if (!isShown) {
    [isShown, title] = [true, document.title];
    document.documentElement.classList.add("viewing");
    ui.dialog.showModal();
  }
  ui.area.focus();
  await go(post, options);
}

async function go(next, { file = 0, zooms } = {}) {
  [id, post] = [next, null];
  history.replaceState({ viewer: id }, "", address(`/post/${id}`, query));
  const found = await read(id).catch(error => error);
  if (id !== next || !isShown) return;
  if (found instanceof Error) {
    ui.panel.replaceChildren();
    return ui.viewport.show(tile(found.message));
  }
  post = found;
  document.title = post.title;
  draw(file);
  if (zooms && !isVeiled()) ui.viewport.toggle();
  for (const way of ["next", "prev"]) if (neighbour(way)) read(neighbour(way)).then(preload, () => {});
}

/** The page of a post. It is read anew each time: the post and its list may have changed. */
export async function read(id) {
  const answer = await fetch(address(`/post/${id}`, query)).catch(() => { throw new Error(UNREACHED); });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (!answer.ok) throw new Error(page.querySelector("main p")?.textContent ?? answer.statusText);
  const main = page.querySelector("main.post");
  if (!main) throw new Error("This browser is no longer signed in: load the page again");
  const find = selector => main.querySelector(selector);
  return {
    find, id, title: page.title, heading: find("h1").textContent, warning: find(".warning > summary")?.textContent,
    files: [...main.querySelectorAll("figure")], isDeleted: "deleted" in main.dataset, isReadOnly: "readOnly" in main.dataset,
  };
}

const neighbour = way => Number(post?.find(`.neighbours a[rel=${way}]`)?.pathname.split("/")[2]);

function preload({ files: [first] }) { if (first?.dataset.shown === "picture") new Image().src = `/thumb/1600/${first.dataset.blob}`; }

const isVeiled = () => post?.warning != null && setting.get("sensitive", "hidden") === "hidden" && !revealed.has(post.id);
const copied = element => element && document.importNode(element, true);

// Drawing

function draw(next) {
  index = Math.max(Math.min(next, post.files.length - 1), 0);
  const { find, files } = post, file = files[index], isHidden = isVeiled();
  wantOriginal = () => {};
  wantOriginal = file ? drawFile(ui.viewport, file, isHidden) : () => {};
  if (!file) ui.viewport.show(isHidden ? "" : copied(find(".caption")) ?? tile(post.heading));
  if (file && !isHidden) ui.area.querySelector(".frame")?.append(...boxes(file));
  ui.dialog.classList.toggle("veiled", isHidden);
  ui.dialog.setAttribute("aria-label", post.heading);
  ui.veil.firstChild.textContent = post.warning ?? "";
  const open = isHidden ? [] : [find(".caption"), file?.querySelector(".alt"), file?.querySelector(".read"), find(".edits")];
  ui.panel.replaceChildren(...[find("header"), ...post.find("article").querySelectorAll(".state"), ...open, find(".facts"), find(".marks"), find(".actions"), find(".hiding")].filter(Boolean).map(copied));
  ui.panel.scrollTop = 0;
  const section = ui.panel.querySelector(".marks"), original = find(".marks");
  marking = section && load("marks.js").then(({ edit }) => edit(section, id, {
    say, done: (text, changes) => { list.remember(changes); say(text, false, undo); }, changed: marks => { original.dataset.marks = JSON.stringify(marks); },
  }));
  marking?.catch(error => say(error.message));
  ui.count.textContent = files.length > 1 ? `${index + 1} of ${files.length}` : "";
  ui.strip.replaceChildren(...(files.length > 1 ? files.map(thumbnail) : []));
  const { tools } = ui, kind = file?.dataset.shown;
  const show = (element, isThere) => element.classList.toggle("hidden", !isThere);
  const link = (element, source) => { show(element, source); if (source) element.href = source.href; };
  link(tools.origin, find(".origin"));
  link(tools.save, !isHidden && file?.querySelector("a[download]"));
  show(tools.zoom, kind === "picture" || kind === "derivative");
  show(tools.words, !isHidden && file?.querySelector("[data-box]"));
  show(tools.remove, !post.isDeleted && !post.isReadOnly);
  show(tools.restore, post.isDeleted && !post.isReadOnly);
  show(ui.previous, neighbour("prev"));
  show(ui.next, neighbour("next"));
  say(`${post.heading}. ${isHidden ? post.warning : file?.dataset.words ?? ""}`, true);
}

/** Shows a file in a viewport. Returns what asks for the original. */
export function drawFile(viewport, file, isHidden) {
  const kind = file.dataset.shown;
  if (kind === "picture" || kind === "derivative" || kind === "video" && isHidden) return drawPicture(viewport, file.dataset, isHidden);
  const element = copied(file.querySelector("video, audio, .absent"));
  if (element.loop) [element.muted, element.autoplay] = [true, !isCalm() && setting.get("plays", "on") === "on"];
  viewport.show(isHidden ? "" : element);
  return () => {};
}

/** Each line that a machine read, where it stands in the picture. */
function boxes(file) {
  return [...file.querySelectorAll("[data-box]")].map(line => {
    const [left, top, width, height] = line.dataset.box.split(" ").map(part => `${part / 100}%`);
    const box = make("span", { class: "box", title: line.textContent });
    Object.assign(box.style, { inset: "auto", left, top, width, height });
    return box;
  });
}

function thumbnail(file, place) {
  const { blob, shown, words } = file.dataset;
  const button = make("button", { "aria-label": words, "aria-current": place === index ? "true" : null });
  if (["picture", "derivative", "video"].includes(shown)) {
    const image = make("img", { src: `/thumb/320/${blob}`, alt: "" });
    image.onerror = () => image.replaceWith(shown);
    button.append(image);
  } else button.append(shown);
  button.onclick = () => { draw(place); ui.strip.children[place].focus(); };
  return button;
}

/** Tells what happened, with a button if `act` takes it back. */
function say(text, isQuiet = false, act) {
  clearTimeout(timer);
  // Keys are the viewer's as long as the focus is in it.
  if (ui.said.contains(document.activeElement)) ui.area.focus();
  const button = act && make("button", {}, "Undo");
  if (act) button.onclick = act;
  ui.said.replaceChildren(...[text, act && " ", button].filter(Boolean));
  ui.said.classList.toggle("quiet", isQuiet);
  timer = setTimeout(() => act ? say(text, true) : ui.said.classList.add("quiet"), act ? 7000 : 4000);
}

// What keys and buttons do

async function beside(way) {
  const own = way === "next" ? list.next : list.previous;
  return own ? own(id) : neighbour(way);
}

let steps = Promise.resolve();

/** One step after the other: a key that is pressed before its post has come counts, too. */
function step(way) { steps = steps.then(() => stepNow(way)).catch(error => say(error.message)); }

async function stepNow(way) {
  if (!post) return;
  const next = await beside(way);
  if (next) await go(next); else say(way === "next" ? "This is the last post" : "This is the first post");
}

function reveal() { revealed.add(id); draw(index); ui.area.focus(); }

function toggleText() { setting.set("text", ui.dialog.classList.toggle("texted") ? "1" : "0"); }

function toggleWords() { ui.dialog.classList.toggle("boxed"); }

function toggleHelp() { ui.keys.hidden = !ui.keys.hidden; }

const copyLink = (origin, id) => navigator.clipboard.writeText(origin?.href ?? `${location.origin}/post/${id}`)
  .then(() => "Link copied", () => "The browser does not allow copying");

function copy() { copyLink(post.find(".origin"), id).then(text => say(text)); }

async function remove() {
  if (post.isDeleted) return;
  const gone = id, next = await beside("next") || await beside("prev") || gone;
  try {
    await list.delete(gone);
    await go(next);
    say("Deleted", false, undo);
  } catch (error) { say(error.message); }
}

async function restore() {
  try { await list.restore(id); await go(id); say("Restored"); } catch (error) { say(error.message); }
}

/** Hides the post, its author or a tag, or shows it again, and stays here. */
async function hide(event) {
  const { target } = event;
  if (!target.closest(".hiding")) return;
  event.preventDefault();
  try {
    const { changes } = await send("/api/hide", Object.fromEntries(new FormData(target)));
    if (changes.length) list.remember(changes, id);
    ui.area.focus();
    await go(id, { file: index });
    say(target.elements.show ? "Shown again" : "Hidden", false, undo);
  } catch (error) { say(error.message); }
}

const words = step => step ? step.said ?? (step.name === "restore" ? "Deleted" : "Restored") : "Nothing to undo";

async function undo() {
  try {
    const step = await list.undo();
    if (step?.id) await go(step.id); else await (await marking)?.again();
    say(words(step));
  } catch (error) { say(error.message); }
}

function close() { if (history.state?.viewer) history.back(); else finish(); }

function finish() {
  isShown = false;
  ui.viewport.show("");
  ui.dialog.close();
  document.documentElement.classList.remove("viewing");
  document.title = title;
  list.closed?.(id);
}

/** What the keys do that mark a post, once its marks can be changed. */
function markKeys(marking, ratings, next) {
  if (!marking) return {};
  const does = act => () => marking.then(act, () => {});
  return {
    "*": does(marks => marks.favourite()), n: does(marks => marks.seen().then(next)), ...Object.fromEntries(ratings.map(rating => [rating, does(marks => marks.rate(rating))])),
  };
}

function key(event) {
  const { target } = event, { viewport } = ui, isOnMedia = target.closest("video, audio");
  if (event.ctrlKey || event.metaKey || event.altKey || isOnMedia && /^Arrow| /.test(event.key)) return;
  if (target.closest("input, textarea")) {
    event.stopPropagation();
    if (event.key === "Escape") { event.preventDefault(); ui.area.focus(); }
    return;
  }
  if (target.closest(".panel") && /^Arrow(Up|Down)$/.test(event.key)) return;
  const move = (way, dx, dy) => () => viewport.isZoomed ? viewport.pan(dx, dy) : step(way);
  const acts = {
    l: () => draw(index + 1), h: () => draw(index - 1),
    z: () => viewport.toggle(), "+": () => viewport.zoom(1.5), "=": () => viewport.zoom(1.5), "-": () => viewport.zoom(1 / 1.5), 0: () => viewport.fit(),
    i: toggleText, t: toggleWords, y: copy, o: () => post.find(".origin") && ui.tools.origin.click(), d: remove, Delete: remove,
    ...markKeys(marking, [1, 2, 3, 4, 5], () => step("next")), Enter: isVeiled() && !target.closest("a, button, summary") && reveal,
  };
  const always = {
    j: () => step("next"), k: () => step("prev"), ArrowRight: move("next", -80, 0), ArrowDown: move("next", 0, -80),
    ArrowLeft: move("prev", 80, 0), ArrowUp: move("prev", 0, 80), u: undo, "?": toggleHelp, q: close, Escape: () => ui.keys.hidden ? close() : toggleHelp(),
  };
  const act = always[event.key] ?? (post && acts[event.key]);
  // The list below has keys of its own.
  event.stopPropagation();
  if (act) { event.preventDefault(); act(); }
}

addEventListener("popstate", event => {
  const wanted = event.state?.viewer;
  if (isShown) wanted ? go(wanted) : finish();
  else if (wanted) {
    query = location.search.slice(1);
    open(wanted, list ?? {});
  }
});

// What could not be read is read as soon as the server is there again.
addEventListener("media-online", () => { if (isShown && !post) go(id); });

/** Reads a post's marks again once others may have changed them. */
const heed = (marking, { everything, posts }, id) => { if (everything || posts.includes(id)) marking?.then(marks => marks.again()).catch(() => {}); };
addEventListener("media-change", ({ detail }) => { if (isShown) heed(marking, detail, id); });

// The page of a post that was opened by its address

function enhance(page) {
  const own = Number(page.dataset.post), isDeleted = "deleted" in page.dataset, find = selector => page.querySelector(selector);
  const said = make("span", { role: "status", class: "soft" });
  const change = path => send(path, { ids: [own] }).then(() => location.reload(), error => { said.textContent = error.message; });
  const copy = () => copyLink(find(".origin"), own).then(text => { said.textContent = text; });
  const button = (words, act) => { const element = make("button", {}, words); element.onclick = act; return element; };
  const remove = isDeleted ? button("Restore", () => change("/api/restore")) : button("Delete", () => change("/api/delete"));
  find(".actions").append(button("Copy link", copy), "readOnly" in page.dataset ? "" : remove, said);
  for (const opener of page.querySelectorAll("a.open")) enhanceFigure(opener, own, {
    query: page.dataset.query, closed: () => opener.focus(),
  });
  const section = find(".marks");
  const say = text => { said.textContent = text; };
  const undo = () => alone.undo().then(async step => { say(words(step)); await (await marks).again(); }).catch(error => say(error.message));
  const marks = section && load("marks.js").then(({ edit }) => edit(section, own, {
    say, done: (text, changes) => { alone.remember(changes); tell(text, "Undo", undo); },
  }));
  marks?.catch(error => say(error.message));
  load("live.js").then(({ follow }) => follow({ change: detail => { heed(marks, detail, own); dispatchEvent(new CustomEvent("media-change", { detail })); } }), () => {});
  const follow = relation => () => find(`a[rel=${relation}]`)?.click();
  const acts = {
    j: follow("next"), k: follow("prev"), ArrowRight: follow("next"), ArrowLeft: follow("prev"), z: () => find("a.open")?.click(), y: copy,
    o: () => find(".origin")?.click(), d: () => isDeleted || remove.click(), u: () => undos.length ? undo() : isDeleted && remove.click(),
    ...markKeys(marks, [0, 1, 2, 3, 4, 5], follow("next")), "+": () => marks?.then(marks => marks.tag(), () => {}),
    "?": () => leave("/help"), Escape: () => find(".back").click(),
  };
  addEventListener("keydown", event => {
    const isElsewhere = isShown || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select, video, audio");
    if (!isElsewhere && acts[event.key]) { event.preventDefault(); acts[event.key](); }
  });
}

function enhanceFigure(opener, own, from) {
  const figure = opener.closest("figure"), [image] = opener.children, { blob, shown } = figure.dataset;
  opener.onclick = event => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    // Who sees it here has opened the warning.
    revealed.add(own);
    showPost(own, from, { file: [...document.querySelectorAll("figure")].indexOf(figure) });
  };
  const failed = async () => {
    // Browsers draw most originals themselves.
    if (shown === "picture" && !image.src.includes("/blob/")) image.src = `/blob/${blob}`;
    else opener.replaceWith(tile(await reason(blob)));
  };
  image.onerror = failed;
  // It may have failed before this script ran.
  if (image.complete && !image.naturalWidth) failed();
}

// A missing avatar is no more than that.
addEventListener("error", ({ target }) => { if (target.className === "avatar") target.remove(); }, true);

const page = document.querySelector("main.post");
if (page) enhance(page);
