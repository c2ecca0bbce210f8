import Blobs
import FoundationEssentials
import HTTP

/// What a service's refusal means
/// (https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html, and what other services add).
struct S3Fault {
  let status: Int
  /// The service's own code; empty if it gave none.
  let code: String
  /// The region that the service names.
  let region: String?

  /// Clocks that differ by less are accepted by every service, in seconds.
  static let longestSkew: TimeInterval = 300

  init(_ answer: Response) {
    let document = S3Document(Array(answer.body.prefix(64 << 10)))
    status = answer.status
    code = document.value("Code") ?? ""
    let told = answer.headers["x-amz-bucket-region"] ?? document.value("Region")
    let isRegion = { (text: String) in
      !text.isEmpty && text.utf8.count < 64
        && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    }
    region = [301, 307, 400, 403].contains(answer.status) ? told.flatMap { isRegion($0) ? $0 : nil } : nil
  }

  /// Whether the request's time was refused.
  var isAboutTime: Bool { ["RequestTimeTooSkewed", "RequestExpired"].contains(code) }

  /// Codes that another try may change, although their status does not say so.
  private static let transient: Set<String> = [
    "RequestTimeout", "ConditionalRequestConflict", "OperationAborted", "SlowDown", "InternalError",
  ]

  /// The outcome as the common policy of retries judges it.
  static func asTransient(_ outcome: Result<Response, TransportError>) -> Result<Response, TransportError> {
    guard case .success(var answer) = outcome, transient.contains(S3Fault(answer).code) else { return outcome }
    answer.status = 503
    return .success(answer)
  }

  private static let full: Set<String> = [
    "QuotaExceeded", "XMinioStorageFull", "XMinioAdminBucketQuotaExceeded", "InsufficientStorage", "StorageFull",
  ]

  /// The failure in words.
  ///
  /// - Parameter isWriting: Whether something was to be changed.
  func error(at address: S3Address, region used: String, isWriting: Bool) -> BlobError {
    let location = address.description
    if Self.full.contains(code) || status == 507 { return .full(location: location) }
    let fault = { (kind: BlobServiceFault.Kind, reason: String, cure: String) in
      BlobError.service(BlobServiceFault(kind, location: location, reason: reason, cure: cure))
    }
    switch code {
    case "NoSuchBucket":
      return fault(.misconfigured, "there is no bucket \(address.bucket)", "make the bucket, or check its name")
    case "InvalidAccessKeyId", "InvalidToken", "UnrecognizedClientException":
      return fault(.refused, "the service does not know the access key", "check AWS_ACCESS_KEY_ID and AWS_PROFILE")
    case "SignatureDoesNotMatch":
      return fault(.refused, "the secret key does not fit the access key", "check AWS_SECRET_ACCESS_KEY")
    case "ExpiredToken", "TokenRefreshRequired":
      return fault(.refused, "the temporary key has expired", "log in anew, and set AWS_SESSION_TOKEN")
    case _ where isAboutTime:
      return fault(.misconfigured, "the clock of this machine or of the service is wrong", "set the clock")
    case "PermanentRedirect", "AuthorizationHeaderMalformed", "IllegalLocationConstraintException", "TemporaryRedirect":
      return fault(
        .misconfigured, "the bucket is in another region than \(used)",
        "set AWS_REGION to the bucket's region, and AWS_ENDPOINT_URL_S3 to that region's service")
    default: break
    }
    switch status {
    case 401 where isWriting, 403 where isWriting: return .readOnly(location: location)
    case 401, 403:
      return fault(.refused, "the key may not read it", "allow the key to list the bucket and to read its objects")
    case 500...: return fault(.unavailable, "the service answers \(words)", "try again later")
    case 300..<400: return fault(.misconfigured, "the service is elsewhere (\(words))", "check AWS_ENDPOINT_URL_S3")
    default: return fault(.misconfigured, "the service answers \(words)", "check AWS_ENDPOINT_URL_S3 and the bucket")
    }
  }

  /// Status and code. The code is a stranger's text.
  private var words: String {
    let name = code.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }.prefix(60)
    return name.isEmpty ? "\(status)" : "\(status) \(name)"
  }
}
