import Foundation
import HTTP
import Posts
import Services

/// Measures one very long feed: podcasts list all their episodes.
enum LongFeed {
  static func measure(_ count: Int) throws -> String {
    let file = NSTemporaryDirectory() + "media-long-feed-\(getpid())"
    defer { try? FileManager.default.removeItem(atPath: file) }
    try Data(Pages.rss(count)).write(to: URL(filePath: file))
    let process = Process()
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = ["feed", file]
    let answer = Pipe()
    process.standardOutput = answer
    try process.run()
    let text = String(decoding: try answer.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    return text.trimmingCharacters(in: .newlines)
  }

  /// In a separate process, where nothing else was read or made. The body arrives in pieces, as from the network.
  static func run(_ file: String) async throws {
    guard let server = Server("birds.example") else { return }
    let send: @Sendable (Request) async throws(TransportError) -> Response = { _ throws(TransportError) in
      Response(status: 200, body: bytes(of: file))
    }
    let transport = Transport(send: send) { request, _ throws(TransportError) in try await send(request) }
    let source = FeedSource(server: server, token: nil, transport: transport, time: .system)
    let feed = Feed(source: .feed, kind: .url, value: "https://birds.example/feed", server: server)
    let start = ContinuousClock.now
    let page = try await source.page(of: feed, after: nil, size: nil)
    let time = (ContinuousClock.now - start) / .seconds(1)
    let posts = page.items.count { $0.post != nil }
    print(
      "a feed of \(page.items.count) items: \(posts) posts, \(Bench.text(time)) s, \(memory("VmHWM")) MB at most; now "
        + "\(memory("RssAnon")) MB of its own and \(memory("RssFile")) MB of the program's files")
  }

  private static func bytes(of path: String) -> [UInt8] {
    guard let file = FileHandle(forReadingAtPath: path) else { return [] }
    var bytes: [UInt8] = []
    while let piece = try? file.read(upToCount: 64 << 10), !piece.isEmpty { bytes += piece }
    return bytes
  }

  /// From proc(5), `/proc/self/status`, in megabytes.
  private static func memory(_ name: String) -> Int {
    let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
    return (line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0) / 1024
  }
}
