// What a person does to posts: at once on the page, then at the server, and undone if it refuses.

import { announce, get, address, hush, plural, post, tell } from "./parts.js";

/** The maximum number of posts in one request. */
const BATCH = 5000;

export class Actions {
  #undo = [];

  /** `list` has the rows, the view and what is shown of both. */
  constructor(list) { this.list = list; }

  /** Deletes posts, which leave the list. */
  delete(ids) { return this.list.isTrash ? tell("This is deleted already") : this.#change("delete", ids); }

  /** Restores posts. */
  restore(ids) { return this.#change("restore", ids); }

  async #change(name, ids, isUndo = false) {
    const { rows, isTrash, isReadOnly } = this.list;
    if (!ids.length) return;
    if (isReadOnly) return tell("This gallery is served for reading only");
    // In the trash, what is restored leaves; elsewhere, what is deleted.
    const leaves = (name === "restore") === isTrash;
    const next = leaves ? this.#heir(ids) : null;
    const taken = leaves ? rows.hide(ids) : [];
    if (next != null) this.list.view.focusSoon(next);
    const step = { name, ids, taken };
    if (!isUndo) this.#undo.push(step);
    const word = name === "delete" ? "Deleted" : "Restored";
    const what = ids.length === 1 ? `${word} a post` : `${word} ${plural(ids.length, "post")}`;
    try {
      // The page shows it first.
      await new Promise(requestAnimationFrame);
      if (isUndo) announce(`Undone: ${what.toLowerCase()}`); else tell(what, "Undo", () => this.undo());
      for (let start = 0; start < ids.length; start += BATCH) await post(`/api/${name}`, { ids: ids.slice(start, start + BATCH) });
      rows.confirm(ids);
    } catch (error) {
      this.#undo = this.#undo.filter(other => other !== step);
      rows.put(taken);
      tell(`${name === "delete" ? "Not deleted" : "Not restored"}: ${error.message}`);
    }
    this.list.reread();
  }

  /** The post that gets the focus when these leave. */
  #heir(ids) {
    const { rows, view } = this.list;
    const set = new Set(ids);
    if (!set.has(view.current) || !view.hasFocus) return null;
    const index = rows.index(view.current);
    return (rows.list.slice(index).find(row => !set.has(row.id)) ?? rows.list.slice(0, index).findLast(row => !set.has(row.id)))?.id ?? null;
  }

  /** Undoes the last change. */
  async undo() {
    const step = this.#undo.pop();
    if (!step) return tell("Nothing to undo");
    hush();
    const { rows, view } = this.list;
    // Back at once where they were.
    if (step.taken.length) {
      rows.put(step.taken);
      view.focusSoon(step.taken[0].id);
    }
    await this.#change(step.name === "delete" ? "restore" : "delete", step.ids, true);
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
      if (job.failure) tell(job.failure, job.login && "Log in", () => { location.href = address("/login", "", { server: job.login }); });
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
