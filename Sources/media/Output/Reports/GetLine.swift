import Posts
import Storage
import Terminal
import Transfer
import Web
import Wording

/// What an address brought, or how it would be read, for people and as JSON.
struct GetLine {
  /// What it brought.
  private struct Counts {
    var imported: Imported
    let known: Int, absent: Int
    var isBounded = false
  }

  private let address: String
  /// `source`, or the name of a program.
  private let way: String
  private let feed: String?
  private let reason: String
  private var post: Int64?
  private var counts: Counts?
  /// What could not be read, for people.
  private(set) var messages: [SafeText] = []

  /// How an address would be read.
  ///
  /// - Parameter isAllowed: Whether programs of others may be started.
  init(_ address: String, _ way: PostGetter.Way, isAllowed: Bool) {
    self.address = address
    switch way {
    case .feed(let feed):
      (self.way, self.feed) = (feed.source.rawValue, feed.name)
      reason = feed.kind == .url ? "is read as a feed" : "is pulled as \(feed.spoken)"
    case .post(_, let feed): (self.way, self.feed, reason) = (feed.source.rawValue, nil, "is asked for as one post")
    case .program(let programs):
      (self.way, feed) = (programs[0].name, nil)
      let names = programs.map(\.name).joined(separator: ", then ")
      reason =
        "is of no known source: \(names) would read it\(isAllowed ? "" : " if \"media settings extractors on\" lets it")"
    }
  }

  /// What a program of others brought.
  ///
  /// - Parameter isBounded: Whether it was to leave out large files.
  init(_ address: String, _ report: Importer.Report, by program: String, known: Int, isBounded: Bool) {
    (self.address, way, feed, reason) = (address, program, Feed.importing(address).name, "")
    counts = Counts(imported: report.imported, known: known, absent: report.absent, isBounded: isBounded)
    messages = report.unreadable.map { "media: \($0.name) cannot be read: \($0.reason)" }
    messages += report.absentFiles.prefix(Self.mostNamed).map { "media: \($0) was not fetched" }
  }

  /// What a source said of one post.
  init(_ address: String, _ imported: Imported, post: Int64?, _ files: [StoredAttachment]) {
    (self.address, way, feed, reason) = (address, "source", Feed.importing(address).name, "")
    var counts = Counts(imported: imported, known: 0, absent: files.count { $0.state == .failed })
    counts.imported.pictures = files.count { $0.state == .stored }
    (self.post, self.counts) = (post, counts)
  }

  /// As many files as a person is told.
  private static let mostNamed = 20

  /// One line for people.
  var text: SafeText {
    guard let counts else { return "\(Feed.spoken(address)) \(reason)" }
    let imported = counts.imported
    if let post {
      let state: SafeText = imported.new > 0 ? "new" : imported.updated > 0 ? "updated" : "known"
      return "\(Feed.spoken(address)): post \(post), \(state); \(NumberText.count(imported.pictures, "picture"))"
    }
    let posts = [
      "\(imported.new) new", imported.updated > 0 ? "\(imported.updated) updated" : nil,
      imported.unchanged + counts.known > 0 ? "\(imported.unchanged + counts.known) known" : nil,
      imported.deleted > 0 ? "\(imported.deleted) deleted before" : nil,
      imported.unreadable > 0 ? "\(imported.unreadable) unreadable" : nil,
    ].compactMap(\.self).joined(separator: ", ")
    let absent = counts.absent > 0 ? ", \(counts.absent) \(counts.isBounded ? "too large or " : "")not there" : ""
    let leftOut = imported.leftOut > 0 ? ", \(imported.leftOut) left out by limits" : ""
    return
      "\(Feed.spoken(address)) by \(way): \(posts); \(NumberText.count(imported.pictures, "picture"))\(absent)\(leftOut)"
  }

  var json: JSONMembers {
    var line = JSONMembers(present: ["address": address, "way": way, "feed": feed, "post": post])
    guard let counts else { return line }
    let imported = counts.imported
    for (name, number) in [
      ("new", imported.new), ("updated", imported.updated), ("unchanged", imported.unchanged), ("known", counts.known),
      ("deleted", imported.deleted), ("unreadable", imported.unreadable), ("pictures", imported.pictures),
      ("absent", counts.absent), ("left_out", imported.leftOut),
    ] { line[name] = number }
    return line
  }
}
