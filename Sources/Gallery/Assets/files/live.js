// Tells what changes in the library, over one connection for all tabs, which is closed while none of them is seen: a tab may
// open only six to a server. As a SharedWorker, this module is what has the connection.

/** One connection to the server's stream of changes. */
class Source {
  #stream = null;
  #silence = 0;
  #again = 0;
  #resumes = false;
  isOpen = false;

  /** `tell` receives `{type: "change" | "job" | "online" | "offline", data}`. */
  constructor(tell) { this.tell = tell; }

  open() {
    if (this.#stream) return;
    const stream = this.#stream = new EventSource("/api/changes");
    for (const type of ["change", "job"]) {
      stream.addEventListener(type, event => {
        this.#resumes = event.lastEventId !== "";
        this.tell({ type, data: JSON.parse(event.data) });
      });
    }
    stream.onopen = () => {
      clearTimeout(this.#silence);
      this.#silence = 0;
      this.isOpen = true;
      this.tell({ type: "online" });
      // Without a position to resume from, anything may have changed meanwhile.
      if (!this.#resumes) this.tell({ type: "change", data: { everything: true } });
    };
    stream.onerror = () => {
      this.isOpen = false;
      this.#silence ||= setTimeout(() => this.tell({ type: "offline" }), 2000);
      // After an answer that is no stream, the browser does not try again.
      if (stream.readyState === EventSource.CLOSED) this.#again = setTimeout(() => { this.close(true); this.open(); }, 1500);
    };
  }

  /** Closes the connection; the next one cannot resume. */
  close(keepsSilence = false) {
    clearTimeout(this.#again);
    if (!keepsSilence) { clearTimeout(this.#silence); this.#silence = 0; }
    this.#stream?.close();
    this.#stream = null;
    this.isOpen = this.#resumes = false;
  }
}

if ("SharedWorkerGlobalScope" in globalThis) {
  /** The tabs, and whether each is seen. */
  const tabs = new Map();
  const source = new Source(message => { for (const port of tabs.keys()) port.postMessage(message); });
  globalThis.onconnect = ({ ports: [port] }) => {
    tabs.set(port, true);
    port.onmessage = ({ data }) => {
      if (data === "left") tabs.delete(port); else tabs.set(port, data === "seen");
      if (![...tabs.values()].some(Boolean)) source.close();
      else if (source.isOpen) { if (data === "seen") port.postMessage({ type: "change", data: { everything: true } }); }
      else source.open();
    };
  };
}

/** `hooks` are functions by the type of message: `change`, `job`, `online`, `offline`. */
export function follow(hooks) {
  const receive = ({ type, data }) => hooks[type]?.(data);
  const isSeen = () => document.visibilityState === "visible";
  const watch = (seen, hidden, left) => {
    document.addEventListener("visibilitychange", () => isSeen() ? seen() : hidden());
    addEventListener("pagehide", left);
    addEventListener("pageshow", event => { if (event.persisted) seen(); });
    if (isSeen()) seen();
  };
  if ("SharedWorker" in window) {
    const worker = new SharedWorker(import.meta.url, { type: "module", name: "media" });
    worker.port.onmessage = event => receive(event.data);
    const tell = word => () => worker.port.postMessage(word);
    return watch(tell("seen"), tell("hidden"), tell("left"));
  }
  // One of the tabs leads: it has the connection, and hands on what comes.
  const channel = new BroadcastChannel("media");
  channel.onmessage = event => receive(event.data);
  const source = new Source(message => { receive(message); channel.postMessage(message); });
  let end = null, waiting = null;
  const lead = () => new Promise(resolve => {
    source.open();
    end = () => { source.close(); end = null; resolve(); };
  });
  const stop = () => { waiting?.abort(); waiting = null; end?.(); };
  watch(() => {
    if (waiting) return;
    // Without locks (they want a secure context) each tab has its own connection.
    if (!navigator.locks) { source.open(); waiting = { abort: () => source.close() }; return; }
    waiting = new AbortController();
    navigator.locks.request("media", { signal: waiting.signal }, lead).catch(() => {});
    hooks.change?.({ everything: true });
  }, stop, stop);
}
