import Terminal
import Transfer

/// Where an export goes: a file, or standard output.
final class ExportOutput {
  private let file: NewFile?
  private let console: Console
  private var waiting: [UInt8] = []
  /// How many bytes were written.
  private(set) var byteCount = 0

  /// Opens it. A file that cannot be written is found out before the library is read.
  ///
  /// - Parameters:
  ///   - path: The file's path; nil, or `-`, for standard output.
  ///   - replaces: Whether it may take the place of another file.
  ///   - isPrivate: Whether only its owner may read it, whatever others of the person's files allow.
  init(path: String?, replaces: Bool, isPrivate: Bool = false, console: Console) throws {
    self.console = console
    file = try path.flatMap { $0 == "-" ? nil : $0 }.map {
      try NewFile(at: $0, mode: isPrivate ? 0o600 : CallerUmask.fileMode, replaces: replaces)
    }
  }

  /// Its file; nil for standard output.
  var path: String? { file?.path }

  /// Adds text at its end.
  ///
  /// - Throws: `Console.ClosedPipe` if the reader has closed the pipe, `NewFileError` or `OutputError`.
  func write(_ text: String) throws {
    if console.outputIsTerminal, file == nil { return try console.results(SafeText(text, keepingLines: true)) }
    try write(text.utf8)
  }

  /// Adds bytes at its end. A terminal shows them as text.
  func write(_ bytes: some Sequence<UInt8>) throws {
    if console.outputIsTerminal, file == nil { return try write(String(decoding: Array(bytes), as: UTF8.self)) }
    let before = waiting.count
    waiting += bytes
    byteCount += waiting.count - before
    if waiting.count >= 64 << 10 { try flush() }
  }

  /// Ends it. A file has its name then, and is on the disk.
  func finish() throws {
    try flush()
    do throws(NewFileError) { try file?.finish() } catch { throw Self.closedPipe(error) }
  }

  private func flush() throws {
    guard !waiting.isEmpty else { return }
    if let file {
      do throws(NewFileError) { try file.write(waiting) } catch { throw Self.closedPipe(error) }
    } else {
      try console.document(waiting)
    }
    waiting.removeAll(keepingCapacity: true)
  }

  private static func closedPipe(_ error: NewFileError) -> any Error {
    if case .closedPipe = error { return Console.ClosedPipe() }
    return error
  }
}
