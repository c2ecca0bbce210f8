import Filters
import FoundationEssentials
import Posts
import Rows

/// What a person can say of a post.
public enum Mark: Sendable, Hashable {
  /// That they like it, or do not any more.
  case favourite(Bool)
  /// 0 to 5; 0 is no rating.
  case rating(Int)
  /// That they have looked at it, or want to again.
  case seen(Bool)
  /// A text about it; nil or an empty one for none.
  case note(String?)
  /// Gives it a tag of their own.
  case ownTag(String)
  /// Takes such a tag away.
  case noOwnTag(String)
  /// That lists leave it out, or show it again.
  case hidden(Bool)
}

/// What a person has said of a post.
public struct PostMarks: Sendable, Equatable {
  /// Whether they like it.
  public package(set) var isFavourite = false
  /// 0 to 5; 0 is no rating.
  public package(set) var rating = 0
  /// Whether lists leave it out.
  public package(set) var isHidden = false
  /// When they looked at it; nil if they have not.
  public package(set) var seenAt: Date?
  /// Their text about it.
  public package(set) var note: String?
  /// The tags that they gave, by name.
  public package(set) var ownTags: [String] = []
  /// The albums that hold it, by name.
  public package(set) var albums: [String] = []

  package init() {}

  /// Reads the marks of a row that joins `post_state`.
  init(_ row: some RowReading) throws {
    isFavourite = try row["favourite"] ?? 0 == 1
    rating = try row["rating"] ?? 0
    isHidden = try row["hidden"] ?? 0 == 1
    seenAt = try row.date("seen_at")
    note = try row["note"]
  }
}

/// What marking did.
public struct Marking: Sendable, Equatable {
  /// The posts of which something changed.
  public var changed: [Int64] = []
  /// The numbers that belong to no post.
  public var unknown: [Int64] = []
  /// By what it is undone; nil if nothing changed.
  public var change: Int64?
  /// How many posts of an export became one with the post that Instagram shows.
  public var joined = 0
  /// The name of the saved search that had another filter; nil if none had.
  public var replaced: String?

  package init() {}
}

/// Why a mark cannot be set.
public enum MarkError: ExplainedError, Sendable, Equatable {
  /// A rating that is none.
  case rating(Int)
  /// A text that cannot be the name of an own tag, an album or a saved search.
  case name(String)
  /// A note that is too long.
  case longNote
  /// No album has this name.
  case noAlbum(String, nearest: String?)
  /// An album has this name.
  case albumExists(String)
  /// No saved search has this name.
  case noSearch(String, nearest: String?)
  /// A saved search has this name.
  case searchExists(String)
  /// A saved search of no terms.
  case emptySearch
  /// A saved search that names itself, perhaps by others.
  case searchInItself(String)
  /// No post has this tag of the person's own.
  case noOwnTag(String, nearest: String)
  /// The post of this source and URI is not stored.
  case noPost(String)
  /// No rule has this name.
  case noRule(String, nearest: String?)
  /// Nothing is stored of an author with this handle.
  case noAuthor(String)
  /// The post is not in the album.
  case notInAlbum(post: Int64, album: String)
  /// The post has no picture that is like one of the others.
  case noLikePicture(Int64)
  /// So many posts are not compared at once.
  case manyToCompare(Int)
  /// The posts show one file, which is not different from itself.
  case sameFile

  /// What cannot be, and why.
  public var summary: String {
    switch self {
    case .rating(let number): "\(number) is no rating"
    case .name(let text): "\"\(text)\" is no name"
    case .longNote: "the note is too long"
    case .noAlbum(let name, _): "there is no album \"\(name)\""
    case .albumExists(let name): "there is an album \"\(name)\" already"
    case .noSearch(let name, _): "there is no saved search \"\(name)\""
    case .searchExists(let name): "there is a saved search \"\(name)\" already"
    case .emptySearch: "the filter is empty"
    case .searchInItself(let name): "the saved search \"\(name)\" would name itself"
    case .noOwnTag(let name, _): "no post has your own tag \"\(name)\""
    case .noPost(let name): "there is no post \"\(name)\""
    case .noRule(let name, _): "there is no rule \"\(name)\""
    case .noAuthor(let handle): "nothing is stored of \"\(handle)\""
    case .notInAlbum(let post, let album): "post \(post) is not in the album \"\(album)\""
    case .noLikePicture(let post): "post \(post) has no picture like the others'"
    case .manyToCompare(let count): "\(count) posts are too many to compare"
    case .sameFile: "these posts show the same file"
    }
  }

  /// What helps.
  public var cure: String? {
    switch self {
    case .rating: "give 0 to 5, where 0 takes it away"
    case .name: "it has 1 to \(MarkName.most) letters, and none that cannot be seen"
    case .longNote: "it has at most \(Mark.longestNote) letters"
    case .noAlbum(_, let nearest?), .noSearch(_, let nearest?), .noRule(_, let nearest?):
      "did you mean \"\(nearest)\"?"
    case .noAlbum: "\"media album list\" shows the albums"
    case .noOwnTag(_, let nearest): "did you mean \"\(nearest)\"?"
    case .noPost: "name one that is stored by its number: \(FilterKey.like.example)"
    case .noRule: "\"media rules\" shows them"
    case .noSearch: "\"media searches\" shows them"
    case .albumExists, .searchExists: "choose another name"
    case .emptySearch: "a saved search has at least one term"
    case .searchInItself: "leave out what names it"
    case .noAuthor: "give a handle as \"media list\" shows it"
    case .notInAlbum: "\"media album add\" adds it"
    case .noLikePicture(let post): "name one of it: media same --same \(post).1"
    case .sameFile: nil
    case .manyToCompare: "take at most \(SameVerdict.mostPosts)"
    }
  }

  /// What was typed cannot be.
  public var exitCode: ExitCode { .usage }
}

/// The names of own tags, albums and saved searches.
public enum MarkName {
  /// The most letters of a name.
  public static let most = 100

  /// A name as it is stored, without needless spaces; nil for a text that cannot be one.
  public static func plain(_ text: String) -> String? {
    let words = text.storable.split(whereSeparator: \.isWhitespace).joined(separator: " ").composed
    let isSeen = words.unicodeScalars.allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      // Emoji are joined by a format character.
      case .format: scalar == "\u{200D}"
      case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
      default: true
      }
    }
    return words.isEmpty || words.count > most || !isSeen ? nil : words
  }

  /// A name by which is compared without regard to the case of the letters of ASCII, as the engines compare names.
  static func folded(_ name: String) -> String {
    String(decoding: name.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }

  /// The name of an own tag, in small letters, without the `+` before it.
  public static func ownTag(_ text: String) -> String? {
    plain(String(text.drop { $0.isWhitespace || $0 == "+" })).map { $0.lowercased().composed }
  }

  /// The name itself, or the first with a number behind it that is not taken.
  static func free(like name: String, isTaken: (String) throws -> Bool) rethrows -> String {
    var (free, number) = (name, 1)
    while try isTaken(free) {
      number += 1
      free = "\(name.prefix(most - 8).description.trimmingWhiteSpace) \(number)"
    }
    return free
  }
}

extension Mark {
  /// The most letters of a note.
  public static let longestNote = 100_000

  /// What it writes: the column, and its value.
  func written(now: String) throws(MarkError) -> (column: MarkColumn, value: String?) {
    switch self {
    case .favourite(let isSet): return (.favourite, isSet ? "1" : "0")
    case .rating(let number):
      guard (0...5).contains(number) else { throw .rating(number) }
      return (.rating, "\(number)")
    case .seen(let isSet): return (.seen, isSet ? now : nil)
    case .hidden(let isSet): return (.hidden, isSet ? "1" : "0")
    case .note(let text):
      let text = text?.storable.trimmingWhiteSpace ?? ""
      guard text.count <= Self.longestNote else { throw .longNote }
      return (.note, text.isEmpty ? nil : text)
    case .ownTag(let name), .noOwnTag(let name):
      guard let plain = MarkName.ownTag(name) else { throw .name(name) }
      return (.own(plain), self == .ownTag(name) ? "1" : "0")
    }
  }
}
