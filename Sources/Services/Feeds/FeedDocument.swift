import FoundationEssentials

/// The common parts of RSS, Atom and JSON Feed documents.
struct FeedDocument {
  /// Why bytes are not a feed, as text that completes "the answer cannot be read".
  struct Fault: Error, Equatable {
    let reason: String
    /// Whether the bytes are a web page, which may name its feed.
    var isPage = false
  }

  /// The feed's title.
  var title: String?
  /// The web page of the feed.
  var home: String?
  /// Its picture.
  var icon: String?
  /// The default language of its items.
  var language: String?
  /// The address of the document with older items, as written.
  var next: String?
  /// Whether the document declares that it holds all items (RFC 5005, 2).
  var isComplete = false
  /// Whether the format promises that items with one id are one entry (RFC 4287, 4.2.6; JSON Feed). Many RSS feeds give
  /// one `guid` to all.
  var hasUniqueIDs = false
  /// Whether the document holds more than was read. It then says nothing about what is below its items.
  var isPartial = false
  /// How many items it has beside those that are read.
  var leftOut = 0
  /// The delay that the feed requests before the next visit.
  var requestedDelay: Duration?
  /// Its items, in its own order.
  var entries: [FeedEntry] = []

  /// Reads the document at `address`.
  ///
  /// A malformed document yields the items before the fault. A document without its end yields none: truncated items
  /// must not pass for everything that the feed shows.
  static func read(_ body: [UInt8], contentType: String?, at address: String) throws(Fault) -> FeedDocument {
    let text = Charset.utf8(body, contentType: contentType)
    var document = try document(in: text, at: address)
    document.cut()
    return document
  }

  private static func document(in text: [UInt8], at address: String) throws(Fault) -> FeedDocument {
    do throws(Fault) {
      return try wholeDocument(in: text, at: address)
    } catch {
      // Programs print their warnings before the feed that they make.
      guard !error.isPage, let start = start(in: text), start > 0,
        let document = try? XMLFeed.read(Array(text[start...]), at: address)
      else { throw error }
      return document
    }
  }

  /// Where an XML feed begins near the beginning of the text; nil if none does.
  private static func start(in text: [UInt8]) -> Int? {
    let marks = ["<?xml", "<rss", "<feed", "<rdf:RDF"].map { Array($0.utf8) }
    return text.indices.prefix(8192).first { index in
      text[index] == UInt8(ascii: "<") && marks.contains { text[index...].starts(with: $0) }
    }
  }

  private static func wholeDocument(in text: [UInt8], at address: String) throws(Fault) -> FeedDocument {
    switch text.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) {
    case nil: throw Fault(reason: "it is empty")
    case UInt8(ascii: "{"): return try JSONFeed.read(text, at: address)
    case UInt8(ascii: "<"): return try XMLFeed.read(text, at: address)
    default: throw Fault(reason: "it is not a feed")
    }
  }

  /// Keeps the newest items, up to the limit. An item without a date stays with the one before it.
  private mutating func cut() {
    guard entries.count > Bounds.entries else { return }
    isPartial = true
    leftOut += entries.count - Bounds.entries
    var last = Date.distantFuture
    let dates = entries.map { entry in
      last = entry.published ?? entry.updated ?? last
      return last
    }
    let order = dates.indices.sorted { (dates[$0], $1) > (dates[$1], $0) }
    entries = order.prefix(Bounds.entries).map { entries[$0] }
  }

  /// Converts a document's items to entries. Of a very long document, converts only the items at both ends, because the
  /// newest are at one of them.
  mutating func read<Item>(
    _ items: [Item], most: Int = Bounds.candidates, _ entry: (_ document: FeedDocument, Item) -> FeedEntry
  ) {
    isPartial = isPartial || items.count > most
    leftOut += max(0, items.count - most)
    let read = items.count > most ? Array(items.prefix(most / 2) + items.suffix(most / 2)) : items
    let document = self
    entries = read.map { entry(document, $0) }
  }

  /// Drops dates after `moment`: the author's clock is wrong, or the author wants to stay on top.
  mutating func forgetDates(after moment: Date) {
    for index in entries.indices {
      if let date = entries[index].published, date > moment { entries[index].published = nil }
      if let date = entries[index].updated, date > moment { entries[index].updated = nil }
    }
  }
}

/// An item of a feed.
struct FeedEntry {
  /// A person as a feed names them.
  struct Person {
    var name: String?
    var address: String?
    var avatar: String?
    /// Distinguishes people with the same name. It is not stored, because the feed did not give it for display.
    var mail: String?
  }

  /// The id that the feed gives it.
  var id: String?
  /// The item's web page.
  var link: String?
  /// The headline as plain text.
  var title: String?
  /// The text as HTML.
  var html: String?
  /// When it was published.
  var published: Date?
  /// When it was last changed.
  var updated: Date?
  /// The dates as written.
  var dateText = ""
  /// The author.
  var author: Person?
  /// Its categories.
  var tags: [String] = []
  /// Its language.
  var language: String?
  /// Its licence: an address, or words.
  var license: String?
  /// Whether its pictures are marked as sensitive.
  var sensitive = false
  /// Its pictures and files, except those in its text.
  var media: [FeedMedia] = []
  /// A small picture, used if the item has no other.
  var thumbnail: FeedMedia?
  /// The base of relative addresses in its text.
  var base: String
  /// The item as received. It shares the document's bytes, so that a long item is in memory only once.
  var raw: ArraySlice<UInt8>
  /// Whether it could not be read.
  var isBroken = false
  /// Whether it was too long, and lost its last pictures or the ends of long texts.
  var isShortened = false
}
