import Blobs
import HTTP
import S3Blobs

extension App {
  /// A part of a bucket, with connections of its own: sixteen pictures go at once, and no pull waits for them.
  ///
  /// - Throws: `S3ConfigurationError` if no key is known.
  func bucket(_ address: S3Address) throws -> S3Blobs {
    S3Blobs(
      address, try S3Configuration(environment: environment),
      Self.s3Environment(of: paths, trustingEnvironment, cacheLimit: 0))
  }

  /// A place for the pictures of a library on a server.
  func place(_ address: BlobAddress) -> any BlobPlace {
    address.open { Self.s3Environment(of: paths, trustingEnvironment, cacheLimit: 0) }
  }

  /// What stores in a service need of this machine.
  static func s3Environment(
    of paths: LibraryPaths, _ environment: [String: String], cacheLimit: Int
  ) -> S3Environment {
    // As many requests at once as pictures are stored at once.
    let session = Session(agent: agent, limits: .init(downloads: 16, requests: 16), environment: environment)
    return S3Environment(
      variables: environment, client: session.blockingClient, folder: "\(paths.library)/cache/s3",
      cacheLimit: cacheLimit)
  }
}
