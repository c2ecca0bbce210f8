import Foundation
import HTTP
import LibraryMetrics
import PostgreSQLServer
import PropertyTesting
import ScriptedOrigin
import Testing

@testable import media

/// What workers tell Prometheus.
@Suite(.timeLimit(.minutes(10))) struct WorkerMetricsTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").path

  /// A shared library that follows a tag of the origin.
  private func followed(_ origin: Origin) async throws -> Sandbox {
    var sandbox = try Sandbox()
    sandbox.environment["MEDIA_HOME"] = try PostgreSQLServer.shared().newURI("blobs=\(sandbox.library)")
    let ended = try await sandbox.media("follow", "cats@\(origin.url)", "--unchecked", "--quiet")
    try #require(ended.status == 0, "\(ended.errors)")
    return sandbox
  }

  private func begun(_ sandbox: Sandbox, _ address: String) async throws -> Running {
    let worker = try sandbox.begin("harvest", "--workers", "2", "--metrics", address)
    try await worker.says("2 workers pull what is due")
    return worker
  }

  private func end(_ worker: Running) async throws {
    worker.signal(SIGTERM)
    let ended = try await worker.end()
    #expect(ended.status == 0, "\(ended.errors)")
  }

  /// Asks until the answer has a line.
  private func metrics(_ sandbox: Sandbox, at address: String, with line: String) async throws -> String {
    while true {
      let ended = try await sandbox.bash("curl -sS http://\(address)/metrics")
      try #require(ended.status == 0, "\(ended.errors)")
      if ended.output.contains("\(line)\n") { return ended.output }
      try await Task.sleep(for: .milliseconds(50))
    }
  }

  private static func freeAddress() -> String { "127.0.0.1:\(Int.random(in: 20_000..<32_000))" }

  @Test func `workers tell what their requests came to, in both forms, and nothing about what they pull`() async throws
  {
    try await withOrigin(Script(posts: 12)) { origin in
      let (sandbox, address) = (try await followed(origin), Self.freeAddress())
      let worker = try await begun(sandbox, address)
      let text = try await metrics(sandbox, at: address, with: #"media_worker_pulls_total{result="done"} 1"#)
      let (host, pages) = (origin.url.dropFirst("http://".count), origin.requests(to: "/api").count)
      let line = #"media_worker_requests_total{host="\#(host)",use="page",status="2xx"} \#(pages)"#
      #expect(text.contains("\(line)\n"), "\(text)")
      #expect(text.contains(#"media_worker_request_duration_seconds_count{use="page"} \#(pages)"#), "\(text)")
      let (old, new) = ("\(sandbox.said)/metrics.prom", "\(sandbox.said)/metrics.txt")
      let ended = try await sandbox.bash(
        """
        curl -sS http://\(address)/metrics >\(old)
        curl -sS -H 'Accept: application/openmetrics-text' http://\(address)/metrics >\(new)
        """)
      try #require(ended.status == 0, "\(ended.errors)")
      // With this machine's pip settings.
      let reading = try Running(
        "/bin/bash", ["\(Self.root)/Scripts/check", "metrics", old, new], ProcessInfo.processInfo.environment,
        said: "\(sandbox.said)/judged")
      reading.endInput()
      let judged = try await reading.end()
      #expect(judged.status == 0, "\(judged.output)\(judged.errors)")
      let names = judged.output.split(separator: "\n").compactMap { $0.split(separator: " ").first }
      #expect(names.count >= 6, "\(names)")
      let page = try String(contentsOfFile: "\(Self.root)/docs/operations/metrics.md", encoding: .utf8)
      for name in names {
        #expect(page.contains("`\(name.replacing(/_(bucket|sum|count)$/, with: ""))`"), "\(name) is not described")
      }
      for query in try Self.dashboardQueries() {
        for name in query.matches(of: /media_[a-z_]+/).map({ $0.output.replacing(/_(bucket|sum|count)$/, with: "") }) {
          #expect(page.contains("`\(name)`"), "\(query) asks for \(name)")
        }
      }
      for word in ["cats", "User", "?", "max_id", "/api"] { #expect(!text.contains(word), "\(text)") }
      try await end(worker)
      #expect(try await sandbox.bash("curl -sS http://\(address)/metrics").status == 7)
    }
  }

  /// What the example of a dashboard asks Prometheus.
  private static func dashboardQueries() throws -> [String] {
    let file = URL(filePath: "\(root)/docs/operations/dashboard.json")
    let dashboard = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
    let panels = try #require(dashboard?["panels"] as? [[String: Any]])
    let queries = panels.flatMap { $0["targets"] as? [[String: Any]] ?? [] }.compactMap { $0["expr"] as? String }
    #expect(queries.count >= panels.count)
    return queries
  }

  @Test func `who says nothing, or too much, keeps nobody from the metrics, and a port that is taken is named`()
    async throws
  {
    try await withOrigin(Script(posts: 2)) { origin in
      let (sandbox, address) = (try await followed(origin), Self.freeAddress())
      let worker = try await begun(sandbox, address)
      let socket = address.replacing(":", with: "/")
      let ended = try await sandbox.bash(
        """
        exec 3<>/dev/tcp/\(socket) 4<>/dev/tcp/\(socket)
        printf 'GET /metrics HTTP/1.1\\r\\nHost: \(address)\\r\\n' >&3
        { printf 'GET /metrics HTTP/1.1\\r\\nX: '; head -c 20000 /dev/zero | tr '\\0' x; } >&4 2>/dev/null
        curl -sS -o /dev/null -w '%{http_code}\\n' http://\(address)/metrics
        head -1 <&3
        head -1 <&4
        """)
      #expect(
        ended.output.split(whereSeparator: \.isNewline) == [
          "200", "HTTP/1.1 408 Request Timeout", "HTTP/1.1 431 Request Header Fields Too Large",
        ], "\(ended.output)\(ended.errors)")
      let second = try await sandbox.media("harvest", "--workers", "1", "--metrics", address)
      expect(
        second, fails: 69,
        saying:
          "port \(address.dropFirst("127.0.0.1:".count)) is taken by another program: choose another one with --metrics"
      )
      try await end(worker)
    }
  }

  private static let own = "Host: 127.0.0.1:9187\r\n"

  static let heads: [(String, MetricsRequest)] = [
    ("GET /metrics HTTP/1.1\r\n\(own)", .init(status: 200)),
    ("GET /metrics HTTP/1.0\r\n", .init(status: 200)),
    ("GET /metrics HTTP/1.1\r\nhOST:\tLocalhost:9187 \r\n", .init(status: 200)),
    ("HEAD /metrics HTTP/1.1\r\n\(own)", .init(status: 200, isHead: true)),
    (
      "GET /metrics HTTP/1.1\r\n\(own)Accept: application/openmetrics-text;version=1.0.0\r\n",
      .init(status: 200, form: .openmetrics)
    ),
    ("GET / HTTP/1.1\r\n\(own)", .init(status: 404)),
    ("GET /metrics?a=b HTTP/1.1\r\n\(own)", .init(status: 404)),
    ("GET http://127.0.0.1:9187/metrics HTTP/1.1\r\n\(own)", .init(status: 404)),
    ("POST /metrics HTTP/1.1\r\n\(own)", .init(status: 405)),
    ("GET /metrics HTTP/1.1\r\nHost: rebound.example:9187\r\n", .init(status: 421)),
    ("GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\n", .init(status: 421)),
    ("GET /metrics HTTP/1.1\r\n", .init(status: 400)),
    ("GET /metrics HTTP/1.1\r\n\(own)\(own)", .init(status: 400)),
    ("GET /metrics HTTP/2.0\r\n\(own)", .init(status: 400)),
    ("GET  /metrics HTTP/1.1\r\n\(own)", .init(status: 400)),
    ("GET /metrics\r\n\(own)", .init(status: 400)),
    ("GET /metrics HTTP/1.1\r\n\(own)Content-Length: 3\r\n", .init(status: 400)),
    ("GET /metrics HTTP/1.1\r\n\(own)Transfer-Encoding: chunked\r\n", .init(status: 400)),
    ("GET /metrics HTTP/1.1\r\n\(own) folded\r\n", .init(status: 400)),
    ("GET /metrics HTTP/1.1\r\n\(own)X : y\r\n", .init(status: 400)),
    ("GET /metrics HTTP/1.1\n\(own)", .init(status: 400)),
    ("GET /metrics HTTP/1.1\r\n\(own)X: a\rb\r\n", .init(status: 400)),
    ("GET /metrics HTTP/1.1\r\n\(own)X: \u{0}\r\n", .init(status: 400)),
    ("GET /metrics HTTP/1.1\r\n\(own)X: é\r\n", .init(status: 400)),
    ("", .init(status: 400)),
  ]

  @Test(arguments: heads)
  func `a request is read strictly`(head: String, request: MetricsRequest) {
    let authorities: Set = ["127.0.0.1:9187", "localhost:9187"]
    #expect(MetricsRequest(head: Array("\(head)\r\n".utf8), authorities: authorities) == request)
  }

  @Test func `what arrives at random is answered, and only an exact request by metrics`() {
    for seed in PropertyTest.seeds(sample: 2000, whole: 200_000) {
      var dice = Dice(state: seed)
      var head = Array("GET /metrics HTTP/1.1\r\n\(Self.own)Accept: */*\r\n\r\n".utf8)
      let index = Int.random(in: 0..<head.count, using: &dice)
      let byte = UInt8.random(in: 0...255, using: &dice)
      let isSame = head[index] == byte
      head[index] = byte
      let request = MetricsRequest(head: head, authorities: ["127.0.0.1:9187"])
      // A field's name and value may be another one, but not those of the field Host.
      let isOfNoMatter = index >= "GET /metrics HTTP/1.1\r\n\(Self.own)".utf8.count
      let isOtherCase = (65...90).contains(byte) || (97...122).contains(byte) || byte == 9 || byte == 32
      #expect(request.status != 200 || isSame || isOfNoMatter || isOtherCase, "seed \(seed): \(head)")
      #expect(request.answer { _ in "" }.starts(with: "HTTP/1.1 \(request.status) ".utf8), "seed \(seed)")
    }
  }

  @Test func `only so many hosts have lines of their own, and none of a picture's`() async throws {
    let tally = RequestTally()
    let answer = Transport(
      send: { _ in Response(status: 200) },
      download: { _, _ in Response(status: 404) })
    let counted = tally.counting(answer)
    for number in 1...50 { _ = try await counted.send(Request(.get, "https://h\(number).example/a?token=secret")) }
    _ = try await counted.download(Request(.get, "https://cdn.example/secret.jpg"), NoSink())
    let text = MetricsForm.prometheus.text(of: tally.metrics(version: "1"))
    let lines = text.split(separator: "\n").filter { $0.hasPrefix("media_worker_requests_total{") }
    #expect(lines.count == RequestTally.mostHosts + 2, "\(text)")
    #expect(lines.contains(#"media_worker_requests_total{host="other",use="page",status="2xx"} 30"#), "\(text)")
    #expect(lines.contains(#"media_worker_requests_total{host="other",use="file",status="4xx"} 1"#), "\(text)")
    #expect(!text.contains("secret"))
  }

  private final class NoSink: ByteSink {
    func begin(_ head: Response) -> Bool { true }
    func write(_ bytes: UnsafeRawBufferPointer) {}
  }

  @Test(
    .inFolders, .enabled(if: PropertyTest.isLong, "Scripts/test --long runs it"))
  func `a real Prometheus collects from a gallery and from workers, and answers by what it collected`() async throws {
    try await withOrigin(Script(posts: 12)) { origin in
      let sandbox = try await followed(origin)
      let (gallery, workers, own) = (Self.freeAddress(), Self.freeAddress(), Self.freeAddress())
      let found = try Running(
        "/bin/bash", ["\(Self.root)/Scripts/lib/prometheus"], ProcessInfo.processInfo.environment,
        said: "\(sandbox.said)/found")
      found.endInput()
      let program = try await found.end()
      try #require(program.status == 0, "\(program.errors)")
      let serving = try sandbox.begin("serve", "--port", "0", "--metrics", gallery, "--json")
      _ = try await serving.line("{")
      let worker = try await begun(sandbox, workers)
      let configuration = """
        global: {scrape_interval: 1s, scrape_timeout: 1s}
        rule_files: ["\(Self.root)/docs/operations/alerts.yml"]
        scrape_configs: [{job_name: media, static_configs: [{targets: ["\(gallery)", "\(workers)"]}]}]
        """
      try Data(configuration.utf8).write(to: URL(filePath: "\(sandbox.folder)/prometheus.yml"))
      let prometheus = try sandbox.start(
        try #require(program.lines.first),
        [
          "--config.file=\(sandbox.folder)/prometheus.yml", "--storage.tsdb.path=\(sandbox.folder)/tsdb",
          "--web.listen-address=\(own)",
        ])
      for (query, value) in [
        ("media_posts", "12"), (#"media_worker_pulls_total{result="done"}"#, "1"), ("sum(up)", "2"),
        (#"sum(media_worker_request_duration_seconds_bucket{use="page",le="+Inf"})"#, "1"),
      ] {
        let ask = "curl -sS --get --data-urlencode 'query=\(query)' http://\(own)/api/v1/query"
        while try await !sandbox.bash(ask).output.contains("\"\(value)\"]") {
          try #require(prometheus.isRunning, "\(prometheus.errors)")
          try await Task.sleep(for: .milliseconds(100))
        }
      }
      for query in try Self.dashboardQueries() {
        let asked = query.replacing("$instance", with: gallery).replacing("$worker", with: workers)
        let ask = "curl -sS --get --data-urlencode 'query=\(asked)' http://\(own)/api/v1/query"
        #expect(try await sandbox.bash(ask).output.hasPrefix(#"{"status":"success""#), "\(query)")
      }
      for running in [prometheus, serving] {
        running.signal(SIGTERM)
        _ = try await running.end()
      }
      try await end(worker)
    }
  }
}
