import Foundation
import HTTP
import Posts
import Services

/// What one very long feed takes: podcasts list all they ever sent.
enum LongFeed {
  static func measure(_ count: Int) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = ["feed", String(count)]
    let answer = Pipe()
    process.standardOutput = answer
    try process.run()
    let text = String(decoding: try answer.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    return text.trimmingCharacters(in: .newlines)
  }

  /// In a process of its own, where nothing else was read. The body is made anew for the answer, as the network would.
  static func run(_ count: Int) async throws {
    guard let server = Server("birds.example") else { return }
    let send: @Sendable (Request) async throws(TransportError) -> Response = { _ throws(TransportError) in
      Response(status: 200, body: Pages.rss(count))
    }
    let transport = Transport(send: send) { request, _ throws(TransportError) in try await send(request) }
    let source = FeedSource(server: server, token: nil, transport: transport, time: .system)
    let feed = Feed(source: .feed, kind: .url, value: "https://birds.example/feed", server: server)
    let start = ContinuousClock.now
    let page = try await source.page(of: feed, after: nil, size: nil)
    let time = (ContinuousClock.now - start) / .seconds(1)
    let posts = page.items.count { $0.post != nil }
    print("a feed of \(count) items: \(posts) posts, \(Bench.text(time)) s, \(peak / 1024) MB at most")
  }

  /// From proc(5), `/proc/self/status`: kilobytes.
  private static var peak: Int {
    let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM") }
    return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
  }
}
