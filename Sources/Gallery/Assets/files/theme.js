// The colours that a person has chosen, before anything is drawn. It is no module: those wait for the page.
try { document.documentElement.dataset.theme = localStorage.getItem("media.theme") ?? "system"; } catch { /* As the system has them. */ }
