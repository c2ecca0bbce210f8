import FoundationEssentials
import Machine

/// What a backup's folder says of itself, in the file `media-backup.json`. Without it a folder is no backup.
struct BackupMark: Codable, Equatable {
  static let fileName = "media-backup.json"
  /// The newest form that this program knows.
  static let newest = 1
  /// A file that is larger was not written by this program.
  static let mostBytes = 64 << 10

  /// The form of this file.
  var form = newest
  /// Names the library, across restores of it.
  var library: String
  /// The version of the store that was copied; nil if the next backup has to copy it again.
  var version: String?
  /// The number of the last change in the copied store.
  var changes: Int64
  /// Whether every blob that the copied store names was copied.
  var isWhole: Bool
  /// The hash of the store's file, if the backup is in a service.
  var store: String?
  /// When the last backup ended, in UTC.
  var endedAt: String

  /// Reads the file's bytes; nil if this program does not understand them.
  init?(_ bytes: [UInt8]) {
    guard let mark = try? JSONDecoder().decode(BackupMark.self, from: Data(bytes)), mark.form <= Self.newest else {
      return nil
    }
    self = mark
  }

  init(library: String, version: String?, changes: Int64, isWhole: Bool, endedAt: Date) {
    (self.library, self.version, self.changes, self.isWhole) = (library, version, changes, isWhole)
    self.endedAt = UTC.text(endedAt)
  }

  /// The file's bytes.
  func bytes() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    return Array(try encoder.encode(self)) + [0x0A]
  }
}
