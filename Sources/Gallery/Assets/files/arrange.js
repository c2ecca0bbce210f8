// Moves posts of an album, and carries posts onto an album of the side list: by the mouse, a finger or the keyboard.

import { announce, failing, load, make, post, tell } from "./parts.js";

let turn = Promise.resolve();

/** One move after the other, each in the order that the one before has left. */
const queue = work => { turn = turn.then(work).catch(error => tell(error.message)); return turn; };

/** Moves a post by one place, or to an end. */
export const move = (list, id, action, { album } = list.rows) => queue(async () => {
  const { rows, view } = list;
  const isTowardsEnd = action === "moveLater";
  // The first and the last post may not be in memory.
  if (action === "moveFirst" || action === "moveLast") return send(list, album, [id], { toStart: action === "moveFirst" });
  const place = rows.index(id);
  if (place < 0) return;
  if (isTowardsEnd && place > rows.list.length - 3) await rows.older();
  if (!isTowardsEnd && place === 0) await rows.newer();
  const index = rows.index(id);
  if (isTowardsEnd ? index === rows.list.length - 1 : index === 0) return announce(isTowardsEnd ? "This is the last post" : "This is the first post");
  await send(list, album, [id], { before: (isTowardsEnd ? rows.list[index + 2]?.id : rows.list[index - 1].id) ?? null });
  view.focus(id);
});

async function send(list, album, ids, to) {
  const { changes } = await post("/api/album/move", { album, ids, ...to }).catch(failing("Not moved"));
  if (!changes.length) return;
  list.actions.remember(changes);
  await list.reread();
  tell(ids.length > 1 ? `Moved ${ids.length} posts` : "Moved", "Undo", () => list.actions.undo());
}

/** Follows a pointer that holds posts, until it lets go of them: between two posts of an album, or over one of the side list. */
export function carry(list, begun, now, ids) {
  const { rows, view } = list, { album: own } = rows;
  const from = { x: begun.clientX, y: begun.clientY };
  let badge = null, goal = null, last = begun, timer = 0;
  const point = () => {
    goal?.element.classList.remove(goal.mark);
    goal = null;
    const under = document.elementFromPoint(last.clientX, last.clientY);
    const album = under?.closest(".places li")?.querySelector("[data-album]");
    const cell = under?.closest(".cell");
    if (album) goal = { element: album.parentElement, mark: "goal", album: album.dataset.album };
    else if (cell?.row.position && !ids.includes(cell.row.id)) {
      const box = cell.getBoundingClientRect();
      const isBehind = view.mode === "list" ? last.clientY > box.y + box.height / 2 : last.clientX > box.x + box.width / 2;
      goal = { element: cell, mark: isBehind ? "goal-behind" : "goal-before", id: cell.row.id, isBehind };
    }
    goal?.element.classList.add(goal.mark);
  };
  const follow = event => {
    last = event;
    if (!badge) {
      if (Math.hypot(event.clientX - from.x, event.clientY - from.y) < 8) return;
      badge = document.body.appendChild(make("div", { class: "carried", "aria-hidden": "true" }, ids.length > 1 ? `${ids.length} posts` : "1 post"));
      document.body.classList.add("carrying");
      // The page follows at its edges.
      timer = setInterval(() => {
        const step = last.clientY < 90 ? -18 : last.clientY > innerHeight - 60 ? 18 : 0;
        if (step && !goal?.album) { scrollBy(0, step); point(); }
      }, 16);
    }
    badge.style.transform = `translate(${event.clientX + 12}px,${event.clientY + 12}px)`;
    point();
  };
  const key = event => { if (event.key === "Escape" && badge) { event.preventDefault(); event.stopPropagation(); goal = null; end(event); } };
  const stop = event => { event.preventDefault(); event.stopPropagation(); };
  const end = event => {
    removeEventListener("pointermove", follow);
    removeEventListener("pointerup", end);
    removeEventListener("pointercancel", end);
    removeEventListener("keydown", key, true);
    clearInterval(timer);
    if (!badge) return;
    badge.remove();
    document.body.classList.remove("carrying");
    // The click that ends the drag opens nothing.
    addEventListener("click", stop, { capture: true, once: true });
    setTimeout(() => removeEventListener("click", stop, { capture: true }), 0);
    if (!goal) return;
    goal.element.classList.remove(goal.mark);
    if (event.type === "pointerup") queue(() => drop(goal));
  };
  const drop = async ({ album, id, isBehind }) => {
    if (album) {
      const { mark } = await load("marks.js");
      return mark(list, "markAlbum", null, { word: album, ids });
    }
    if (!rows.list[rows.index(id) + isBehind]) await rows.older();
    const place = rows.index(id);
    // The list may have changed under the pointer.
    if (place < 0) return tell(`Not moved: ${rows.album === own ? "the post beside it" : `the album "${own}"`} is not there any more`);
    const others = rows.list.slice(place + isBehind).find(row => !ids.includes(row.id));
    const order = rows.list.map(row => row.id);
    await send(list, own, [...ids].sort((one, other) => order.indexOf(one) - order.indexOf(other)), { before: others?.id ?? null });
    view.focus(ids[0]);
  };
  addEventListener("pointermove", follow);
  addEventListener("pointerup", end);
  addEventListener("pointercancel", end);
  addEventListener("keydown", key, true);
  if (now !== begun) follow(now);
}
