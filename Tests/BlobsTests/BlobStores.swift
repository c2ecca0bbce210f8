import Folders
import Foundation
import MemoryBlobs
import S3Blobs
import S3Server
import Synchronization
import Testing

@testable import Blobs

/// Makes an empty store that the contract is checked with. A store of another kind is one more of these.
struct BlobStoreFactory: Sendable, CustomTestStringConvertible {
  let testDescription: String
  private let make: @Sendable () throws -> (any BlobStoring, AnyObject?)

  /// An empty store, and what has to live as long as it.
  func store() throws -> (store: any BlobStoring, keeper: AnyObject?) { try make() }

  static let all = [disk(.unnamed), disk(.named), memory, s3(cacheLimit: 0), s3(cacheLimit: 1 << 20)]

  private static func s3(cacheLimit: Int) -> BlobStoreFactory {
    BlobStoreFactory(testDescription: cacheLimit == 0 ? "S3" : "S3, cached") {
      let (server, scratch) = (try S3Server.shared(), try Scratch())
      let address = try #require(S3Address("s3://\(server.newBucket())/some/prefix"))
      return (
        S3Blobs(address, server.configuration(), server.environment(in: scratch.path, cacheLimit: cacheLimit)), scratch
      )
    }
  }

  static let memory = BlobStoreFactory(testDescription: "memory") { (MemoryBlobs(now: Ticks().next), nil) }

  private static func disk(_ style: DiskBlobs.DraftStyle) -> BlobStoreFactory {
    BlobStoreFactory(testDescription: "disk, \(style) drafts") {
      let scratch = try Scratch()
      return (DiskBlobs(library: scratch.path, style: style), scratch)
    }
  }
}

/// A clock that advances by a second with each reading.
final class Ticks: Sendable {
  private let count = Mutex(0.0)

  @Sendable func next() -> Date {
    count.withLock { count in
      count += 1
      return Date(timeIntervalSince1970: 1_800_000_000 + count)
    }
  }
}

extension BlobStoring {
  /// The names of all blobs, in the order of the pages.
  func names(limit: Int) throws -> [BlobID] {
    var (names, last): ([BlobID], BlobID?) = ([], nil)
    while true {
      let page = try page(after: last, limit: limit)
      #expect(page.count <= limit)
      guard let end = page.last else { return names }
      names += page.map(\.id)
      last = end.id
    }
  }
}
