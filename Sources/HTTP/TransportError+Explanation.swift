extension TransportError {
  /// Why no usable answer came, with the same wording everywhere. It fits a sentence that names the server: `a.example
  /// cannot be reached (cannot resolve host "a.example")`.
  public var explanation: String {
    switch self {
    case .unknownHost(let host): "cannot resolve host \"\(host)\""
    case .unreachable(_, let reason), .noHTTP(_, let reason): reason
    case .noTLS: "it does not speak https"
    case .timedOut: "it does not answer in time"
    case .untrusted(_, let reason): "its certificate is not trusted: \(reason)"
    case .cut: "it breaks off"
    case .endless: "it sends without end"
    case .tooLarge(let limit): "it is longer than \(limit) bytes"
    case .redirectRefused: "it leads to another server"
    case .privateNetwork(let host): "it leads to \(host), which lies in a private network"
    case .redirectDowngraded: "it leads from https to http"
    case .redirectInvalid: "it leads to no web address"
    case .tooManyRedirects: "it leads on more than \(Request.mostRedirects) times"
    case .redirectLoop: "it leads round in circles"
    case .invalidURL: "its address is not valid"
    case .rateLimited: "it takes no more requests for now"
    case .sink(let reason): reason
    case .cancelled: "stopped"
    }
  }

  /// The same where nothing around it names the server.
  public var sentence: String {
    switch self {
    case .unknownHost(let host), .unreachable(let host, _), .noTLS(let host), .noHTTP(let host, _), .timedOut(let host),
      .untrusted(let host, _):
      "\(host) cannot be reached (\(explanation))"
    case .rateLimited(let host, _, _): "\(host) takes no more requests for now"
    default: explanation
    }
  }
}
