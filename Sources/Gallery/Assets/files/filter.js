// The field in which words or a filter are typed: what can complete it, and what is wrong with it. Completions are offered as
// a combobox does (https://www.w3.org/WAI/ARIA/apg/patterns/combobox/).

import { announce, debounced, get, make, plural } from "./parts.js";

export class FilterField {
  #offers = [];
  #chosen = -1;
  #look = debounced(150, () => { this.find(this.input.value, true); this.#offer(); });

  /** `find(text, isTyping)` shows what a filter finds, and returns false if it has a mistake. `leave` goes back to the list. */
  constructor(form, find, leave) {
    const input = form.elements.q;
    Object.assign(this, { input, find, leave, note: form.querySelector("#mistake") });
    this.list = make("ul", { id: "offers", role: "listbox", "aria-label": "Completions", hidden: "" });
    this.note.after(this.list);
    const traits = { role: "combobox", "aria-autocomplete": "list", "aria-controls": "offers", "aria-expanded": "false" };
    for (const [name, value] of Object.entries(traits)) input.setAttribute(name, value);
    input.addEventListener("input", () => { this.#close(); this.#look(); });
    input.addEventListener("keydown", event => { if (!event.isComposing && this.#act(event.key)) event.preventDefault(); });
    input.addEventListener("blur", () => this.#close());
    // The field keeps the focus.
    this.list.addEventListener("pointerdown", event => event.preventDefault());
    this.list.addEventListener("click", event => this.#take([...this.list.children].indexOf(event.target.closest("li"))));
    form.addEventListener("submit", async event => {
      event.preventDefault();
      this.#close();
      if (await this.find(input.value, false) !== false) leave();
    });
  }

  /** Says what is wrong; nothing if nothing is. */
  say(sentence) {
    if (this.note.textContent !== sentence) this.note.textContent = sentence;
    if (sentence) this.input.setAttribute("aria-invalid", "true"); else this.input.removeAttribute("aria-invalid");
  }

  /** What a key does here. Returns whether the browser shall do nothing more. */
  #act(key) {
    const last = this.#offers.length - 1;
    switch (key) {
      case "ArrowDown":
        if (last < 0) this.#offer(); else this.#choose(this.#chosen < last ? this.#chosen + 1 : -1);
        return true;
      case "ArrowUp":
        if (last >= 0) this.#choose(this.#chosen < 0 ? last : this.#chosen - 1);
        return true;
      case "Enter": case "Tab": return this.#take(this.#chosen);
      case "Escape":
        if (last >= 0) this.#close();
        else if (this.input.value) { this.#look.cancel(); this.find("", false); } else this.leave();
        return true;
      default: return false;
    }
  }

  async #offer() {
    const { input } = this;
    const text = input.value;
    if (input.selectionEnd < text.length) return;
    const { offers } = await get(`/api/offers?${new URLSearchParams({ q: text })}`).catch(() => ({ offers: [] }));
    // Somebody may have typed on.
    if (input.value !== text || document.activeElement !== input) return;
    this.#close();
    if (!offers.length) return;
    this.#offers = offers;
    this.list.replaceChildren(...offers.map(({ term, help }, index) => make("li", { role: "option", id: `offer-${index}`, "aria-selected": "false" },
      make("bdi", {}, term), " ", make("span", { class: "soft" }, help))));
    this.list.hidden = false;
    input.setAttribute("aria-expanded", "true");
    announce(plural(offers.length, "completion"));
  }

  #choose(index) {
    this.list.children[this.#chosen]?.setAttribute("aria-selected", "false");
    this.#chosen = index;
    const option = this.list.children[index];
    option?.setAttribute("aria-selected", "true");
    option?.scrollIntoView({ block: "nearest" });
    if (option) this.input.setAttribute("aria-activedescendant", option.id); else this.input.removeAttribute("aria-activedescendant");
  }

  /** Puts an offer into the field. Returns whether there is one. */
  #take(index) {
    const offer = this.#offers[index];
    if (!offer) return false;
    this.input.value = offer.text;
    this.#close();
    this.#look();
    return true;
  }

  #close() {
    this.#look.cancel();
    this.#choose(-1);
    this.#offers = [];
    this.list.hidden = true;
    this.list.replaceChildren();
    this.input.setAttribute("aria-expanded", "false");
  }
}
