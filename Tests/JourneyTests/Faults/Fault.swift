import Folders
import Foundation
import Testing

/// What `Tests/Faults/fault.c` does to a command at one of the calls by which it changes files.
enum Fault: String, CaseIterable, Sendable {
  /// Kills before the call.
  case kill
  /// Kills after half of the bytes are written.
  case torn
  /// Writes half of the bytes, and returns that number.
  case short
  case interrupted = "EINTR"
  case failed = "EIO"
  /// No space, once.
  case cramped = "ENOSPC"
  /// No space from then on.
  case full

  var kills: Bool { self == .kill || self == .torn }

  /// Whether the fault can happen at such a call.
  func befalls(_ call: FileCall) -> Bool {
    switch self {
    case .kill, .failed: true
    case .torn, .short: call.name == "write"
    case .interrupted: ["write", "sync", "open", "truncate", "allocate"].contains(call.name)
    case .cramped, .full: ["write", "allocate", "rename", "link", "mkdir", "open"].contains(call.name)
    }
  }
}

/// A recorded call that changes a file.
struct FileCall: Sendable, CustomStringConvertible {
  let number: Int
  let name: String
  let path: String
  /// Whether it met the fault.
  let isStruck: Bool

  init?(_ line: Substring) {
    let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
    guard parts.count == 4, let number = Int(parts[0]) else { return nil }
    (self.number, name, path, isStruck) = (number, String(parts[1]), String(parts[3]), parts[2] != "-")
  }

  /// Without the middle of each long run of writes to one file: a fault there also shows at the run's ends.
  static func edges(of calls: [FileCall], count: Int = 3) -> [FileCall] {
    calls.enumerated().filter { index, call in
      let row = max(0, index - count)...min(calls.count - 1, index + count)
      return call.name != "write" || row.count <= 2 * count
        || calls[row].contains { $0.name != "write" || $0.path != call.path }
    }.map(\.element)
  }

  var description: String { "\(number), \(name) \(path)" }
}

/// A library that is preloaded into a command, built for each test.
struct Preload: Sendable {
  private let scratch: Scratch

  /// - Parameter name: Its source in `Tests/Faults`.
  init(_ name: String = "fault.c") async throws {
    scratch = try Scratch()
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let source = tests.deletingLastPathComponent().appendingPathComponent("Faults/\(name)").path
    let built = try await Sandbox().bash(
      "cc -shared -fPIC -O2 -Wall -Werror -o '\(scratch.path)/preloaded.so' '\(source)'")
    try #require(built.status == 0, "\(built.errors)")
  }

  /// A sandbox into whose commands it is loaded.
  func preloaded(into sandbox: Sandbox) -> Sandbox {
    var sandbox = sandbox
    let others = sandbox.environment["LD_PRELOAD"].map { ":\($0)" } ?? ""
    sandbox.environment["LD_PRELOAD"] = "\(scratch.path)/preloaded.so\(others)"
    return sandbox
  }

  /// A sandbox whose commands meet a fault at a call, or are only recorded.
  func sandbox(_ sandbox: Sandbox, _ fault: Fault? = nil, at number: Int = 0) -> Sandbox {
    var sandbox = preloaded(into: sandbox)
    sandbox.environment["FAULT_UNDER"] = [sandbox.library, sandbox.configuration].flatMap { [$0, kernelName($0)] }
      .map { "\($0):" }.joined()
    sandbox.environment["FAULT_LOG"] = log(of: sandbox)
    sandbox.environment["FAULT_KIND"] = fault?.rawValue
    sandbox.environment["FAULT_AT"] = String(number)
    return sandbox
  }

  /// The calls of a sandbox's commands.
  func calls(in sandbox: Sandbox) -> [FileCall] {
    let text = FileManager.default.contents(atPath: log(of: sandbox)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    return text.split(separator: "\n").compactMap(FileCall.init)
  }

  /// A path as the kernel reports it for an open file.
  private func kernelName(_ path: String) -> String { URL(fileURLWithPath: path).standardizedFileURL.path }

  private func log(of sandbox: Sandbox) -> String { "\(sandbox.folder)/calls" }
}
