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
  /// Whether more stands in it than was read: it says nothing about what is below its items then.
  var isPartial = false
  /// For how long it says that nothing new comes.
  var respite: Duration?
  /// Its items, in its own order.
  var entries: [FeedEntry] = []

  /// Reads a document that lies at `address`.
  ///
  /// A document with a fault in it gives the items before the fault; one whose end is missing gives none, for what was
  /// cut off must not pass for what the feed shows.
  static func read(_ body: [UInt8], contentType: String?, at address: String) throws(Fault) -> FeedDocument {
    let text = Charset.utf8(body, contentType: contentType)
    var document = try document(in: text, at: address)
    document.cut()
    return document
  }

  private static func document(in text: [UInt8], at address: String) throws(Fault) -> FeedDocument {
    switch text.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) {
    case nil: throw Fault(reason: "it is empty")
    case UInt8(ascii: "{"): return try JSONFeed.read(text, at: address)
    case UInt8(ascii: "<"): return try XMLFeed.read(text, at: address)
    default: throw Fault(reason: "it is no feed")
    }
  }

  /// Leaves the newest items, as many as are taken. One without a date stands with the one before it.
  private mutating func cut() {
    guard entries.count > Bounds.entries else { return }
    isPartial = true
    var last = Date.distantFuture
    let dates = entries.map { entry in
      last = entry.published ?? entry.updated ?? last
      return last
    }
    let order = dates.indices.sorted { (dates[$0], $1) > (dates[$1], $0) }
    entries = order.prefix(Bounds.entries).map { entries[$0] }
  }

  /// Makes entries of a document's items, by what is known of their document; of very many those at both ends, for the
  /// newest stand at one of them.
  mutating func read<Place>(
    _ places: [Place], most: Int = Bounds.candidates, _ entry: (_ document: FeedDocument, Place) -> FeedEntry
  ) {
    isPartial = isPartial || places.count > most
    let read = places.count > most ? Array(places.prefix(most / 2) + places.suffix(most / 2)) : places
    let document = self
    entries = read.map { entry(document, $0) }
  }

  /// Takes dates for none that lie after `moment`: who writes them has a clock that is wrong, or wants to stand on top.
  mutating func forgetDates(after moment: Date) {
    for place in entries.indices {
      if let date = entries[place].published, date > moment { entries[place].published = nil }
      if let date = entries[place].updated, date > moment { entries[place].updated = nil }
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
    /// Tells apart people of one name. It is not kept: of what is no name nobody said that it is to be shown.
    var mail: String?
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
  /// The item as it came, in the document's own bytes: a long one is there but once.
  var raw: ArraySlice<UInt8>
  /// Whether it could not be read.
  var isBroken = false
}
