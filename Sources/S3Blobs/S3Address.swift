import Blobs

/// Where a store of blobs is in an S3 service: a bucket, and what its keys begin with.
public struct S3Address: Sendable, Hashable, CustomStringConvertible {
  /// The bucket's name.
  public let bucket: String
  /// What keys begin with, such as `pictures/mine`, without slashes at its ends. It may be empty.
  public let prefix: String

  /// `s3://bucket/prefix`.
  public var description: String { prefix.isEmpty ? "s3://\(bucket)" : "s3://\(bucket)/\(prefix)" }

  /// The beginning of an address.
  static let scheme = "s3://"
  /// The maximum length of a prefix in bytes. Keys have 1,024 at most.
  private static let longestPrefix = 800

  /// Reads `s3://bucket/prefix`. Returns nil for anything else, and for names that no service allows.
  public init?(_ text: String) {
    guard text.hasPrefix(Self.scheme), text.utf8.count < 1024 else { return nil }
    let parts = text.dropFirst(Self.scheme.count).split(separator: "/", omittingEmptySubsequences: false)
    guard let bucket = parts.first, Self.isBucket(bucket) else { return nil }
    let folders = parts.dropFirst().reversed().drop { $0.isEmpty }.reversed()
    guard folders.allSatisfy(Self.isFolder) else { return nil }
    (self.bucket, prefix) = (String(bucket), folders.joined(separator: "/"))
    guard prefix.utf8.count <= Self.longestPrefix else { return nil }
  }

  /// Amazon's names are shorter and in lower case; other services allow these.
  private static func isBucket(_ name: Substring) -> Bool {
    let isWord = { (byte: UInt8) in Unicode.Scalar(byte).properties.isAlphabetic || (48...57).contains(byte) }
    guard (3...255).contains(name.utf8.count), let first = name.utf8.first, first < 128, isWord(first) else {
      return false
    }
    return name.utf8.allSatisfy { $0 < 128 && (isWord($0) || "._-".utf8.contains($0)) }
  }

  private static func isFolder(_ name: Substring) -> Bool {
    !name.isEmpty && name != "." && name != ".." && name.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 127 }
  }
}

/// The keys of a store.
extension S3Address {
  /// The key of something in the store.
  func key(_ name: String) -> String { prefix.isEmpty ? name : "\(prefix)/\(name)" }

  /// What all keys of blobs begin with.
  var blobs: String { key("blobs/") }

  /// The key of a blob, as the path in a folder: `blobs/ab/…`.
  func key(_ id: BlobID) -> String { key(id.path) }

  /// The key of the object that is written whenever a blob's bytes are stored again.
  func renewalKey(_ id: BlobID) -> String { key(id) + Self.renewal }
  static let renewal = ".kept"

  /// What all keys begin with that announce a removal.
  var removals: String { key("removing/") }

  /// What a key within `blobs/` stands for.
  func name(ofKey key: String) -> (id: BlobID, isRenewal: Bool)? {
    guard key.hasPrefix(blobs) else { return nil }
    var rest = key.dropFirst(blobs.count)
    let isRenewal = rest.hasSuffix(Self.renewal)
    if isRenewal { rest = rest.dropLast(Self.renewal.count) }
    let parts = rest.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].utf8.count == 2, let id = BlobID("\(parts[0])\(parts[1])") else { return nil }
    return (id, isRenewal)
  }
}
