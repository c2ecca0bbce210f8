// Fingers: a swipe to the left deletes, one to the right shows what can be done, a long press selects, and pulling the page
// down at its top looks for new posts.

import { make } from "./parts.js";

export function followFingers(list) {
  const { host, view, selection } = list;
  let swipe = null, press = 0, isDone = false;

  host.addEventListener("pointerdown", event => {
    const cell = event.target.closest(".cell");
    isDone = false;
    if (event.pointerType !== "touch" || !event.isPrimary || !cell || event.target.closest("button, .handle")) return;
    swipe = { cell, x: event.clientX, y: event.clientY, shift: 0, isOn: false };
    press = setTimeout(() => {
      isDone = true;
      swipe = null;
      navigator.vibrate?.(10);
      selection.toggle(cell.row.id);
    }, 450);
  });
  host.addEventListener("pointermove", event => {
    if (!swipe || event.pointerType !== "touch") return;
    const [x, y] = [event.clientX - swipe.x, event.clientY - swipe.y];
    if (Math.hypot(x, y) > 10) clearTimeout(press);
    if (!swipe.isOn && (Math.abs(x) < 12 || Math.abs(x) < 1.5 * Math.abs(y))) return;
    if (!swipe.isOn) host.setPointerCapture(event.pointerId);
    Object.assign(swipe, { isOn: true, shift: x });
    swipe.cell.classList.add("swiped");
    swipe.cell.style.transform = `${swipe.cell.place} translateX(${x}px)`;
    swipe.cell.style.opacity = String(1 - Math.min(Math.abs(x) / 300, .6));
  });
  const end = event => {
    clearTimeout(press);
    if (!swipe || event.pointerType !== "touch") return;
    const { cell, shift, isOn } = swipe;
    swipe = null;
    if (!isOn) return;
    isDone = true;
    cell.classList.remove("swiped");
    cell.style.opacity = "";
    cell.style.transform = cell.place;
    const isFar = Math.abs(shift) > Math.min(cell.offsetWidth * .4, 90) && event.type === "pointerup";
    if (isFar && shift < 0) {
      // It goes on from where the finger left it.
      [cell.shift, cell.swiped] = [shift, -cell.offsetWidth];
      list.act(list.isTrash ? "restoreSelected" : "delete", cell.row.id, { ids: [cell.row.id] });
      if (view.element(cell.row.id)) cell.shift = cell.swiped = undefined;
    } else if (isFar) list.act("menu", cell.row.id);
  };
  host.addEventListener("pointerup", end);
  host.addEventListener("pointercancel", end);
  // What a swipe or a long press ends with is no click, and no menu of the browser.
  host.addEventListener("click", event => { if (isDone) { event.preventDefault(); event.stopPropagation(); isDone = false; } }, true);
  host.addEventListener("contextmenu", event => { if (press && event.pointerType === "touch") event.preventDefault(); });

  pullDown(list);
}

function pullDown(list) {
  const sign = make("div", { class: "pull", "aria-hidden": "true" }, "↓");
  const far = 80;
  let start = null, distance = 0;
  addEventListener("touchstart", event => {
    start = scrollY <= 0 && event.touches.length === 1 && !document.querySelector("dialog[open]") ? event.touches[0].clientY : null;
  }, { passive: true });
  addEventListener("touchmove", event => {
    if (start == null) return;
    distance = event.touches[0].clientY - start;
    if (scrollY > 0 || distance <= 0) { sign.remove(); return; }
    if (!sign.isConnected) document.body.append(sign);
    sign.style.transform = `translate(-50%, ${Math.min(distance / 2, 70)}px) rotate(${Math.min(distance * 2, 180)}deg)`;
    sign.classList.toggle("far", distance > far);
  }, { passive: true });
  addEventListener("touchend", () => {
    if (start != null && distance > far && scrollY <= 0) list.act("refresh");
    sign.remove();
    [start, distance] = [null, 0];
  });
}
