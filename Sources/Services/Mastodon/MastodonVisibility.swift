import JSONReading
import Posts

extension Visibility {
  /// The words of servers that speak Mastodon's API, and those that Misskey and its kin use beside them.
  private static let words: [String: Visibility] = [
    "public": .public, "unlisted": .unlisted, "home": .unlisted, "private": .followers, "followers": .followers,
    "mutuals_only": .followers, "direct": .direct, "specified": .direct, "list": .direct, "local": .local,
  ]

  /// Who may see a status; nil if it does not say. A word that nobody knows is the narrowest.
  init?(ofStatus fields: JSONObject) {
    guard let value = fields.value("visibility"), !value.isNull else { return nil }
    let visibility = value.string.flatMap { Self.words[$0.lowercased()] } ?? .direct
    // GoToSocial and descendants of Mastodon keep some statuses on their server.
    self = visibility.isWide && fields.bool("local_only") == true ? .local : visibility
  }

  /// Whether an answer repeats a post, of Mastodon's API or of Misskey's, and not everybody may see that it does.
  static func isPrivateRepeat(_ answer: JSONObject) -> Bool {
    let repeated = answer.object("reblog") ?? answer.object("renote")
    return repeated != nil && !Visibility(ofStatus: answer).isPublishable
  }

  /// Whether everybody may see it, as far as lists are left aside.
  var isWide: Bool { self == .public || self == .unlisted }

  /// Who may see a note of ActivityStreams, by its addressees (https://docs.joinmastodon.org/spec/activitypub/). Where the
  /// note names none, those of its activity count.
  init(ofNote note: JSONObject, in activity: JSONObject) {
    let own = [note, activity].first { $0.has("to") || $0.has("cc") } ?? note
    let (to, cc) = (Self.addressees(own, "to"), Self.addressees(own, "cc"))
    if to.contains(where: Self.isPublic) {
      self = .public
    } else if cc.contains(where: Self.isPublic) {
      self = .unlisted
    } else if (to + cc).contains(where: { $0.hasSuffix("/#Public") }) {
      // Pleroma and Akkoma: the public of one server.
      self = .local
    } else {
      let isForFollowers = (to + cc).contains { $0.hasSuffix("/followers") || $0.contains("/followers/") }
      self = isForFollowers ? .followers : .direct
    }
  }

  private static func addressees(_ fields: JSONObject, _ name: StaticString) -> [String] {
    fields.values(name, most: 100).compactMap { $0.string ?? $0.object?.string("id") }
  }

  private static func isPublic(_ name: String) -> Bool {
    ["https://www.w3.org/ns/activitystreams#Public", "as:Public", "Public"].contains(name)
  }
}

extension JSONObject {
  /// The values of a property of ActivityStreams: a list, or one alone, which may stand for a list of one.
  func values(_ name: StaticString, most: Int) -> [JSONValue] {
    guard let value = value(name), !value.isNull else { return [] }
    return value.elements(most: most) ?? [value]
  }

  /// The first address of such a property, whose values may be objects that have one.
  func address(_ name: StaticString) -> String? {
    values(name, most: 10).lazy.compactMap { value in
      value.string ?? value.object.flatMap { $0.string("href") ?? $0.string("id") ?? $0.string("url") }
    }.first
  }
}

extension MastodonStatus {
  /// Who may see the post of a stored answer: a status, what an archive has of one, or what gallery-dl wrote.
  static func visibility(of answer: JSONObject) -> Visibility? {
    let note = answer.object("object") ?? answer
    if note.has("to") || note.has("cc") || answer.has("to") { return Visibility(ofNote: note, in: answer) }
    return Visibility(ofStatus: answer.object("reblog") ?? answer)
  }
}
