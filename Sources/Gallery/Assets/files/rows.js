// The rows of a list that are in memory: a window that slides. It is read by key, so that it neither skips nor repeats rows
// while the list changes.

import { address, dayOf, get, Refusal } from "./parts.js";

/** How many rows are kept. */
const LIMIT = 400;
/** How many are added at a time. */
const STEP = 100;
/** How long it waits before it asks again for what could not be read, in milliseconds. */
const PAUSE = 3000;

/** Makes an object of each row of a window, which comes as parallel arrays. */
function unpack(window) {
  const [deleted, gone] = [new Set(window.deleted), new Set(window.gone)];
  // In one order: the server's may differ each time, and cells whose row looks the same stay.
  const authors = window.authors.map(({ handle, name, avatar }) => ({ handle, name, avatar }));
  const missing = id => { const { state, failure } = window.missing[id] ?? {}; return state ? { state, failure } : null; };
  const shifts = new Map(window.shifts);
  let shift = 0;
  return window.id.map((id, index) => {
    shift = shifts.get(index) ?? shift;
    const row = {
      id, at: window.at[index], end: window.ends[id] ?? null, shift, endShift: window.endShifts[id] ?? 0, key: `${window.at[index]}.${id}`, author: authors[window.author[index]] ?? null,
      title: window.titles[id] ?? null, caption: window.caption[index], warning: window.warnings[id] ?? null,
      tags: window.tags[index].map(tag => window.tagNames[tag]), files: window.files[index], kind: window.kind[index],
      ratio: window.ratio[index], blurhash: window.blurhash[index], blob: window.blob[index], alt: window.alt[index],
      missing: missing(id), isDeleted: deleted.has(id), isGone: gone.has(id),
      seenBy: window.seenBy[id] ? { mark: window.seenBy[id].mark, explanation: window.seenBy[id].explanation } : null,
    };
    row.look = JSON.stringify(row);
    row.day = dayOf(row);
    return row;
  });
}

/** Whether one row comes before another: newest first. */
const precedes = (one, other) => one.at !== other.at ? one.at > other.at : one.id > other.id;

export class Rows {
  list = [];
  before = false;
  after = false;
  total = 0;
  isMore = false;
  /** Why no more rows can be read at the moment, as a sentence; null if they can. */
  trouble = null;
  #again = 0;
  #hidden = new Map();
  #turn = Promise.resolve();
  #generation = 0;
  #isStale = false;

  /** `onchange` receives why the rows changed: "opened", "extended", "read", "edited" or "trouble". */
  constructor(query, textLength, onchange) { Object.assign(this, { query, textLength, onchange }); }

  index(id) { return this.list.findIndex(row => row.id === id); }
  row(id) { return this.list.find(row => row.id === id); }

  /** Shows a window that is here already. */
  show(window) {
    this.#apply(window, unpack(window));
    this.onchange("opened");
  }

  /** Replaces the window; a later call wins. Without an anchor, the list's start. */
  async open(anchor = {}) {
    const generation = ++this.#generation;
    const window = await this.#fetch({ before: Object.keys(anchor).length ? STEP : 0, after: 140, ...anchor });
    if (generation !== this.#generation) return false;
    this.show(window);
    return true;
  }

  /** Whether a post is in the list, also where it is not in memory. */
  async has(id) { return this.index(id) >= 0 || (await this.#fetch({ at: id, before: 0, after: 1 })).id[0] === id; }

  /** Asks again at once for what could not be read. */
  resume() {
    clearTimeout(this.#again);
    this.#again = 0;
    if (this.trouble) this.onchange("trouble");
  }

  /** Adds older rows, and drops newer ones beyond the limit. */
  older() {
    return this.#extend("after", () => ({ around: this.list.at(-1).key, before: 0, after: STEP + 1 }), (window, rows) => {
      const known = new Set(this.list.map(row => row.id));
      const all = [...this.list, ...rows.filter(row => !known.has(row.id))];
      this.before ||= all.length > LIMIT;
      this.after = window.after;
      this.list = all.slice(-LIMIT);
    });
  }

  /** Adds newer rows, and drops older ones beyond the limit. */
  newer() {
    return this.#extend("before", () => ({ around: this.list[0].key, before: STEP, after: 1 }), (window, rows) => {
      const known = new Set(this.list.map(row => row.id));
      const all = [...rows.filter(row => !known.has(row.id)), ...this.list];
      this.after ||= all.length > LIMIT;
      this.before = window.before;
      this.list = all.slice(0, LIMIT);
    });
  }

  /** Reads the window again because the library changed. Calls while one waits are the same reading. */
  reread(anchor) {
    if (this.#isStale) return this.#turn;
    this.#isStale = true;
    return this.#next(async generation => {
      this.#isStale = false;
      const hidden = [...this.#hidden].filter(([, isDone]) => isDone).map(([id]) => id);
      const index = Math.max(this.index(anchor()), 0);
      const count = this.list.length - index;
      const window = await this.#fetch({
        ...(this.list.length ? { around: this.list[index].key } : {}),
        before: Math.min(LIMIT, index + (this.before ? 0 : STEP)),
        after: Math.min(LIMIT, count + (this.after ? 0 : STEP)),
      });
      if (generation !== this.#generation) return;
      // The server has spoken about what was changed before it was asked.
      for (const id of hidden) this.#hidden.delete(id);
      this.#apply(window, unpack(window));
      this.onchange("read");
    });
  }

  /** Takes rows out at once, before the server confirms it. Returns them for `put`. */
  hide(ids) {
    const set = new Set(ids);
    for (const id of ids) this.#hidden.set(id, false);
    const rows = this.list.filter(row => set.has(row.id));
    this.list = this.list.filter(row => !set.has(row.id));
    this.total -= rows.length;
    this.onchange("edited");
    return rows;
  }

  /** The server has confirmed what was hidden: it stays so until the next reading. */
  confirm(ids) { for (const id of ids) if (this.#hidden.has(id)) this.#hidden.set(id, true); }

  /** Puts rows back in their places, as far as the window reaches. */
  put(rows) {
    for (const row of rows) {
      this.#hidden.delete(row.id);
      if (this.index(row.id) >= 0) continue;
      const index = this.list.findIndex(other => precedes(row, other));
      const place = index < 0 ? this.list.length : index;
      this.total += 1;
      if ((place === 0 && this.before) || (place === this.list.length && this.after)) continue;
      this.list.splice(place, 0, row);
    }
    this.onchange("edited");
  }

  #apply(window, rows) {
    this.list = rows.filter(row => !this.#hidden.has(row.id));
    ({ before: this.before, after: this.after, isMore: this.isMore } = window);
    this.total = window.total - (rows.length - this.list.length);
  }

  #extend(side, request, add) {
    if (!this[side] || !this.list.length || this.isExtending || this.#again) return;
    this.isExtending = true;
    return this.#next(async generation => {
      try {
        if (!this[side] || !this.list.length) return;
        const window = await this.#fetch(request());
        if (generation !== this.#generation) return;
        add(window, unpack(window).filter(row => !this.#hidden.has(row.id)));
        this.onchange("extended");
      } finally { this.isExtending = false; }
    });
  }

  /** One reading after another: each starts from the rows that the one before left. */
  #next(work) {
    this.#turn = this.#turn.then(() => work(this.#generation)).catch(error => {
      if (!(error instanceof Refusal)) return reportError(error);
      this.trouble = error.message;
      clearTimeout(this.#again);
      this.#again = setTimeout(() => this.resume(), PAUSE);
      this.onchange("trouble");
    });
    return this.#turn;
  }

  async #fetch(parameters) {
    const window = await get(address("/api/list", this.query, { ...parameters, text: this.textLength }));
    this.trouble = null;
    return window;
  }
}
