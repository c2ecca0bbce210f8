// A list of posts: what the parts share, keys, search, and the address, which tells the place.

import { Actions } from "./actions.js";
import { Cells } from "./cells.js";
import { count } from "./due.js";
import { FilterField } from "./filter.js";
import { View } from "./grid.js";
import { bindings, listen } from "./keys.js";
import { follow } from "./live.js";
import { address, announce, debounced, get, icon, leave, load, make, plural, setting, stack, tell, UNREACHED } from "./parts.js";
import { Rows } from "./rows.js";
import { Scrubber } from "./scrubber.js";
import { Selection } from "./select.js";
import { followFingers } from "./touch.js";

const whenIdle = globalThis.requestIdleCallback ?? (work => setTimeout(work, 300));

/** What the buttons of the bar show, as paths in a square of 20. */
const ICONS = {
  list: "M3 5h14M3 10h14M3 15h14", grid: "M3 3h6v6H3zM11 3h6v6h-6zM3 11h6v6H3zM11 11h6v6h-6z",
  look: "M5 3l12 7-12 7z",
  settings: "M3 6h7M14 6h3M12 4v4M3 14h3M10 14h7M8 12v4", help: "M7 7.5a3 3 0 1 1 4.2 2.7c-.8.4-1.2 1-1.2 1.9M10 15.5v.01",
};

class List {
  #arrived = 0;
  #banner = null;
  /** The row that was shown whole last. */
  #opened = null;

  constructor(main) {
    this.main = main;
    const fields = new URLSearchParams(location.search);
    this.isReadOnly = main.dataset.readOnly === "1";
    this.isTrash = fields.has("deleted");
    this.host = make("div", { class: "feed", "aria-label": "Posts", tabindex: -1 });
    this.note = make("div", { class: "empty", hidden: "" });
    this.chip = make("button", { type: "button", class: "chip", hidden: "" });
    this.chip.onclick = () => this.act("top");
    main.append(this.host, this.note, this.chip);
    const mode = fields.get("view") ?? setting.get("view", "grid");
    this.#tools(mode);
    this.#named = main.dataset.query;
    this.rows = new Rows(this.#named, mode === "list" ? 700 : 80, reason => reason === "edited" ? this.view.updateSoon(reason) : this.#update(reason));
    this.cells = new Cells(id => address(`/post/${id}`, this.rows.query), id => this.selection.has(id));
    this.selection = { has: () => false };
    this.view = new View(this.host, this.rows, this.cells, {
      update: reason => this.#update(reason), moved: () => this.#rest(), scrolled: () => { this.scrubber.follow(); this.#showChip(); },
      arrived: count => { this.#arrived += count; announce(`${plural(this.#arrived, "new post")}`); },
    });
    this.view.mode = mode === "list" ? "list" : "grid";
    this.host.classList.toggle("list", mode === "list");
    this.selection = new Selection(this);
    this.actions = new Actions(this);
    this.scrubber = new Scrubber(this);
    this.#begin(fields, mode);
  }

  #begin(fields, mode) {
    const window = JSON.parse(document.getElementById("window").textContent);
    const id = Number(fields.get("at"));
    const offset = history.state?.offset;
    if (id) this.place = { id, offset };
    else if (offset != null && window.id.length) this.place = { id: window.id[0], offset };
    this.rows.show(window);
    this.place = undefined;
    if (history.state?.focus) this.view.focus(history.state.focus);
    this.#search();
    this.showAvatars();
    this.showDays();
    listen((action, event) => this.act(action, undefined, event));
    this.host.addEventListener("click", event => this.#click(event));
    this.host.addEventListener("focusin", event => { const cell = event.target.closest(".cell"); if (cell) this.view.focus(cell.row.id, false); });
    followFingers(this);
    document.addEventListener("keydown", event => { this.#arrange(event); this.#extend(event); }, true);
    this.#live();
    this.scrubber.load();
    if (mode === "list" && !fields.has("view")) this.reread();
    whenIdle(() => this.#loadParts());
    this.#showPlaces(document.querySelector(".side"));
    addEventListener("pagehide", () => this.#remember());
    addEventListener("pageshow", event => { if (event.persisted) this.#isLeaving = false; });
  }

  /** The side list: open beside a wide list unless it was closed there, and over a narrow one as long as it is wanted. */
  #showPlaces(places) {
    if (!places) return;
    const isWide = () => matchMedia("(min-width: 1200px)").matches;
    const unfold = () => { places.open = !places.hidden && isWide() && setting.get("places", "open") === "open"; };
    unfold();
    places.firstChild.addEventListener("click", () => { if (isWide()) setting.set("places", places.open ? "closed" : "open"); });
    document.addEventListener("click", event => { if (!isWide() && !places.contains(event.target)) places.open = false; });
    const recount = debounced(1000, () => this.#fillPlaces(places, unfold));
    this.recount = () => { if (places.open || places.hidden) recount(); };
    places.addEventListener("toggle", () => { if (places.open) this.#fillPlaces(places, unfold); });
  }

  /** The albums and searches that there are now, and how many posts each has. */
  async #fillPlaces(places, unfold) {
    const { albums, searches } = await get("/api/places").catch(() => ({}));
    if (!albums) return;
    const all = [...albums, ...searches], links = () => [...places.querySelectorAll("[data-place]")];
    if (links().map(link => link.dataset.place).join("\n") !== all.map(({ filter }) => filter).join("\n")) {
      const q = new URLSearchParams(this.rows.query).get("q"), focus = document.activeElement?.dataset.place;
      const list = (heading, own) => own.length ? [make("h2", {}, heading), make("ul", {}, ...own.map(({ name, filter }) => make("li", {},
        make("a", { href: address("/", "", { q: filter }), "aria-current": filter === q ? "page" : null, "data-place": filter, "data-album": own === albums ? name : null }, make("bdi", {}, name)),
        make("span", { class: "soft" }))))] : [];
      places.lastChild.replaceChildren(...list("Albums", albums), ...list("Saved searches", searches));
      links().find(link => link.dataset.place === focus)?.focus();
      if (places.hidden === all.length > 0) { places.hidden = !all.length; unfold(); }
    }
    links().forEach((link, index) => { link.nextElementSibling.textContent = all[index].count; });
  }

  /** Loads what is needed later, while there is time and the server is there. */
  #loadParts() {
    for (const name of ["dialogs.js", "post.js"]) load(name).catch(() => {});
    if (this.isReadOnly || this.#takesDrops) return;
    this.#takesDrops = true;
    load("add.js").then(({ installDrop }) => installDrop(undefined, id => this.#showAdded(id)), () => { this.#takesDrops = false; });
  }
  #takesDrops = false;

  /** Shows what was added here. */
  async #showAdded(id) {
    try {
      if (!await this.rows.find(id, this.rows.query)) return tell("Added. It is not in this list.", "Show it", () => leave(`/post/${id}`));
      if (!this.rows.row(id) && !await this.rows.open({ at: id })) return tell("Added");
      this.view.focus(id);
      tell("Added");
    } catch (error) { tell(error.message); }
  }

  /** Does something for which a part of the page may have to be loaded, or something asked of the server. */
  #try(work) { Promise.resolve(work).catch(error => tell(error.message)); }

  // What is shown

  #update(reason) {
    this.view.update(reason, this.place);
    const { total, isMore, looked, list, query, leftOut } = this.rows;
    document.getElementById("count").textContent = looked ? `${plural(list.length, "post")} so far, back to ${looked}` : isMore ? `more than ${plural(total, "post")}` : plural(total, "post");
    const link = document.getElementById("hidden");
    if (link) [link.hidden, link.textContent, link.href] = [!leftOut, leftOut?.words ?? "", leftOut?.address ?? "/"];
    this.note.hidden = list.length > 0;
    if (this.restoreAll) this.restoreAll.hidden = !list.length;
    // A feed has posts.
    this.host.setAttribute("role", list.length ? "feed" : "group");
    if (!list.length) {
      this.note.replaceChildren(...(looked ? ["Looking on …"] : new URLSearchParams(query).has("q") ? ["Nothing matches."]
        : this.isTrash ? ["No post is deleted."] : query ? ["This list has no posts. ", make("a", { href: "/" }, "All posts")] : ["No posts yet. ", make("a", { href: "/pull" }, "Pull some"), " or ", make("a", { href: "/add" }, "add one"), "."]));
    }
    if (reason === "opened") this.#arrived = 0;
    // Others take albums away, and make them.
    if (reason === "read" && this.rows.unknown !== this.#unknown) this.filter.say(this.rows.unknown);
    this.#unknown = this.rows.unknown;
    if (query !== this.#named) this.#name();
    if (reason === "read" || reason === "edited") this.scrubber.reload();
    this.scrubber.follow();
    this.#showChip();
    this.overlay?.changed();
  }

  #showChip() {
    if (this.view.isAtTop) this.#arrived = 0;
    this.chip.hidden = !this.#arrived;
    if (this.#arrived) this.chip.textContent = `↑ ${this.#arrived.toLocaleString("en")} new`;
  }

  showDays() { document.body.classList.toggle("no-days", setting.get("days", "on") === "off"); }

  showAvatars() { document.body.classList.toggle("no-avatars", setting.get("avatars", "on") === "off"); }

  reread() { return this.rows.reread(() => this.view.anchor()?.id); }

  // The address

  get #address() { return this.#addressAt(this.view.isAtTop ? null : this.view.anchor()?.id); }

  #addressAt(id) {
    return address("/", this.rows.query, { ...(this.view.mode === "list" ? { view: "list" } : {}), ...(id == null ? {} : { at: id }) });
  }

  /** Keeps the place in the address, so that Back and a reload return to it. */
  #remember() {
    // What is opened leads back to its cell.
    if (this.#isLeaving) return;
    const focus = this.host.contains(document.activeElement) && this.view.isSeen(this.view.current) ? this.view.current : null;
    history.replaceState({ offset: this.view.offset, focus }, "", this.#address);
  }
  #isLeaving = false;

  #rest() {
    this.#remember();
    this.#showChip();
    this.scrubber.follow();
  }

  /** Goes to the newest post that is not newer than a moment, in seconds; null for the list's start. Returns whether it went. */
  async goTo(seconds) {
    const { list, before, after } = this.rows;
    const isHere = list.length && (seconds == null ? !before : (list[0].at / 1000 >= seconds || !before) && (list.at(-1).at / 1000 <= seconds || !after));
    if (isHere && this.rows.wanted === this.rows.query) this.rows.stay();
    else if (!await this.rows.open(seconds == null ? {} : { date: seconds })) return false;
    const rows = this.rows.list;
    const row = seconds == null ? rows[0] : rows.find(row => row.at / 1000 <= seconds) ?? rows.at(-1);
    if (row) this.view.scrollTo(row.id);
    this.#rest();
    return true;
  }

  // Opening a post

  #open(id, options) {
    const fallback = () => location.assign(address(`/post/${id}`, this.rows.query));
    return this.#cover(id, async () => (await load("post.js")).showPost(id, this.neighbours, options), fallback);
  }

  /** Shows something over the list, which keeps its place. */
  async #cover(id, show, fallback) {
    this.view.focus(id);
    history.replaceState({ offset: this.view.offsetOf(id), focus: id }, "", this.#addressAt(id));
    this.#isLeaving = true;
    this.#opened = this.rows.row(id);
    try { await show(); } catch (error) {
      if (fallback && error.message !== UNREACHED) return fallback();
      // The list stays: the browser's own page about it leads nowhere.
      this.#isLeaving = false;
      tell(error.message);
    }
  }

  /** What a post that is shown whole asks of its list. */
  get neighbours() {
    const beside = async (id, way) => {
      const { rows } = this;
      // A post that has left the list is where it was.
      const beyond = () => rows.list[rows.row(id) ? rows.index(id) + way : rows.place(this.#opened) - (way < 0)];
      if (!beyond()) await (way > 0 ? rows.older() : rows.newer());
      const next = beyond();
      if (next) { this.#opened = next; this.view.focus(next.id, false); }
      return next?.id ?? null;
    };
    const must = trouble => { if (trouble) throw trouble; };
    return {
      next: id => beside(id, 1), previous: id => beside(id, -1),
      delete: id => this.actions.delete([id]).then(must), restore: id => this.actions.restore([id]).then(must), remember: (changes, id) => this.actions.remember(changes, id),
      undo: async () => { const { last } = this.actions; must(await this.actions.undo()); return last && { id: last.ids?.[0], ...last }; },
      closed: async id => {
        this.#isLeaving = false;
        const { list } = this.rows;
        if (!this.rows.row(id) && list.length) ({ id } = list[Math.min(this.rows.place(this.#opened), list.length - 1)]);
        this.view.focus(id);
      },
    };
  }

  #click(event) {
    const cell = event.target.closest(".cell");
    if (!cell || event.button !== 0) return;
    const { id } = cell.row;
    if (event.target.closest("[data-action=reveal]")) { this.cells.revealed.add(id); this.view.redraw(id); return this.view.focus(id); }
    if (event.target.closest("[data-action=retry]")) return cell.row.missing ? this.actions.retry([id]) : this.view.redraw(id);
    if (event.target.closest(".tags")) return;
    const link = event.target.closest("a");
    if (event.shiftKey) this.selection.extend(id, this.view.current ?? id);
    else if (event.ctrlKey || event.metaKey) this.selection.toggle(id);
    else if (this.selection.isOn) this.selection.toggle(id);
    else if (link) this.#open(id);
    else return this.view.focus(id);
    event.preventDefault();
    if (event.shiftKey || event.ctrlKey || event.metaKey) this.view.focus(id);
  }

  // Keys

  /** Alt with an arrow moves a post of an album; up and left, towards its start. */
  #arrange(event) {
    const action = { ArrowUp: "moveEarlier", ArrowLeft: "moveEarlier", ArrowDown: "moveLater", ArrowRight: "moveLater", Home: "moveFirst", End: "moveLast" }[event.key];
    if (!action || !event.altKey || event.shiftKey || event.ctrlKey || event.metaKey || !this.rows.album || !this.view.hasFocus) return;
    event.preventDefault();
    this.act(action);
  }

  /** Shift with an arrow selects. */
  #extend(event) {
    const way = { ArrowDown: "down", ArrowUp: "up", ArrowLeft: "left", ArrowRight: "right" }[event.key];
    if (!way || !event.shiftKey || event.ctrlKey || event.altKey || event.metaKey || !this.view.hasFocus) return;
    event.preventDefault();
    const from = this.view.selected;
    const id = this.view.neighbour(from, way);
    if (id == null) return;
    this.selection.extend(id, from);
    this.view.focus(id);
  }

  async #move(way) {
    const { view, rows } = this;
    const from = view.selected;
    // The first key shows where the keys are.
    if (view.current !== from || !this.host.contains(document.activeElement)) return view.focus(from);
    let next = view.neighbour(from, way);
    if (next == null && rows.after && way !== "up" && way !== "left") { await rows.older(); next = view.neighbour(from, way); }
    if (next == null && rows.before && way !== "down" && way !== "right") { await rows.newer(); next = view.neighbour(from, way); }
    if (next != null) view.focus(next);
  }

  /** Does what a key, a button or a gesture means. Returns false for what the browser shall do. */
  act(action, id = this.view.selected, event) {
    const { view, rows, actions, selection } = this;
    const row = rows.row(id);
    const one = work => { if (id != null) work(id); };
    const dialog = work => this.#try(load("dialogs.js").then(work));
    switch (action) {
      case "down": case "up": case "left": case "right":
        if (event?.shiftKey) return false;
        this.#move(action); break;
      case "pageDown": one(id => view.focus(view.screenful(id, 1))); break;
      case "pageUp": one(id => view.focus(view.screenful(id, -1))); break;
      case "top":
        this.#try(this.goTo(null).then(went => went && view.toTop()));
        break;
      case "bottom":
        this.#try(this.#end()); break;
      case "read": one(id => this.#open(id)); break;
      case "openPicture": one(id => this.#open(id, { zooms: true })); break;
      case "openPage": one(id => actions.openPage(id)); break;
      case "openFile": if (row?.blob) open(`/blob/${row.blob}`, "_blank", "noopener"); break;
      case "copyLink": one(id => actions.copyLink(id)); break;
      case "delete": actions.delete(selection.targets(id, event?.ids)); break;
      case "restoreSelected": actions.restore(selection.targets(id, event?.ids)); break;
      case "undo": actions.undo(); break;
      case "add": leave("/add"); break;
      case "restore":
        if (this.isTrash && selection.isOn) actions.restore(selection.targets(id));
        else actions.restoreAll(async (...words) => (await load("dialogs.js")).ask(...words));
        break;
      case "search": this.field.focus(); this.field.select(); break;
      case "choose": dialog(({ choose }) => choose()); break;
      case "back":
        if (selection.isOn) selection.clear();
        else if (this.field.value) this.#find("");
        else if (rows.query) leave("/");
        break;
      case "refresh": actions.refresh(); break;
      case "fill": leave("/status#gaps"); break;
      case "logIn": leave("/login"); break;
      case "calendar": leave(address("/calendar", rows.query)); break;
      case "view": this.#switch(); break;
      case "settings": dialog(({ settings }) => settings(this)); break;
      case "help": dialog(async ({ help }) => help(await bindings())); break;
      case "menu": dialog(({ menu }) => menu(this, id)); break;
      case "select": one(id => { selection.toggle(id); view.focus(id); }); break;
      case "selectTo": one(id => selection.extend(id, id, selection.ids)); break;
      case "selectAll": {
        // Another list begins with another selection, too.
        const { changes } = selection;
        this.#try(get(address("/api/ids", rows.query)).then(({ ids }) => { if (changes === selection.changes) selection.select(ids); }));
        break;
      }
      case "moveEarlier": case "moveLater": case "moveFirst": case "moveLast":
        if (rows.album) one(id => this.#try(load("arrange.js").then(({ move }) => move(this, id, action))));
        break;
      case "alike": one(id => leave(address("/", "", { q: `like:${id}` }))); break;
      case "look": dialog(({ look }) => look(this, id)); break;
      case "decide": case "slideshow": case "compare":
        if (!row && !selection.isOn) return tell("This list has no posts");
        this.#cover(id, async () => (await load("overlay.js")).begin(this, action, id));
        break;
      default:
        if (!action.startsWith("mark")) return false;
        this.#try(load("marks.js").then(({ mark }) => mark(this, action, id, event)));
    }
  }

  async #end() {
    // Before all posts there are: what is shown are the last ones.
    if (!this.rows.after) this.rows.stay();
    else if (!await this.rows.open({ date: -62135596800, before: 200, after: 1 })) return;
    const last = this.rows.list.at(-1);
    if (last) this.view.focus(last.id);
  }

  #switch() {
    const { view, rows } = this;
    const place = view.isAtTop ? undefined : { id: view.anchor().id, offset: view.offset };
    view.mode = view.mode === "grid" ? "list" : "grid";
    rows.textLength = view.mode === "list" ? 700 : 80;
    setting.set("view", view.mode);
    view.relayout(place);
    this.#showMode(view.mode);
    // Cards show more of the text.
    this.reread();
    this.#remember();
  }

  // The bar

  #tools(mode) {
    const tool = (content, action, title) => {
      const button = make("button", { type: "button", title, "aria-label": title }, content);
      button.onclick = () => this.act(action);
      return button;
    };
    this.toggle = tool("", "view", "List or grid");
    const tools = [tool(icon(ICONS.look), "look", "Decide, slideshow"), this.toggle, tool(icon(ICONS.settings), "settings", "Settings"), tool(icon(ICONS.help), "help", "Keys")];
    if (this.isTrash && !this.isReadOnly) tools.unshift(this.restoreAll = tool("Restore all", "restore", "Restore all"));
    document.querySelector(".listbar .tools").append(...tools);
    this.due = make("a", { href: "/status", class: "soft due", hidden: "" }, "refresh ",
      make("span", { "data-late": `Nothing has pulled it. ${this.isReadOnly ? "" : "Press r in all posts to pull it now. "}Status says how harvests are scheduled.` }));
    document.getElementById("count").after(this.due);
    this.#showMode(mode);
  }

  #showMode(mode) { this.toggle.replaceChildren(icon(mode === "list" ? ICONS.grid : ICONS.list)); }

  #search() {
    const form = document.querySelector("[role=search]");
    this.field = form.elements.q;
    this.filter = new FilterField(form, (text, isTyping) => this.#find(text, isTyping), () => this.#rove());
    this.terms = document.querySelector(".terms");
    this.#offerToSave();
    this.terms.addEventListener("click", event => {
      const link = event.target.closest("a");
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      this.#find(new URLSearchParams(link.search).get("q") ?? "");
      this.field.focus();
    });
  }

  #offerToSave() {
    if (this.isReadOnly || !this.terms.children.length) return;
    const button = make("button", { type: "button" }, "Save this search");
    button.onclick = () => this.act("markSearch");
    this.terms.append(make("li", {}, button));
  }

  #rove() { const id = this.view.selected; if (id == null) this.field.blur(); else this.view.focus(id); }

  /** Shows the posts of this list that words or a filter find; while it is typed, as far as it is finished. Returns false if it has a mistake. */
  async #find(text, isTyping = false) {
    const words = text.trim();
    const fields = new URLSearchParams(isTyping ? this.rows.wanted : this.rows.query);
    if (this.field.value !== text) this.field.value = text;
    // A name that may not be whole yet is not missed.
    const say = () => { const { unknown } = this.rows; this.filter.say(isTyping && !/\s$/.test(text) ? "" : unknown); return !unknown; };
    if ((fields.get("q") ?? "") === words && this.rows.wanted === this.rows.query) return say();
    if (words) fields.set("q", words); else fields.delete("q");
    this.#missed = false;
    this.selection.clear();
    try {
      if (!await this.rows.open(isTyping ? { before: 0, typing: 1 } : {}, fields.toString())) return;
      announce(document.getElementById("count").textContent);
      return say();
    } catch (error) {
      this.#missed = !error.status;
      if (error.status !== 400) return tell(error.message);
      this.filter.say(error.message);
      return false;
    }
  }

  /** Says which list is shown. */
  #name() {
    this.#named = this.rows.query;
    const [heading, site] = [document.querySelector(".listbar h1"), document.title.split(" · ").at(-1)];
    this.terms.replaceChildren(...this.rows.terms.map(({ term, query }) => make("li", {},
      make("a", { href: address("/", query), "aria-label": `Remove ${term}` }, make("bdi", {}, term)))));
    this.#offerToSave();
    for (const link of document.querySelectorAll("[data-list]")) link.search = this.#named;
    document.title = `${this.rows.title} · ${site}`;
    heading.textContent = this.rows.heading;
    history.replaceState(null, "", this.#address);
    this.scrubber.load();
  }
  #named = null;
  #unknown = "";

  // What others change

  #live() {
    const due = debounced(2000, () => this.#countDown());
    this.#countDown();
    follow({
      change: detail => { this.reread(); due(); this.recount?.(); dispatchEvent(new CustomEvent("media-change", { detail })); },
      job: data => { dispatchEvent(new CustomEvent("media-job", { detail: data })); due(); },
      online: () => this.#goOn(),
      offline: () => {
        this.#say(`${UNREACHED}. This page goes on by itself when it is back.`);
        // Or it only knows this browser no more.
        get("/api/keys").catch(() => {});
      },
    });
    document.addEventListener("click", event => {
      const link = event.target.closest("a[href]");
      if (!this.#banner || link?.origin !== location.origin || link.hash || event.defaultPrevented) return;
      event.preventDefault();
      leave(link.href);
    });
    addEventListener("signed-out", () => this.#say("You are signed out.", make("a", { href: location.href }, "Sign in again")));
  }

  /** Whether the server was away when something was to be found. */
  #missed = false;

  /** The server is there, perhaps again. */
  #goOn() {
    this.#say(null);
    this.rows.resume();
    if (this.#missed) this.#try(this.#find(this.field.value));
    this.view.redrawAll(element => element.isUndrawn);
    this.#loadParts();
    dispatchEvent(new CustomEvent("media-online"));
  }

  /** Tells when a followed feed is due next. */
  async #countDown() {
    const { next, nextFeed } = await get("/api/status").catch(() => ({}));
    this.due.hidden = next == null;
    this.due.title = nextFeed ?? "";
    this.due.lastChild.dataset.due = next;
    count();
  }

  #say(text, link) {
    this.#banner?.remove();
    this.#banner = text && make("div", { class: "banner", role: "status" }, text, link ? " " : null, link);
    if (text) stack(this.#banner);
  }
}

const main = document.getElementById("list");
if (main) new List(main);
