// The colours that a person has chosen, before anything is drawn. It is no module: those wait for the page.
// Or as the system has them.
try { document.documentElement.dataset.theme = localStorage.getItem("media.theme") ?? "system"; } catch {}
