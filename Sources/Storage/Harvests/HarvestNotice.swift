import FoundationEssentials
import Machine

/// Something that needs a person's attention, apart from what a harvest brought.
public struct HarvestNotice: Sendable, Hashable {
  /// The subject, most urgent first.
  public enum Kind: String, Sendable, CaseIterable {
    /// The library's disk is nearly full.
    case disk
    /// A login expires soon, or has expired.
    case login
    /// A feed has failed for days.
    case feed
    /// A rule found new posts that the person wants to hear of.
    case rule
    /// The person's own command for notices failed.
    case notify
  }

  /// The subject.
  public let kind: Kind
  /// Which disk, login, feed, rule or command.
  public let about: String
  /// One sentence that includes what to do.
  public let message: String

  /// Creates a notice.
  public init(_ kind: Kind, about: String, message: String) {
    self.kind = kind
    self.about = about
    self.message = message
  }
}

extension Store {
  /// Stores the notices of a harvest.
  ///
  /// - Parameters:
  ///   - notices: The notices.
  ///   - run: The number of the harvest.
  ///   - toldAt: When the person's command received them, or nil if it did not.
  /// - Throws: `StorageError` if the library cannot be written.
  public func keep(_ notices: [HarvestNotice], of run: Int64, toldAt: Date?) throws(StorageError) {
    try write { db in
      for notice in notices {
        try db.run(
          "INSERT INTO run_notice (run, kind, about, words, told_at) VALUES ($1, $2, $3, $4, $5)",
          [run, notice.kind.rawValue, notice.about.storable, notice.message.storable, toldAt.map(UTC.text)]
        )
      }
    }
  }

  /// The notices that the person's command has not received since a moment. Notices are equal if kind and subject are.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func undelivered(_ notices: [HarvestNotice], since moment: Date) throws(StorageError) -> [HarvestNotice] {
    try read { db in
      let delivered = try db.rows("SELECT kind, about FROM run_notice WHERE told_at > $1", [UTC.text(moment)]) {
        [try $0["kind"] as String, try $0["about"]]
      }
      return notices.filter { !delivered.contains([$0.kind.rawValue, $0.about]) }
    }
  }

  static func notices(of run: Int64, in db: Database) throws -> [HarvestNotice] {
    try db.rows("SELECT kind, about, words FROM run_notice WHERE run = $1 ORDER BY id", [run]) { row in
      let (kind, about, message): (String, String, String) = try (row["kind"], row["about"], row["words"])
      return HarvestNotice.Kind(rawValue: kind).map { HarvestNotice($0, about: about, message: message) }
    }.compactMap(\.self)
  }
}
