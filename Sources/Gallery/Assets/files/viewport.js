// One picture that is fitted, zoomed, panned and swiped. It knows no posts.

const between = (low, value, high) => Math.min(Math.max(value, low), high);

export class Viewport {
  points = new Map();
  lastTap = 0;

  /** `swiped` gets 1, -1, or 0 for down; `scaled` the width on the screen in device pixels. */
  constructor(element, { swiped, tapped, scaled }) {
    Object.assign(this, { element, swiped, tapped, scaled });
    for (const name of ["down", "move", "up", "cancel"]) element.addEventListener(`pointer${name}`, event => this[name](event));
    element.addEventListener("wheel", event => this.wheel(event), { passive: false });
    new ResizeObserver(() => this.paint()).observe(element);
  }

  /** Shows an element. Without a size it is not zoomed. */
  show(frame, width, height) {
    this.element.replaceChildren(frame);
    this.frame = frame;
    this.size = width > 0 && height > 0 ? [width, height] : null;
    this.fit();
  }

  /** Corrects the size by that of a loaded version: a header tells nothing of rotation, and sources err. */
  learn(width, height, isOriginal) {
    const ratio = width / height, stated = this.size && this.size[0] / this.size[1];
    if (!stated || isOriginal) this.size = [width, height];
    else if (Math.abs(ratio / stated - 1) > .03) {
      const long = Math.max(...this.size);
      this.size = ratio > 1 ? [long, long / ratio] : [long * ratio, long];
    }
    this.paint();
  }

  get isZoomed() { return this.scale > 1.01; }

  fit() { [this.scale, this.x, this.y] = [1, 0, 0]; this.paint(); }

  /** One pixel of the picture on one of the screen, or fitted again. */
  toggle(x, y) {
    if (this.isZoomed) this.fit();
    else if (this.size) this.zoom(this.full > 1.05 ? this.full : 2, x, y);
  }

  /** Zooms by a factor; the point stays where it is. */
  zoom(factor, x, y) {
    if (!this.size) return;
    const box = this.element.getBoundingClientRect();
    const dx = x == null ? 0 : x - box.x - box.width / 2, dy = y == null ? 0 : y - box.y - box.height / 2;
    const scale = between(1, this.scale * factor, Math.max(8, this.full * 4)), change = scale / this.scale;
    [this.scale, this.x, this.y] = [scale, dx - (dx - this.x) * change, dy - (dy - this.y) * change];
    this.paint();
  }

  pan(dx, dy) { this.x += dx; this.y += dy; this.paint(); }

  get fitted() {
    const [width, height] = this.size, { clientWidth, clientHeight } = this.element;
    const ratio = Math.min(clientWidth / width, clientHeight / height, 1);
    return [width * ratio, height * ratio];
  }

  get full() { return this.size[0] / devicePixelRatio / this.fitted[0]; }

  paint() {
    this.element.classList.toggle("zoomed", this.isZoomed);
    if (!this.size) return;
    const [width, height] = this.fitted;
    const room = (length, side) => Math.max(0, (length * this.scale - side) / 2);
    const across = room(width, this.element.clientWidth), down = room(height, this.element.clientHeight);
    [this.x, this.y] = [between(-across, this.x, across), between(-down, this.y, down)];
    Object.assign(this.frame.style, {
      width: `${width}px`, height: `${height}px`,
      transform: `translate(-50%, -50%) translate(${this.x}px, ${this.y}px) scale(${this.scale})`,
    });
    this.scaled(width * this.scale * devicePixelRatio);
  }

  wheel(event) {
    if (!event.ctrlKey && !this.isZoomed) return;
    event.preventDefault();
    if (event.ctrlKey) this.zoom(Math.exp(-between(-50, event.deltaY, 50) / 100), event.clientX, event.clientY);
    else this.pan(-event.deltaX, -event.deltaY);
  }

  down(event) {
    const video = event.target.closest("video");
    // The controls of a video stay its own.
    if (event.button || event.target.closest("a, audio") || event.clientY > video?.getBoundingClientRect().bottom - 64) return;
    this.points.set(event.pointerId, [event.clientX, event.clientY]);
    this.start = this.points.size === 1 ? { x: event.clientX, y: event.clientY } : null;
  }

  move(event) {
    const last = this.points.get(event.pointerId), { start } = this, now = [event.clientX, event.clientY];
    if (!last) return;
    if (start && !start.isMoved) {
      if (Math.hypot(now[0] - start.x, now[1] - start.y) < 8) return;
      start.isMoved = true;
      this.element.setPointerCapture(event.pointerId);
    }
    this.points.set(event.pointerId, now);
    const other = [...this.points].find(([id]) => id !== event.pointerId)?.[1];
    const distance = ([x, y]) => Math.max(Math.hypot(x - other[0], y - other[1]), 1);
    if (other) this.zoom(distance(now) / distance(last), (now[0] + other[0]) / 2, (now[1] + other[1]) / 2);
    else if (this.isZoomed) this.pan(now[0] - last[0], now[1] - last[1]);
    else if (start && event.pointerType !== "mouse") this.element.style.translate = `${now[0] - start.x}px`;
  }

  up(event) {
    if (!this.points.delete(event.pointerId)) return;
    const { start } = this, dx = event.clientX - start?.x, dy = event.clientY - start?.y;
    this.element.style.translate = "";
    if (!start) return;
    if (!start.isMoved) this.tap(event);
    else if (this.isZoomed || event.pointerType === "mouse") return;
    else if (Math.abs(dx) > 60 && Math.abs(dx) > 2 * Math.abs(dy)) this.swiped(dx < 0 ? 1 : -1);
    else if (dy > 90 && dy > 2 * Math.abs(dx)) this.swiped(0);
  }

  cancel(event) { this.points.delete(event.pointerId); this.start = null; this.element.style.translate = ""; }

  tap(event) {
    const isDouble = event.timeStamp - this.lastTap < 350;
    this.lastTap = isDouble ? 0 : event.timeStamp;
    clearTimeout(this.timer);
    if (isDouble) this.toggle(event.clientX, event.clientY);
    else this.timer = setTimeout(() => this.tapped(event.pointerType), 250);
  }
}
