/// One way by which bytes from outside come in, with what it promises whatever the bytes are.
///
/// The fuzzer and the replay of its corpora run the same targets, so that what one found the other keeps.
public struct FuzzTarget: Sendable {
  /// By which people ask for it; the name of its corpus, too.
  public let name: String
  /// The most bytes the fuzzer makes up.
  public let longest: Int
  private let body: @Sendable ([UInt8]) async throws -> Void

  /// A target from its parts.
  public init(_ name: String, longest: Int = 4096, _ body: @escaping @Sendable ([UInt8]) async throws -> Void) {
    self.name = name
    self.longest = longest
    self.body = body
  }

  /// Reads the bytes. `BrokenPromise` where what came out is not what was promised.
  public func read(_ bytes: [UInt8]) async throws { try await body(bytes) }

  /// Every target that library code alone makes up.
  public static let all: [FuzzTarget] = pages + texts + fields + files
}

/// That something which was to hold for any bytes did not.
public struct BrokenPromise: Error, CustomStringConvertible {
  /// What was promised.
  public let description: String
}

/// Holds code to its word.
public func promise(_ words: @autoclosure () -> String, _ isKept: Bool) throws {
  if !isKept { throw BrokenPromise(description: words()) }
}

extension String {
  /// Whether nothing in it steers a terminal or begins a line.
  var isOneLine: Bool { !unicodeScalars.contains { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) } }
}
