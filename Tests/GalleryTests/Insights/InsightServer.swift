import Foundation
import FoundationNetworking
import MediaLibrary
import Posts
import Storage
import Testing

@testable import Gallery

/// A moment at which the tests' libraries are read.
let servedAt = Date(timeIntervalSince1970: 1_795_000_000)

let photos = Server("https://photos.example")!
let kittens = Feed(source: .usual, kind: .tag, value: "kittens", server: photos)

/// A real library with a real server.
struct InsightServer: Sendable {
  let library: Library
  let address: String
  let signIns: SignIns
  /// The Cookie field of a browser that is signed in.
  let cookie: String

  struct Answer: Sendable {
    let status: Int
    let headers: [String: String]
    let body: Data
    var text: String { String(decoding: body, as: UTF8.self) }
  }

  /// Serves a new library for the length of `body`.
  static func run(_ body: @Sendable (InsightServer) async throws -> Void) async throws {
    try await withGallery(isEmpty: true) { gallery in
      let cookie = try await gallery.cookie().dropFirst("Cookie: ".count)
      try await body(
        InsightServer(
          library: gallery.library, address: "http://\(gallery.host)", signIns: gallery.signIns, cookie: String(cookie))
      )
    }
  }

  /// Asks as a browser that is signed in.
  func get(_ path: String, _ headers: [String: String] = [:], method: String = "GET") async throws -> Answer {
    try await send(path, headers.merging(["Cookie": cookie]) { own, _ in own }, method: method)
  }

  /// Sends JSON as a page of the gallery does.
  func post(_ path: String, _ body: String) async throws -> Answer {
    try await send(
      path,
      [
        "Cookie": cookie, "Origin": address, "X-Media": "1", "Sec-Fetch-Site": "same-origin",
        "Content-Type": "application/json",
      ],
      method: "POST", body: Data(body.utf8))
  }

  /// Sends a request as it is, without a cookie.
  func send(
    _ path: String, _ headers: [String: String] = [:], method: String = "GET", body: Data? = nil
  ) async throws -> Answer {
    var request = URLRequest(url: try #require(URL(string: path.hasPrefix("http") ? path : address + path)))
    request.httpMethod = method
    request.httpBody = body
    request.httpShouldHandleCookies = false
    request.cachePolicy = .reloadIgnoringLocalCacheData
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    let (data, response) = try await URLSession.shared.data(for: request)
    let answer = try #require(response as? HTTPURLResponse)
    let fields = answer.allHeaderFields.map { ("\($0.key)".lowercased(), "\($0.value)") }
    return Answer(status: answer.statusCode, headers: Dictionary(fields) { $1 }, body: data)
  }

  /// The markup of a page.
  func page(_ path: String) async throws -> String {
    let answer = try await get(path)
    #expect(answer.status == 200, "\(path): \(answer.text)")
    return answer.text
  }
}

/// A post of a moment.
func shot(
  _ number: Int, at moment: Date? = nil, caption: String? = nil, by name: String = "Ada", tags: [String] = ["kittens"],
  title: String? = nil, source: SourceName = .usual
) -> Post {
  let handle = "\(name.lowercased())@photos.example"
  return Post(
    source: source, uri: "https://photos.example/posts/\(number)", url: "https://photos.example/@\(name)/\(number)",
    server: photos, remoteID: "\(number)",
    author: Author(uri: "https://photos.example/users/\(handle)", handle: handle, name: name),
    createdAt: moment ?? servedAt - 86_400 + Double(number) * 60, title: title, caption: caption ?? "post \(number)",
    tags: tags)
}

/// A page of posts of which older ones follow, or of the feed's end.
func sheet(_ posts: [Post], isLast: Bool = false) -> Posts.Page {
  Posts.Page(
    items: posts.map { PageItem(id: $0.remoteID, content: .post($0), raw: []) },
    next: isLast ? .end : .after(Cursor("more")))
}

extension String {
  /// The texts between two others.
  func all(from start: String, to end: String) -> [String] {
    components(separatedBy: start).dropFirst().compactMap { $0.components(separatedBy: end).first }
  }
}
