import Folders
import Foundation
import MediaLibrary
import Testing

@testable import Gallery

/// Where a gallery listens, and what becomes of it while its library is away.
@Suite(.timeLimit(.minutes(5))) struct ServingTests {
  @Test func `it listens on both loopback addresses and on no other`() async throws {
    try await withGallery { gallery in
      let port = String(format: "%04X", gallery.port)
      var ends: [String] = []
      for name in ["tcp", "tcp6"] {
        let file = try #require(FileHandle(forReadingAtPath: "/proc/self/net/\(name)"))
        let table = String(decoding: file.readDataToEndOfFile(), as: UTF8.self)
        for line in table.split(separator: "\n") {
          // A number, the address and port at this end, those at the other, and the state: 0A listens.
          let words = line.split(separator: " ").map(String.init)
          guard words.count > 3, words[3] == "0A", words[1].hasSuffix(":\(port)") else { continue }
          ends.append(String(words[1].prefix { $0 != ":" }))
        }
      }
      let both = ["0100007F", "00000000000000000000000001000000"]
      let expected = GalleryServer.Options().addresses.count == 2 ? both : [both[0]]
      #expect(Set(ends) == Set(expected))
    }
  }

  @Test func `a taken port is said in words, with how to see who has it`() async throws {
    try await withGallery { gallery in
      let second = GalleryServer(
        options: .init(port: gallery.port), library: gallery.library, derivatives: testDerivatives(of: gallery.library),
        signIns: gallery.signIns, now: { Date() },
        pause: instantPause)
      await #expect(throws: GalleryError.portTaken(gallery.port)) { try await second.run { _, _ in } }
    }
    #expect(
      GalleryError.portTaken(80).description
        == "port 80 is taken by another program: choose another one with --port, 0 for any free one; "
        + "\"ss -ltnp 'sport = :80'\" shows which program it is")
  }

  @Test func `an address that the machine does not have is said in words`() async throws {
    let scratch = try Scratch()
    let library = try Library(in: "\(scratch.path)/library")
    defer { library.close() }
    let signIns = SignIns(folder: "\(scratch.path)/config", now: { Date() })
    try await signIns.setPassword("correct horse")
    let server = GalleryServer(
      options: .init(address: "192.0.2.1"), library: library, derivatives: testDerivatives(of: library),
      signIns: signIns, now: { Date() }, pause: instantPause)
    await #expect(throws: GalleryError.noSuchAddress("192.0.2.1")) { try await server.run { _, _ in } }
  }

  @Test func `a library that is moved away is 503 until it is back`() async throws {
    try await withGallery { gallery in
      let cookie = try await gallery.cookie()
      let files = FileManager.default
      try files.moveItem(atPath: gallery.libraryFolder, toPath: "\(gallery.folder.path)/elsewhere")
      let page = try await gallery.get("/", cookie)
      #expect(page.status == 503)
      #expect(page.body.contains("the library is not in its folder any more: put it back, or start"))
      #expect(
        try await gallery.get("/api/list", cookie).object["error"] as? String
          == "the library is not in its folder any more")
      #expect(try await gallery.post("/api/delete", #"{"ids":[1]}"#, cookie).status == 503)
      #expect(try await gallery.get("/").status == 401)
      #expect(try await gallery.get("/assets/gallery.css").status == 200)
      try Library(in: gallery.libraryFolder).close()
      #expect(
        try await gallery.get("/api/list", cookie).object["error"] as? String == "another library is in the folder now")
      try files.removeItem(atPath: gallery.libraryFolder)
      try files.moveItem(atPath: "\(gallery.folder.path)/elsewhere", toPath: gallery.libraryFolder)
      #expect(try await gallery.get("/", cookie).status == 200)
    }
  }

  @Test func `a gallery ends with its task, whatever is open`() async throws {
    var streams: [RawSocket] = []
    try await withGallery { gallery in
      let cookie = try await gallery.cookie()
      let changes = "GET /api/changes HTTP/1.1\r\nHost: \(gallery.host)\r\n\(cookie)\r\n\r\n"
      streams = try await onThread { [port = gallery.port] in
        let streams = try ["", "GET / HT", changes].map { lines in
          let socket = try RawSocket(port: port)
          socket.send(Array(lines.utf8))
          return socket
        }
        _ = try streams[2].read { String(decoding: $0, as: UTF8.self).contains("retry: ") }
        return streams
      }
    }
    try await onThread { [streams] in
      for stream in streams { _ = try stream.read() }
    }
  }

  @Test(arguments: [true, false]) func `a certificate makes it speak TLS, with a cookie for TLS alone`(isRight: Bool)
    async throws
  {
    let scratch = try Scratch()
    for name in ["one", "two"] {
      try Self.run(
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=test "
          + "-addext subjectAltName=IP:127.0.0.1 -keyout \(name).key -out \(name).pem", in: scratch.path)
    }
    let files = CertificateFiles(
      certificate: "\(scratch.path)/one.pem", key: "\(scratch.path)/\(isRight ? "one" : "two").key")
    guard isRight else {
      await #expect(throws: GalleryError.otherKey) { try await withGallery(.init(tls: files)) { _ in } }
      return
    }
    try await withGallery(.init(tls: files)) { gallery in
      let token = try await gallery.newToken()
      // The browser's part is curl's: the server does not answer plain requests at all.
      let answer = RawAnswer(
        Array(
          try Self.run("curl -si --cacert one.pem https://127.0.0.1:\(gallery.port)/?token=\(token)", in: scratch.path)
            .utf8))
      #expect(answer.status == 303)
      #expect(answer["set-cookie"]?.hasSuffix("; Secure") == true)
      #expect(try await gallery.get("/sign-in").status == 0)
    }
  }

  @Test func `a file that is no certificate or no key is named`() async throws {
    let scratch = try Scratch()
    try Data("no certificate".utf8).write(to: URL(filePath: "\(scratch.path)/x.pem"))
    for (name, isThere) in [("x.pem", true), ("missing.pem", false)] {
      let path = "\(scratch.path)/\(name)"
      await #expect(throws: isThere ? GalleryError.badCertificate(path) : .noFile(path)) {
        try await withGallery(.init(tls: CertificateFiles(certificate: path, key: path))) { _ in }
      }
    }
  }

  @discardableResult
  private static func run(_ line: String, in folder: String) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", "\(line) 2>errors"]
    process.currentDirectoryURL = URL(filePath: folder)
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(
      process.terminationStatus == 0, "\((try? String(contentsOfFile: "\(folder)/errors", encoding: .utf8)) ?? "")")
    return String(decoding: output, as: UTF8.self)
  }
}
