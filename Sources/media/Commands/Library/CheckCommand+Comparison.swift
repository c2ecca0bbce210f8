import Posts
import Storage
import Transfer
import Web
import Wording

extension CheckCommand {
  /// Lists what differs between two libraries.
  func compare(_ app: App, with other: LibraryOpener) throws {
    try other.expectIfNamed(asOther: true)
    var count = 0
    let posts = try app.library.withStore(for: .reading) { here in
      try other.withStore(for: .reading) { there in
        try LibraryComparison(here, app.library.blobs, with: there, other.blobs).run { difference in
          count += 1
          guard global.json else { return try app.console.result("\(difference.description)") }
          try app.console.result(try JSONText.line(difference.json))
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

extension LibraryComparison.Difference {
  fileprivate var json: JSONMembers {
    switch kind {
    case .onlyInFirst: ["what": what, "only": "here"]
    case .onlyInSecond: ["what": what, "only": "there"]
    case .parts(let parts): ["what": what, "differs": parts]
    }
  }
}
