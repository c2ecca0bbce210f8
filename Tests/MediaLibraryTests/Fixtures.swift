import Foundation
import MediaLibrary

let social = Server("https://social.example")!
let cats = Feed(source: .mastodon, kind: .tag, value: "cats", server: social)
let noon = Date(timeIntervalSince1970: 1_763_640_000)

/// Post `number`, written that many minutes after a fixed moment.
func post(_ number: Int, by name: String = "Ada", caption: String? = nil, tags: [String] = ["cats"]) -> Post {
  Post(
    source: .mastodon,
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

/// A library that goes with the test, at a moment that does not pass.
final class Home: Sendable {
  let folder: String
  let library: Library

  init() throws {
    var template = Array("\(NSTemporaryDirectory())/library.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw CocoaError(.fileWriteUnknown) }
    folder = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    library = try Library(in: folder) { noon }
  }

  /// Posts with these numbers, in one page, the newest first.
  func save(_ numbers: some Sequence<Int>) throws {
    try library.save([page(numbers.sorted(by: >).map { post($0) })], of: cats)
  }

  deinit {
    library.close()
    try? FileManager.default.removeItem(atPath: folder)
  }
}

/// Numbers from a seed, the same on every machine.
struct Dice: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }
}
