import Foundation
import Machine
import Synchronization

/// A program that a test started, and that ends on its own or is killed.
///
/// Tests do not start programs by Foundation's `Process`: to find the open files it reads up to 256 bytes for each of their
/// names. Where some 1,300 files are open, which many tests at once have, it reads beyond its buffer, and the test process
/// ends (swift-corelibs-foundation #5472, in Swift 6.3.1).
public final class StartedProgram: Sendable {
  /// Its process identifier.
  public let id: pid_t
  /// Set as soon as the identifier may belong to another process.
  private let status = Mutex<Int32?>(nil)

  /// Starts a program, found by its path. It inherits the environment if none is given. Standard files that are nil are
  /// /dev/null.
  public init(
    _ path: String, _ arguments: [String] = [], environment: [String: String]? = nil, input: FileHandle? = nil,
    output: FileHandle? = nil, errors: FileHandle? = nil
  ) throws {
    let variables = environment?.map { "\($0)=\($1)" }
    do {
      id = try Spawning.start(
        path, arguments, environment: variables,
        files: (input?.fileDescriptor, output?.fileDescriptor, errors?.fileDescriptor))
    } catch {
      throw POSIXError(POSIXErrorCode(rawValue: error.code) ?? .ENOEXEC, userInfo: [NSFilePathErrorKey: path])
    }
  }

  /// Whether it runs, or has ended and nobody has waited for it.
  public var isRunning: Bool { status.withLock { $0 == nil } }

  /// Sends it a signal if it runs.
  public func signal(_ number: Int32) {
    status.withLock { if $0 == nil { _ = kill(id, number) } }
  }

  /// Waits for its end, on this thread. Returns its status as a shell reports it: 128 and the signal's number if a signal
  /// ended it.
  @discardableResult
  public func wait() -> Int32 {
    var info = siginfo_t()
    // It stays a zombie, so that no other process has its identifier before the lock is held.
    while waitid(P_PID, id_t(id), &info, WEXITED | WNOWAIT) < 0, errno == EINTR {}
    return status.withLock { status in
      if let status { return status }
      var code: Int32 = 0
      while waitpid(id, &code, 0) < 0, errno == EINTR {}
      let signal = code & 0x7F
      let ended = signal == 0 ? code >> 8 & 0xFF : 128 + signal
      status = ended
      return ended
    }
  }

  /// Runs a program to its end and returns what it wrote to its standard output and standard error.
  public static func run(_ path: String, _ arguments: [String] = []) throws -> (status: Int32, output: String) {
    let pipe = Pipe()
    let writing = pipe.fileHandleForWriting
    let program = try StartedProgram(path, arguments, output: writing, errors: writing)
    try writing.close()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    return (program.wait(), String(decoding: output, as: UTF8.self))
  }
}
