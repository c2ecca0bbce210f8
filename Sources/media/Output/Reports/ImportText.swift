import Posts
import Storage
import Terminal
import Transfer
import Web
import Wording

/// What an import brought, or would bring, for people and as JSON.
struct ImportText {
  private let feed: Feed
  private let format: String
  private let report: Importer.Report
  private let leftOut: [(what: String, count: Int)]
  private let isPlan: Bool
  /// What the archive says of itself; nil if it says nothing.
  private let balance: ImportBalance?
  /// Whether all of that was asked for.
  private let isCheck: Bool

  /// The most names of files that a person is told.
  private static let mostNamed = 20

  init(
    _ report: Importer.Report, of feed: Feed, as format: String, from reader: any ImportReader, isPlan: Bool,
    isCheck: Bool
  ) {
    (self.report, self.feed, self.format) = (report, feed, format)
    (leftOut, balance) = (reader.leftOut, reader.balance)
    (self.isPlan, self.isCheck) = (isPlan, isCheck)
  }

  var json: JSONMembers {
    let counts = report.imported
    var line: JSONMembers = [
      "import": feed.name, "format": format, "dry_run": isPlan, "new": counts.new, "updated": counts.updated,
      "unchanged": counts.unchanged, "deleted": counts.deleted, "unreadable": counts.unreadable,
      "private": report.isPrivate, "pictures": counts.pictures, "absent": report.absent,
      "left_out": Dictionary(leftOut.map { ($0.what, $0.count) }) { $0 + $1 }, "absent_files": report.absentFiles,
      "unaddressed": report.unaddressed,
    ]
    guard isCheck, let balance else { return line }
    line["declared"] = balance.declared
    line["found"] = balance.found
    line["named"] = balance.named
    line["missing_files"] = balance.absent
    line["unused_files"] = balance.unused
    return line
  }

  /// The summary, and how to undo it.
  var lines: [SafeText] {
    let counts = report.imported
    let posts = [
      "\(counts.new) new", counts.updated > 0 ? "\(counts.updated) updated" : nil,
      counts.unchanged > 0 ? "\(counts.unchanged) unchanged" : nil,
      counts.deleted > 0 ? "\(counts.deleted) deleted before" : nil,
      counts.unreadable > 0 ? "\(counts.unreadable) unreadable" : nil,
      report.isPrivate > 0 ? "\(report.isPrivate) private left out (--private takes them)" : nil,
    ].compactMap(\.self).joined(separator: ", ")
    let absent = report.absent > 0 ? ", \(report.absent) not there" : ""
    let summary: SafeText =
      "\(feed.name)\(isPlan ? " would bring" : ""): \(posts); \(NumberText.count(counts.pictures, "picture"))\(absent)"
    let rest = leftOut.map { "not imported: \($0.count) \($0.count == 1 ? Self.one($0.what) : $0.what)" as SafeText }
    let undo: [SafeText] =
      isPlan || counts.new == 0 ? [] : ["\"media delete --feed \(feed.name)\" undoes it"]
    let held = isCheck ? balance.map(Self.lines) ?? ["it says nothing of what it holds"] : []
    return [summary] + rest + held + undo
  }

  /// Words for one of what was left out, where they begin with a noun that ends in "s" alone.
  private static func one(_ what: String) -> String {
    let noun = ["files", "lists"].first { what.hasPrefix("\($0) ") }
    return noun.map { "\($0.dropLast())\(what.dropFirst($0.count))" } ?? what
  }

  private static func lines(_ balance: ImportBalance) -> [SafeText] {
    let declared: SafeText = balance.declared.map { "says to hold \($0)" } ?? "does not say how many it holds"
    let held: SafeText = "the archive \(declared), and holds \(balance.found)"
    let files: SafeText =
      "its posts name \(NumberText.count(balance.named, "file")), of which \(balance.absent.count) are not there"
    return [held, files] + names(balance.absent, "not there")
      + ["files that no post names: \(balance.unused.count)"] + names(balance.unused, "no post's")
  }

  private static func names(_ all: [String], _ what: String) -> [SafeText] {
    let shown: [SafeText] = all.prefix(mostNamed).map { "  \(what): \($0)" }
    let more: SafeText = "  and \(all.count - mostNamed) more"
    return all.count > mostNamed ? shown + [more] : shown
  }
}

extension ImportText {
  /// What is not as it should be, for people.
  var messages: [SafeText] {
    let unread: [SafeText] = report.unreadable.map { "media: \($0.name) cannot be read: \($0.reason)" }
    let more = report.imported.unreadable - report.unreadable.count
    let absent = isCheck ? [] : report.absentFiles
    let unknown: [SafeText] =
      report.unaddressed == 0
      ? []
      : ["media: \(NumberText.count(report.unaddressed, "post")) without an address: a pull may bring them once more"]
    return unread + (more > 0 ? ["media: \(more) more cannot be read"] : []) + Self.names(absent, "not there") + unknown
  }

  /// What is missing of the whole; nil if nothing is.
  var fault: SafeText? {
    if let balance, let declared = balance.declared, balance.missing > 0 {
      return """
        media: the archive says to hold \(declared) and holds \(balance.found): get it again, \
        and import it again to add what is missing
        """
    }
    guard report.found == report.imported.unreadable else { return nil }
    let reason: SafeText = report.found == 0 ? "no post is in it" : "nothing in it can be read"
    return "media: \(feed.name) brought nothing: \(reason)"
  }

  /// Whether a check found that something is missing.
  var isIncomplete: Bool { fault != nil || isCheck && balance.map { !$0.absent.isEmpty } ?? false }
}
