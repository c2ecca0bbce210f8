import JSONReading

/// What a person made of a post, as a file tells that they kept beside its pictures.
public struct KeptMarks: Sendable, Hashable {
  /// Whether they like it.
  public var isFavourite = false
  /// Their rating, from 1 to 5; nil without one.
  public var rating: Int?
  /// Whether they looked at it.
  public var isSeen = false
  /// Their text about it.
  public var note: String?
  /// The tags that they gave.
  public var ownTags: [String] = []
  /// The names of the albums that hold it.
  public var albums: [String] = []

  /// Nothing.
  public init() {}

  /// Adds what another file of the same post tells.
  public mutating func add(_ other: KeptMarks) {
    isFavourite = isFavourite || other.isFavourite
    rating = rating ?? other.rating
    isSeen = isSeen || other.isSeen
    note = note ?? other.note
    own(other.ownTags)
    albums += other.albums.filter { !albums.contains($0) }
  }

  /// Takes own tags, as many as a post may have.
  mutating func own(_ names: [String]) {
    var known = Set(ownTags)
    ownTags += names.filter { known.insert($0).inserted }.prefix(max(0, Bounds.tags - ownTags.count))
  }

  /// Takes the marks of a post as `media list --json` prints it.
  mutating func read(_ fields: JSONObject) {
    isFavourite = fields.bool("favourite") ?? false
    rate(fields.integer("rating"))
    isSeen = fields.bool("seen") ?? false
    note = Bounds.block(fields.string("note"))
    ownTags += fields.list("own_tags", most: 1000).compactMap(\.string)
    albums += fields.list("albums", most: 100).compactMap(\.string)
  }

  /// Takes a rating. Programs for photographs write -1 for what was rejected, and 0 for none.
  mutating func rate(_ number: Int?) { if let number, (1...5).contains(number) { rating = number } }
}
