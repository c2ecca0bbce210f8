import FoundationEssentials
import HTTPTypes
import Hummingbird
import NIOCore
import Posts
import Storage
import Web
import Wording

/// Statistics as a table for spreadsheets (RFC 4180).
struct StatisticsCSV {
  /// Which of them.
  enum Part: String, CaseIterable, Sendable {
    case posts, tags, authors, growth

    init(_ fields: Fields) throws(RequestError) {
      guard let part = fields["part"].flatMap(Self.init(rawValue:)) else {
        throw .badParameter("part", must: "posts, tags, authors or growth")
      }
      self = part
    }
  }

  private let part: Part
  private let statistics: LibraryStatistics
  private let times: MomentText

  init(_ part: Part, of statistics: LibraryStatistics, zone: TimeZone) {
    (self.part, self.statistics, times) = (part, statistics, MomentText(zone))
  }

  var response: Response {
    Response(
      status: .ok,
      headers: [
        .contentType: "text/csv; charset=utf-8; header=present", .cacheControl: "no-store",
        .contentDisposition: "attachment; filename=\"media-\(part.rawValue).csv\"",
      ],
      body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }

  var text: String { rows.map { $0.map(Self.cell).joined(separator: ",") + "\r\n" }.joined() }

  private var rows: [[String]] {
    switch part {
    case .posts:
      [[statistics.length.rawValue, "source", "posts"]]
        + statistics.posts.reversed().flatMap { period in
          period.counts.sorted { $0.key.rawValue < $1.key.rawValue }.map {
            [times.day(period.period.start), $0.key.rawValue, "\($0.value)"]
          }
        }
    case .tags: [["tag", "posts"]] + statistics.tags.map { [$0.name, "\($0.shown)"] }
    case .authors:
      [["handle", "name", "posts"]] + statistics.authors.map { [$0.author.handle, $0.author.name, "\($0.shown)"] }
    case .growth:
      [["month", "files", "bytes"]]
        + statistics.growth.reversed().map { [times.month($0.month.start), "\($0.blobs)", "\($0.bytes)"] }
    }
  }

  /// A cell. A spreadsheet computes what begins like a formula, so an apostrophe goes before it.
  static func cell(_ text: String) -> String {
    let isFormula = text.unicodeScalars.first.map { "=+-@\t\r\n＝＋－＠".unicodeScalars.contains($0) } ?? false
    let guarded = isFormula ? "'\(text)" : text
    guard guarded.unicodeScalars.contains(where: { ",\"\r\n;'".unicodeScalars.contains($0) }) else { return guarded }
    return "\"\(guarded.unicodeScalars.map { $0 == "\"" ? "\"\"" : String($0) }.joined())\""
  }
}
