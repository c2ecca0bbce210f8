/// Who may see a post, as its server says.
public enum Visibility: String, Sendable, Hashable, Codable, CaseIterable {
  /// Everybody.
  case `public`
  /// Everybody, but no list of the server shows it.
  case unlisted
  /// The followers of its author.
  case followers
  /// The people whom it names, or nobody but its author.
  case direct
  /// The people of its server.
  case local
  /// Not yet known: an earlier version stored the post, and its answer is still to be looked at.
  case pending

  /// The visibilities that a post can have.
  public static let known = allCases.filter { $0 != .pending }

  /// Reads a word that was stored. One that nobody knows is the narrowest.
  public init(stored word: String) { self = Visibility(rawValue: word) ?? .direct }

  /// What people read of a post that not everybody may see; nil of any other.
  public var explanation: String? {
    switch self {
    case .public, .unlisted, .pending: nil
    case .followers: "Only followers of its author may see it."
    case .direct: "Only those to whom it is addressed may see it."
    case .local: "Only people of its server may see it."
    }
  }

  /// The word that marks a post that not everybody may see; nil for any other.
  public var mark: String? { explanation == nil ? nil : rawValue }
}

extension Visibility? {
  /// Whether a post may stand in what is made to be published. Where no server says who may see it, it may.
  public var isPublishable: Bool { self == nil || self == .public || self == .unlisted }
}
