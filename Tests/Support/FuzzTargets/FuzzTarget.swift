/// A reader of untrusted bytes, with its promises for any bytes.
///
/// The fuzzer and the replay of its corpora run the same targets, so the replay guards what the fuzzer found.
public struct FuzzTarget: Sendable {
  /// The name of the target and of its corpus.
  public let name: String
  /// The most bytes the fuzzer generates.
  public let longest: Int
  private let body: @Sendable ([UInt8]) async throws -> Void

  /// Creates a target.
  public init(_ name: String, longest: Int = 4096, _ body: @escaping @Sendable ([UInt8]) async throws -> Void) {
    self.name = name
    self.longest = longest
    self.body = body
  }

  /// Reads the bytes. Throws `BrokenPromise` if the result breaks a promise.
  public func read(_ bytes: [UInt8]) async throws { try await body(bytes) }

  /// Every target that needs only library code.
  public static let all: [FuzzTarget] = pages + texts + fields + files
}

/// A promise for any bytes was broken.
public struct BrokenPromise: Error, CustomStringConvertible {
  /// The promise.
  public let description: String
}

/// Checks promises.
public func promise(_ words: @autoclosure () -> String, _ isKept: Bool) throws {
  if !isKept { throw BrokenPromise(description: words()) }
}

extension String {
  /// Whether it neither steers a terminal nor begins a line.
  var isOneLine: Bool { !unicodeScalars.contains { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) } }
}
