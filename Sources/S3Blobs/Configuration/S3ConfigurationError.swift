import Posts

/// Why a service cannot be asked.
public enum S3ConfigurationError: ExplainedError, Equatable {
  /// No key is known.
  case noKey
  /// The named profile does not exist.
  case noProfile(String)
  /// The service's address cannot be read.
  case badEndpoint(String)
  /// The region cannot be one.
  case badRegion(String)

  /// What failed, on what, and why.
  public var summary: String {
    switch self {
    case .noKey: "no key for the S3 service is known"
    case .noProfile(let name): "there is no profile \(name) in ~/.aws/credentials and ~/.aws/config"
    case .badEndpoint(let text): "\(text) is not the address of an S3 service"
    case .badRegion(let text): "\(text) is not the name of a region"
    }
  }
  /// What to do about it.
  public var cure: String? {
    switch self {
    case .noKey: "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or write them to ~/.aws/credentials"
    case .noProfile: "check AWS_PROFILE, or add the profile"
    case .badEndpoint: "set AWS_ENDPOINT_URL_S3 to https://HOST, without user and query"
    case .badRegion: "set AWS_REGION to a name such as eu-central-1"
    }
  }
  /// 78.
  public var exitCode: ExitCode { .configuration }
}
