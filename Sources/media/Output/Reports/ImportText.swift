import Posts
import Storage
import Terminal
import Transfer

/// What an import brought, or would bring, for people and as JSON.
struct ImportText: Encodable {
  private enum Key: String, CodingKey {
    case `import`, format, dryRun = "dry_run", new, updated, unchanged, deleted, unreadable, `private`, pictures, absent
    case leftOut = "left_out"
  }

  private let feed: Feed
  private let format: String
  private let report: Importer.Report
  private let leftOut: [(what: String, count: Int)]
  private let isPlan: Bool

  init(
    _ report: Importer.Report, of feed: Feed, as format: String, leftOut: [(what: String, count: Int)], isPlan: Bool
  ) {
    (self.report, self.feed, self.format) = (report, feed, format)
    (self.leftOut, self.isPlan) = (leftOut, isPlan)
  }

  func encode(to encoder: any Encoder) throws {
    var line = encoder.container(keyedBy: Key.self)
    try line.encode(feed.name, forKey: .import)
    try line.encode(format, forKey: .format)
    try line.encode(isPlan, forKey: .dryRun)
    try line.encode(report.imported.new, forKey: .new)
    try line.encode(report.imported.updated, forKey: .updated)
    try line.encode(report.imported.unchanged, forKey: .unchanged)
    try line.encode(report.imported.deleted, forKey: .deleted)
    try line.encode(report.imported.unreadable, forKey: .unreadable)
    try line.encode(report.isPrivate, forKey: .private)
    try line.encode(report.imported.pictures, forKey: .pictures)
    try line.encode(report.absent, forKey: .absent)
    try line.encode(Dictionary(leftOut.map { ($0.what, $0.count) }) { $0 + $1 }, forKey: .leftOut)
  }

  /// The summary, and how to undo it.
  var lines: [SafeText] {
    let counts = report.imported
    let posts = [
      "\(counts.new) new", counts.updated > 0 ? "\(counts.updated) updated" : nil,
      counts.unchanged > 0 ? "\(counts.unchanged) unchanged" : nil,
      counts.deleted > 0 ? "\(counts.deleted) deleted before" : nil,
      counts.unreadable > 0 ? "\(counts.unreadable) unreadable" : nil,
      report.isPrivate > 0 ? "\(report.isPrivate) private left out" : nil,
    ].compactMap(\.self).joined(separator: ", ")
    let absent = report.absent > 0 ? ", \(report.absent) not there" : ""
    let summary: SafeText =
      "\(feed.name)\(isPlan ? " would bring" : ""): \(posts); \(TextFormat.count(counts.pictures, "picture"))\(absent)"
    let rest = leftOut.map { "not imported: \($0.count) \($0.what)" as SafeText }
    let undo: [SafeText] =
      isPlan || counts.new == 0 ? [] : ["\"media delete --feed \(feed.name)\" undoes it"]
    return [summary] + rest + undo
  }
}
