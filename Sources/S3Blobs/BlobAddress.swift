import Blobs
import HTTP
import Posts

/// Where the blobs of a library are, as it is written in the library's address: `/folder` or `s3://bucket/prefix`.
public enum BlobAddress: Sendable, Hashable, CustomStringConvertible {
  /// A folder that all machines that use the library have mounted. Blobs are in `blobs/` within it.
  case folder(String)
  /// A part of a bucket.
  case s3(S3Address)

  /// Reads an address.
  ///
  /// - Throws: `BlobAddressError` if it is neither an absolute path nor an `s3://` address.
  public init(_ text: String) throws(BlobAddressError) {
    if let address = S3Address(text) {
      self = .s3(address)
    } else if text.hasPrefix("/"), !text.utf8.contains(0), !text.contains("\n") {
      var path = text[...]
      while path.count > 1, path.hasSuffix("/") { path.removeLast() }
      self = .folder(String(path))
    } else {
      throw text.hasPrefix(S3Address.scheme) ? .badBucket(text) : .unknown(text)
    }
  }

  /// As it is written.
  public var description: String {
    switch self {
    case .folder(let path): path
    case .s3(let address): address.description
    }
  }

  /// Opens the store. Nothing is asked or created yet, and no key is looked for: a service that is away, or has no key,
  /// fails only what needs it.
  ///
  /// - Parameter environment: What a store in a service needs. It is not asked for if the store is a folder.
  public func open(_ environment: () -> S3Environment) -> any BlobPlace {
    switch self {
    case .folder(let path): DiskBlobs(library: path)
    case .s3(let address): S3Blobs(address, environment())
    }
  }
}

/// What a store in a service needs of this machine.
public struct S3Environment: Sendable {
  /// The variables of the process, with the usual names of Amazon's tools.
  public var variables: [String: String]
  /// The network.
  public var client: BlockingClient
  /// Time and randomness.
  public var time: BlockingTime
  /// The path of a folder of this machine, for bytes under way and for those that were read. It is created when needed.
  public var folder: String
  /// The number of bytes that are kept of those that were read or written. 0 keeps none.
  public var cacheLimit: Int

  /// Creates what a store needs of its machine.
  public init(
    variables: [String: String], client: BlockingClient, time: BlockingTime = .system, folder: String,
    cacheLimit: Int = 1 << 30
  ) {
    (self.variables, self.client, self.time) = (variables, client, time)
    (self.folder, self.cacheLimit) = (folder, cacheLimit)
  }
}

/// Why an address of blobs cannot be read.
public enum BlobAddressError: ExplainedError, Equatable {
  /// It is neither a path nor an address.
  case unknown(String)
  /// It has no bucket, or its prefix cannot be one.
  case badBucket(String)

  /// What failed, on what, and why.
  public var summary: String {
    switch self {
    case .unknown(let text): "\(text) is no place for the bytes of pictures"
    case .badBucket(let text): "\(text) names no bucket, or a prefix that cannot be one"
    }
  }
  /// What to do about it.
  public var cure: String? { "write s3://BUCKET/PREFIX, or the absolute path of a folder" }
  /// 64.
  public var exitCode: ExitCode { .usage }
}
