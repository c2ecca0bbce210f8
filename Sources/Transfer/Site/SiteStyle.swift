/// The look of a site: the colours and shapes of the gallery.
enum SiteStyle {
  static let text = """
    :root {
      color-scheme: light dark;
      --ink: #1d2433; --soft: #566178; --card: #fff; --ground: #f3f5f9; --line: #d5dce7; --accent: #1f5fa8; --radius: 8px;
    }
    @media (prefers-color-scheme: dark) {
      :root { --ink: #e8ecf4; --soft: #a3b0c6; --card: #1b2230; --ground: #10141d; --line: #2f3a4d; --accent: #8bbcf0; }
    }
    *, *::before, *::after { box-sizing: border-box; }
    body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
    a { color: var(--accent); }
    :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
    h1 { font-size: 1.4rem; margin: 0 0 .75rem; }
    main { padding: 12px 10px 3rem; }
    main.page { max-width: 60rem; margin: 0 auto; }
    .soft { color: var(--soft); font-size: .9rem; }
    .bar { display: flex; gap: .75rem 1.5rem; align-items: center; flex-wrap: wrap; padding: 10px; background: var(--card); border-bottom: 1px solid var(--line); }
    .bar nav { display: flex; gap: .9rem; }
    .bar a { text-decoration: none; padding: .25rem 0; }
    .home { font-weight: 600; }
    .card { background: var(--card); border: 1px solid var(--line); border-radius: var(--radius); padding: 1rem; }
    .by, .card > .soft { margin: 0; }
    .by a { font-weight: 600; text-decoration: none; }
    .card h1 { margin: .75rem 0 0; }
    .caption { white-space: pre-line; unicode-bidi: plaintext; }
    .tags { display: flex; flex-wrap: wrap; gap: .1rem .6rem; }
    .tags a { text-decoration: none; padding: .2rem 0; }
    figure { margin: 1rem 0; }
    figure img, figure video { display: block; max-width: 100%; height: auto; max-height: 90vh; object-fit: contain; border-radius: 4px; }
    figure audio { width: 100%; }
    figcaption { color: var(--soft); font-size: .9rem; margin-top: .25rem; }
    summary { cursor: pointer; font-weight: 600; padding: .5rem 0; }
    .grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(150px, 1fr)); gap: 4px; }
    @media (min-width: 700px) { .grid { grid-template-columns: repeat(auto-fill, minmax(220px, 1fr)); } }
    .tile { position: relative; display: block; aspect-ratio: 1; overflow: hidden; border-radius: 4px; background: var(--card); color: inherit; text-decoration: none; }
    .tile img { width: 100%; height: 100%; object-fit: cover; display: block; }
    .tile .who { position: absolute; inset: auto 0 0; padding: 1.4rem .5rem .4rem; color: #fff; font-size: .85rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; background: linear-gradient(transparent, #0b0f17d0); }
    .badge { position: absolute; top: 6px; right: 6px; padding: 0 .45rem; border-radius: 99px; background: #0b0f17c4; color: #fff; font-size: .75rem; line-height: 1.5rem; }
    .words { border: 1px solid var(--line); padding: .6rem .7rem 1.8rem; font-size: .9rem; line-height: 1.4; }
    .words .text { white-space: pre-line; }
    .words .who { color: var(--soft); background: var(--card); padding: .2rem .7rem .4rem; }
    .pages { display: flex; gap: 1rem; justify-content: center; padding: 1rem; }
    .contents { columns: 14rem; list-style: none; padding: 0; margin: 0; }
    .contents li { padding: .2rem 0; break-inside: avoid; }

    """
}
