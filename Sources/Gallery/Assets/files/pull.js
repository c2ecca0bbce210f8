// The page that pulls: the form, the pulls that run, and the followed feeds.

import { make, post } from "./parts.js";
import { showJobs } from "./jobs.js";

const form = document.getElementById("pull");
const follows = document.getElementById("follows");
const said = make("p", { class: "answer bad", role: "alert" });
form.append(said);

const show = showJobs(document.getElementById("jobs"), () => renew());

const begin = async (path, body) => {
  said.textContent = "";
  try {
    const { jobs } = await post(path, body);
    show(jobs);
    return true;
  } catch (error) { said.textContent = error.message; return false; }
};

/** Shows what the chosen kind needs. */
function adapt() {
  const kind = form.querySelector("[name=kind]:checked");
  form.elements.value.placeholder = kind.dataset.example;
  form.querySelector("label[for=value]").textContent = { tag: "Name of the tag", user: "Name of the user", search: "Words", feed: "Address" }[kind.value];
  for (const part of form.querySelectorAll(".where")) part.hidden = kind.value === "feed";
  form.elements.every.hidden = !form.elements.follow.checked;
}

form.addEventListener("change", adapt);
adapt();

form.addEventListener("submit", async event => {
  event.preventDefault();
  const { kind, value, server, source, pages, follow, every } = form.elements;
  const body = { kind: kind.value, value: value.value, pages: Number(pages.value), follow: follow.checked, every: every.value };
  if (kind.value !== "feed") Object.assign(body, { server: server.value, source: source.value });
  if (await begin("/api/pull/feed", body)) document.getElementById("jobs").scrollIntoView({ block: "nearest" });
});

follows.addEventListener("click", event => {
  const { refresh, unfollow } = event.target.dataset;
  if (refresh != null) begin("/api/pull/refresh", refresh ? { list: new URLSearchParams({ feed: refresh }).toString() } : {});
  if (unfollow != null) begin("/api/unfollow", { feed: unfollow });
});

/** Reads the followed feeds again. */
async function renew() {
  const answer = await fetch(location.pathname).catch(() => null);
  if (!answer?.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = page.getElementById("follows");
  if (fresh && fresh.textContent !== follows.textContent) follows.replaceChildren(...fresh.childNodes);
}
