import Foundation
import Machine
import Synchronization
import Testing

@testable import Gallery

/// What connections may cost, and what a server does with bytes that are no requests.
@Suite(.timeLimit(.minutes(5))) struct ConnectionTests {
  private static var quick: GalleryServer.Options {
    var options = GalleryServer.Options()
    options.limits.idle = .milliseconds(50)
    return options
  }

  @Test(arguments: [
    "", "GET / HT", "GET / HTTP/1.1\r\nHost: x\r\n",
    "POST /sign-in HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc",
  ])
  func `a connection that falls silent is closed`(bytes: String) async throws {
    try await withGallery(Self.quick) { gallery in
      try await BlockingExecutor("test").run {
        let socket = try RawSocket(port: gallery.port)
        socket.send(Array(bytes.utf8))
        _ = try socket.read()
      }
    }
  }

  @Test func `a silent connection between two requests is closed, and a stream of events is not`() async throws {
    try await withGallery(Self.quick) { gallery in
      let cookie = try await gallery.cookie()
      try await BlockingExecutor("test").run {
        let idle = try RawSocket(port: gallery.port)
        idle.send(Array("GET /sign-in HTTP/1.1\r\nHost: \(gallery.host)\r\n\r\n".utf8))
        let live = try RawSocket(port: gallery.port)
        live.send(Array("GET /api/changes HTTP/1.1\r\nHost: \(gallery.host)\r\n\(cookie)\r\n\r\n".utf8))
        _ = try live.read { String(decoding: $0, as: UTF8.self).contains("retry: ") }
        let first = RawAnswer(try idle.read())
        #expect(first.status == 200)
        // The idle time is over. What the stream tells now comes from a change made after it.
        try gallery.library.delete([1])
        let isTold = { (bytes: [UInt8]) in String(decoding: bytes, as: UTF8.self).contains(#""posts":[1]"#) }
        #expect(isTold(try live.read(until: isTold)))
      }
    }
  }

  @Test(arguments: [1, 2]) func `a head that trickles is closed at its deadline, also after another request`(
    requests: Int
  )
    async throws
  {
    var options = GalleryServer.Options()
    options.limits.head = .milliseconds(50)
    try await withGallery(options) { gallery in
      let socket = try await BlockingExecutor("open").run {
        let socket = try RawSocket(port: gallery.port)
        if requests == 2 {
          socket.send(Array("GET /sign-in HTTP/1.1\r\nHost: \(gallery.host)\r\n\r\n".utf8))
          _ = try socket.read { String(decoding: $0, as: UTF8.self).hasSuffix("</html>\n") }
        }
        socket.send(Array("GET / HTTP/1.1\r\nX: ".utf8))
        return socket
      }
      // A byte at a time, until the server has closed the connection: it never falls silent.
      let end = Mutex(false)
      async let trickled: Void = BlockingExecutor("trickle").run {
        while !end.withLock(\.self) {
          socket.send([UInt8(ascii: "a")])
          usleep(2_000)
        }
      }
      let rest = try await BlockingExecutor("read").run { try socket.read() }
      end.withLock { $0 = true }
      await trickled
      #expect(rest.isEmpty)
      #expect(try await gallery.get("/sign-in").status == 200)
    }
  }

  @Test func `an answer may take longer than the head of its request`() async throws {
    var options = GalleryServer.Options()
    options.limits.head = .milliseconds(50)
    try await withGallery(options) { gallery in
      let cookie = try await gallery.cookie()
      try await BlockingExecutor("test").run {
        let live = try RawSocket(port: gallery.port)
        live.send(Array("GET /api/changes HTTP/1.1\r\nHost: \(gallery.host)\r\n\(cookie)\r\n\r\n".utf8))
        _ = try live.read { String(decoding: $0, as: UTF8.self).contains("retry: ") }
        // The deadline of somebody else passes meanwhile.
        let idle = try RawSocket(port: gallery.port)
        idle.send(Array("GET ".utf8))
        _ = try idle.read()
        try gallery.library.delete([1])
        let isTold = { (bytes: [UInt8]) in String(decoding: bytes, as: UTF8.self).contains(#""posts":[1]"#) }
        #expect(isTold(try live.read(until: isTold)))
      }
    }
  }

  @Test func `a peer has only so many connections, and others have theirs`() async throws {
    var options = GalleryServer.Options()
    options.limits.connectionsOfPeer = 3
    try await withGallery(options) { gallery in
      try await BlockingExecutor("test").run {
        let line = "GET /sign-in HTTP/1.1\r\nHost: \(gallery.host)\r\n"
        var holders = try (1...3).map { _ in
          let holder = try RawSocket(port: gallery.port)
          holder.send(Array("\(line)\r\n".utf8))
          // Answered, and still open.
          _ = try holder.read { String(decoding: $0, as: UTF8.self).hasSuffix("</html>\n") }
          return holder
        }
        let request = Array("\(line)Connection: close\r\n\r\n".utf8)
        func answer(from source: String? = nil) throws -> Int {
          let socket = try RawSocket(port: gallery.port, from: source)
          socket.send(request)
          return RawAnswer(try socket.read()).status
        }
        #expect(try answer() == 0)
        #expect(try answer(from: "127.0.0.2") == 200)
        holders.removeLast()
        // The server has yet to learn of it.
        while try answer() == 0 {}
      }
    }
  }

  @Test func `a stream of events that its browser has left is none of its connections`() async throws {
    var options = GalleryServer.Options()
    options.limits.connectionsOfPeer = 2
    try await withGallery(options) { gallery in
      let cookie = try await gallery.cookie()
      try await BlockingExecutor("test").run {
        /// Opens a stream, and leaves it at once. Nothing happens meanwhile that it could tell.
        func isOpened() throws -> Bool {
          let live = try RawSocket(port: gallery.port)
          live.send(Array("GET /api/changes HTTP/1.1\r\nHost: \(gallery.host)\r\n\(cookie)\r\n\r\n".utf8))
          return try !live.read { String(decoding: $0, as: UTF8.self).contains("retry: ") }.isEmpty
        }
        // The server has yet to learn of the end of those before.
        for _ in 1...6 { while try !isOpened() {} }
      }
    }
  }

  @Test func `behind a proxy all connections come from one peer`() async throws {
    var options = GalleryServer.Options(hosts: ["gallery.example"], isBehindProxy: true)
    options.limits.connectionsOfPeer = 1
    try await withGallery(options) { gallery in
      try await BlockingExecutor("test").run {
        let holder = try RawSocket(port: gallery.port)
        holder.send(Array("GET ".utf8))
        let answer = try RawSocket.exchange(
          Array("GET /sign-in HTTP/1.1\r\nHost: gallery.example\r\n\r\n".utf8), port: gallery.port)
        #expect(answer.status == 200)
      }
    }
  }

  @Test func `header fields have a limit`() async throws {
    try await withGallery { gallery in
      let large = try await gallery.get("/sign-in", "X-Large: \(String(repeating: "a", count: 40_000))")
      #expect(large.status == 431)
      #expect(large.body == "the header fields are too large\n")
      let many = (1...150).map { "X-\($0): a" }
      #expect(try await gallery.send("GET /sign-in HTTP/1.1", ["Host: \(gallery.host)"] + many).status == 431)
      #expect(try await gallery.get("/sign-in", "Cookie: \(String(repeating: "a=b; ", count: 2_000))").status == 200)
    }
  }

  @Test func `a body that goes on after its answer ends the connection`() async throws {
    try await withGallery { gallery in
      try await BlockingExecutor("test").run {
        let socket = try RawSocket(port: gallery.port)
        socket.send(
          Array("POST /api/add HTTP/1.1\r\nHost: \(gallery.host)\r\nContent-Length: 99999999999\r\n\r\n".utf8))
        let answer = try socket.read { $0.count > 12 }
        #expect(RawAnswer(answer).status == 403)
        // More than the system's buffers hold: a server that read on would take all of it.
        for _ in 1...64 { socket.send([UInt8](repeating: 0x61, count: 1 << 20)) }
        _ = try socket.read()
      }
      #expect(try await gallery.get("/sign-in").status == 200)
    }
  }

  @Test(arguments: [
    "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello", "Content-Length: -1\r\n\r\n", "Content-Length: 1x\r\n\r\na",
    "Content-Length: 99999999999999999999999\r\n\r\n",
    "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n", "Transfer-Encoding: chunked\r\n\r\nzz\r\n",
    "Transfer-Encoding: gzip\r\n\r\n", "Content-Length: 500\r\n\r\nshort",
  ])
  func `a length that lies never makes a second request of a body`(head: String) async throws {
    try await withGallery { gallery in
      let cookie = try await gallery.cookie()
      let lines =
        "POST /api/delete HTTP/1.1\r\nHost: \(gallery.host)\r\n\(cookie)\r\nOrigin: http://\(gallery.host)\r\nX-Media: 1\r\n"
      let answer = try await gallery.raw(Array((lines + head).utf8))
      #expect(answer.statuses.allSatisfy { $0 == 400 }, "\(answer.text.prefix(200))")
      #expect(answer.statuses.count <= 1)
      #expect(try await gallery.get("/", cookie).status == 200)
    }
  }

  @Test(arguments: [
    "\r\n\r\n", "\u{0}\u{1}\u{2}\u{3}", "HELLO\r\n\r\n", "GET /\r\n\r\n", "GET / HTTP/9.9\r\n\r\n",
    "GET / HTTP/1.1 x\r\n\r\n",
    "GET / HTTP/1.1\r\nno colon\r\n\r\n", "GET / HTTP/1.1\r\n: empty\r\n\r\n", "GET / HTTP/1.1\r\nHost : x\r\n\r\n",
    "GET / HTTP/1.1\r\nX: a\u{0}b\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}",
    "GET  /  HTTP/1.1\r\n\r\n", " GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\n folded\r\n\r\n",
  ])
  func `bytes that are no request are answered with 400, or not at all`(bytes: String) async throws {
    try await withGallery { gallery in
      let answer = try await gallery.raw(Array(bytes.utf8))
      #expect(answer.statuses.allSatisfy { $0 == 400 }, "\(answer.text.prefix(200))")
      #expect(try await gallery.get("/sign-in").status == 200)
    }
  }

  @Test func `requests behind one another are answered in order`() async throws {
    try await withGallery { gallery in
      let one = "GET /assets/gallery.css HTTP/1.1\r\nHost: \(gallery.host)\r\n\r\n"
      let two = "GET / HTTP/1.1\r\nHost: \(gallery.host)\r\n\r\n"
      let three = "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n"
      let answer = try await gallery.raw(Array((one + two + three + "nonsense\r\n\r\n").utf8))
      #expect(Array(answer.statuses.prefix(3)) == [200, 401, 421])
      #expect(answer.statuses.dropFirst(3).allSatisfy { $0 == 400 })
    }
  }

  @Test func `a thousand connections that are opened and dropped leave the gallery as it was`() async throws {
    var options = GalleryServer.Options()
    options.limits.connectionsOfPeer = 2_000
    try await withGallery(options) { gallery in
      let cookie = try await gallery.cookie()
      try await BlockingExecutor("test").run {
        for round in 0..<10 {
          let sockets = try (0..<100).map { _ in try RawSocket(port: gallery.port) }
          for (number, socket) in sockets.enumerated() where (number + round) % 2 == 0 {
            socket.send(Array("GET /api/list HTTP/1.1\r\nHost: \(gallery.host)\r\n\(cookie)\r\n\r\n".utf8))
          }
        }
      }
      #expect(try await gallery.get("/", cookie).status == 200)
    }
  }

  @Test func `more connections than the limit wait until others end`() async throws {
    var options = GalleryServer.Options()
    options.limits.connections = 4
    try await withGallery(options) { gallery in
      let holders = try (1...4).map { _ in try RawSocket(port: gallery.port) }
      for holder in holders { holder.send(Array("GET ".utf8)) }
      async let waiting = gallery.get("/sign-in")
      for holder in holders { holder.endSending() }
      #expect(try await waiting.status == 200)
    }
  }
}
