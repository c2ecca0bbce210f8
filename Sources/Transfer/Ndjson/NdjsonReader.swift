import JSONReading
import Posts
import Storage

/// Reads the lines that `NdjsonWriter` writes. Each line is decoded by itself: one that cannot be read costs no other.
public struct NdjsonReader {
  /// A line of a file.
  public enum Line: Sendable, Equatable {
    /// A record.
    case record(LibraryRecord, bytes: [UInt8])
    /// The file's end, with the number of posts that it has.
    case end(posts: Int)
    /// A line that cannot be read: why not, and its bytes.
    case unreadable(reason: String, bytes: [UInt8])
  }

  private let read: () throws -> [UInt8]
  private var buffer: [UInt8] = []
  private var index = 0
  private var isAtEnd = false
  private var isBegun = false
  /// Whether the file says that it has everything.
  public private(set) var isWhole = false

  /// The most bytes of a line. A verbatim answer takes up to 16 MB.
  static let longest = 64 << 20

  /// - Parameter read: Returns the file's next bytes; none at its end.
  public init(read: @escaping () throws -> [UInt8]) { self.read = read }

  /// The next line; nil at the end.
  ///
  /// - Throws: `NdjsonError` if the file is none of this form, or what `read` throws.
  public mutating func next() throws -> Line? {
    while var line = try bytes() {
      if !isBegun { line = Self.unmarked(line) }
      if line.allSatisfy(Self.isSpace) { continue }
      if !isBegun {
        try begin(line)
        continue
      }
      guard line.count < Self.longest else { return .unreadable(reason: "it is too long", bytes: line) }
      guard let object = JSONObject(line) else {
        return .unreadable(reason: "it is not JSON", bytes: line)
      }
      if object.string("type") == "end" { return .end(posts: object.integer("posts") ?? 0) }
      guard let record = object.record else {
        return .unreadable(reason: "it is no record of a library", bytes: line)
      }
      return .record(record, bytes: line)
    }
    if !isBegun { throw NdjsonError.empty }
    return nil
  }

  /// Whether a file's beginning is that of this form, with any white space.
  public static func recognizes(_ start: [UInt8]) -> Bool {
    let line = unmarked(start).drop(while: isSpace).prefix { $0 != 0x0A }
    return line.first == UInt8(ascii: "{") && JSONObject(Array(line))?.string("type") == "library"
  }

  /// A text without the byte order mark that editors on Windows put before it.
  private static func unmarked(_ text: [UInt8]) -> [UInt8] {
    text.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(text.dropFirst(3)) : text
  }

  private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

  private mutating func begin(_ line: [UInt8]) throws {
    guard let header = JSONObject(line), header.string("type") == "library", let version = header.integer("version")
    else { throw NdjsonError.notALibrary }
    guard version <= NdjsonWriter.version else { throw NdjsonError.newer(version) }
    isWhole = header.bool("whole") ?? false
    isBegun = true
  }

  /// The bytes of the next line, cut where it is too long.
  private mutating func bytes() throws -> [UInt8]? {
    var line: [UInt8] = []
    var isAny = false
    while true {
      if index == buffer.count {
        guard !isAtEnd else { return isAny ? line : nil }
        buffer = try read()
        index = 0
        isAtEnd = buffer.isEmpty
        continue
      }
      isAny = true
      let end = buffer[index...].firstIndex(of: 0x0A)
      line += buffer[index..<(end ?? buffer.count)].prefix(Self.longest - line.count)
      index = end.map { $0 + 1 } ?? buffer.count
      if end != nil { return line }
    }
  }
}

/// Why a file is no library in lines of JSON.
public enum NdjsonError: ExplainedError, Equatable {
  /// It has nothing.
  case empty
  /// It does not begin as exports do.
  case notALibrary
  /// It has a later version of the form.
  case newer(Int)

  /// What failed.
  public var summary: String {
    switch self {
    case .empty: "the file is empty"
    case .notALibrary: "the file does not begin as a library's export does"
    case .newer(let version):
      "the file has version \(version) of the form, and this version of media reads up to \(NdjsonWriter.version)"
    }
  }

  /// What to do about it.
  public var cure: String? {
    switch self {
    case .newer: "install the newer version"
    case .empty, .notALibrary: "give a file that \"media export\" wrote"
    }
  }

  /// The exit status of the command.
  public var exitCode: ExitCode { .unreadable }
}
