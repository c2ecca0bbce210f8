// A login by a pasted code. The code goes to the server's child that waits for it, and nowhere else.

import { make, post } from "./parts.js";

const form = document.getElementById("login");
const place = document.getElementById("step");
let open = null;

form.addEventListener("submit", event => {
  event.preventDefault();
  if (open != null) post("/api/login/cancel", { id: open }).catch(() => {});
  open = null;
  take("/api/login", { server: form.elements.server.value }, form.querySelector("button"), `Asking ${form.elements.server.value} …`);
});

/** Sends something and shows the next step. */
async function take(path, body, button, meanwhile) {
  button.disabled = true;
  place.replaceChildren(make("p", { class: "card soft" }, meanwhile));
  try { show(await post(path, body)); }
  catch (error) { fail(error.message); }
  button.disabled = false;
}

const fail = text => place.replaceChildren(make("div", { class: "card" }, make("p", { class: "bad", dir: "auto" }, text)));

function show(step) {
  open = null;
  if (step.failure) return fail(step.failure);
  if (step.account != null) {
    return place.replaceChildren(make("div", { class: "card" },
      make("p", { class: "good", dir: "auto" }, `Logged in as ${step.account}.`), make("p", {}, make("a", { href: "/pull" }, "Pull posts"))));
  }
  if (!/^https?:\/\//.test(step.authorize)) return fail("The server named no page to open.");
  open = step.id;
  const code = make("input", { id: "code", name: "code", required: "", autocomplete: "off", autocapitalize: "none", spellcheck: "false" });
  const send = make("form", { class: "card fields" },
    step.note ? make("p", { dir: "auto" }, step.note) : null,
    make("ol", {},
      make("li", {}, make("a", { href: step.authorize, target: "_blank", rel: "noopener noreferrer" }, "Open the server's page"), " and allow access. It opens in another tab."),
      make("li", {}, "Paste the code that it shows, or the whole address of the page on which you end.")),
    make("div", {}, make("label", { for: "code" }, "Code"), code), make("p", {}, make("button", { class: "primary" }, "Send the code")));
  send.addEventListener("submit", event => {
    event.preventDefault();
    take("/api/login/code", { id: step.id, code: code.value.trim() }, send.querySelector("button"), "Checking the code …");
  });
  place.replaceChildren(send);
  send.querySelector("a").focus();
}
