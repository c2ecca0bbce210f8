import Blobs
import FoundationEssentials
import Machine

/// Opens stored files in the user's or the system's program. The program receives a copy, so that its changes do not reach
/// the library.
struct Viewer: Sendable {
  /// A stored file.
  struct File: Sendable, Equatable {
    /// Its bytes.
    let blob: BlobID
    /// Its own name, if it has one.
    let name: String?
  }

  private let blobs: any BlobStoring
  private let environment: [String: String]
  private let copies: PrivateCopies

  /// The number of bytes by which a file that is no picture is judged.
  private static let headLength = 64 << 10
  /// What xdg-open exits with if it finds no program, or none that does it (xdg-open(1)).
  private static let nothingFound: ClosedRange<Int32> = 3...4

  /// A viewer of a library's files.
  init(blobs: any BlobStoring, environment: [String: String], now: @escaping @Sendable () -> Date) {
    (self.blobs, self.environment) = (blobs, environment)
    copies = PrivateCopies(of: blobs, environment: environment, now: now)
  }

  /// Passes a copy of a file to the program, and returns at once.
  ///
  /// - Parameters:
  ///   - line: The user's shell command; nil for the system's program.
  ///   - onFailure: Called when the program fails.
  func open(
    _ file: File, with line: String?, onFailure: @escaping @Sendable (ViewerError) -> Void
  ) throws(ViewerError) {
    let (child, type) = try start(file, with: line)
    child.waitInBackground { status in Self.failure(status, of: line, type).map(onFailure) }
  }

  /// Passes a copy of a file to the program, and waits for the program's end.
  func openAndWait(_ file: File, with line: String?) throws(ViewerError) {
    let (child, type) = try start(file, with: line)
    if let failure = Self.failure(child.wait(), of: line, type) { throw failure }
  }

  /// Removes the copies, except those that a program may not have read yet.
  func close() { copies.close() }

  private static func failure(_ status: Int32, of line: String?, _ type: String) -> ViewerError? {
    if status == 0 { return nil }
    if line == nil, nothingFound.contains(status) { return .noProgram(type) }
    return .ended(line ?? "xdg-open", status: status)
  }

  private func start(_ file: File, with line: String?) throws(ViewerError) -> (child: ChildProcess, type: String) {
    let type = try type(of: file)
    let (program, arguments) = try opener(line, type.mediaType)
    let name = type.fileName(file.name, fallback: String(file.blob.hex.prefix(16)))
    let path = try copies.copy(file.blob, named: name)
    guard let child = try? ChildProcess(program, arguments + [path]) else {
      throw .ended(line ?? "xdg-open", status: 127)
    }
    return (child, type.mediaType)
  }

  private func type(of file: File) throws(ViewerError) -> OpenableType {
    guard let header = try? blobs.header(of: file.blob), let head = try? blobs.fetch(file.blob, 0..<Self.headLength)
    else { throw .unreadable }
    return try OpenableType(header.type, head: head, name: file.name)
  }

  private func opener(_ line: String?, _ type: String) throws(ViewerError) -> (program: String, arguments: [String]) {
    // The file's name is an argument, and never a part of what the shell parses.
    if let line { return ("/bin/sh", ["-c", "\(line) \"$1\"", "sh"]) }
    let hasDesktop = ["DISPLAY", "WAYLAND_DISPLAY"].contains { environment[$0]?.isEmpty == false }
    guard hasDesktop, let program = Programs.onPath("xdg-open", environment) else { throw .noProgram(type) }
    return (program, [])
  }
}
