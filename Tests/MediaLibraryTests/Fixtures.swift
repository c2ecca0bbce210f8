import Folders
import Foundation
import MediaLibrary

let social = Server("https://social.example")!
let cats = Feed(source: .usual, kind: .tag, value: "cats", server: social)
let noon = Date(timeIntervalSince1970: 1_763_640_000)

/// Post `number`, written `number` minutes after a fixed time.
func post(_ number: Int, by name: String = "Ada", caption: String? = nil, tags: [String] = ["cats"]) -> Post {
  Post(
    source: .usual,
    uri: "https://birds.example/users/\(name)/statuses/\(number)",
    server: social,
    remoteID: "\(number)",
    author: Author(uri: "https://birds.example/users/\(name)", handle: "\(name)@birds.example", name: name),
    createdAt: Date(timeIntervalSince1970: 1_700_000_000 + Double(number) * 60),
    caption: caption ?? "post \(number)",
    tags: tags
  )
}

func page(_ posts: [Post]) -> Page {
  Page(items: posts.map { PageItem(id: $0.remoteID, content: .post($0), raw: Array("{}".utf8)) }, next: .end)
}

/// A library that is removed after the test, with a clock that stands still.
final class Home: Sendable {
  private let scratch: Scratch
  let library: Library
  var folder: String { scratch.path }

  init() throws {
    scratch = try Scratch()
    library = try Library(in: scratch.path) { noon }
  }

  /// Saves posts with these numbers in one page, newest first.
  func save(_ numbers: some Sequence<Int>) throws {
    try library.save([page(numbers.sorted(by: >).map { post($0) })], of: cats)
  }

  deinit { library.close() }
}
