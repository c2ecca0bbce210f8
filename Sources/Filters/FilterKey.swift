/// What a term asks of a post.
public enum FilterKey: String, Sendable, Hashable, CaseIterable {
  /// A tag of the author, or one whose feed brought the post.
  case tag
  /// A tag that the person gave.
  case own
  /// An album that holds the post.
  case album = "in"
  /// A saved search that finds it.
  case saved
  /// What the person rated it, from 0 to 5.
  case rating
  /// The author's handle, or its part before the host.
  case by
  /// The feed that brought the post, as its summary names it.
  case feed
  /// The kind of service.
  case source
  /// The server that its facts came from.
  case server
  /// The language that the author named, as a BCP 47 tag; `de` also finds `de-AT`.
  case lang
  /// What became of the post.
  case `is`
  /// What the post has.
  case has
  /// The kind of one of its files.
  case kind
  /// The width of one of its files, in pixels.
  case width
  /// The height of one of its files, in pixels.
  case height
  /// The stored bytes of one of its files.
  case size
  /// The form of one of its files.
  case ratio
  /// The length of one of its files.
  case duration
  /// The camera that took one of its files.
  case camera
  /// When one of its files was taken, by the camera's clock.
  case taken
  /// Where one of its files was taken.
  case near
  /// The town around which one of its files was taken.
  case place
  /// The country in which, or next to which, one of its files was taken.
  case country
  /// A post that shows a picture like one of this post's.
  case like
  /// A tag that a model gave one of its files.
  case machine
  /// Who may see it at its server.
  case visibility
  /// Written then or later.
  case since
  /// Written before then.
  case before
  /// Written in this year, month or day.
  case on
  /// How long ago it was first stored.
  case stored
  /// The order in which posts are shown. It leaves none out.
  case sort

  /// What it asks, in a sentence for people.
  public var help: String {
    switch self {
    case .tag: "Posts with this tag, or from its feed."
    case .own: "Posts with this tag of your own."
    case .album: "Posts in this album."
    case .saved: "What this saved search finds."
    case .rating: "Posts that you rated so, from 0 to 5."
    case .by: "Posts of this author: a handle, or its part before the host."
    case .feed: "Posts from this feed, as its summary names it."
    case .source: "Posts of this kind of service, such as mastodon, feed or manual."
    case .server: "Posts that came from this server."
    case .lang: "Posts in this language; de also finds de-AT."
    case .is:
      """
      What became of the post. is:private: not everybody may see it at its server. is:copy: earlier posts show its pictures. \
      is:elsewhere: an earlier post is the same one, of another network.
      """
    case .has:
      """
      What the post has. has:alt: a file with an alt text; has:gps: one that says where it was taken; \
      has:text: a picture in which text was read.
      """
    case .kind: "Posts with a file of this kind."
    case .width, .height: "Posts with a file of this \(rawValue) in pixels."
    case .size: "Posts with a stored file of this size."
    case .ratio: "Posts with a file of this form."
    case .duration: "Posts with a video or sound of this length."
    case .camera: "Posts with a file of this camera, named in part: camera:nikon."
    case .taken: "Posts with a file that was taken in this year, month or day, by the camera's clock."
    case .near: "Posts with a file that was taken around this place: near:48.1,11.5,20km."
    case .place: "Posts with a file that was taken in or around this town: place:Vienna, place:\"Vienna, US\"."
    case .country: "Posts with a file that was taken in this country, by the nearest town: country:AT, country:Austria."
    case .like: "Posts with a picture like one of this post: like:123."
    case .machine: "Posts with a file to which a model gave this tag: machine:cat."
    case .visibility: "Posts that these may see at their server."
    case .since: "Posts written then or later."
    case .before: "Posts written before then."
    case .on: "Posts written in this year, month or day."
    case .stored: "Posts first stored so long ago; a bare value counts up to it."
    case .sort: "The order, newest first without it. sort:size: the largest stored file first."
    }
  }

  /// What the values of a key are.
  public enum Kind: Sendable, Equatable {
    /// Any names.
    case name
    /// Some of these words.
    case choice([String])
    /// A number, with the units that may stand behind it, the smallest first.
    case number([Unit])
    /// A year, a month or a day.
    case date
    /// The number of a post.
    case post
    /// Degrees north and east, and a distance.
    case area
    /// The name of a town.
    case town
    /// The name or the code of a country.
    case country
  }

  /// A unit of a number.
  public struct Unit: Sendable, Equatable {
    /// What stands behind the number.
    public let name: String
    /// How many of the smallest unit it is.
    public let factor: Int64
  }

  /// Whether few people ask for it. Completion offers it where no other key begins as typed, and beside all others.
  public var isRare: Bool { [.duration, .camera, .taken, .near, .place, .country, .like, .machine].contains(self) }

  /// What its values are.
  public var kind: Kind {
    switch self {
    case .tag, .own, .album, .saved, .by, .feed, .source, .server, .lang, .camera, .machine: .name
    case .like: .post
    case .near: .area
    case .place: .town
    case .country: .country
    case .duration: .number(Self.lengths)
    case .is:
      .choice([
        "deleted", "copy", "edited", "elsewhere", "failed", "favourite", "gone", "hidden", "manual", "planned",
        "private",
        "seen", "sensitive", "unseen",
      ])
    case .has: .choice(["alt", "audio", "file", "gps", "note", "picture", "text", "video"])
    case .rating: .number([Unit(name: "", factor: 1)])
    case .kind: .choice(["audio", "file", "gifv", "image", "video"])
    case .ratio: .choice(["landscape", "portrait", "square"])
    case .visibility: .choice(["direct", "followers", "local", "public", "unlisted"])
    case .sort: .choice(["newest", "oldest", "random", "rating", "size"])
    case .width, .height: .number([Unit(name: "", factor: 1)])
    case .size: .number(Self.bytes)
    case .stored: .number(Self.times)
    case .since, .before, .on, .taken: .date
    }
  }

  private static let bytes = [
    Unit(name: "", factor: 1), Unit(name: "kB", factor: 1000), Unit(name: "MB", factor: 1_000_000),
    Unit(name: "GB", factor: 1_000_000_000), Unit(name: "TB", factor: 1_000_000_000_000),
  ]

  private static let lengths = [
    Unit(name: "", factor: 1), Unit(name: "s", factor: 1), Unit(name: "m", factor: 60), Unit(name: "h", factor: 3600),
  ]

  private static let times = [
    Unit(name: "s", factor: 1), Unit(name: "m", factor: 60), Unit(name: "h", factor: 3600),
    Unit(name: "d", factor: 86_400), Unit(name: "w", factor: 604_800),
  ]
}
