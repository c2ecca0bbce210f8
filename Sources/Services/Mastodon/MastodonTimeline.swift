import HTTP

/// The request for the posts of a feed.
struct MastodonTimeline {
  let path: String
  var query: [(name: String, value: String)] = []
  /// The member of the answer that holds the posts; nil if the answer is the list itself.
  var member: String?

  /// Public posts with a tag: https://docs.joinmastodon.org/methods/timelines/#tag
  static func tag(_ name: String) -> Self { Self(path: "/api/v1/timelines/tag/\(Request.percentEncoded(name))") }

  /// What an account wrote and repeated: https://docs.joinmastodon.org/methods/accounts/#statuses
  static func account(_ id: String) -> Self { Self(path: "/api/v1/accounts/\(Request.percentEncoded(id))/statuses") }

  /// Posts that the server's search finds: https://docs.joinmastodon.org/methods/search/#v2
  static func search(_ text: String) -> Self {
    Self(path: "/api/v2/search", query: [("q", text), ("type", "statuses")], member: "statuses")
  }
}
