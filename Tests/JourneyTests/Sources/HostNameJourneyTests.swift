import Foundation
import ScriptedOrigin
import Testing

/// Servers whose names have letters beyond ASCII.
@Suite(.timeLimit(.minutes(10))) struct HostNameJourneyTests {
  private func answer(_ status: String, _ body: String) -> [RawServer.Act] {
    let head = "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
    return [.say(Array("\(head)Connection: close\r\n\r\n\(body)".utf8))]
  }

  /// The proxy stands for the internet, which tests cannot use.
  private func sandbox(behind proxy: RawServer) throws -> Sandbox {
    var sandbox = try Sandbox()
    sandbox.environment["http_proxy"] = proxy.url
    return sandbox
  }

  @Test func `a server is asked by its name for DNS, and shown as it was typed`() async throws {
    let proxy = try RawServer(Array(repeating: answer("200 OK", "[]"), count: 8))
    let sandbox = try sandbox(behind: proxy)
    let ended = try await sandbox.media("tag", "x", "--server", "http://bücher.example", "--json")
    #expect(ended.status == 0, "\(ended.errors)")
    #expect(proxy.heads.first?.hasPrefix("GET http://xn--bcher-kva.example/api/v1/timelines/tag/x") == true)
    #expect(try ended.object()["feed"] as? String == "tag:x@http://bücher.example")
  }

  @Test func `a failure names the server as it was typed`() async throws {
    let proxy = try RawServer(Array(repeating: answer("404 Not Found", "{}"), count: 8))
    let ended = try await sandbox(behind: proxy).media("tag", "x", "--server", "http://bücher.example")
    #expect(ended.status != 0)
    #expect(ended.errors.contains("bücher.example") && !ended.errors.contains("xn--"), "\(ended.errors)")
  }
}
