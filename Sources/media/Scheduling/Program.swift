import Foundation
import Posts

/// Another program, run to its end.
struct Program {
  let path: String

  /// Its exit status and output.
  struct Result {
    let status: Int32
    let output: [UInt8]
    let errors: String

    /// Its first line on standard error, else on standard output, else that it failed.
    var reason: String {
      let outputs = [errors, String(decoding: output, as: UTF8.self)]
      let line = outputs.lazy.compactMap { $0.split(whereSeparator: \.isNewline).first }.first
      return line.map(String.init) ?? "status \(status)"
    }
  }

  /// Finds a program on PATH.
  init?(_ name: String, _ environment: [String: String]) {
    guard let path = Programs.onPath(name, environment) else { return nil }
    self.path = path
  }

  /// Runs it. Only for programs that read all input before they write, and write little to standard error.
  func run(_ arguments: [String], input: [UInt8] = []) throws -> Result {
    let process = Process()
    (process.executableURL, process.arguments) = (URL(fileURLWithPath: path), arguments)
    let (toIt, fromIt, errors) = (Pipe(), Pipe(), Pipe())
    (process.standardInput, process.standardOutput, process.standardError) = (toIt, fromIt, errors)
    try process.run()
    try? toIt.fileHandleForWriting.write(contentsOf: Data(input))
    try? toIt.fileHandleForWriting.close()
    let output = fromIt.fileHandleForReading.readDataToEndOfFile()
    let errorOutput = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Result(
      status: process.terminationStatus, output: Array(output), errors: String(decoding: errorOutput, as: UTF8.self))
  }
}
