import Folders
import Foundation
import Testing

/// A command under way. Its output goes to files, so that it never blocks on a pipe.
final class Running: Sendable {
  private let process: StartedProgram
  private let input: FileHandle
  private let said: String
  private let ended: AsyncStream<Int32>

  init(_ program: String, _ arguments: [String], _ environment: [String: String], said: String) throws {
    self.said = said
    let pipe = Pipe()
    input = pipe.fileHandleForWriting
    let outputs = [try Self.file("\(said).out"), try Self.file("\(said).err")]
    let process = try StartedProgram(
      program, arguments, environment: environment, input: pipe.fileHandleForReading, output: outputs[0],
      errors: outputs[1])
    for file in outputs + [pipe.fileHandleForReading] { try file.close() }
    self.process = process
    let (ended, end) = AsyncStream.makeStream(of: Int32.self)
    self.ended = ended
    Thread.detachNewThread {
      end.yield(process.wait())
      end.finish()
    }
  }

  var output: String { Self.text("\(said).out") }
  var errors: String { Self.text("\(said).err") }

  func type(_ text: String) { try? input.write(contentsOf: Data(text.utf8)) }
  func endInput() { try? input.close() }
  func signal(_ number: Int32) { process.signal(number) }

  var isRunning: Bool { process.isRunning }

  /// Waits until standard output or error contains a text. If it never does, the test's time limit ends the test.
  func says(_ word: String) async throws {
    while !output.contains(word), !errors.contains(word) {
      try await pause()
    }
  }

  /// The first whole line of standard output with a prefix.
  func line(_ beginning: String) async throws -> String {
    while true {
      let whole = output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      if let line = whole.first(where: { $0.hasPrefix(beginning) }) { return String(line) }
      try await pause()
    }
  }

  private func pause() async throws {
    let goesOn = isRunning
    try #require(goesOn, "\(output)\(errors)")
    try await Task.sleep(for: .milliseconds(10))
  }

  /// Waits for the end. A test that runs out of time also ends the command.
  func end() async throws -> Ended {
    let status = await withTaskCancellationHandler {
      await ended.first { _ in true }
    } onCancel: {
      signal(SIGKILL)
    }
    guard let status else { throw CancellationError() }
    return Ended(status: status, output: output, errors: errors)
  }

  deinit { if isRunning { signal(SIGKILL) } }

  private static func file(_ path: String) throws -> FileHandle {
    try #require(FileManager.default.createFile(atPath: path, contents: nil))
    return try #require(FileHandle(forWritingAtPath: path))
  }

  private static func text(_ path: String) -> String {
    String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
  }
}
