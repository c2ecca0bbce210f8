import Foundation

/// A feed's document, whatever it is written in: what RSS, Atom and JSON Feed have in common.
struct FeedDocument {
  /// Why bytes are no feed, in words that complete "the answer cannot be read".
  struct Fault: Error, Equatable {
    let reason: String
    /// Whether they are a web page, which may name its feed.
    var isPage = false
  }

  /// What the feed calls itself.
  var title: String?
  /// The page that the feed is of.
  var home: String?
  /// Its picture.
  var icon: String?
  /// The language of its items, unless they say otherwise.
  var language: String?
  /// The document with older items, as it stands there.
  var next: String?
  /// Whether it says that it holds all items there are (RFC 5005, 2).
  var isComplete = false
  /// Its items, in its own order.
  var entries: [FeedEntry] = []

  /// Reads a document that lies at `address`.
  ///
  /// A document with a fault in it gives the items before the fault; one whose end is missing gives none, for what was
  /// cut off must not pass for what the feed shows.
  static func read(_ body: [UInt8], contentType: String?, at address: String) throws(Fault) -> FeedDocument {
    let text = Charset.utf8(body, contentType: contentType)
    switch text.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) {
    case nil: throw Fault(reason: "it is empty")
    case UInt8(ascii: "{"): return try JSONFeed.read(text, at: address)
    case UInt8(ascii: "<"): return try XMLFeed.read(text, at: address)
    default: throw Fault(reason: "it is no feed")
    }
  }
}

/// An item of a feed.
struct FeedEntry {
  /// A person as feeds name them.
  struct Person {
    var name: String?
    var address: String?
    var avatar: String?
  }

  /// What the feed says identifies it.
  var id: String?
  /// The page it is about.
  var link: String?
  /// The headline as people read it.
  var title: String?
  /// The text as HTML.
  var html: String?
  /// When it was published.
  var published: Date?
  /// When it was last changed.
  var updated: Date?
  /// The dates as they stand there.
  var dateText = ""
  /// Who wrote it.
  var author: Person?
  /// Its categories.
  var tags: [String] = []
  /// Its language.
  var language: String?
  /// Whether its pictures are not for everybody.
  var sensitive = false
  /// Its pictures and files, those of its text left out.
  var media: [FeedMedia] = []
  /// A small picture of it, to stand in where it has no other.
  var thumbnail: FeedMedia?
  /// Against what relative addresses in its text stand.
  var base: String
  /// The item as it came.
  var raw: [UInt8]
  /// Whether it could not be read.
  var isBroken = false
}
