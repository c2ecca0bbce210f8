// What a person makes of posts: favourites, ratings, own tags, albums, notes. It is loaded once somebody marks something, and
// with a post that is shown whole.

import { address, debounced, failing, get, leave, load, make, plural, post, tell } from "./parts.js";

/** What finds the posts with a name. */
const term = (key, name) => `${key}:"${name.replace(/["\\]/g, "\\$&")}"`;

/** The names of own tags or albums (`own`, `in`), of those that begin so. The server offers them as it completes filters. */
async function names(key, beginning) {
  const q = term(key, beginning).slice(0, -1);
  const { offers } = await get(`/api/offers?${new URLSearchParams({ q })}`).catch(() => ({ offers: [] }));
  const name = term => term.slice(key.length + 1);
  return offers.map(({ term }) => name(term).startsWith('"') ? name(term).slice(1, -1).replace(/\\(.)/g, "$1") : name(term));
}

let fields = 0;

/** Each favourite is made once what the one before it made is in the list. */
let favourites = Promise.resolve();

/** A field for the name of an own tag or an album, which completes it. */
function nameField(key, label, traits = {}) {
  const options = make("datalist", { id: `names-${fields += 1}` });
  const input = make("input", { type: "text", "aria-label": label, placeholder: label, list: options.id, maxlength: 101, autocomplete: "off", autocapitalize: "off", ...traits });
  const offer = async () => options.replaceChildren(...(await names(key, input.value.replace(/^\+/, ""))).map(value => make("option", { value })));
  input.addEventListener("input", debounced(150, offer));
  input.addEventListener("focus", offer, { once: true });
  return { input, options };
}

// In a list: the selected posts, or the one with the focus

/**
 * Marks posts of a list. What is marked with a key, or with a known word, says so in `event`; what else needs a word is asked for.
 * `say` tells what was done. Returns whether anything changed.
 */
export async function mark(list, action, id, event, say = tell) {
  if (action === "markSearch") return saveSearch(list);
  const { rows, selection, view } = list;
  const ids = event?.ids ?? (selection.isOn ? [...selection.ids] : id == null ? [] : [id]);
  if (!ids.length) return;
  const own = ids.map(id => rows.row(id));
  const send = async (path, body, said, otherwise) => {
    const { changed, changes, joined } = await post(path, { ids, ...body }).catch(notMarked);
    if (!changes.length) return otherwise ? otherwise() : void say("It was so before");
    list.actions.remember(changes);
    if (joined) said = "One post with that of the export";
    say(ids.length > 1 ? `${said}: ${plural(changed.length, "post")}` : said, "Undo", () => list.actions.undo());
    list.reread();
    return true;
  };
  switch (action) {
    case "markFavourite": {
      const set = (favourite, otherwise) => send("/api/mark", { favourite }, favourite ? "★ Favourite" : "No favourite any more", otherwise);
      const made = favourites.then(() => {
        const shown = ids.map(id => rows.row(id));
        // Those that are not in memory may all be favourites, too.
        const [areAll, isSure] = [shown.every(row => !row || row.isFavourite), event?.favourite != null || !shown.includes(undefined)];
        return set(event?.favourite ?? !(areAll && isSure), areAll && !isSure && (() => set(false)));
      });
      favourites = made.then(() => list.reread(), () => {});
      return made;
    }
    case "markRating": {
      const rating = event?.key ?? await rate();
      return rating && send("/api/mark", { rating: Number(rating) }, rated(Number(rating)));
    }
    case "markSeen": {
      const next = event?.stays || selection.isOn ? null : rows.list[rows.index(id) + 1];
      if (next) view.focus(next.id);
      return send("/api/mark", { seen: true }, "Seen");
    }
    case "markSame": case "markDifferent": {
      if (ids.length < 2) return void say("Select the posts to compare");
      const [verdict, said] = action === "markSame" ? ["same", "The same picture"] : ["different", "Different pictures"];
      return send("/api/same", { verdict, pictures: event?.pictures }, said);
    }
    case "markTag": {
      const [way, name] = event?.word ? ["new", event.word] : await askName("own", "Your own tag", own.flatMap(row => row?.ownTags ?? []).map(name => [`− ${name}`, name]));
      return way && send("/api/mark", way === "own" ? { untags: [name] } : { tags: [name] }, way === "own" ? `Without +${name}` : `Tagged +${name.replace(/^\+/, "")}`);
    }
    case "markAlbum": {
      const [way, album] = event?.word ? ["in", event.word] : await askName("in", "Add to an album", (await names("in", "")).map(name => [name, name]));
      return way && send("/api/album", { album, adds: true, existing: way !== "new" }, `Added to ${album}`);
    }
    case "markShare": {
      const [way, album] = await askName("in", "Share them as an album", []);
      if (!way) return;
      // What an album had before would be shared, too.
      if ((await names("in", album)).some(name => name.toLowerCase() === album.toLowerCase())) return void say("There is such an album: choose another name");
      return await send("/api/album", { album, adds: true }, `Added to ${album}`) && leave(address("/shares", "", { q: term("in", album) }));
    }
  }
}

const notMarked = failing("Not marked");

const rated = rating => rating ? `Rated ${rating} of 5` : "Rating taken away";

async function rate() {
  const { button, buttons, show } = await load("dialogs.js");
  return show("Rating", make("div", { class: "ratings" }, ...[1, 2, 3, 4, 5].map(rating => button(`${rating}`, `${rating}`))),
    buttons(button("No rating", "0"), button("Cancel", "")));
}

/** Asks for a name: a new one, which gives `["new", name]`, or one of those that are here, `["own", name]`. */
async function askName(key, title, known) {
  const { button, buttons, show } = await load("dialogs.js");
  const { input, options } = nameField(key, key === "own" ? "A tag, such as boat" : "The name of an album, perhaps a new one", { autofocus: "" });
  const here = [...new Map(known.map(([text, name]) => [name, text]))];
  const answer = await show(title, input, options, buttons(button("Add", "new", true), button("Cancel", "")),
    ...(here.length ? [make("div", { class: "menu" }, ...here.map(([name, text]) => button(text, `own ${name}`)))] : []));
  if (answer.startsWith("own ")) return ["own", answer.slice(4)];
  return answer && input.value.trim() ? ["new", input.value.trim()] : [];
}

async function saveSearch(list) {
  const { button, buttons, show } = await load("dialogs.js");
  const filter = new URLSearchParams(list.rows.query).get("q");
  const input = make("input", { type: "text", "aria-label": "Its name", placeholder: "Its name", maxlength: 100, autocomplete: "off", autofocus: "" });
  const answer = await show("Save this search", make("p", { class: "soft" }, make("bdi", {}, filter)), input, buttons(button("Save", "yes", true), button("Cancel", "")));
  const name = input.value.trim();
  if (answer !== "yes" || !name) return;
  const { changes, replaced } = await post("/api/searches", { name, filter });
  if (!changes.length) return tell("It was so before");
  list.actions.remember(changes);
  tell(replaced ? `Replaced ${replaced}` : `Saved as ${name}`, "Undo", () => list.actions.undo());
}

// On a post that is shown whole

/** Keeps the note that is being typed, of a page that is left. */
let leaving = null;
addEventListener("pagehide", () => leaving?.());

/**
 * Makes a part of a post's page that shows its marks one that changes them. `done(text, changes)` tells what was done, `say` what
 * went wrong, `changed` receives the marks. Returns what keys do, and `again`, which reads them again.
 */
export function edit(section, id, { done, say, changed }) {
  let marks = JSON.parse(section.dataset.marks);
  const again = async () => {
    ({ marks } = await get(`/api/post/${id}`));
    changed?.(marks);
    draw();
  };
  const told = (text, changes) => changes.length ? done(text, changes) : say("It was so before");
  const send = async (path, body, text) => {
    try {
      const { changes } = await post(path, { ids: [id], ...body }).catch(notMarked);
      told(text, changes);
      await again();
    } catch (error) { say(error.message); draw(); }
  };
  const mark = (body, text) => send("/api/mark", body, text);
  const does = {
    favourite: () => mark({ favourite: !marks.favourite }, marks.favourite ? "No favourite any more" : "★ Favourite"),
    rate: rating => mark({ rating }, rated(rating)),
    seen: (seen = true) => mark({ seen }, seen ? "Seen" : "Unseen"),
    tag: () => tags.input.focus(), again,
  };
  const toggle = (text, act) => { const button = make("button", { type: "button" }, text); button.onclick = act; return button; };
  const star = toggle("★ Favourite", does.favourite), seen = toggle("Seen", () => does.seen(marks.seenAt == null));
  const ratings = [0, 1, 2, 3, 4, 5].map(rating => make("input", { type: "radio", name: `rating-${id}`, value: rating }));
  for (const input of ratings) input.onchange = () => does.rate(Number(input.value));
  const rating = make("fieldset", { class: "rating" }, make("legend", {}, "Rating"), ...ratings.map(input => make("label", {}, input, input.value === "0" ? "none" : input.value)));
  const tags = chips("own", "Own tags", "Another tag", name => mark({ tags: [name] }, "Tagged"), name => mark({ untags: [name] }, `Without +${name}`));
  const albums = chips("in", "Albums", "Another album", album => send("/api/album", { album, adds: true }, `Added to ${album}`), album => send("/api/album", { album, adds: false }, `Not in ${album} any more`));
  const note = make("textarea", { rows: 2, maxlength: 100_000, dir: "auto" });
  // What is typed and not kept, and the changes that kept parts of it, the last one first.
  let typed = null, parts = [], kept = Promise.resolve();
  const write = (text, options) => post("/api/mark", { ids: [id], note: text }, options).catch(notMarked);
  const writeTyped = async () => {
    const text = typed;
    if (text == null) return;
    parts.unshift(...(await write(text)).changes);
    marks.note = text;
    changed?.(marks);
    if (typed === text) typed = null;
  };
  // One after the other: the last text must be written last.
  const keep = () => kept = kept.then(writeTyped, writeTyped);
  const keepSoon = debounced(1000, () => keep().catch(error => say(error.message)));
  const keepNow = () => { if (typed != null) write(typed, { keepalive: true }).catch(() => {}); };
  note.oninput = () => { typed = note.value; leaving = keepNow; keepSoon(); };
  // Others may have written one while it had the focus.
  note.onblur = () => draw();
  note.onchange = () => keep().then(() => { told("Note kept", parts); parts = []; return again(); }).catch(error => say(error.message));
  function draw() {
    star.setAttribute("aria-pressed", marks.favourite);
    seen.setAttribute("aria-pressed", marks.seenAt != null);
    for (const input of ratings) input.checked = Number(input.value) === marks.rating;
    tags.draw(marks.ownTags);
    albums.draw(marks.albums);
    if (document.activeElement !== note && typed == null) note.value = marks.note ?? "";
  }
  section.replaceChildren(make("div", { class: "row" }, star, seen, rating), tags.element, albums.element, make("label", {}, "Note", note));
  draw();
  return does;
}

/** Names as links, each with a button that takes it away, and a field for more. */
function chips(key, title, label, add, remove) {
  const list = make("ul", { class: "chips" });
  const { input, options } = nameField(key, label);
  const form = make("form", {}, input, options, make("button", {}, "Add"));
  form.onsubmit = event => {
    event.preventDefault();
    const name = input.value.trim();
    if (!name) return;
    input.value = "";
    add(name);
  };
  const chip = name => {
    const sign = key === "own" ? "+" : "";
    const button = make("button", { type: "button", "aria-label": `Remove ${sign}${name}` }, "×");
    button.onclick = () => { input.focus(); remove(name); };
    return make("li", {}, make("a", { href: address("/", "", { q: term(key, name) }) }, make("bdi", {}, `${sign}${name}`)), button);
  };
  let shown;
  return {
    input, element: make("div", { class: "row", role: "group", "aria-label": title }, make("strong", {}, title), list, form),
    // What has the focus stays.
    draw: names => { if (shown !== (shown = names.join("\n"))) list.replaceChildren(...names.map(chip)); },
  };
}
