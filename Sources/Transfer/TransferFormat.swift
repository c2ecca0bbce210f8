/// A form in which posts leave a library or come into one, under the name that people type.
public enum TransferFormat: String, Sendable, CaseIterable {
  /// Everything that the library holds, one JSON object a line (https://github.com/ndjson/ndjson-spec).
  case ndjson
  /// One row a post (RFC 4180).
  case csv
  /// JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/).
  case jsonFeed = "json-feed"
  /// Atom (RFC 4287).
  case atom
  /// Followed feeds (http://opml.org/spec2.opml).
  case opml
  /// An outbox, as Mastodon's archive has it (https://www.w3.org/TR/activitystreams-core/).
  case activitystreams
  /// A site of static pages.
  case html
  /// Records of the web (https://iipc.github.io/warc-specifications/).
  case warc
  /// The files of posts in one archive (https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT).
  case zip
  /// The planner's entries as JSON.
  case diary
  /// The planner's entries as iCalendar (RFC 5545).
  case ics
}

extension TransferFormat {
  /// The form of this program's own, or of a calendar, that a file's beginning shows; nil if it shows none.
  ///
  /// - Parameter start: The file's first bytes.
  public static func recognized(_ start: [UInt8]) -> TransferFormat? {
    if NdjsonReader.recognizes(start) { return .ndjson }
    let text = String(decoding: WideText.utf8(start), as: UTF8.self)
    let bare = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    if ["BEGIN:VCALENDAR", "BEGIN:VEVENT"].contains(where: { bare.prefix($0.count).uppercased() == $0 }) {
      return .ics
    }
    return (bare.first == "[" || bare.first == "{") && text.contains("date_start") ? .diary : nil
  }
}
