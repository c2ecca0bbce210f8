// The cells of a list: a picture with what is known of it, the text of a post without one, or a card.

import { paint } from "./blurhash.js";
import { exactly, get, make, period, setting } from "./parts.js";

const KINDS = { video: "Video", gifv: "Animation", audio: "Sound", file: "File" };
const STATES = {
  pending: "This picture is still to be downloaded", failed: "This picture could not be downloaded",
  gone: "Its server no longer has this picture", skipped: "This picture was not asked for",
};

/** What the person made of a post, in short; empty if it is not marked. */
export const signs = row => [row.isFavourite && "★", row.rating && `${row.rating}/5`, ...row.ownTags.map(name => `+${name}`)].filter(Boolean).join(" ");

const marked = row => {
  const text = signs(row);
  return text ? [make("span", { class: "marked", "aria-hidden": "true" }, make("bdi", {}, text))] : [];
};

/** What a finger takes hold of to move a post of an album. */
const handle = row => row.position ? [make("span", { class: "handle", "aria-hidden": "true" }, "⠿")] : [];

/** What a screen reader says of a post. */
export function label(row) {
  const text = row.title ?? (row.warning || row.caption);
  return [row.author?.name || row.author?.handle, text, row.warning == null && row.alt, row.files > 1 && `${row.files} files`, row.seenBy?.mark,
    row.isFavourite && "favourite", row.rating && `rated ${row.rating}`, ...row.ownTags.map(name => `+${name}`)]
    .filter(Boolean).join(": ") || `Post ${row.id}`;
}

export class Cells {
  /** While pictures fly by, they are not asked for. */
  holds = false;
  /** The posts whose sensitive pictures are shown nevertheless. */
  revealed = new Set();
  #held = new Set();

  /** `link` makes the address of a post's page. `isSelected` tells whether a post is selected. */
  constructor(link, isSelected) { Object.assign(this, { link, isSelected }); }

  make(row, mode, box) {
    const element = make("article", { class: "cell", id: `post-${row.id}` });
    this.fill(element, row, mode, box);
    return element;
  }

  fill(element, row, mode, box) {
    if (element.look === row.look) { element.row = row; return; }
    [element.row, element.look, element.isUndrawn] = [row, row.look, false];
    element.className = `cell ${mode === "list" ? "card" : row.kind == null ? "words" : "tile"}`;
    element.classList.toggle("selected", this.isSelected(row.id));
    element.classList.toggle("deleted", row.isDeleted);
    element.setAttribute("aria-label", label(row));
    element.replaceChildren(...(mode === "list" ? this.#card(row, box) : this.#tile(row, box)));
  }

  discard(element) {
    // What is still under way would hold up what is seen.
    for (const image of element.querySelectorAll("img")) { image.onload = image.onerror = null; image.srcset = ""; image.src = ""; image.remove(); }
    element.remove();
  }

  /** Asks for the pictures that were held back. */
  release() {
    this.holds = false;
    for (const [image, start] of this.#held) if (image.isConnected) start();
    this.#held.clear();
  }

  /** About how tall a card will be, before it is measured. */
  estimate(row, width) {
    const picture = row.kind == null ? 0 : this.#pictureHeight(row, width - 32) + 12;
    return 92 + picture + Math.ceil(row.caption.length / (width / 9)) * 24 + (row.tags.length ? 30 : 0);
  }

  #pictureHeight(row, width) { return Math.min(width / (row.kind === "audio" || row.kind === "file" ? 3 : row.ratio ?? 1), innerHeight * .75); }

  #tile(row, box) {
    const link = make("a", { href: this.link(row.id), tabindex: -1, draggable: "false", "aria-label": label(row) });
    if (row.kind == null) {
      if (row.title) link.append(make("strong", { dir: "auto" }, row.title));
      if (row.end != null) link.append(make("span", { class: "soft" }, period(row)));
      const text = row.warning || row.caption || (row.title ? "" : "No text");
      if (text) link.append(make("span", { dir: "auto", class: "text" }, text));
      return [link, ...this.#badges(row, row.seenBy), ...marked(row), this.#who(row), ...handle(row)];
    }
    link.append(...this.#picture(row, box.width));
    return [link, ...this.#badges(row, row.seenBy), ...marked(row), this.#who(row), ...handle(row), this.#button(row)].filter(Boolean);
  }

  #card(row, box) {
    const header = make("header", {}, this.#avatar(row), make("span", { class: "name", dir: "auto" }, row.author?.name || row.author?.handle || "Added by you"),
      make("time", { datetime: new Date(row.at).toISOString(), class: "soft", title: exactly(row) }, period(row)),
      ...(row.seenBy ? [make("span", { class: "seen-by", title: row.seenBy.explanation }, row.seenBy.mark)] : []), ...marked(row), ...handle(row));
    const link = make("a", { href: this.link(row.id), tabindex: -1, draggable: "false", "aria-label": label(row) });
    const parts = [header];
    if (row.title) parts.push(make("h2", { dir: "auto" }, row.title));
    if (row.warning) parts.push(make("p", { dir: "auto", class: "warning" }, row.warning));
    else if (row.caption) parts.push(make("p", { dir: "auto", class: "caption" }, row.caption));
    if (row.kind != null) {
      const width = box.width - 34;
      link.style.height = `${this.#pictureHeight(row, width)}px`;
      link.append(...this.#picture(row, width));
      parts.push(make("div", { class: "tile" }, link, ...this.#badges(row), this.#button(row)));
    } else {
      link.className = "more";
      link.append("Open");
      parts.push(link);
    }
    if (row.tags.length) {
      parts.push(make("p", { class: "tags" }, ...row.tags.slice(0, 12).map(tag => make("a", { href: `/?${new URLSearchParams({ tag })}`, tabindex: -1, dir: "auto" }, `#${tag}`))));
    }
    return parts;
  }

  #avatar(row) {
    const avatar = row.author?.avatar;
    if (!avatar) return make("span", { class: "avatar", "aria-hidden": "true" }, (row.author?.name || row.author?.handle || "+").slice(0, 1));
    const image = make("img", { class: "avatar", alt: "", src: `/thumb/320/${avatar}`, loading: "lazy", decoding: "async", width: 32, height: 32, draggable: "false" });
    image.onerror = () => { image.onerror = null; image.replaceWith(this.#avatar({ author: { ...row.author, avatar: null } })); };
    return image;
  }

  #who(row) {
    const name = row.author?.name || row.author?.handle;
    return make("p", { class: "who", "aria-hidden": "true" }, this.#avatar(row), make("span", { dir: "auto" }, name || "Added by you"));
  }

  /** What is not seen in a picture. A card says in its head who may see the post. */
  #badges(row, seenBy = null) {
    const words = [KINDS[row.kind], row.files > 1 && `${row.files} files`, row.shared > 1 && `${row.shared} posts show this picture`, row.folded && `Also at ${row.folded === 1 ? "another network" : "other networks"}`, row.isInPicture && "Found by the text in its picture", row.isGone && "Gone from its server", seenBy?.explanation].filter(Boolean);
    const signs = [{ video: "▶", gifv: "GIF", audio: "♪", file: "File" }[row.kind], row.files > 1 && row.files, row.shared > 1 && `×${row.shared}`, row.folded && `+${row.folded}`, row.isInPicture && "in picture", row.isGone && "Gone", seenBy?.mark].filter(Boolean);
    return signs.length ? [make("span", { class: "badge", title: words.join(", ") }, signs.join(" · "))] : [];
  }

  /** BlurHash, then the thumbnail. Neither has an influence on sizes. */
  #picture(row, width) {
    const parts = [];
    const blur = paint(row.blurhash, row.ratio ?? 1);
    if (blur) parts.push(blur);
    if (this.isHidden(row)) return [...parts, make("span", { class: "cover" }, row.warning ? make("b", { dir: "auto" }, row.warning) : null, "Sensitive: the button shows it")];
    if (row.missing || !row.blob) {
      const isFile = !row.missing && (row.kind === "audio" || row.kind === "file");
      parts.push(make("span", { class: "cover" }, isFile ? KINDS[row.kind] : STATES[row.missing?.state] ?? STATES.pending,
        row.missing?.failure ? make("small", { dir: "auto" }, row.missing.failure) : null));
      return parts;
    }
    if (row.kind === "audio" || row.kind === "file") return [...parts, make("span", { class: "cover", dir: "auto" }, row.alt || row.caption || KINDS[row.kind])];
    return [...parts, this.#image(row, width, blur)];
  }

  #image(row, width, blur) {
    const image = make("img", { alt: row.alt ?? "", decoding: "async", draggable: "false", sizes: `${Math.ceil(width)}px` });
    // Thumbnails are named by their longer side.
    const share = Math.min(row.ratio ?? 1, 1);
    const sizes = [320, 640, 1600].map(size => `/thumb/${size}/${row.blob} ${Math.round(size * share)}w`);
    const start = () => { image.srcset = sizes.slice(0, width > 500 ? 3 : 2).join(", "); };
    const began = performance.now();
    image.onload = () => {
      // One that was at hand needs no fading in.
      image.classList.add(performance.now() - began < 60 ? "now" : "in");
      if (blur) setTimeout(() => blur.remove(), 300);
    };
    image.onerror = () => {
      const [link, cell] = [image.closest("a"), image.closest(".cell")];
      const cover = make("span", { class: "cover" }, row.kind === "image" ? "This picture cannot be shown" : "No preview can be made of this video");
      image.replaceWith(cover);
      // A browser does not tell what the server said.
      get(`/thumb/320/${row.blob}`).catch(error => { if (error.status === 422) cover.append(make("small", { dir: "auto" }, error.message)); });
      if (!link) return;
      cell.isUndrawn = true;
      if (!link.parentElement.querySelector(".retry")) link.after(retry());
    };
    if (this.holds) this.#held.add([image, start]); else start();
    return image;
  }

  /** Whether a picture is behind its warning. */
  isHidden(row) { return row.warning != null && setting.get("sensitive", "hidden") === "hidden" && !this.revealed.has(row.id); }

  /** What can be done about a picture that is not shown. */
  #button(row) {
    if (this.isHidden(row)) return button("reveal", "Show");
    return ["failed", "gone", "skipped"].includes(row.missing?.state) ? retry() : null;
  }
}

const button = (action, words) => make("button", { type: "button", class: `retry ${action}`, tabindex: -1, "data-action": action }, words);
const retry = () => button("retry", "Try again");

