// Pictures of a list over the whole window: to decide on each, as a slideshow, or some side by side. The list stays below and
// follows along. Esc and Back return to it, at the post that was shown last.

import { signs } from "./cells.js";
import { address, get, isCalm, load, make, setting } from "./parts.js";
import { drawPicture, tile } from "./picture.js";
import { unpack } from "./rows.js";
import { Viewport } from "./viewport.js";

/** How many of the next pictures are asked for while one is looked at. */
const AHEAD = 3;

export async function begin(list, action, id) {
  const { ids } = list.selection, isCompared = action === "compare";
  if (isCompared && ![2, 3, 4].includes(ids.size)) throw new Error("Select two to four posts to compare");
  const shown = isCompared ? (await Promise.all([...ids].map(id => list.rows.find(id, list.isTrash ? list.rows.query : "")))).filter(Boolean) : list.rows.row(id);
  if (action === "decide" && list.isReadOnly) throw new Error("This gallery is served for reading only");
  list.selection.clear();
  const overlay = new { decide: Decisions, slideshow: Slideshow, compare: Comparison }[action](list);
  overlay.open(shown);
}

const button = (text, words, act) => {
  const element = make("button", { type: "button", "aria-label": words, title: words }, text);
  element.onclick = act;
  return element;
};

const nameOf = ({ author }) => author?.name || author?.handle || "Added by you";

const number = count => count.toLocaleString("en");

class Overlay {
  steps = Promise.resolve();
  /** The files of the post, once another one than the list's is wanted, and which of them is shown. */
  files = null;
  file = 0;
  /** How many posts of the list come before the shown one, and itself; null while that is not known. */
  place = null;
  isOpen = true;

  constructor(list, name) {
    this.list = list;
    this.near = list.neighbours;
    this.count = make("span", { class: "count" });
    this.about = make("span", { class: "about" });
    this.said = make("p", { class: "said quiet", role: "status" });
    this.look = make("div", { class: "look" }, this.said);
    this.bar = make("div", { class: "choices", role: "toolbar", "aria-label": name });
    this.whole = make("div", {}, make("div", { class: "tools" }, this.count, this.about, button("✕", "Close (Esc)", () => this.close())), this.look, this.bar);
    this.dialog = make("dialog", { class: "viewer overlay", "aria-label": name }, this.whole);
    this.dialog.onkeydown = event => this.key(event);
    // Who clicked goes on with keys.
    this.bar.addEventListener("click", ({ detail, target }) => { if (detail && target.type === "button" && target === document.activeElement) this.area.focus(); });
    this.dialog.addEventListener("cancel", event => { event.preventDefault(); this.close(); });
    this.left = () => this.end();
    addEventListener("popstate", this.left);
  }

  open(row) {
    history.pushState({ overlay: true }, "");
    document.body.append(this.dialog);
    document.documentElement.classList.add("viewing");
    this.dialog.showModal();
    this.list.overlay = this;
    this.begin(row);
  }

  begin(row) {
    this.area = make("div", { class: "viewport", tabindex: "-1" });
    this.look.prepend(this.area);
    this.viewport = new Viewport(this.area, {
      swiped: way => way ? this.step(way) : this.close(), tapped: () => this.reveal(), scaled: pixels => { if (pixels > 1650) this.wantOriginal?.(); },
    });
    this.area.focus();
    this.show(row);
    this.#locate();
  }

  close() { if (history.state?.overlay) history.back(); else this.end(); }

  end() {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.list.overlay = null;
    removeEventListener("popstate", this.left);
    this.viewport?.show("");
    this.dialog.close();
    this.dialog.remove();
    document.documentElement.classList.remove("viewing");
    if (this.row) this.near.closed(this.row.id);
  }

  /** Asks for the place of a post before which there are posts that are not in memory. */
  async #locate() {
    const { list: { rows }, row: { id } } = this;
    if (!rows.before) return;
    const { position } = await get(address("/api/position", rows.query, { at: id })).catch(() => ({ position: this.place }));
    if (this.row.id === id) this.place = position;
    this.tellPlace();
  }

  tellPlace() {
    const { rows } = this.list;
    const index = rows.index(this.row.id);
    if (!rows.before && index >= 0) this.place = index + 1;
    // What has left the list has no place in it.
    this.count.textContent = this.place == null || !rows.before && index < 0 ? "" : `${number(this.place)} of ${rows.isMore ? "more than " : ""}${number(rows.total)}`;
  }

  /** The rows of the list have changed. */
  changed() {
    this.row = this.list.rows.row(this.row.id) ?? this.row;
    this.tellFiles();
    this.tellPlace();
    this.#locate();
  }

  /** One step after the other: a key that is pressed before its post has come counts, too. */
  queue(work) { return this.steps = this.steps.then(() => this.isOpen && work()).catch(error => this.say(error.message)); }

  step(way) { return this.queue(() => this.stepNow(way)); }

  async stepNow(way) {
    const id = await this.near[way > 0 ? "next" : "previous"](this.row.id);
    if (id == null) return this.say(way > 0 ? "This is the last post" : "This is the first post");
    if (this.place != null) this.place += way;
    this.show(this.list.rows.row(id));
  }

  /** Shows the next file of the post, or the one before. Returns whether there is one. */
  async turn(way) {
    const { row } = this;
    if (!(row.files > 1) || this.list.cells.isHidden(row)) return false;
    const { drawFile, read } = await load("post.js");
    const post = this.files ? null : await read(row.id);
    // Another post may have come meanwhile, or a warning.
    if (!this.isOpen || this.row.id !== row.id) return true;
    if (post && post.warning != null && row.warning == null && setting.get("sensitive", "hidden") === "hidden") return false;
    if (post) [this.files, this.file] = [post.files, Math.max(post.files.findIndex(file => file.dataset.blob === row.blob), 0)];
    const file = this.files[this.file + way];
    if (!file) return false;
    this.file += way;
    this.wantOriginal = null;
    this.wantOriginal = drawFile(this.viewport, file, false);
    this.tellFiles();
    return true;
  }

  show(row) {
    [this.row, this.files, this.file] = [row, null, 0];
    this.draw();
    this.tellPlace();
    const index = this.list.rows.index(row.id);
    for (const { kind, blob } of this.list.rows.list.slice(index + 1, index + 1 + AHEAD)) if (kind === "image" && blob) new Image().src = `/thumb/1600/${blob}`;
  }

  draw() {
    const { row } = this;
    this.wantOriginal = null;
    this.tellFiles();
    this.wantOriginal = drawRow(this.viewport, row, this.list.cells.isHidden(row));
    this.area.setAttribute("aria-label", row.alt || row.title || row.caption || nameOf(row));
  }

  tellFiles() {
    const { row } = this, files = row.files > 1 && `${this.file + 1} of ${row.files} files`;
    this.about.replaceChildren(make("bdi", {}, nameOf(row)), ...[signs(row), files].filter(Boolean).map(text => ` · ${text}`));
  }

  reveal() {
    if (!this.list.cells.isHidden(this.row)) return;
    this.list.cells.revealed.add(this.row.id);
    this.draw();
  }

  say(text) {
    clearTimeout(this.timer);
    this.said.textContent = text;
    this.said.classList.remove("quiet");
    this.timer = setTimeout(() => this.said.classList.add("quiet"), 3000);
  }

  key(event) {
    const { key, target } = event;
    event.stopPropagation();
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (target.matches("[type=text]") || target.matches("select") && !/^[a-z]$/.test(key)) {
      if (key === "Escape" || key === "Enter") { event.preventDefault(); this.area.focus(); }
      return;
    }
    if (target.closest("video") && /^Arrow| /.test(key) || target.closest("button, input") && (key === "Enter" || key === " ")) return;
    const act = this.acts[key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  get acts() {
    const { viewport } = this;
    const move = (way, dx, dy) => () => viewport.isZoomed ? viewport.pan(dx, dy) : this.step(way);
    return {
      j: () => this.step(1), k: () => this.step(-1), l: () => this.queue(() => this.turn(1)), h: () => this.queue(() => this.turn(-1)), z: () => viewport.toggle(), Enter: () => this.reveal(), q: () => this.close(), Escape: () => this.close(),
      ArrowRight: move(1, -80, 0), ArrowDown: move(1, 0, -80), ArrowLeft: move(-1, 80, 0), ArrowUp: move(-1, 0, 80),
    };
  }
}

/** Shows a post's picture, or its text. Returns what asks for the original. */
function drawRow(viewport, row, isHidden) {
  const { kind, blob, ratio, blurhash, missing } = row;
  const words = row.alt ?? "";
  if (isHidden) { viewport.show(tile(`${row.warning || "Sensitive"} – Enter or a tap shows it`)); return null; }
  if (kind == null) {
    viewport.show(make("div", { class: "caption", dir: "auto" }, row.title && make("strong", {}, `${row.title}\n\n`), row.caption));
    return null;
  }
  if (!blob || missing) { viewport.show(tile("This picture is not stored")); return null; }
  if (kind === "image") return drawPicture(viewport, { blob, ratio: ratio ?? 1, blurhash, words, shown: "picture" }, false);
  const element = kind === "file" ? tile(words || "File") : make(kind === "audio" ? "audio" : "video", { src: `/blob/${blob}`, controls: "", "aria-label": words || kind });
  if (kind === "gifv") [element.muted, element.loop, element.autoplay] = [true, true, !isCalm() && setting.get("plays", "on") === "on"];
  viewport.show(element);
  return null;
}

/** One key decides, and the next post comes by itself. Nothing is asked, and everything can be taken back. */
class Decisions extends Overlay {
  /** What was decided, the last one at the end. */
  #done = [];
  #sends = Promise.resolve();
  #isOver = false;

  constructor(list) {
    super(list, "Decide");
    this.tag = make("input", { type: "text", "aria-label": "Own tag that + gives", placeholder: "Own tag", maxlength: 101, autocomplete: "off", autocapitalize: "off", value: setting.get("tag", "") });
    this.tag.onkeydown = event => { if (event.key === "Enter") { event.preventDefault(); this.area.focus(); this.#tag(); } };
    const rate = [1, 2, 3, 4, 5].map(rating => button(`${rating}`, `Rate ${rating}`, () => this.#decide("markRating", { key: `${rating}` })));
    const form = make("span", { class: "tagging" }, this.tag, button("+ Tag", "Give the tag (+)", () => this.#tag()));
    this.bar.append(button("↶ Undo", "Undo (u)", () => this.#undo()), button("Delete", "Delete (d)", () => this.#decide("delete")),
      button("★", "Favourite (*)", () => this.#decide("markFavourite")), make("span", { class: "rates", role: "group", "aria-label": "Rating" }, ...rate), form,
      button("Seen", "Seen (n)", () => this.#decide("markSeen", { stays: true })), button("Skip →", "Skip (space)", () => this.step(1)));
  }

  get acts() {
    const rates = [0, 1, 2, 3, 4, 5].map(rating => [rating, () => this.#decide("markRating", { key: `${rating}` })]);
    const favourite = () => this.#decide("markFavourite"), remove = () => this.#decide("delete");
    return {
      ...super.acts, ...Object.fromEntries(rates), "*": favourite, f: favourite, d: remove, Delete: remove, n: () => this.#decide("markSeen", { stays: true }),
      "+": () => this.#tag(), t: () => { this.tag.focus(); this.tag.select(); }, u: () => this.#undo(), " ": () => this.step(1),
    };
  }

  #tag() {
    const word = this.tag.value.trim();
    if (!word) { this.tag.focus(); return this.say("Type the tag once: + gives it again"); }
    setting.set("tag", word);
    this.#decide("markTag", { word });
  }

  #decide(action, event) { this.queue(() => this.#decideNow(action, event)); }

  async #decideNow(action, event) {
    if (this.#isOver) return this.say("This was the last post: u takes back, Esc ends");
    const { row, place } = this;
    const next = await this.near.next(row.id);
    const step = { row, place, isMark: action !== "delete" };
    this.#sends = this.#sends.then(() => this.#send(action, event, step)).catch(error => { this.#back(step); this.say(error.message); });
    if (next == null) return this.#finish();
    if (this.place != null && step.isMark) this.place += 1;
    this.show(this.list.rows.row(next));
  }

  async #send(action, event, step) {
    const { row: { id } } = step;
    if (step.isMark) {
      const { mark } = await load("marks.js");
      if (await mark(this.list, action, id, event, text => this.say(text))) this.#done.push(step);
      return;
    }
    // The page shows it before the server has answered.
    await this.near.delete(id);
    this.#done.push(step);
    this.say("Deleted");
  }

  changed() { if (!this.#isOver) super.changed(); }
  tellPlace() { if (!this.#isOver) super.tellPlace(); }

  #back({ row, place }) {
    this.#isOver = false;
    this.place = place;
    this.show(this.list.rows.row(row.id) ?? row);
  }

  #finish() {
    this.#isOver = true;
    this.viewport.show(tile("This was the last post of the list"));
    this.count.textContent = this.about.textContent = "";
    this.wantOriginal = null;
  }

  #undo() {
    this.queue(async () => {
      await this.#sends;
      const step = this.#done.pop();
      if (!step) return this.say("Nothing was decided here");
      const { last } = this.list.actions, trouble = await this.list.actions.undo();
      if (trouble) {
        if (!step.isMark || !trouble.status) this.#done.push(step);
        throw trouble;
      }
      await this.list.reread();
      this.#back(step);
      this.say(last?.said ?? "Undone");
    });
  }

  async turn(way) { return !this.#isOver && super.turn(way); }

  async stepNow(way) {
    if (!this.#isOver) return super.stepNow(way);
    if (way > 0) return this.say("This is the last post");
    this.#isOver = false;
    this.show(this.row);
  }
}

/** Goes on by itself, in the list's order or at random. */
class Slideshow extends Overlay {
  #turn = 0;
  #lock = null;
  #past = [];
  /** Of the order of no meaning: what it is made from, and what comes next. */
  #seed = Math.floor(Math.random() * 1e9);
  #coming = [];
  isPlaying = false;

  constructor(list) {
    super(list, "Slideshow");
    this.seconds = make("select", { "aria-label": "Seconds for each picture" }, ...[3, 5, 10, 30].map(value => make("option", { value }, `${value} s`)));
    this.seconds.value = setting.get("seconds", "5");
    this.seconds.onchange = () => { setting.set("seconds", this.seconds.value); this.#wait(); this.area.focus(); };
    this.random = make("input", { type: "checkbox" });
    this.random.onchange = () => { [this.#past, this.place] = [[], null]; this.changed(); this.#wait(); this.area.focus(); };
    this.switch = button("", "Pause or go on (space)", () => this.#play(!this.isPlaying));
    this.bar.append(button("←", "Picture before", () => this.step(-1)), this.switch, button("→", "Next picture", () => this.step(1)), this.seconds, make("label", {}, this.random, "Random"),
      document.fullscreenEnabled ? button("Full screen", "Full screen (f)", () => this.#fill()) : "");
    this.seen = () => { if (this.isPlaying && document.visibilityState === "visible") this.#wake(); };
    document.addEventListener("visibilitychange", this.seen);
  }

  get acts() { return { ...super.acts, " ": () => this.#play(!this.isPlaying), f: () => this.#fill() }; }

  begin(row) {
    super.begin(row);
    // Who wants less motion starts it.
    this.#play(!isCalm());
    if (isCalm()) this.say("Space starts it");
  }

  end() {
    super.end();
    this.#play(false);
    document.removeEventListener("visibilitychange", this.seen);
  }

  #play(isPlaying) {
    this.isPlaying = isPlaying;
    this.switch.textContent = isPlaying ? "Pause" : "Play";
    if (isPlaying) this.#wake();
    else this.#lock?.then(lock => lock?.release());
    this.#wait();
  }

  /** The screen stays on meanwhile, where the browser can do that. */
  #wake() { this.#lock = navigator.wakeLock?.request("screen").catch(() => null); }

  #wait() {
    clearTimeout(this.#turn);
    if (this.isPlaying) this.#turn = setTimeout(() => this.step(1), 1000 * this.seconds.value);
  }

  show(row) {
    super.show(row);
    this.#wait();
  }

  async turn(way) {
    const isTurned = await super.turn(way);
    if (isTurned) this.#wait();
    return isTurned;
  }

  async stepNow(way) {
    const { row } = this;
    // A page that cannot be read keeps nobody at its post.
    if (await this.turn(way).catch(error => this.say(error.message))) return;
    if (this.random.checked) {
      const next = way > 0 ? await this.#chance() : this.#past.pop();
      if (way > 0) this.#past.push(row);
      return next && this.show(next);
    }
    await super.stepNow(way);
    if (this.row.id === row.id && way > 0) this.#play(false);
  }

  /** The next post of the list in an order of no meaning, which begins again at its end. */
  async #chance() {
    const read = async anchor => unpack(await get(address("/api/list", this.list.rows.query, { random: this.#seed, before: 0, after: 20, ...anchor })));
    if (!this.#coming.length) this.#coming = (await read({ at: this.row.id })).filter(({ id }) => id !== this.row.id);
    if (!this.#coming.length) this.#coming = await read({});
    return this.#coming.shift();
  }

  tellPlace() { if (!this.random?.checked) return super.tellPlace(); this.count.textContent = ""; }

  #fill() {
    const change = document.fullscreenElement ? document.exitFullscreen() : this.whole.requestFullscreen();
    change.catch(error => this.say(error.message));
  }
}

/** Two to four pictures side by side, which are zoomed and moved as one. */
class Comparison extends Overlay {
  constructor(list) { super(list, "Compare"); }

  begin(rows) {
    [this.rows, this.row] = [rows, rows[0]];
    this.look.classList.add("side-by-side");
    this.stars = rows.map((row, index) => button("", `Favourite (${index + 1})`, () => this.#star(index)));
    const areas = rows.map(() => make("div", { class: "viewport", tabindex: -1 }));
    [this.area] = areas;
    this.look.prepend(...areas.map((area, index) => make("figure", {}, area, this.list.isReadOnly ? "" : this.stars[index])));
    this.viewports = areas.map((area, index) => new Viewport(area, { swiped() {}, tapped: () => this.#uncover(index), scaled: pixels => this.#follow(index, pixels) }));
    this.originals = rows.map((row, index) => drawRow(this.viewports[index], row, this.list.cells.isHidden(row)));
    // The others follow it.
    [this.viewport] = this.viewports;
    this.bar.append(button("−", "Smaller (-)", () => this.viewport.zoom(1 / 1.5)), button("Fit", "Fitted (0)", () => this.viewport.fit()), button("+", "Larger (+)", () => this.viewport.zoom(1.5)));
    if (!this.list.isReadOnly) this.bar.append(button("Same picture", "The same picture (s)", () => this.#call("markSame")), button("Different", "Different pictures (!)", () => this.#call("markDifferent")));
    this.#label();
    this.area.focus();
  }

  reveal() { this.rows.forEach((_, index) => this.#uncover(index)); }

  #uncover(index) {
    const row = this.rows[index];
    if (!this.list.cells.isHidden(row)) return;
    this.list.cells.revealed.add(row.id);
    this.originals[index] = drawRow(this.viewports[index], row);
  }

  async changed() {
    const { rows } = this.list;
    this.rows = await Promise.all(this.rows.map(async row => await rows.find(row.id).catch(() => {}) ?? row));
    this.#label();
  }

  async #again() {
    await this.list.reread();
    await this.changed();
  }

  get acts() {
    const stars = this.rows.map((_, index) => [index + 1, () => this.#star(index)]);
    const larger = () => this.viewport.zoom(1.5);
    return { ...super.acts, ...Object.fromEntries(stars), "+": larger, "=": larger, s: () => this.#call("markSame"), "!": () => this.#call("markDifferent"), u: () => this.#undo(), "-": () => this.viewport.zoom(1 / 1.5), 0: () => this.viewport.fit() };
  }

  step() {}
  turn() {}

  /** How many changes were made here: no others are taken back. */
  #changes = 0;

  #undo() {
    this.queue(async () => {
      if (!this.#changes) return this.say("Nothing was changed here");
      const { last } = this.list.actions, trouble = await this.list.actions.undo();
      if (!trouble) { this.#changes -= 1; await this.#again(); }
      this.say(trouble?.message ?? last?.said ?? "Undone");
    });
  }

  async #mark(action, id, event) {
    const { mark } = await load("marks.js");
    if (await mark(this.list, action, id, event, text => this.say(text))) this.#changes += 1;
  }

  /** Notes whether the pictures that are shown are the same. */
  #call(action) {
    if (this.list.isReadOnly) return;
    const ids = this.rows.map(row => row.id), pictures = this.rows.map(row => row.blob).filter(Boolean);
    this.queue(() => pictures.length === ids.length ? this.#mark(action, null, { ids, pictures }) : this.say("Not all of these have a picture"));
  }

  #label() {
    this.stars.forEach((star, index) => {
      const { isFavourite } = this.rows[index];
      star.textContent = `${index + 1} ${isFavourite ? "★" : "☆"}`;
      star.setAttribute("aria-pressed", isFavourite);
    });
  }

  #star(index) {
    if (this.list.isReadOnly) return;
    this.queue(async () => {
      const { id, isFavourite } = this.rows[index];
      // What is meant is what is shown.
      await this.#mark("markFavourite", id, { favourite: !isFavourite });
      await this.#again();
    });
  }

  /** The others show the same part. */
  #follow(index, pixels) {
    if (pixels > 1650) this.originals?.[index]?.();
    if (this.isFollowing || !this.viewports) return;
    this.isFollowing = true;
    const { scale, x, y } = this.viewports[index];
    this.viewports.forEach((other, at) => { if (at !== index && other.size) { Object.assign(other, { scale, x, y }); other.paint(); } });
    this.isFollowing = false;
  }
}
