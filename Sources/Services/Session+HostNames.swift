import HTTP
import Posts

extension Session {
  /// The transport of this session, which reaches servers whose names have letters of any script.
  ///
  /// libcurl does not convert such names. So a request is sent to the name's form for DNS. Answers and errors name the host
  /// as the request does, so that people read what they typed, and limits are counted for one host.
  package var webTransport: Transport { transport.withHostNamesInASCII() }
}

extension Transport {
  /// A transport that passes host names on in their form for DNS.
  func withHostNamesInASCII() -> Transport {
    let (send, download) = (send, download)
    return Transport(
      send: { (request: Request) async throws(TransportError) -> Response in
        try await EncodedHost.run(request) { (encoded) async throws(TransportError) in try await send(encoded) }
      },
      download: { (request: Request, sink: any ByteSink) async throws(TransportError) -> Response in
        try await EncodedHost.run(request) { (encoded) async throws(TransportError) in
          try await download(encoded, sink)
        }
      })
  }
}

/// A host name that is not ASCII, and its form for DNS.
private struct EncodedHost {
  let name: String
  let ascii: String

  /// Nil if the URL's host is ASCII or has no form for DNS.
  private init?(of url: String) {
    guard !Self.isASCII(url), let name = HostName.host(inURL: url), !Self.isASCII(name),
      let ascii = HostName.ascii(String(name))
    else { return nil }
    (self.name, self.ascii) = (String(name), ascii)
  }

  static func run(
    _ request: Request, _ send: (Request) async throws(TransportError) -> Response
  ) async throws(TransportError) -> Response {
    var request = request
    request.referrer = request.referrer.map { url in EncodedHost(of: url)?.encoded(url) ?? url }
    guard let host = EncodedHost(of: request.url) else { return try await send(request) }
    request.url = host.encoded(request.url)
    do {
      var answer = try await send(request)
      if HostName.host(inURL: answer.url)?.lowercased() == host.ascii {
        answer.url = HostName.url(answer.url, withHost: host.name)
      }
      return answer
    } catch { throw host.named(error) }
  }

  private static func isASCII(_ text: some StringProtocol) -> Bool { text.utf8.allSatisfy { $0 < 0x80 } }

  private func encoded(_ url: String) -> String { HostName.url(url, withHost: ascii) }

  /// The error, with the host as the request names it.
  private func named(_ error: TransportError) -> TransportError {
    switch error {
    case .unknownHost(ascii): .unknownHost(name)
    case .unreachable(ascii, let reason): .unreachable(host: name, reason: reason)
    case .noTLS(ascii): .noTLS(host: name)
    case .noHTTP(ascii, let reason): .noHTTP(host: name, reason: reason)
    case .timedOut(ascii): .timedOut(host: name)
    case .untrusted(ascii, let reason): .untrusted(host: name, reason: reason)
    case .cut(ascii): .cut(host: name)
    case .endless(ascii): .endless(host: name)
    case .privateNetwork(ascii): .privateNetwork(host: name)
    default: error
    }
  }
}
