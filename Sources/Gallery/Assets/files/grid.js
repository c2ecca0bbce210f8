// Shows the rows in memory as lines of cells, of which only those near the screen are elements. The page is as tall as the
// rows in memory, never as the library. What is read stays where it is, whatever comes or goes above it.

import { breakLines, layOut, tileRatio } from "./layout.js";
import { isCalm, make, setting } from "./parts.js";

/** Free room above the first row while rows come before it, so that they can be added without moving the page. */
const SPACE = 20000;
const GAP = 4;
/** The room for a title above its line, and for the reason why the rows end. */
const TITLE = 36, REASON = 72;
/** The maximum number of cells that are elements. */
const CELLS = 150;
/** What pictures are larger by, by the setting. */
const SIZES = { small: .65, large: 1.6 };

export class View {
  mode = "grid";
  lines = [];
  /** The post that keys act on. */
  current = null;
  /** How often the person has scrolled. */
  moves = 0;
  #elements = new Map();
  #titles = new Map();
  #reasons = new Map(["before", "after"].map(side => [side, make("p", { class: "reason soft", "aria-hidden": "true" })]));
  /** Posts before which others came while the page was open: their line stays as it is. */
  #heads = new Set();
  /** The keys of the rows, by their posts. */
  #keys = new Map();
  /** Where the page was opened or led to, until the person scrolls. */
  #goal = null;
  #lineOf = new Map();
  #heights = new Map();
  #base = 0;
  #floor = 0;
  #width = 0;
  #frame = 0;
  #idle = 0;
  #last = 0;
  #isMoving = false;

  /** `hooks`: `moved()` after scrolling has paused, `scrolled()` for each frame, `arrived(count)` for rows above. */
  constructor(host, rows, cells, hooks) {
    Object.assign(this, { host, rows, cells, hooks });
    history.scrollRestoration = "manual";
    addEventListener("scroll", () => this.#schedule(), { passive: true });
    const observer = new ResizeObserver(() => this.#resized());
    observer.observe(host);
    observer.observe(document.querySelector(".listbar"));
    addEventListener("resize", () => { this.#screen = innerHeight; this.#schedule(); });
    this.#measure();
  }

  // Geometry

  get #top() { return this.#y - this.#origin; }

  #measure() {
    this.#width = this.host.clientWidth;
    [this.#y, this.#screen] = [scrollY, innerHeight];
    this.#origin = this.host.getBoundingClientRect().top + scrollY;
    const bar = document.querySelector(".listbar");
    /** How much of the screen the bars cover. */
    this.head = bar.offsetHeight + (parseFloat(getComputedStyle(bar).top) || 0);
    /** How much of it the bar below covers. */
    this.foot = parseFloat(getComputedStyle(document.body).paddingBottom) || 0;
  }
  #origin = 0;
  #kept = null;
  // Asking the browser for these would lay the page out anew after each change.
  #y = scrollY;
  #screen = innerHeight;

  /** `goal` is the place that it leads to, if it shall be kept. */
  #scroll(y, goal = null) {
    this.#goal = goal;
    scrollTo(0, y);
    this.#y = scrollY;
  }

  /** Scrolls on to the goal: at the time there may have been too little below it. */
  #pursue() {
    // The person may have scrolled since the last frame.
    if (this.#goal && this.#lineOf.has(this.#goal.id) && scrollY === this.#y) this.#scroll(this.#scrollFor(this.#goal), this.#goal);
  }

  get #shape() {
    const width = this.#width;
    if (this.mode === "list") {
      const lines = part => part.map(row => ({ count: 1, height: this.#heights.get(row.id) ?? this.cells.estimate(row, this.#column) }));
      return { isList: true, target: Infinity, lines };
    }
    const target = Math.min(Math.max(110 + width * .075, 120), 360) * (SIZES[setting.get("size", "medium")] ?? 1);
    return { target, lines: (part, isEnd) => breakLines(part.map(tileRatio), width, target, GAP, isEnd) };
  }

  get #column() { return Math.min(this.#width, 660); }

  /** Sets where lines begin, from the first row's top. */
  #stack() {
    let y = 0;
    const gap = this.mode === "list" ? 12 : GAP;
    this.#lineOf.clear();
    this.lines.forEach((line, index) => {
      line.y = y += line.title ? TITLE : 0;
      // Whole pixels: the same lines look the same wherever the rows in memory begin.
      y += Math.round(line.height) + gap;
      for (const row of line.rows) this.#lineOf.set(row.id, index);
    });
    this.extent = y;
  }

  /** The boxes of a line's cells, on the page. */
  #boxes(line) {
    const y = line.y + this.#base;
    if (this.mode === "list") return [{ x: (this.#width - this.#column) / 2, y, width: this.#column, height: line.height }];
    let x = 0;
    return line.rows.map((row, index) => {
      const width = tileRatio(row) * line.height;
      const box = { x, y, width, height: line.height };
      x += width + GAP;
      return box;
    });
  }

  /** The box of a post's cell, on the page; undefined if it is not in memory. */
  box(id) {
    const line = this.lines[this.#lineOf.get(id)];
    return line && this.#boxes(line)[line.rows.findIndex(row => row.id === id)];
  }

  /** The posts whose cells touch a box on the page. */
  within({ x, y, width, height }) {
    return this.lines.filter(line => line.y + this.#base < y + height && line.y + this.#base + line.height > y).flatMap(line => {
      const boxes = this.#boxes(line);
      return line.rows.filter((_, i) => boxes[i].x < x + width && boxes[i].x + boxes[i].width > x).map(row => row.id);
    });
  }

  /** The first line that ends below a height of the page. */
  #lineBelow(y) {
    let [low, high] = [0, this.lines.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const line = this.lines[middle];
      if (line.y + this.#base + line.height > y) high = middle; else low = middle + 1;
    }
    return low;
  }

  /** What is read: the first post that is seen, and how far its top is below the page's visible top. */
  anchor(among) {
    const start = this.#lineBelow(this.#top + this.head * (this.#top > 0));
    for (const line of this.lines.slice(start)) {
      const rows = among ? line.rows.filter(row => among.has(row.id)) : line.rows;
      // The post that the page was opened at stays the place as long as its line is the first.
      const row = rows.find(row => row.id === this.#kept) ?? rows[0];
      if (row) return { id: row.id, y: line.y + this.#base };
    }
    return null;
  }

  get offset() { const anchor = this.anchor(); return anchor ? Math.round(anchor.y - this.#top) : 0; }
  offsetOf(id) { return Math.round(this.box(id).y - this.#top); }
  get isAtTop() { return !this.rows.before && (!this.lines.length || this.#y < this.#base + this.lines[0].y + this.lines[0].height / 2); }

  // Changes

  /** Takes over the rows. `place` is where to show which post after an opening. */
  update(reason, place) {
    const { list, isOrdered, isMore, total } = this.rows;
    const [known, wasAtStart, oldTotal] = [this.#keys, !this.hadBefore, this.total];
    this.#keys = new Map(list.map(row => [row.id, row.key]));
    // What moved is not new, and nothing to hold on to.
    const still = new Set(list.filter(row => known.get(row.id) === row.key).map(row => row.id));
    const above = reason === "read" ? list.slice(0, Math.max(list.findIndex(row => still.has(row.id)), 0)) : [];
    const arrived = above.filter(row => !known.has(row.id)).length;
    // The start of a list with an order of its own stays in sight.
    const isStart = reason === "read" && isOrdered && wasAtStart && this.isAtTop;
    const anchor = reason === "opened" || isStart ? null : this.anchor(still) ?? this.anchor(this.#keys);
    const before = reason === "read" || reason === "edited" ? this.#shown() : null;
    if (reason === "opened") { this.#heads.clear(); this.#floor = 0; }
    else if (arrived && wasAtStart && !isOrdered) this.#heads.add(list[above.length].id);
    this.lines = layOut(list, { start: !this.rows.before, end: !this.rows.after }, this.#heads, this.#shape);
    [this.total, this.hadBefore] = [total, this.rows.before];
    this.#stack();
    if (anchor) this.#base = anchor.y - this.lines[this.#lineOf.get(anchor.id)].y;
    else this.#base = this.#wantedBase;
    if (reason === "opened") { this.#resize(); this.#lead(place); }
    if (!this.#isMoving || this.#base < 0 || this.rows.trouble) this.#rebase(reason === "read");
    this.#resize();
    if (reason === "extended") this.#pursue();
    // What leaves is still needed to slide out.
    const left = before && !isCalm() ? [...before].filter(([id, box]) => !this.#lineOf.has(id) && this.#isSeen(box)).map(([, box]) => box) : [];
    for (const { element } of left) element.isLeaving = element.inert = true;
    this.render();
    if (before && !isCalm()) this.#animate(before, left);
    // Of a list with an order of its own, rows that were not in memory may have moved as well.
    const grown = reason === "read" && !isMore ? Math.max(total - oldTotal, 0) : 0;
    const count = isOrdered ? Math.min(wasAtStart && arrived, grown) : wasAtStart ? arrived : grown;
    if (count) this.hooks.arrived(count);
  }

  /** Scrolls to a place; to the first row if it is not in memory. */
  #lead(place) {
    const first = this.rows.before && this.rows.list[0];
    const goal = this.#lineOf.has(place?.id) ? place : first ? { id: first.id } : null;
    this.#kept = goal?.id;
    this.#scroll(goal ? this.#scrollFor(goal) : 0, goal);
  }

  /** Takes over the rows in the next frame, and then moves the focus: a key is done at once. */
  updateSoon(reason) {
    this.#soon ??= requestAnimationFrame(() => this.#catchUp());
    this.#soonReason = reason;
  }
  #soon = null;
  #soonReason = null;
  #soonFocus = null;
  #soonPlace = null;
  /** The post whose cell the Tab key reaches. */
  #reached = null;

  #catchUp() {
    cancelAnimationFrame(this.#soon);
    const [reason, focus, place] = [this.#soonReason, this.#soonFocus, this.#soonPlace];
    this.#soon = this.#soonReason = this.#soonFocus = this.#soonPlace = null;
    this.hooks.update(reason);
    if (this.#lineOf.has(place?.id)) this.#scroll(this.#scrollFor(place));
    if (focus != null) this.focus(focus);
  }

  /** Moves the focus, after the rows if they are about to change. `place` is what was read when it was there. */
  focusSoon(id, place = null) {
    if (this.#soon == null) return this.focus(id);
    this.#soonFocus = this.current = id;
    this.#soonPlace = place;
  }

  /** What is read. */
  get place() { const anchor = this.anchor(); return anchor && { id: anchor.id, offset: this.offset }; }

  get #wantedBase() { return this.rows.before ? this.rows.trouble ? REASON : SPACE : 0; }

  #scrollFor({ id, offset }) {
    return this.lines[this.#lineOf.get(id)].y + this.#base + this.#origin - (offset ?? this.head + GAP);
  }

  /** Moves the page and all rows by the same amount, which nobody sees, so that there is room above but no hole. */
  #rebase(keepsPlace) {
    const wanted = this.#wantedBase;
    if (wanted === SPACE ? this.#base > SPACE / 4 && this.#base < SPACE * 4 : this.#base === wanted) return;
    const shift = wanted - this.#base;
    this.#base = wanted;
    const target = Math.max(this.#y + shift, 0);
    // A list that is shorter than the screen must be scrollable by what came in above.
    if (keepsPlace) this.#floor = Math.max(this.#floor, target + this.#screen - this.#origin);
    this.#resize();
    this.#scroll(target, this.#goal);
    this.#last = this.#y;
  }

  #resize() {
    const height = Math.max(this.#base + this.extent + (this.rows.after ? this.rows.trouble ? REASON : this.#screen * 2 : 0), this.#floor);
    if (height !== this.height) this.host.style.height = `${this.height = height}px`;
  }

  #resized() {
    // The start stays the start, however tall the bar becomes.
    const [place, origin] = [this.#goal ?? (this.#y > 0 ? this.place : null), this.#origin];
    const isWider = this.host.clientWidth !== this.#width;
    this.#measure();
    if (isWider) this.relayout(place ?? undefined);
    else if (this.#origin !== origin && this.#y > 0) this.#scroll(this.#y + this.#origin - origin, this.#goal);
  }

  /** Lays everything out from the start. */
  relayout(place) {
    const hadFocus = this.host.contains(document.activeElement);
    for (const element of this.#elements.values()) element.remove();
    this.#elements.clear();
    this.#heights.clear();
    this.host.classList.toggle("list", this.mode === "list");
    this.update("opened", place);
    if (hadFocus) this.focus(this.selected);
  }

  get hasFocus() { return document.activeElement === document.body || this.host.contains(document.activeElement); }

  // Elements

  #schedule() {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.#rest(), 150);
    this.#isMoving = true;
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      if (this.#y !== scrollY) { this.moves += 1; this.#goal = null; }
      this.#y = scrollY;
      const distance = Math.abs(this.#y - this.#last);
      this.#last = this.#y;
      // Pictures that fly by are not asked for.
      if (distance > this.#screen * .6) this.cells.holds = true; else this.cells.release();
      this.render();
      this.hooks.scrolled();
    });
  }

  #rest() {
    this.#isMoving = false;
    this.cells.release();
    this.#rebase(false);
    this.render();
    this.hooks.moved();
  }

  render() {
    const height = this.#screen;
    const [top, bottom] = [this.#top - height, this.#top + 2 * height];
    const [wanted, titles] = [[], []];
    const middle = this.#lineBelow(this.#top);
    for (let index = this.#lineBelow(top); index < this.lines.length; index++) {
      const line = this.lines[index];
      if (line.y + this.#base > bottom || (wanted.length > CELLS && index > middle && line.y + this.#base > this.#top + height)) break;
      // Many small cells: what is above the screen gives way first.
      if (index < middle && (middle - index) * line.rows.length > CELLS / 3) continue;
      const boxes = this.#boxes(line);
      line.rows.forEach((row, place) => wanted.push([row, boxes[place], line.days[place]]));
      if (line.title) titles.push([line.title, boxes[0]]);
    }
    this.#entitle(titles);
    const ids = new Set(wanted.map(([row]) => row.id));
    for (const [id, element] of this.#elements) {
      // The cell with the focus stays, so that the focus does.
      if (ids.has(id) || (element.contains(document.activeElement) && this.#lineOf.has(id))) continue;
      this.#elements.delete(id);
      if (!element.isLeaving) this.cells.discard(element);
    }
    let next = null;
    for (let index = wanted.length - 1; index >= 0; index--) next = this.#show(next, ...wanted[index]);
    if (this.mode === "list" && this.#remeasure(wanted)) return this.render();
    if (this.current == null || !this.#elements.has(this.current)) this.#rove(this.anchor()?.id);
    const start = this.#base + (this.lines[0]?.y ?? 0);
    if (this.#top < start + 2 * height) this.rows.newer();
    if (this.#top + 4 * height > this.#base + this.extent) this.rows.older();
  }

  /** Shows the months or days that begin near the screen, and where the rows end for want of a server, the reason. */
  #entitle(titles) {
    const unused = new Map(this.#titles);
    for (const [title, { x, y }] of titles) {
      unused.delete(title);
      // Those who do not see it are told the day by each post.
      if (!this.#titles.has(title)) this.#titles.set(title, this.host.appendChild(make("p", { class: "title", "aria-hidden": "true" }, title)));
      this.#titles.get(title).style.transform = `translate(${x}px,${y - TITLE}px)`;
    }
    for (const [title, element] of unused) { element.remove(); this.#titles.delete(title); }
    const words = { before: "Newer posts", after: "Older posts" }, places = { before: this.#base - REASON, after: this.#base + this.extent };
    for (const [side, element] of this.#reasons) {
      if (!this.rows.trouble || !this.rows[side]) { element.remove(); continue; }
      element.textContent = `${this.rows.trouble}. ${words[side]} come by themselves once it can.`;
      element.style.transform = `translateY(${places[side]}px)`;
      if (!element.isConnected) this.host.append(element);
    }
  }

  #show(next, row, box, day) {
    let element = this.#elements.get(row.id);
    if (!element) {
      element = this.cells.make(row, this.mode, box);
      this.#elements.set(row.id, element);
      this.host.insertBefore(element, next);
      element.tabIndex = row.id === this.current ? 0 : -1;
    } else if (element.row !== row) this.cells.fill(element, row, this.mode, box);
    const { style } = element;
    const place = `translate(${box.x.toFixed(1)}px,${box.y.toFixed(1)}px)`;
    if (element.place !== place) style.transform = element.place = place;
    if (element.width !== box.width) { style.width = `${box.width.toFixed(2)}px`; element.width = box.width; }
    if (this.mode === "grid" && element.height !== box.height) { style.height = `${box.height.toFixed(2)}px`; element.height = box.height; }
    if (element.day !== day) { element.day = day; day ? element.dataset.day = day : delete element.dataset.day; }
    const position = this.rows.before ? null : String(this.rows.index(row.id) + 1);
    if (element.position !== position || element.size !== this.setSize) {
      [element.position, element.size] = [position, this.setSize];
      element.setAttribute("aria-posinset", position ?? this.#lineOf.get(row.id) + 1);
      element.setAttribute("aria-setsize", this.setSize);
    }
    return element;
  }

  get setSize() { return this.rows.isMore || this.rows.before ? "-1" : String(this.rows.total); }

  /** Cards are as tall as their text makes them. Returns whether any was not as expected. */
  #remeasure(wanted) {
    let isOff = false;
    const anchor = this.anchor();
    for (const [row] of wanted) {
      const height = this.#elements.get(row.id).offsetHeight;
      const line = this.lines[this.#lineOf.get(row.id)];
      this.#heights.set(row.id, height);
      if (Math.abs(line.height - height) > .5) [line.height, isOff] = [height, true];
    }
    if (!isOff) return false;
    this.#stack();
    // Only what follows what is read may move.
    if (anchor) this.#base = anchor.y - this.lines[this.#lineOf.get(anchor.id)].y;
    if (this.#base < 0 || (!this.#isMoving && !this.rows.before)) this.#rebase(false);
    this.#resize();
    this.#pursue();
    return true;
  }

  /** Where the cells on screen are, before a change. */
  #shown() {
    const boxes = new Map();
    for (const [id, element] of this.#elements) {
      const box = this.box(id);
      if (box) boxes.set(id, { ...box, y: box.y - this.#y, element });
    }
    return boxes;
  }

  #isSeen(box) { return box.y + box.height > -50 - this.#origin && box.y < this.#screen + 50; }

  /** Slides cells from where they were to where they are; what left slides out, what came fades in. */
  #animate(before, left) {
    const timing = { duration: 180, easing: "cubic-bezier(.2,0,0,1)" };
    for (const [id, element] of this.#elements) {
      const [was, box] = [before.get(id), this.box(id)];
      if (!box) continue;
      const now = { ...box, y: box.y - this.#y };
      if (!this.#isSeen(now) && !(was && this.#isSeen(was))) continue;
      const place = element.place;
      if (!was) element.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 240 });
      else if (Math.abs(was.x - now.x) + Math.abs(was.y - now.y) > 1) {
        const scale = this.mode === "grid" ? ` scale(${was.width / now.width})` : "";
        element.animate([{ transform: `translate(${was.x}px,${was.y + this.#y}px)${scale}` }, { transform: place }], timing);
      }
    }
    for (const was of left) {
      const { element } = was;
      const place = `translate(${was.x}px,${was.y + this.#y}px)`;
      const way = element.swiped ?? -60;
      element.animate([
        { transform: `${place} translateX(${element.shift ?? 0}px)`, opacity: 1 }, { transform: `${place} translateX(${way}px)`, opacity: 0 },
      ], { ...timing, fill: "forwards" }).onfinish = () => this.cells.discard(element);
    }
  }

  /** Makes those cells anew of which something is true. */
  redrawAll(isMeant) { for (const { row } of this.elements) if (isMeant(this.#elements.get(row.id))) this.redraw(row.id); }

  /** Makes a cell anew, and asks for its picture again. */
  redraw(id) {
    const element = this.#elements.get(id);
    if (!element) return;
    element.look = null;
    this.cells.fill(element, element.row, this.mode, this.box(id));
  }

  element(id) { return this.#elements.get(id); }
  get elements() { return this.#elements.values(); }

  // Keys

  #rove(id) {
    const last = this.#elements.get(this.#reached);
    if (last && this.#reached !== id) last.tabIndex = -1;
    this.#reached = this.current = id ?? null;
    const element = this.#elements.get(id);
    if (element) element.tabIndex = 0;
  }

  /** Moves the focus to a post, and the page as far as needed to see it. */
  focus(id, takesFocus = true) {
    const box = this.box(id);
    if (!box) return false;
    const [top, bottom] = [this.#top + this.head + GAP, this.#top + this.#screen - this.foot - GAP];
    const title = this.lines[this.#lineOf.get(id)].title ? TITLE : 0;
    if (box.y < top || box.height > bottom - top) this.#scroll(box.y - title + this.#origin - this.head - GAP);
    else if (box.y + box.height > bottom) this.#scroll(box.y + box.height + this.#origin - this.#screen + this.foot + GAP);
    this.render();
    this.#rove(id);
    if (takesFocus) this.#elements.get(id)?.focus({ preventScroll: true });
    return true;
  }

  /** Moves the page so that a post's line is the first one. */
  scrollTo(id) {
    if (!this.#lineOf.has(id)) return;
    if (this.rows.list[0].id === id && !this.rows.before) this.#scroll(0); else this.#lead({ id });
    this.render();
  }

  /** Goes to the list's start, with all lines filled. */
  toTop() {
    this.relayout(undefined);
    this.#scroll(0);
    if (this.rows.list[0]) this.focus(this.rows.list[0].id);
    this.#scroll(0);
  }

  /** Whether any of a post's cell is on the screen. */
  isSeen(id) {
    const box = this.box(id);
    return box && box.y + box.height > this.#top + this.head && box.y < this.#top + this.#screen;
  }

  /** The post that keys start from: the one with the focus if it is seen, else the first on the screen. */
  get selected() { return this.isSeen(this.current) ? this.current : this.anchor()?.id ?? null; }

  /** The post beside, above or below another; undefined at an end. */
  neighbour(id, way) {
    const index = this.#lineOf.get(id);
    if (index == null) return;
    if (this.mode === "list" || way === "left" || way === "right") {
      return this.rows.list[this.rows.index(id) + (way === "right" || way === "down" ? 1 : -1)]?.id;
    }
    return this.#nearest(this.lines[index + (way === "down" ? 1 : -1)], this.box(id));
  }

  /** The post a screen further up or down, at about the same side. */
  screenful(id, way) {
    const step = (this.#screen - this.head) * .9 * way;
    const box = this.box(id);
    const index = Math.min(Math.max(this.#lineBelow(box.y + step), 0), this.lines.length - 1);
    this.#scroll(this.#y + step);
    return this.#nearest(this.lines[index], box);
  }

  #nearest(line, { x, width }) {
    if (!line) return;
    const boxes = this.#boxes(line), middle = x + width / 2;
    let best = 0;
    boxes.forEach((box, i) => {
      if (Math.abs(box.x + box.width / 2 - middle) < Math.abs(boxes[best].x + boxes[best].width / 2 - middle)) best = i;
    });
    return line.rows[best].id;
  }
}
