// Selecting many: by keys, clicks, long presses, and by a rectangle.

import { address, announce, get, load, make, plural, stack, tell } from "./parts.js";

export class Selection {
  ids = new Set();
  /** How often it was changed, or taken back before it was there. */
  changes = 0;
  #start = null;
  #bar = null;

  constructor(list) {
    this.list = list;
    this.#draw();
  }

  has(id) { return this.ids.has(id); }
  get isOn() { return this.ids.size > 0; }

  toggle(id) {
    this.ids.has(id) ? this.ids.delete(id) : this.ids.add(id);
    this.#start = id;
    this.#changed();
  }

  /** Selects from where the selection began to a post, and what is `kept`. The server knows those that are not in memory. */
  async extend(id, from = id, kept = []) {
    const { rows } = this.list;
    if (!this.isOn) this.#start = from;
    const { changes } = this, before = [...kept], start = this.#start ??= from, [one, other] = [rows.index(start), rows.index(id)];
    try {
      const ids = one < 0 || other < 0 ? (await get(address("/api/ids", rows.query, { from: start, to: id }))).ids
        : rows.list.slice(Math.min(one, other), Math.max(one, other) + 1).map(row => row.id);
      if (changes === this.changes) this.select([...before, ...ids]);
    } catch (error) { tell(`Not selected: ${error.message}`); }
  }

  /** Selects exactly these. */
  select(ids) {
    this.ids = new Set(ids);
    this.#changed();
  }

  clear() {
    this.changes += 1;
    if (!this.isOn) return;
    this.ids.clear();
    this.#changed();
  }

  /** What an action is for: `only` these, else the selected posts, else the one with the focus. They are selected no more. */
  targets(id, only) {
    const ids = only ?? (this.isOn ? [...this.ids] : id == null ? [] : [id]);
    if (ids.map(id => this.ids.delete(id)).some(Boolean)) this.#changed();
    return ids;
  }

  #changed() {
    this.changes += 1;
    const { view, isTrash, isReadOnly } = this.list;
    for (const element of view.elements) element.classList.toggle("selected", this.ids.has(element.row.id));
    document.body.classList.toggle("selecting", this.isOn);
    const count = this.ids.size;
    announce(count ? `${count} selected` : "Nothing selected");
    if (!count) { this.#bar?.remove(); this.#bar = null; return; }
    const button = (text, action, words) => {
      const element = make("button", { type: "button", "aria-label": words }, text);
      element.onclick = () => this.list.act(action);
      return element;
    };
    const bar = make("div", { class: "selectbar", role: "toolbar", "aria-label": "Selected posts" }, make("span", {}, plural(count, "post")));
    if (!isReadOnly) bar.append(button("★", "markFavourite", "Favourite"), button("Rate", "markRating"), button("+ Tag", "markTag"), button("Album", "markAlbum"), ...(isTrash ? [] : [button("Share", "markShare")]));
    if (count > 1 && count < 5) bar.append(button("Compare", "compare"));
    bar.append(make("form", { method: "post", action: "/download" }, make("input", { type: "hidden", name: "ids", value: [...this.ids] }), make("button", {}, "Download")));
    if (!isReadOnly) bar.append(isTrash ? button(`Restore ${count}`, "restoreSelected") : button(`Delete ${count}`, "delete"));
    bar.append(button("Cancel", "back"));
    this.#bar ? this.#bar.replaceWith(bar) : stack(bar);
    this.#bar = bar;
  }

  /** Selected posts are carried, and a post of an album: by the mouse, or by its handle. Returns whether a drag may begin so. */
  #carries(event) {
    const { row } = event.target.closest(".cell") ?? {};
    const isHeld = event.pointerType === "mouse" ? !event.shiftKey && !event.ctrlKey && !event.metaKey : event.target.closest(".handle");
    if (!row || !isHeld || this.list.isReadOnly || this.list.isTrash || !row.position && !this.has(row.id)) return false;
    // What the pointer does until the module is there counts, too.
    let last = event;
    const types = ["pointermove", "pointerup", "pointercancel"], note = next => { last = next; };
    for (const type of types) addEventListener(type, note);
    load("arrange.js").then(({ carry }) => {
      if (last === event || last.type === "pointermove") carry(this.list, event, last, this.has(row.id) ? [...this.ids] : [row.id]);
    }).catch(error => tell(error.message)).finally(() => { for (const type of types) removeEventListener(type, note); });
    return true;
  }

  /** A rectangle drawn with the mouse selects what it touches. */
  #draw() {
    const { host, view } = this.list;
    let from = null, box = null, kept = null, last = null, timer = 0;
    const point = event => ({ x: event.clientX - host.getBoundingClientRect().left, y: event.clientY - host.getBoundingClientRect().top });
    const end = () => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
      clearInterval(timer);
      if (!box) return;
      box.remove();
      box = null;
      // The click that ends the drag opens nothing.
      addEventListener("click", stop, { capture: true, once: true });
      setTimeout(() => removeEventListener("click", stop, { capture: true }), 0);
    };
    const stop = event => { event.preventDefault(); event.stopPropagation(); };
    const draw = () => {
      const to = point(last);
      const area = { x: Math.min(from.x, to.x), y: Math.min(from.y, to.y), width: Math.abs(to.x - from.x), height: Math.abs(to.y - from.y) };
      Object.assign(box.style, { transform: `translate(${area.x}px,${area.y}px)`, width: `${area.width}px`, height: `${area.height}px` });
      const ids = new Set([...kept, ...view.within(area)]);
      if (ids.size === this.ids.size && [...ids].every(id => this.ids.has(id))) return;
      this.ids = ids;
      this.#changed();
    };
    const move = event => {
      last = event;
      const to = point(event);
      if (!box) {
        if (Math.hypot(to.x - from.x, to.y - from.y) < 8) return;
        box = make("div", { class: "rectangle" });
        host.append(box);
        kept = event.ctrlKey || event.metaKey || event.shiftKey ? new Set(this.ids) : new Set();
        // The page follows at its edges.
        timer = setInterval(() => {
          const step = last.clientY < 90 ? -18 : last.clientY > innerHeight - 60 ? 18 : 0;
          if (step) { scrollBy(0, step); draw(); }
        }, 16);
      }
      draw();
    };
    host.parentElement.addEventListener("pointerdown", event => {
      if (event.button !== 0 || !event.target.closest(".feed") || event.target.closest("button, .tags")) return;
      if (this.#carries(event)) return;
      if (event.pointerType !== "mouse") return;
      from = point(event);
      addEventListener("pointermove", move);
      addEventListener("pointerup", end);
      addEventListener("pointercancel", end);
    });
  }
}
