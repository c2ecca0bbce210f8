import Glibc

/// The journal of systemd, as a stream of this process leads to it.
public enum Journal {
  /// How much a line matters, as syslog(3) numbers it.
  public enum Priority: Int, Sendable { case error = 3, warning = 4, notice = 5, info = 6 }

  /// Whether a stream leads to the journal. `JOURNAL_STREAM` alone does not say so: a child whose output goes elsewhere
  /// inherits it, so the device and the inode that it names count (systemd.exec(5)).
  ///
  /// - Parameters:
  ///   - file: The stream's descriptor.
  ///   - named: The value of `JOURNAL_STREAM`; nil if it is not set.
  public static func isReached(by file: Int32, named: String?) -> Bool {
    var status = stat()
    guard let named, fstat(file, &status) == 0 else { return false }
    return named == "\(status.st_dev):\(status.st_ino)"
  }

  /// Lines with their priority before each of them, as the journal reads it (sd-daemon(3)).
  public static func lines(_ text: String, _ priority: Priority) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { "<\(priority.rawValue)>\($0)" }
      .joined(separator: "\n")
  }
}
