import FoundationEssentials
import Login
import Machine
import Storage

/// Up to where a library was copied into others, so that it can say what is not there yet.
///
/// The marks lie in the library's folder, in `copies.json`. A library in PostgreSQL has them in the folder of this machine.
/// Nothing depends on them: a copy compares everything, whatever they say.
package struct CopyMarks: Sendable {
  /// A copy that ended whole.
  package struct Mark: Codable, Equatable, Sendable {
    /// Where the library stood when the copy began.
    package var position: String
    /// When it began, by this machine's clock.
    package var time: String
  }

  /// What a library has to send.
  package struct Waiting: Equatable, Sendable {
    /// The other library, without a password.
    package let target: String
    /// The number of posts that changed.
    package let count: Int

    /// The words for it: `3 changes wait to be sent to postgresql://host/library`.
    ///
    /// - Parameter changes: The number with its noun: `3 changes`.
    package func text(_ changes: String) -> String {
      "\(changes) \(count == 1 ? "waits" : "wait") to be sent to \(target)"
    }
  }

  private struct Content: Codable {
    var copies: [String: Mark] = [:]
  }

  private let file: ProtectedFile
  /// More are not kept.
  private static let most = 100

  /// The marks of the library in a folder.
  package init(in folder: String) {
    file = ProtectedFile(folder: folder, name: "copies.json", content: "names of libraries")
  }

  /// The mark of a library; nil if no copy into it ended whole.
  package func mark(of target: String) -> Mark? { read().copies[target] }

  /// What waits for each library into which this one was copied.
  package func waiting(in store: Store) throws -> [Waiting] {
    try read().copies.keys.sorted().map { try waiting(for: $0, in: store) }
  }

  /// What waits for a library: what changed since the last copy that ended whole, or every post.
  package func waiting(for target: String, in store: Store) throws -> Waiting {
    guard let mark = mark(of: target) else {
      let stats = try store.stats()
      return Waiting(target: target, count: stats.posts + stats.deleted)
    }
    if let position = ChangePosition(mark.position), let count = try store.countChanges(after: position) {
      return Waiting(target: target, count: count)
    }
    // The log of changes is short.
    return Waiting(target: target, count: try store.countChanges(since: UTC.date(mark.time) ?? .distantPast))
  }

  /// Notes that a copy ended whole. A folder that cannot be written keeps no mark.
  package func note(_ mark: Mark, of target: String) {
    try? file.locked { () throws(AccountsError) in
      var content = read()
      content.copies[target] = mark
      if content.copies.count > Self.most, let oldest = content.copies.min(by: { $0.value.time < $1.value.time }) {
        content.copies[oldest.key] = nil
      }
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      if let data = try? encoder.encode(content) { try file.replace(with: Array(data)) }
    }
  }

  /// What somebody else wrote there counts for nothing.
  private func read() -> Content {
    guard let bytes = try? file.read() else { return Content() }
    return (try? JSONDecoder().decode(Content.self, from: Data(bytes))) ?? Content()
  }
}

extension CopyMarks.Mark {
  /// Where a library stands now.
  package init(_ store: Store, now: Date) throws(StorageError) {
    self.init(position: "\(try store.changePosition())", time: UTC.text(now))
  }
}
