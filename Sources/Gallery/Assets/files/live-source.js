// One connection to the server's stream of changes.

export class Source {
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
