import Posts
import Storage
import Transfer
import Wording

extension CheckCommand {
  /// Lists what differs between two libraries.
  func compare(_ app: App, with other: LibraryOpener) throws {
    try other.expectIfNamed()
    var count = 0
    let posts = try app.library.withStore(for: .reading) { here in
      try other.withStore(for: .reading) { there in
        try LibraryComparison(here, app.library.blobs, with: there, other.blobs).run { difference in
          count += 1
          guard global.json else { return try app.console.result("\(difference.description)") }
          try app.console.result(try JSONText.line(DifferenceLine(difference)))
        }
      }
    }
    if count == 0 {
      guard !global.json, !app.console.isQuiet else { return }
      return try app.console.result("The libraries are equal: \(NumberText.count(posts, "post"))")
    }
    app.console.error("media: \(NumberText.count(count, "difference")) among \(NumberText.count(posts, "post"))")
    throw ExitHandling.Quiet(code: .partial)
  }
}

/// A difference as JSON.
private struct DifferenceLine: Encodable {
  let what: String
  let only: String?
  let differs: [String]?

  init(_ difference: LibraryComparison.Difference) {
    what = difference.what
    switch difference.kind {
    case .onlyInFirst: (only, differs) = ("here", nil)
    case .onlyInSecond: (only, differs) = ("there", nil)
    case .parts(let parts): (only, differs) = (nil, parts)
    }
  }
}
