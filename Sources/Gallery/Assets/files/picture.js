// A picture in a viewport: what is at hand first, then better versions.

import { get, load, make } from "./parts.js";

/** The longer side of the largest thumbnail. */
const LARGE = 1600;

/** Why there is no picture, in the server's words. */
export const reason = blob => get(`/thumb/640/${blob}`).then(() => "This picture cannot be shown", error => error.message);

/** What is shown where no picture can be. */
export const tile = text => make("p", { class: "absent", dir: "auto" }, text);

/**
 * The BlurHash, then 640 pixels, then 1600, then the original once that is not enough. Returns what asks for the original.
 * `ratio` stands in for an unknown size.
 */
export function drawPicture(viewport, { blob, shown, type, width, height, ratio, blurhash, words }, isHidden) {
  const image = make("img", { alt: isHidden ? "" : words, draggable: "false" }), frame = make("div", { class: "frame" }, image);
  let best = -1, original;
  const step = async (rank, path) => {
    const next = new Image();
    next.src = path;
    await next.decode();
    if (rank < best || !frame.isConnected) return;
    best = rank;
    image.src = path;
    frame.classList.add("loaded");
    const { naturalWidth, naturalHeight } = next;
    // Thumbnails are not larger than their original.
    viewport.learn(naturalWidth, naturalHeight, rank === 2 || rank === 1 && Math.max(naturalWidth, naturalHeight) < LARGE);
  };
  const full = async () => { if (shown !== "picture" || isHidden) throw new Error(); await (original ??= step(2, `/blob/${blob}`)); };
  if (ratio) [width, height] = ratio > 1 ? [2 * LARGE, 2 * LARGE / ratio] : [2 * LARGE * ratio, 2 * LARGE];
  viewport.show(frame, Number(width), Number(height));
  if (blurhash) load("blurhash.js").then(({ paint }) => frame.prepend(paint(blurhash, width / height) ?? "")).catch(() => {});
  const steps = [step(0, `/thumb/640/${blob}`)];
  if (!isHidden) steps.push(step(1, `/thumb/${LARGE}/${blob}`));
  // Of an animation, the small ones are only the first picture.
  if (type === "image/gif") steps.push(full());
  Promise.any(steps).catch(full).catch(async () => {
    if (isHidden) return;
    const text = await reason(blob);
    if (frame.isConnected) viewport.show(tile(text));
  });
  return () => full().catch(() => {});
}
