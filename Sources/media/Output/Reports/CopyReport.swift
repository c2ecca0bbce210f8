import Copies
import Posts
import Storage
import Terminal
import Transfer
import Web
import Wording

/// Reports the progress of a copy, and what it did.
struct CopyReport {
  /// Where the progress is shown.
  let line: LiveLine
  private let console: Console
  private let json: Bool
  private let total: Int

  init(_ console: Console, json: Bool, total: Int) {
    (self.console, self.json, self.total) = (console, json, total)
    line = LiveLine(console)
  }

  /// Shows how far it is.
  func note(_ result: LibraryCopy.Result) {
    line.show(ProgressBar(title: "copy", done: result.count, total: max(total, result.count), unit: "posts"))
  }

  /// Shows that both libraries are compared.
  func compare<Value>(_ body: () throws -> Value) rethrows -> Value {
    line.begin()
    line.show(ProgressBar(title: "copy", unit: "posts", note: "compares both libraries"))
    defer { line.clear() }
    return try body()
  }

  /// Prints how much of the first library is not in the other one, which could not be reached to the end.
  func waits(_ waiting: CopyMarks.Waiting) throws {
    if json { return try console.result(try JSONText.object(["to": waiting.target, "waiting": waiting.count])) }
    console.message("\(waiting.text(NumberText.count(waiting.count, "change")))")
  }

  /// Prints what was done.
  ///
  /// - Parameter missing: What the second library lacks.
  func end(
    _ result: LibraryCopy.Result, missing: (found: [LibraryComparison.Difference], count: Int), to path: String,
    isPlan: Bool
  ) throws {
    let refused = result.refused.values.reduce(0, +)
    if json {
      try console.result(
        try JSONText.object([
          "to": path, "new": result.posts.new, "updated": result.posts.updated, "unchanged": result.posts.unchanged,
          "pictures": result.pictures, "missing": result.missing, "refused": refused, "unclaimed": result.unclaimed,
          "different": missing.count, "marks": result.posts.marks.json,
        ]))
    } else if !console.isQuiet {
      let pictures = result.pictures > 0 ? ", \(NumberText.count(result.pictures, "picture"))" : ""
      let posts = result.posts
      try console.result(
        "\(isPlan ? "Would copy" : "Copied") into \(path): \(posts.new) new, \(posts.updated) updated, \(posts.unchanged) unchanged\(pictures)"
      )
      if let marks = posts.marks.words(isPlan: isPlan) { try console.result("\(marks)") }
    }
    for (reason, count) in result.refused.sorted(by: { $0.key < $1.key }) {
      console.error("media: \(NumberText.count(count, "record")) cannot be stored: \(reason)")
    }
    if result.missing > 0 {
      console.error(
        "media: \(NumberText.count(result.missing, "picture")) could not be copied: run \"media check\" on the first")
    }
    if result.unclaimed > 0 {
      console.message(
        "\(NumberText.count(result.unclaimed, "coverage interval")) not taken over: the next pulls read them again")
    }
    for difference in missing.found { console.error("media: after the copy, \(difference.description)") }
    if refused + result.missing + missing.count > 0 { throw ExitHandling.Quiet(code: .partial) }
  }
}

extension MergedMarks {
  /// How many albums, saved searches, rules and hidden names were added, changed or removed.
  var json: JSONMembers {
    ["albums": albums.count, "searches": searches.count, "rules": rules.count, "hidden": hidden.count]
  }

  /// `Changed: 1 album (Winter), 2 rules (boats, cats)`; nil if nothing was.
  func words(isPlan: Bool) -> String? {
    func part(_ names: Set<String>, _ one: String, _ many: String) -> String? {
      if names.isEmpty { return nil }
      let more = names.count > Self.mostNamed ? ", …" : ""
      let named = names.sorted().prefix(Self.mostNamed).joined(separator: ", ")
      return "\(NumberText.count(names.count, one, many)) (\(named)\(more))"
    }
    let hiding =
      hidden.isEmpty ? nil : NumberText.count(hidden.count, "hidden author or tag", "hidden authors or tags")
    let parts = [
      part(albums, "album", "albums"), part(searches, "saved search", "saved searches"), part(rules, "rule", "rules"),
      hiding,
    ].compactMap(\.self)
    guard !parts.isEmpty else { return nil }
    return "\(isPlan ? "Would change" : "Changed"): \(parts.joined(separator: ", "))"
  }

  private static let mostNamed = 5
}
