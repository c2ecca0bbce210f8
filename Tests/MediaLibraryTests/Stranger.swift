import Foundation
import Testing

/// Another process that writes to a library: SQLite's shell, told what to do a line at a time.
final class Stranger {
  private let process = Process()
  private let orders = Pipe()
  private let answers = Pipe()
  private var told = 0

  /// How long it may take for what it was told, in milliseconds: far longer than it ever needs.
  private static let patience: Int32 = 60_000

  init(at folder: String) throws {
    process.executableURL = URL(filePath: "/usr/bin/sqlite3")
    process.arguments = ["-batch", "-bail", "\(folder)/media.sqlite"]
    process.standardInput = orders
    process.standardOutput = answers
    try process.run()
    try tell(".timeout 30000")
  }

  /// Gives an order, and does not wait for it.
  func tell(_ order: String) throws { try orders.fileHandleForWriting.write(contentsOf: Data("\(order)\n".utf8)) }

  /// Returns when everything it was told is committed.
  func settle() throws {
    told += 1
    try tell("SELECT 'done \(told)';")
    let output = answers.fileHandleForReading
    var heard = Data()
    while !heard.hasSuffix("done \(told)\n") {
      var file = pollfd(fd: output.fileDescriptor, events: Int16(POLLIN), revents: 0)
      try #require(poll(&file, 1, Self.patience) > 0, "the other process says nothing")
      let some = output.availableData
      try #require(!some.isEmpty, "the other process has ended")
      heard += some
    }
  }

  deinit {
    try? orders.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}

extension Data {
  fileprivate func hasSuffix(_ text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }
}
