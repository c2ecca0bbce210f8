import Foundation
import HTTP
import Posts
import Services
import Testing

/// How the origin of one source answers: all that the contract of every source has to know of it.
///
/// A source is held to the contract by a dialect in `Dialect.all`; `Scripts/new source` writes the start of one.
struct Dialect: Sendable, CustomTestStringConvertible {
  /// Every source's dialects. One source may speak several.
  static let all: [Dialect] = [
    mastodon, instagram, graph, x, olderX, atom, rss, jsonFeed,
    bluesky, blueskyUser, misskey, tumblr, tumblrPerson,
    flickr,
    lemmy, olderLemmy, piefed,
  ]

  /// The server that is asked.
  static let server = Server("birds.example")!
  /// The token that the server repeats in its answers, and that is also sent.
  static let token = "hush-hush-7f3a"

  /// What it is, for the test's name.
  var name: String
  /// The source that speaks it.
  var source: SourceName
  /// What is pulled.
  var feed: Feed
  /// A first page of at least two posts that leads on.
  var first: Response
  /// What is answered to the first page's cursor: other posts, and nothing after them.
  var last: Response
  /// A page without any post.
  var empty: Response
  /// What is answered to the first page's cursor by a server whose pages do not move on: posts, and the same cursor;
  /// where pages are counted, any page that leads on.
  var circle: Response
  /// The first page, with a next page on another host; nil if the source follows no address.
  var astray: Response?
  /// The first page, with `token` in its next address; nil if the source follows no address.
  var leaking: Response?
  /// The first page with one post in it that is none, for want of what a post needs; as many items as before.
  var broken: Response
  /// Success statuses that carry an error.
  var apiErrors: [Response]
  /// Header fields by which the server says how long to wait at 10:00, and until when that is.
  var limits: [(fields: Headers, until: String?)]
  /// What 401 and 403 mean to somebody without a login.
  var stranger: SourceError
  /// What 410 means.
  var gone: SourceError
  /// What 422 comes to for somebody without a login.
  var unprocessed = ExitCode.unreadable
  /// Whether people log in there.
  var hasLogin = true
  /// Whether a page may lead on by the cursor that led to it: its posts show whether it moves on.
  var repeatsCursor = false
  /// The API, if it is not the source's usual one.
  var api: String?

  /// The source that speaks it, as the catalogue makes it.
  func speaker(_ token: Secret?, _ transport: Transport, _ time: TimeSource) throws -> any Source {
    let entry = try #require(Catalogue.entry(source))
    let spoken = try #require(entry.api(api, at: Dialect.server))
    var caller = Caller(token: token, user: "17841405309211844", hashtags: KnownHashtags())
    caller.api = api
    return spoken.make(Dialect.server, caller, transport, time)
  }

  var testDescription: String { name }
}

extension Response {
  /// An answer with one header field, or with none.
  init(_ body: String, _ field: String? = nil, _ value: String? = nil) {
    self.init(status: 200, body: Array(body.utf8))
    if let field { headers[field] = value }
  }

  /// Its body as text.
  var text: String { String(decoding: body, as: UTF8.self) }

  /// The answer with another text in place of one in its body.
  func replacing(_ text: String, with other: String) -> Response {
    var answer = self
    answer.body = Array(self.text.replacing(text, with: other).utf8)
    return answer
  }
}

extension Dialect {
  /// A file of the fixtures; the tests that read it say what is missing.
  static func file(_ name: String, of source: SourceName) -> String {
    String(decoding: (try? fixture(name, of: source)) ?? [], as: UTF8.self)
  }
}
