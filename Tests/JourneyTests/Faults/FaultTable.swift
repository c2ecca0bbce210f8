import Foundation

/// The rounds of a long run, a line each, for `Scripts/faults` to count.
enum FaultTable {
  private static let environment = ProcessInfo.processInfo.environment

  /// Whether a scenario is selected; all by default.
  static func wants(_ action: String) -> Bool {
    let wanted = environment["MEDIA_DEEDS"]?.split(separator: " ") ?? []
    return wanted.isEmpty || wanted.contains { $0 == action }
  }

  /// Records a round: how the command ended, how much of the undisturbed library was lost, and how many pages were fetched
  /// twice.
  static func note(_ action: String, _ fault: String, _ status: Int32, lost: Int, pagesTwice: Int = 0) throws {
    guard let path = environment["MEDIA_FAULTS"] else { return }
    let line = Array("\(action)\t\(fault)\t\(status)\t\(lost)\t\(pagesTwice)\n".utf8)
    let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    defer { close(file) }
    // One write call, so that concurrent rounds do not mix.
    guard write(file, line, line.count) == line.count else { throw CocoaError(.fileWriteUnknown) }
  }
}
