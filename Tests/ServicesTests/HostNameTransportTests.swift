import HTTP
import Testing

@testable import Services

@Suite struct HostNameTransportTests {
  private func answer(
    to request: Request, _ result: Result<Response, TransportError>
  ) async throws(TransportError) -> (sent: Request?, Response) {
    let network = Answering(result)
    let response = try await network.transport.withHostNamesInASCII().send(request)
    return (network.requests.first, response)
  }

  @Test func `a request is sent to the host's name for DNS, and its answer names the host as the request does`()
    async throws
  {
    var request = Request(.get, "https://bücher.example:8443/api/v1/timelines/tag/x?limit=40")
    request.referrer = "https://straße.example"
    let url = "https://xn--bcher-kva.example:8443/api/v1/timelines/tag/x?limit=40"
    let (sent, answer) = try await answer(to: request, .success(Response(status: 200, url: url)))
    #expect(sent?.url == url)
    #expect(sent?.referrer == "https://xn--strae-oqa.example")
    #expect(answer.url == request.url)
  }

  @Test(arguments: ["https://birds.example/a?q=1", "https://xn--bcher-kva.example/", "http://[::1]:8080/", "nonsense"])
  func `a request to a host in ASCII, and its answer, stay as they are`(url: String) async throws {
    let (sent, answer) = try await answer(to: Request(.get, url), .success(Response(status: 200, url: url)))
    #expect((sent?.url, answer.url) == (url, url))
  }

  @Test func `an answer from another host names that host`() async throws {
    let other = "https://files.example/1.png"
    let (_, answer) = try await answer(
      to: Request(.get, "https://bücher.example/"), .success(Response(status: 200, url: other)))
    #expect(answer.url == other)
  }

  @Test(arguments: [
    (TransportError.unknownHost("xn--bcher-kva.example"), TransportError.unknownHost("bücher.example")),
    (.timedOut(host: "xn--bcher-kva.example"), .timedOut(host: "bücher.example")),
    (.cut(host: "xn--bcher-kva.example"), .cut(host: "bücher.example")),
    (
      .unreachable(host: "xn--bcher-kva.example", reason: "no route"),
      .unreachable(host: "bücher.example", reason: "no route")
    ),
    (.untrusted(host: "xn--bcher-kva.example", reason: "old"), .untrusted(host: "bücher.example", reason: "old")),
    (.privateNetwork(host: "xn--bcher-kva.example"), .privateNetwork(host: "bücher.example")),
    (.unknownHost("files.example"), .unknownHost("files.example")), (.invalidURL, .invalidURL),
  ])
  func `an error names the host as the request does`(error: TransportError, shown: TransportError) async {
    await #expect(throws: shown) {
      try await self.answer(to: Request(.get, "https://bücher.example/"), .failure(error))
    }
  }
}
