import Blobs
import Folders
import Foundation
import HTTP
import S3Blobs
import S3Server
import Testing

/// Where the pictures of a library that machines share may be.
enum SharedPlace: CaseIterable {
  case folder, bucket

  /// A new store of blobs.
  func blobs(_ scratch: Scratch) throws -> any BlobStoring {
    switch self {
    case .folder: DiskBlobs(library: "\(scratch.path)/pictures")
    case .bucket: try Self.bucket(scratch)
    }
  }

  /// A new bucket.
  ///
  /// - Parameter before: Is called before each request.
  static func bucket(_ scratch: Scratch, before: (@Sendable (Request) -> Void)? = nil) throws -> S3Blobs {
    let server = try S3Server.shared()
    return try store(at: "s3://\(server.newBucket())/p", scratch, before: before)
  }

  /// A store as another machine has it.
  static func store(
    at address: String, _ scratch: Scratch, before: (@Sendable (Request) -> Void)? = nil
  ) throws -> S3Blobs {
    let server = try S3Server.shared()
    var environment = server.environment(in: "\(scratch.path)/\(UUID().uuidString)")
    if let before {
      let inner = environment.client
      environment.client = BlockingClient { request, sink throws(TransportError) in
        before(request)
        return try inner.send(request, sink)
      }
    }
    return S3Blobs(try #require(S3Address(address)), server.configuration(), environment)
  }
}
