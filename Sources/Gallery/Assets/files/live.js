// Tells what changes in the library, over one connection for all tabs, which is closed while none of them is seen.

import { Source } from "./live-source.js";

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
    const worker = new SharedWorker("/assets/live-worker.js", { type: "module", name: "media" });
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
