// What a person does to posts: at once on the page, then at the server, and undone if it refuses.

import { announce, get, address, hush, leave, plural, post, tell, undone } from "./parts.js";

/** The maximum number of posts in one request. */
const BATCH = 5000;

/** What was done to so many posts. */
const said = (name, count) => `${name === "delete" ? "Deleted" : "Restored"} ${count === 1 ? "a post" : plural(count, "post")}`;

export class Actions {
  #undo = [];

  /** `list` has the rows, the view and what is shown of both. */
  constructor(list) { this.list = list; }

  /** Deletes posts, which leave the list. Returns why the server did not, if it did not. */
  async delete(ids) {
    if (this.list.isTrash) return tell("This is deleted already");
    return (await this.#change("delete", ids)).trouble;
  }

  /** Restores posts, likewise. */
  async restore(ids) { return (await this.#change("restore", ids)).trouble; }

  /** Returns why the server did not do all of it, and the posts that are left. What is undone stays where it was changed since. */
  async #change(name, ids, undone) {
    const { rows, view, isTrash, isReadOnly } = this.list;
    if (!ids.length) return {};
    if (isReadOnly) return { trouble: tell("This gallery is served for reading only") };
    // In the trash, what is restored leaves; elsewhere, what is deleted.
    const leaves = (name === "restore") === isTrash;
    const next = leaves ? this.#successor(ids) : null;
    const step = { name, ids, taken: [], parts: [], next, from: view.current, place: view.place };
    if (leaves) step.taken = rows.hide(ids);
    if (next != null) view.focusSoon(next);
    step.moves = view.moves;
    if (!undone) this.#undo.push(step);
    const left = new Set(ids);
    let kept = 0, done = [];
    this.#pending += 1;
    step.sent = new Promise(sent => { step.end = sent; });
    try {
      // The page shows it first.
      await new Promise(requestAnimationFrame);
      if (!undone) tell(said(name, ids.length), "Undo", () => this.undo());
      await undone?.sent;
      const parts = undone ? [...undone.parts] : [];
      if (!undone) for (let start = 0; start < ids.length; start += BATCH) parts.push({ ids: ids.slice(start, start + BATCH) });
      else if (!parts.length) {
        if (undone.isSent) tell(undone.said = "Not undone: it was changed again since");
        return {};
      }
      for (const part of parts) {
        const { changed, change } = await post(`/api/${name}`, { ids: part.ids, undoes: part.change });
        if (undone) undone.parts.shift(); else if (change) step.parts.push({ ids: changed, change });
        done = done.concat(changed);
        kept += part.ids.length - changed.length;
        rows.confirm(part.ids);
        for (const id of part.ids) left.delete(id);
      }
      rows.confirm(ids);
      step.isSent = true;
      if (done.length) step.ids = done;
      if (undone && kept) tell(undone.said = done.length ? "Undone, but for what was changed again since" : "Not undone: it was changed again since");
      else if (undone) announce(`Undone: ${said(name, done.length).toLowerCase()}`);
      return {};
    } catch (trouble) {
      this.#takeBack(step, left, trouble);
      return { trouble, left };
    } finally {
      step.end();
      if (--this.#pending === 0) this.#returns.clear();
      this.list.reread();
    }
  }

  /** Makes the page as if what the server did not do had never been asked. What it did keeps its undo. */
  #takeBack(step, left, trouble) {
    const { rows, selection } = this.list;
    const { name, ids, taken } = step;
    rows.put(taken.filter(row => left.has(row.id)));
    this.#returnFocus(step);
    const isPart = left.size < ids.length;
    if (isPart) Object.assign(step, { ids: ids.filter(id => !left.has(id)), taken: taken.filter(row => !left.has(row.id)) });
    else this.#undo = this.#undo.filter(other => other !== step);
    if (ids.length > 1) selection.select(left);
    if (isPart) tell(`${said(name, step.ids.length)} of ${ids.length.toLocaleString("en")}: ${trouble.message}. The others are selected.`, "Undo", () => this.undo());
    else tell(`${name === "delete" ? "Not deleted" : "Not restored"}: ${trouble.message}`);
  }

  /** Leads the focus back to where a step took it from, unless the person has moved on: the next key is for the same post. */
  #returnFocus({ next, from, place, moves }) {
    const { view } = this.list;
    if (next == null) return;
    this.#returns.set(next, { from, place });
    let [id, last] = [view.current, null];
    for (let back; (back = this.#returns.get(id)); id = back.from) {
      this.#returns.delete(id);
      last = back;
    }
    if (last) view.focusSoon(id, moves === view.moves ? last.place : null);
  }
  /** Of steps that were taken back: the post that had got the focus, and where it came from. */
  #returns = new Map();
  /** How many steps wait for the server. */
  #pending = 0;

  /** The post that gets the focus when these leave. */
  #successor(ids) {
    const { rows, view } = this.list;
    const set = new Set(ids);
    if (!set.has(view.current) || !view.hasFocus) return null;
    const index = rows.index(view.current);
    return (rows.list.slice(index).find(row => !set.has(row.id)) ?? rows.list.slice(0, index).findLast(row => !set.has(row.id)))?.id ?? null;
  }

  /** Takes note of what can be undone at the server, and of the post that it is about. */
  remember(changes, id) { this.#undo.push({ changes, id }); }

  /** What is undone next. */
  get last() { return this.#undo.at(-1); }

  async #undoMarks(step) {
    try {
      tell(step.said = await undone(step.changes));
      this.list.reread();
    } catch (trouble) {
      if (!trouble.status) this.#undo.push(step);
      tell(trouble.message);
      return trouble;
    }
  }

  /** Undoes the last change. Returns why it was not undone. */
  async undo() {
    const step = this.#undo.pop();
    if (!step) return void tell("Nothing to undo");
    hush();
    if (step.changes) return this.#undoMarks(step);
    const { rows, view } = this.list;
    // Back at once where they were.
    if (step.taken.length) {
      rows.put(step.taken);
      view.focusSoon(step.taken[0].id);
    }
    rows.returning += 1;
    const { left, trouble } = await this.#change(step.name === "delete" ? "restore" : "delete", step.ids, step).finally(() => { rows.returning -= 1; });
    if (!left) return;
    // Not undone: as it was, and still to be undone.
    const taken = step.taken.filter(row => left.has(row.id));
    if (taken.length) { rows.hide(taken.map(row => row.id)); rows.confirm(left); }
    this.#undo.push({ ...step, ids: [...left], taken });
    return trouble;
  }

  /** Restores every deleted post of the list, after asking. */
  async restoreAll(ask) {
    try {
      const { ids } = await get(address("/api/deleted", this.list.rows.query.replace(/&?\bdeleted=1/, "")));
      if (!ids.length) return tell("No post of this list is deleted");
      if (await ask(`Restore ${plural(ids.length, "post")}?`, `Restore ${ids.length.toLocaleString("en")}`)) await this.restore(ids);
    } catch (error) { tell(error.message); }
  }

  /** Asks for pictures that are missing. */
  async retry(ids) {
    try {
      this.#expect(await post("/api/pull/pictures", { ids }));
      tell(ids.length === 1 ? "Trying again" : `Trying ${plural(ids.length, "post")} again`);
    } catch (error) { tell(error.message); }
  }

  /** Tells how pulls end that were begun here. */
  #expect({ jobs }) {
    const open = new Set(jobs.map(job => job.id));
    const hear = ({ detail: job }) => {
      if (!open.has(job.id) || job.state === "waiting" || job.state === "running") return;
      open.delete(job.id);
      if (!open.size) removeEventListener("media-job", hear);
      if (job.failure) tell(job.failure, job.login && "Log in", () => leave(address("/login", "", { server: job.login })));
      else if (job.results.length) tell(job.results.join(" · "));
    };
    addEventListener("media-job", hear);
  }

  /** Looks for new posts. */
  async refresh() {
    try {
      tell("Looking for new posts");
      this.#expect(await post("/api/pull/refresh", { list: this.list.rows.query }));
    } catch (error) { tell(error.message); }
  }

  /** The web page of a post at its server. */
  async #page(id) {
    const whole = await get(`/api/post/${id}`);
    return whole.url ?? whole.post?.url ?? new URL(`/post/${id}`, location).href;
  }

  async openPage(id) {
    // Opened before the answer, because later it would be a pop-up that browsers block.
    const tab = open("", "_blank");
    const url = await this.#page(id).catch(() => `/post/${id}`);
    if (tab) { tab.opener = null; tab.location = /^https?:/.test(url) ? url : `/post/${id}`; }
  }

  async copyLink(id) {
    const url = await this.#page(id).catch(() => new URL(`/post/${id}`, location).href);
    try {
      await navigator.clipboard.writeText(url);
      tell("Copied the link");
    } catch { tell(url); }
  }
}
