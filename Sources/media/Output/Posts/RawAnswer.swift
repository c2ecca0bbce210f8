import Storage
import Terminal

/// The server's answer that contained a post.
struct RawAnswer {
  private let bytes: [UInt8]

  /// Throws if no answer of the post is stored, or it cannot be read any more.
  init(of whole: WholePost, in library: String) throws {
    guard let raw = whole.raw else {
      if whole.post.source == .manual {
        throw UsageError("post \(whole.post.id) was added by hand: no server gave an answer that could be printed")
      }
      throw StorageError.damaged(path: library, reason: "the answer kept of post \(whole.post.id) cannot be read")
    }
    bytes = raw
  }

  /// Byte for byte into a file or a pipe. On a terminal without control sequences.
  func print(to console: Console) throws {
    guard console.outputIsTerminal else { return try console.verbatim(bytes) }
    try console.result(SafeText(String(decoding: bytes, as: UTF8.self), keepingLines: true))
  }
}
