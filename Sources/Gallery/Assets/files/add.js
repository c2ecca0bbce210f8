// A post made by hand: the form on its page, and over any page where something is dropped or pasted.

import { make, tell, UNREACHED } from "./parts.js";

const bytes = count => count < 1e6 ? `${Math.max(1, Math.round(count / 1e3))} kB` : `${(count / 1e6).toFixed(1)} MB`;

/** Makes a form work. `added` receives the number of the post. */
export function begin(form, added) {
  const files = [];
  const { text, title, start, finish, tags, files: chooser } = form.elements;
  const edited = form.dataset.post;
  const said = form.querySelector(".answer");
  const button = form.querySelector("button.primary");

  const list = () => form.querySelector(".chosen").replaceChildren(...files.map((file, index) => {
    const remove = make("button", { type: "button", "aria-label": `Remove ${file.name}` }, "✕");
    remove.onclick = () => { files.splice(index, 1); list(); chooser.focus(); };
    return make("li", {}, make("bdi", {}, file.name), make("span", { class: "soft" }, ` ${bytes(file.size)} `), remove);
  }));
  const take = (more, words = "") => {
    files.push(...more);
    if (words) text.value = [text.value, words].filter(Boolean).join("\n");
    list();
  };

  // Times are those of the gallery's clock, also where the browser's shows others.
  const zone = form.querySelector("[data-shift]");
  zone.hidden = Number(zone.dataset.shift) === -60 * new Date().getTimezoneOffset();
  chooser.addEventListener("change", () => { take(chooser.files); chooser.value = ""; });
  form.addEventListener("submit", event => {
    event.preventDefault();
    const isLeft = files.length || (edited && (title.value.trim() || form.querySelector("[name=removed]:not(:checked)")));
    const problem = text.value.trim().length < 3 && !(isLeft && !text.value.trim()) ? "Write 3 characters at least, or choose a file."
      : finish.value && start.value && finish.value < start.value ? "The finish is before the start." : "";
    say(problem, true);
    if (problem) return;
    const body = new FormData();
    const fields = { text: text.value, title: title.value, start: sent(start), finish: sent(finish), tags: tags.value };
    for (const [name, value] of Object.entries(fields)) body.append(name, value);
    if (edited) {
      body.append("post", edited);
      body.append("basis", form.dataset.basis);
      for (const box of form.querySelectorAll("[name=removed]:checked")) body.append("removed", box.value);
    }
    for (const file of files) body.append("files", file, file.name);
    send(body);
  });

  /** A time as it is sent: exactly as it was, unless the person has changed it. */
  function sent({ value, defaultValue, dataset: { moment } }) { return moment && value === defaultValue ? moment : value; }

  function say(words, isBad, ...more) {
    said.className = isBad ? "answer bad" : "answer";
    said.replaceChildren(words, ...more);
  }

  /** Tells how much is sent, which fetch cannot. */
  function send(body) {
    const request = new XMLHttpRequest();
    button.disabled = true;
    say(edited ? "Saving …" : "Adding …");
    request.upload.onprogress = ({ loaded, total }) => { if (total > 1e6) say(`Sending … ${Math.floor(100 * loaded / total)} %`); };
    request.onloadend = () => {
      button.disabled = false;
      let answer = {};
      // Or it is not from the gallery.
      try { answer = JSON.parse(request.responseText); } catch {}
      if (request.status !== 200) return say([answer.error ?? UNREACHED, answer.cure].filter(Boolean).join(": "), true);
      if (edited) return location.assign(`/post/${answer.id}`);
      files.length = 0;
      form.reset();
      list();
      say("Added. ", false, make("a", { href: `/post/${answer.id}` }, "Show it"));
      added(answer.id);
    };
    request.open("POST", edited ? "/api/edit" : "/api/add");
    request.setRequestHeader("X-Media", "1");
    request.send(body);
  }
  return take;
}

let sheet = null;

/** Opens the form over the page. */
async function openSheet(added) {
  if (sheet?.dialog.open) return sheet.take;
  const page = new DOMParser().parseFromString(await (await fetch("/add").catch(() => { throw new Error(UNREACHED); })).text(), "text/html");
  const form = page.getElementById("add");
  if (!form) throw new Error("There is no form.");
  const close = make("button", { type: "button" }, "Close");
  const dialog = make("dialog", { class: "sheet", "aria-label": "Add a post" }, make("h2", {}, "Add a post"), document.adoptNode(form), close);
  close.onclick = () => dialog.close();
  dialog.onclose = () => dialog.remove();
  // Keys of the page are not for what is typed here.
  dialog.addEventListener("keydown", event => event.stopPropagation());
  document.body.append(dialog);
  sheet = { dialog, take: begin(form, id => { if (added) { dialog.close(); added(id); } }) };
  dialog.showModal();
  form.elements.text.focus();
  return sheet.take;
}

/** The files and the words of a drop or a paste. Addresses are one a line, and lines with # are comments (RFC 2483). */
function contents(transfer) {
  const addresses = transfer.getData("text/uri-list").split(/\r?\n/).filter(line => line && !line.startsWith("#"));
  return { files: [...transfer.files], words: addresses.join("\n") || transfer.getData("text/plain") };
}

const isField = element => element?.closest?.("input, textarea, select, [contenteditable]");

/** Takes what is dropped or pasted anywhere on the page into the form, which opens with it. `added` gets the post's number. */
export function installDrop(opens = openSheet, added) {
  const use = async (files, words) => {
    try { if (files.length || words.trim()) (await opens(added))(files, words); } catch (error) { tell(error.message); }
  };
  let depth = 0;
  const mark = isOver => document.body.classList.toggle("dropping", isOver);
  // A part of the page that is dragged is not meant.
  let isOwn = false;
  addEventListener("dragstart", () => { isOwn = true; });
  addEventListener("dragend", () => { isOwn = false; });
  addEventListener("dragenter", () => { if (!isOwn && depth++ === 0) mark(true); });
  addEventListener("dragleave", () => { if (!isOwn && --depth <= 0) { depth = 0; mark(false); } });
  addEventListener("dragover", event => { if (!isOwn) event.preventDefault(); });
  addEventListener("drop", event => {
    depth = 0;
    mark(false);
    if (isOwn || (isField(event.target) && !event.dataTransfer.files.length)) return;
    event.preventDefault();
    const { files, words } = contents(event.dataTransfer);
    use(files, files.length ? "" : words);
  });
  addEventListener("paste", event => {
    const { files, words } = contents(event.clipboardData);
    if (!files.length && isField(event.target)) return;
    event.preventDefault();
    use(files, files.length ? "" : words);
  });
}

const own = document.querySelector("main #add");
if (own) {
  const take = begin(own, () => {});
  installDrop(async () => take);
}
