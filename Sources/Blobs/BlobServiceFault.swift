/// Why a service that has a store of blobs cannot be used.
public struct BlobServiceFault: Sendable, Hashable {
  /// What kind of help it needs.
  public enum Kind: Sendable, Hashable {
    /// It does not answer, or has a failure of its own. Waiting helps.
    case unavailable
    /// It does not let this user in.
    case refused
    /// It is used in a wrong way: another name, another region.
    case misconfigured
  }

  /// The kind.
  public let kind: Kind
  /// The address of the store, such as `s3://bucket/prefix`.
  public let location: String
  /// Why, as a clause.
  public let reason: String
  /// What to do, as a clause.
  public let cure: String

  /// Creates a fault of the service at `location`, with its reason and its cure in words.
  public init(_ kind: Kind, location: String, reason: String, cure: String) {
    (self.kind, self.location, self.reason, self.cure) = (kind, location, reason, cure)
  }
}
