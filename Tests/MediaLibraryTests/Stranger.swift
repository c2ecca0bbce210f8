import Folders
import Foundation
import Testing

/// Another process that writes to a library: SQLite's shell, which gets one command a line.
final class OtherProcess {
  private let process: StartedProgram
  private let commands = Pipe()
  private let answers = Pipe()
  private var syncCount = 0

  /// The time limit for its commands, in milliseconds: far longer than they ever need.
  private static let timeLimit: Int32 = 60_000

  init(at folder: String) throws {
    let (input, output) = (commands.fileHandleForReading, answers.fileHandleForWriting)
    process = try StartedProgram(
      "/usr/bin/sqlite3", ["-batch", "-bail", "\(folder)/media.sqlite"], input: input, output: output)
    for file in [input, output] { try file.close() }
    try send(".timeout 30000")
  }

  /// Sends a command, and does not wait for it.
  func send(_ command: String) throws { try commands.fileHandleForWriting.write(contentsOf: Data("\(command)\n".utf8)) }

  /// Returns when all commands are committed.
  func waitForCommits() throws {
    syncCount += 1
    try send("SELECT 'done \(syncCount)';")
    let output = answers.fileHandleForReading
    var received = Data()
    while !received.hasSuffix("done \(syncCount)\n") {
      var file = pollfd(fd: output.fileDescriptor, events: Int16(POLLIN), revents: 0)
      try #require(poll(&file, 1, Self.timeLimit) > 0, "the other process says nothing")
      let chunk = output.availableData
      try #require(!chunk.isEmpty, "the other process has ended")
      received += chunk
    }
  }

  deinit {
    try? commands.fileHandleForWriting.close()
    process.wait()
  }
}

extension Data {
  fileprivate func hasSuffix(_ text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }
}
