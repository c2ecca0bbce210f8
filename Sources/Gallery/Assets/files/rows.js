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
export function unpack(window) {
  const [deleted, gone, favourites, inPicture] = [window.deleted, window.gone, window.favourites, window.inPicture].map(ids => new Set(ids));
  // In one order: the server's may differ each time, and cells whose row looks the same stay.
  const authors = window.authors.map(({ handle, name, avatar }) => ({ handle, name, avatar }));
  const missing = id => { const { state, failure } = window.missing[id] ?? {}; return state ? { state, failure } : null; };
  const shifts = new Map(window.shifts);
  let shift = 0;
  return window.id.map((id, index) => {
    shift = shifts.get(index) ?? shift;
    const row = {
      id, at: window.at[index], end: window.ends[id] ?? null, shift, endShift: window.endShifts[id] ?? 0, order: window.positions?.[index] ?? null, position: window.album ? window.positions[index] : null, key: window.positions?.[index] ?? `${window.at[index]}.${id}`, author: authors[window.author[index]] ?? null,
      title: window.titles[id] ?? null, caption: window.caption[index], warning: window.warnings[id] ?? null,
      tags: window.tags[index].map(tag => window.tagNames[tag]), files: window.files[index], kind: window.kind[index],
      ratio: window.ratio[index], blurhash: window.blurhash[index], blob: window.blob[index], alt: window.alt[index],
      missing: missing(id), isDeleted: deleted.has(id), isGone: gone.has(id), isInPicture: inPicture.has(id),
      isFavourite: favourites.has(id), rating: window.ratings[id] ?? 0, ownTags: window.ownTags[id] ?? [], shared: window.shared[id] ?? 0, folded: window.folded[id] ?? 0,
      seenBy: window.seenBy[id] ? { mark: window.seenBy[id].mark, explanation: window.seenBy[id].explanation } : null,
    };
    row.look = JSON.stringify(row);
    // The order of an album is not that of days.
    row.day = row.order ? "" : dayOf(row);
    return row;
  });
}

/** Whether one row comes before another: newest first, or as an album has them. */
const precedes = (one, other) => one.order ? one.order < other.order : one.at !== other.at ? one.at > other.at : one.id > other.id;

export class Rows {
  list = [];
  before = false;
  after = false;
  total = 0;
  isMore = false;
  /** Up to which day the list was looked through so far; null for all of it. */
  looked = null;
  /** The terms of the list's filter. */
  terms = [];
  /** What it names that is not there, as a sentence. */
  unknown = "";
  /** The album whose order the rows have. */
  album = null;
  /** Why no more rows can be read at the moment, as a sentence; null if they can. */
  trouble = null;
  #again = 0;
  #hidden = new Map();
  #turn = Promise.resolve();
  /** The window that is to be opened, a promise; null if none is. */
  #opening = null;
  /** The list that it is of. */
  #wanted = null;
  /** What reads around the rows in memory. */
  #reads = new AbortController();
  /** The addition that is under way or waits for its turn. */
  #extension = null;
  #isStale = false;
  /** How often rows were put back. */
  #puts = 0;
  /** How many changes put rows back that the server does not have in the list yet. */
  returning = 0;

  /** `onchange` receives why the rows changed: "opened", "extended", "read", "edited" or "trouble". */
  constructor(query, textLength, onchange) { Object.assign(this, { query, textLength, onchange }); }

  /** Whether the rows have an order that the person gave: that of an album. */
  get isOrdered() { return this.list[0]?.order != null; }

  index(id) { return this.list.findIndex(row => row.id === id); }
  row(id) { return this.list.find(row => row.id === id); }

  /** The row of a post, also where it is not in memory; undefined if the list of the query (all posts without one) does not have it. */
  async find(id, query = "") { return this.row(id) ?? unpack(await this.#fetch({ at: id, before: 0, after: 1 }, undefined, query)).find(row => row.id === id); }

  /** Where a row stands among those in memory, or would stand. */
  place(row) {
    const index = this.list.findIndex(other => precedes(row, other));
    return index < 0 ? this.list.length : index;
  }

  /** Shows a window that is here already. */
  show(window) {
    // What is still to be answered was asked around other rows.
    this.#reads.abort();
    this.#reads = new AbortController();
    this.#extension = null;
    this.#apply(window, unpack(window));
    this.onchange("opened");
    if (this.looked) this.reread(() => undefined);
  }

  /** The list that is shown, or will be once it is answered. */
  get wanted() { return this.#wanted ?? this.query; }

  /**
   * Replaces the window, perhaps by one of another list; a later call wins. Without an anchor, the list's start. Returns whether
   * it is shown: what was asked earlier is not shown any more, however late its answer comes.
   */
  async open(anchor = {}, query = this.wanted) {
    const opening = this.#opening = this.#fetch({ before: Object.keys(anchor).length ? STEP : 0, after: 140, soon: 1, ...anchor }, undefined, query);
    this.#wanted = query;
    try {
      const window = await opening;
      if (opening !== this.#opening) return false;
      // Of a filter that is typed, the server takes what is finished.
      this.query = window.query;
      this.show(window);
      return true;
    } catch (error) {
      if (opening === this.#opening) throw error;
      return false;
    } finally { if (opening === this.#opening) this.stay(); }
  }

  /** Nothing that is still to be opened is shown. */
  stay() { this.#opening = this.#wanted = null; }

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
    return this.#next(async signal => {
      this.#isStale = false;
      const puts = this.#puts;
      const hidden = [...this.#hidden].filter(([, isDone]) => isDone).map(([id]) => id);
      const index = Math.max(this.index(anchor()), 0);
      const count = this.list.length - index;
      const window = await this.#fetch({
        ...(this.list.length ? { around: this.list[index].key } : {}),
        before: Math.min(LIMIT, index + (this.before ? 0 : STEP)),
        after: Math.min(LIMIT, count + (this.after ? 0 : STEP)),
      }, signal).catch(error => { if (!signal.aborted) throw error; });
      // The window that was opened meanwhile may be older than the change.
      if (signal.aborted) { this.reread(anchor); return; }
      // It may lack what was put back meanwhile. Whoever put it back reads again once the server has it.
      if (puts !== this.#puts || this.returning) return;
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
    this.#puts += 1;
    for (const row of rows) {
      this.#hidden.delete(row.id);
      if (this.index(row.id) >= 0) continue;
      const place = this.place(row);
      this.total += 1;
      if ((place === 0 && this.before) || (place === this.list.length && this.after)) continue;
      this.list.splice(place, 0, row);
    }
    this.onchange("edited");
  }

  #apply(window, rows) {
    this.list = rows.filter(row => !this.#hidden.has(row.id));
    ({ before: this.before, after: this.after, isMore: this.isMore, looked: this.looked = null, terms: this.terms, unknown: this.unknown = "", album: this.album, hidden: this.leftOut, title: this.title, heading: this.heading } = window);
    this.total = window.total - (rows.length - this.list.length);
  }

  #extend(side, request, add) {
    if (!this[side] || !this.list.length || this.#extension || this.#again) return;
    const extension = this.#extension = {};
    return this.#next(async signal => {
      try {
        if (extension !== this.#extension || !this[side] || !this.list.length) return;
        const window = await this.#fetch(request(), signal);
        if (signal.aborted) return;
        add(window, unpack(window).filter(row => !this.#hidden.has(row.id)));
        this.onchange("extended");
      } finally { if (extension === this.#extension) this.#extension = null; }
    });
  }

  /** One reading after another: each starts from the rows that the one before left, none from rows that are to be replaced. */
  #next(work) {
    let signal;
    this.#turn = this.#turn.then(() => this.#opened()).then(() => { ({ signal } = this.#reads); return work(signal); }).catch(error => {
      if (!(error instanceof Refusal)) return reportError(error);
      if (signal?.aborted) return;
      this.trouble = error.message;
      clearTimeout(this.#again);
      this.#again = setTimeout(() => this.resume(), PAUSE);
      this.onchange("trouble");
    });
    return this.#turn;
  }

  /** Waits until nothing is to be opened any more. */
  async #opened() { while (this.#opening) await this.#opening.catch(() => {}); }

  async #fetch(parameters, signal, query = this.query) {
    const window = await get(address("/api/list", query, { ...parameters, text: this.textLength }), signal);
    clearTimeout(this.#again);
    [this.trouble, this.#again] = [null, 0];
    return window;
  }
}
