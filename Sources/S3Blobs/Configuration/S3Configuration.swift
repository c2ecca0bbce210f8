import HTTP

/// The keys that sign requests.
public struct S3Credentials: Sendable, Hashable {
  /// The public part.
  public var accessKey: String
  /// The secret part. It is never sent.
  public var secretKey: Secret
  /// The token of a temporary key.
  public var sessionToken: Secret?

  /// Creates the keys of a user of the service.
  public init(accessKey: String, secretKey: Secret, sessionToken: Secret? = nil) {
    (self.accessKey, self.secretKey, self.sessionToken) = (accessKey, secretKey, sessionToken)
  }
}

/// Which service, which region and which keys, as Amazon's tools and SDKs find them
/// (https://docs.aws.amazon.com/sdkref/latest/guide/settings-reference.html).
public struct S3Configuration: Sendable {
  /// The keys.
  public var credentials: S3Credentials
  /// The region, part of each signature.
  public var region: String
  /// The address of the service; nil if it is Amazon's.
  public var endpoint: S3Endpoint?
  /// Whether the bucket's name is the beginning of the host's name; nil leaves it to the service.
  public var isVirtualHosted: Bool?

  /// The region that services without regions accept.
  public static let defaultRegion = "us-east-1"

  /// Creates a configuration with the keys of one user.
  public init(
    credentials: S3Credentials, region: String = defaultRegion, endpoint: S3Endpoint? = nil,
    isVirtualHosted: Bool? = nil
  ) {
    (self.credentials, self.region) = (credentials, region)
    (self.endpoint, self.isVirtualHosted) = (endpoint, isVirtualHosted)
  }

  /// Finds the configuration in variables, then in `~/.aws/credentials` and `~/.aws/config`.
  ///
  /// - Throws: `S3ConfigurationError`.
  public init(environment: [String: String]) throws(S3ConfigurationError) {
    let set = environment.filter { !$0.value.isEmpty }
    let folder = set["HOME"].map { "\($0)/.aws" }
    let file = { (variable: String, name: String) -> AWSFile? in
      (set[variable] ?? folder.map { "\($0)/\(name)" }).map(AWSFile.init(path:))
    }
    let (keys, config) = (file("AWS_SHARED_CREDENTIALS_FILE", "credentials"), file("AWS_CONFIG_FILE", "config"))
    let profile = set["AWS_PROFILE"] ?? "default"
    let names = ["profile \(profile)", profile]
    let value = { (key: String) in keys?.value(key, in: names) ?? config?.value(key, in: names) }
    if let access = set["AWS_ACCESS_KEY_ID"], let secret = set["AWS_SECRET_ACCESS_KEY"] {
      credentials = S3Credentials(
        accessKey: access, secretKey: Secret(secret), sessionToken: set["AWS_SESSION_TOKEN"].map(Secret.init))
    } else if let access = value("aws_access_key_id"), let secret = value("aws_secret_access_key") {
      credentials = S3Credentials(
        accessKey: access, secretKey: Secret(secret), sessionToken: value("aws_session_token").map(Secret.init))
    } else {
      let isKnown = keys?.has(names) == true || config?.has(names) == true
      throw set["AWS_PROFILE"] == nil || isKnown ? .noKey : .noProfile(profile)
    }
    region = set["AWS_REGION"] ?? set["AWS_DEFAULT_REGION"] ?? value("region") ?? Self.defaultRegion
    guard region.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }) else {
      throw .badRegion(region)
    }
    let style = value("s3.addressing_style")
    isVirtualHosted = style == "virtual" ? true : style == "path" ? false : nil
    let address = set["AWS_ENDPOINT_URL_S3"] ?? set["AWS_ENDPOINT_URL"] ?? value("endpoint_url")
    guard let address else { return }
    guard let endpoint = S3Endpoint(address) else { throw .badEndpoint(address) }
    self.endpoint = endpoint
  }
}
