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
  /// The planner's entries as JSON.
  case diary
  /// The planner's entries as iCalendar (RFC 5545).
  case ics
}
