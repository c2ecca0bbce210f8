// The strip at the right edge: the whole list by its months. A jump anywhere asks for one window.

import { address, debounced, get, make, monthWords, plural } from "./parts.js";

/** The least time from one jump to the next, in milliseconds: while the strip is dragged, each asks for a window. */
const PACE = 100;

export class Scrubber {
  #months = [];
  #total = 0;
  #target = null;
  #isJumping = false;
  #shown = null;

  constructor(list) {
    this.list = list;
    this.thumb = make("div", { class: "thumb" });
    this.bubble = make("div", { class: "bubble" });
    this.ticks = make("div", { class: "ticks" });
    this.element = make("div", { class: "scrubber", role: "slider", tabindex: 0, "aria-orientation": "vertical", "aria-label": "Month", hidden: "" },
      this.ticks, this.thumb, this.bubble);
    list.main.append(this.element);
    this.#drag();
    this.element.addEventListener("keydown", event => this.#key(event));
    addEventListener("resize", debounced(200, () => this.#tick()));
    this.reload = debounced(1500, () => this.load());
  }

  async load() {
    const query = this.list.rows.query;
    const answer = await get(address("/api/months", query)).catch(() => null);
    if (!answer || query !== this.list.rows.query) return;
    let sum = 0;
    this.#months = answer.month.map((name, i) => {
      const month = { name, start: answer.start[i], end: answer.end[i], count: answer.count[i], above: sum };
      sum += month.count;
      return month;
    });
    this.#total = sum;
    this.element.hidden = this.list.rows.isOrdered || this.#months.length < 2 && sum < 100;
    this.#tick();
    this.follow();
  }

  /** Marks the months as far as they have room. */
  #tick() {
    const height = this.element.clientHeight;
    this.ticks.replaceChildren();
    if (!height || !this.#total) return;
    let [last, lastDot, year] = [-100, -100, ""];
    for (const { name, above } of this.#months) {
      const y = above / this.#total * height;
      const isYear = name.slice(0, 4) !== year && y - last >= 22 && y < height - 12;
      if (!isYear && y - lastDot < 7) continue;
      const tick = make("span", { class: isYear ? "year" : "dot" }, isYear ? name.slice(0, 4) : "");
      tick.style.top = `${y}px`;
      this.ticks.append(tick);
      lastDot = y;
      if (isYear) [last, year] = [y, name.slice(0, 4)];
    }
  }

  /** Shows where the page is. */
  follow() {
    if (this.#target != null || this.element.hidden) return;
    const anchor = this.list.view.anchor();
    const row = anchor && this.list.rows.row(anchor.id);
    if (row) this.#point(this.list.view.isAtTop ? 0 : this.#position(row.at / 1000));
  }

  /** The share of the list that is newer than a moment. */
  #position(seconds) {
    const month = this.#months.find(month => month.start <= seconds) ?? this.#months.at(-1);
    if (!month) return 0;
    const share = Math.min(Math.max((month.end - seconds) / (month.end - month.start), 0), 1);
    return (month.above + share * month.count) / this.#total;
  }

  #monthAt(position) {
    const wanted = position * this.#total;
    return this.#months.findLast(month => month.above <= wanted) ?? this.#months[0];
  }

  #point(position) {
    const month = this.#monthAt(position);
    if (!month) return;
    this.thumb.style.top = this.bubble.style.top = `${position * 100}%`;
    if (month === this.#shown) return;
    this.#shown = month;
    const name = monthWords(`${month.name}-01`);
    this.bubble.textContent = name;
    const { element } = this;
    element.setAttribute("aria-valuemin", "0");
    element.setAttribute("aria-valuemax", String(this.#months.length - 1));
    element.setAttribute("aria-valuenow", String(this.#months.indexOf(month)));
    element.setAttribute("aria-valuetext", `${name}, ${plural(month.count, "post")}`);
    this.bubble.dataset.count = plural(month.count, "post");
  }

  /** Goes to a share of the list. Of many calls while one is answered, the last one counts. */
  async jump(position) {
    this.#target = Math.min(Math.max(position, 0), 1);
    this.#point(this.#target);
    if (this.#isJumping) return;
    this.#isJumping = true;
    while (this.#target != null) {
      const wanted = this.#target;
      const month = this.#monthAt(wanted);
      if (!month) break;
      const share = Math.min((wanted * this.#total - month.above) / month.count, 1);
      const begun = performance.now();
      await this.list.goTo(wanted === 0 ? null : Math.round(month.end - 1 - share * (month.end - month.start - 1))).catch(() => {});
      if (this.#target === wanted && !this.isDragging) break;
      await new Promise(resolve => setTimeout(resolve, begun + PACE - performance.now()));
      if (this.#target === wanted) break;
    }
    this.#isJumping = false;
    if (!this.isDragging) this.#target = null;
  }

  #drag() {
    const { element } = this;
    const position = event => {
      const box = element.getBoundingClientRect();
      return Math.min(Math.max((event.clientY - box.top) / box.height, 0), 1);
    };
    const move = event => { this.jump(position(event)); };
    const end = () => {
      element.removeEventListener("pointermove", move);
      element.classList.remove("dragged");
      this.isDragging = false;
      if (!this.#isJumping) this.#target = null;
    };
    element.addEventListener("pointerdown", event => {
      if (event.button !== 0) return;
      event.preventDefault();
      element.setPointerCapture(event.pointerId);
      element.classList.add("dragged");
      this.isDragging = true;
      element.addEventListener("pointermove", move);
      move(event);
    });
    element.addEventListener("pointerup", end);
    element.addEventListener("pointercancel", end);
  }

  #key(event) {
    const month = Number(this.element.getAttribute("aria-valuenow"));
    const last = this.#months.length - 1;
    const year = way => {
      const name = this.#months[month].name.slice(0, 4);
      const found = way > 0 ? this.#months.findIndex(other => other.name.slice(0, 4) < name) : this.#months.findLastIndex(other => other.name.slice(0, 4) > name);
      return found < 0 ? (way > 0 ? last : 0) : found;
    };
    const moves = { ArrowDown: () => month + 1, ArrowUp: () => month - 1, ArrowRight: () => month + 1, ArrowLeft: () => month - 1,
      PageDown: () => year(1), PageUp: () => year(-1), Home: () => 0, End: () => last };
    const move = moves[event.key];
    if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const next = this.#months[Math.min(Math.max(move(), 0), last)];
    if (next) this.jump(next.above / this.#total);
  }
}
