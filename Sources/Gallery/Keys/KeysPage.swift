import Web

/// Keys, mouse and touch.
struct KeysPage {
  let keys: [KeyBinding]

  /// What the mouse and fingers do, which the terminal's table does not tell.
  private static let gestures: [(what: HTML, help: HTML)] = [
    ("Click", "the post whole"),
    ("Shift-click, Shift with an arrow", "select the posts between"),
    ("Ctrl-click, or drag over posts", "select several"),
    ("Swipe left", "delete the post; the message at the bottom undoes it"),
    ("Swipe right", "everything that can be done with the post"),
    ("Long press", "select the post, then tap others"),
    (
      "Drag selected posts",
      "onto an album of the side list; in a list of one album, any post, to its new place (by touch, at its handle)"
    ),
    ("Alt with an arrow, Home or End", "move a post of the album that is shown"),
    (
      "While deciding",
      "* or f, 0 to 5, n, + and d mark or delete and go on; Space skips, k goes back, u undoes, t changes the tag, z zooms"
    ),
    ("While deciding, by touch", "the buttons at the bottom; swipe to skip, swipe down to end"),
    ("In a slideshow", "Space pauses, arrows step, f fills the screen, Esc ends"),
    ("While comparing", "+, - and 0, the wheel, two fingers or a drag for all at once; 1 to 4 make one a favourite"),
    ("Pull down at the top", "look for new posts now"),
    (
      "The strip at the right edge",
      "drag or click to go to a month; with the keyboard, arrows by month, Page keys by year"
    ),
  ]

  var html: HTML {
    PageFrame.html(
      "Help", nil,
      """
      <main class="page help"><h1>Help</h1>
      <h2>Keys</h2><div class="keymap">\(HTML.joined(keys.groups.map(section)))</div>
      <h2>Mouse and touch</h2><table><tbody>\(HTML.joined(Self.gestures.map { row($0.what, $0.help) }))</tbody></table>
      <p><a href="/">All posts</a></p></main>
      """)
  }

  private func section(_ title: String, _ bindings: [KeyBinding]) -> HTML {
    let rows = bindings.map { row(HTML($0.shown), HTML($0.help)) }
    return "<section><h3>\(title)</h3><table><tbody>\(HTML.joined(rows))</tbody></table></section>"
  }

  private func row(_ what: HTML, _ help: HTML) -> HTML { "<tr><th scope=\"row\">\(what)</th><td>\(help)</td></tr>" }
}
