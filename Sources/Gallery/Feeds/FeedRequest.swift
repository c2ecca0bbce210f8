import Storage
import Web

/// Which page of which list is asked for as a feed.
struct FeedRequest: Sendable {
  let list: ListAddress
  let format: FeedFormat
  /// The key of the last post of the page before; nil for the newest posts.
  let around: PostKey?
  /// How many posts the page has at most.
  let count: Int
  /// The gallery's own address: `http://127.0.0.1:8787`.
  let origin: String
  /// The read token, which the addresses in the feed repeat; nil for a browser that is signed in.
  let token: String?

  static let count = 50
  static let mostPosts = 200

  init(_ fields: Fields, _ format: FeedFormat, origin: String) throws(RequestError) {
    (self.format, self.origin) = (format, origin)
    list = ListAddress(fields)
    token = fields["token"].flatMap { $0.isEmpty ? nil : $0 }
    count = max(1, fields.count("count", atMost: Self.mostPosts) ?? Self.count)
    around = fields["around"].flatMap { PostKey($0) }
    if fields["around"] != nil, around == nil { throw .badParameter("around", must: "the key of a row") }
  }

  /// The address of the page after a key, or of the first page.
  func link(after key: PostKey? = nil) -> String {
    let pairs = [
      list.query, count == Self.count ? "" : "count=\(count)",
      key.map { "around=\($0.description.queryEncoded)" } ?? "",
      token.map { "token=\($0.queryEncoded)" } ?? "",
    ].filter { !$0.isEmpty }
    return "\(origin)/feed/all.\(format.rawValue)" + (pairs.isEmpty ? "" : "?\(pairs.joined(separator: "&"))")
  }

  /// The address of a stored picture.
  func link(blob: String) -> String {
    "\(origin)\(FeedRoutes.blobPath)\(blob)" + (token.map { "?token=\($0.queryEncoded)" } ?? "")
  }
}
