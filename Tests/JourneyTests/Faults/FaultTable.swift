import Foundation

/// The rounds of a long run, a line each, for `Scripts/faults` to count.
enum FaultTable {
  private static let environment = ProcessInfo.processInfo.environment

  /// Whether a deed is asked for; without a word all are.
  static func wants(_ deed: String) -> Bool {
    let wanted = environment["MEDIA_DEEDS"]?.split(separator: " ") ?? []
    return wanted.isEmpty || wanted.contains { $0 == deed }
  }

  /// Notes a round: how the command ended, how much of the undisturbed library was lost, and how many pages were
  /// fetched twice.
  static func note(_ deed: String, _ fault: String, _ status: Int32, lost: Int, pagesTwice: Int = 0) throws {
    guard let path = environment["MEDIA_FAULTS"] else { return }
    let line = Array("\(deed)\t\(fault)\t\(status)\t\(lost)\t\(pagesTwice)\n".utf8)
    let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    defer { close(file) }
    // In one call, so that rounds at once do not run into each other.
    guard write(file, line, line.count) == line.count else { throw CocoaError(.fileWriteUnknown) }
  }
}
