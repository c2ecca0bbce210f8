// The browser's one connection for all tabs: a tab may open only six to a server, and each stream takes one.

import { Source } from "./live-source.js";

/** The tabs, and whether each is seen. */
const tabs = new Map();
const source = new Source(message => { for (const port of tabs.keys()) port.postMessage(message); });

onconnect = ({ ports: [port] }) => {
  tabs.set(port, true);
  port.onmessage = ({ data }) => {
    if (data === "left") tabs.delete(port); else tabs.set(port, data === "seen");
    if (![...tabs.values()].some(Boolean)) source.close();
    else if (source.isOpen) { if (data === "seen") port.postMessage({ type: "change", data: { everything: true } }); }
    else source.open();
  };
};
