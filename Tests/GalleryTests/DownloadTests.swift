import Foundation
import MediaLibrary
import Testing

@testable import Gallery

/// Downloads of lists and selections as a zip.
struct DownloadTests {
  /// What Python's zipfile finds in an archive, a line a file: path, length, and at last the first damaged one.
  private func contents(_ bytes: [UInt8], _ folder: String) throws -> [String] {
    let path = "\(folder)/\(UUID().uuidString).zip"
    try Data(bytes).write(to: URL(filePath: path))
    let script = """
      import sys, zipfile
      z = zipfile.ZipFile(sys.argv[1])
      for i in z.infolist(): print(i.filename, i.file_size)
      print(z.testzip())
      """
    let python = Process()
    (python.executableURL, python.arguments) = (URL(filePath: "/usr/bin/env"), ["python3", "-c", script, path])
    let output = Pipe()
    python.standardOutput = output
    try python.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    python.waitUntilExit()
    return text.split(separator: "\n").map(String.init)
  }

  private func files(_ lines: [String]) -> [String] {
    lines.dropLast().map { String($0.split(separator: "/").last ?? "") }
  }

  @Test func `a list is downloaded as a zip, under its name`() async throws {
    try await withServedLibrary { library, client in
      try library.add(caption: "one", tags: ["birds"], attaching: [Sample.png])
      try library.add(caption: "two", tags: ["birds"], attaching: [Sample.jpeg, Sample.mp4])
      try library.add(caption: "three", attaching: [Sample.gif])
      let answer = try await client.whole("/download?tag=birds")
      #expect(answer.status == 200 && answer["Content-Type"] == "application/zip")
      #expect(answer["Content-Disposition"] == "attachment; filename=\"#birds.zip\"")
      #expect(answer["Cache-Control"] == "no-store")
      let lines = try contents(answer.body, library.folder)
      #expect(lines.last == "None")
      #expect(
        files(lines) == ["1_1.png \(Sample.png.count)", "2_1.jpg \(Sample.jpeg.count)", "2_2.mp4 \(Sample.mp4.count)"])
      let page = try await client.get("/?tag=birds")
      #expect(page.text.contains("<a href=\"/download?tag=birds\" data-list>Download</a>"))
    }
  }

  @Test func `a selection is downloaded by a form, also where nothing may be changed`() async throws {
    for isReadOnly in [false, true] {
      try await withGallery(.init(isReadOnly: isReadOnly), isEmpty: true) { gallery in
        try gallery.library.add(caption: "one", attaching: [Sample.png])
        try gallery.library.add(caption: "two", attaching: [Sample.jpeg])
        let cookie = try await gallery.cookie()
        func form(_ body: String, _ lines: String..., origin: String? = nil) async throws -> RawAnswer {
          let own = ["Host: \(gallery.host)", "Content-Length: \(body.utf8.count)", cookie] + lines
          let from = ["Origin: \(origin ?? "http://\(gallery.host)")"]
          return try await gallery.send("POST /download HTTP/1.1", own + from, body: body)
        }
        let answer = try await form("ids=2,99,1")
        #expect(answer.status == 200)
        #expect(answer["content-disposition"] == "attachment; filename=\"3 posts.zip\"")
        #expect(try await form("ids=").status == 400)
        #expect(try await form("ids=1,x").status == 400)
        #expect(try await form("ids=1", origin: "http://evil.example").status == 403)
        let many = (1...10_000).map(String.init).joined(separator: ",")
        #expect(try await form("ids=\(many)").status == 200)
        let stranger = try await gallery.send(
          "POST /download HTTP/1.1",
          ["Host: \(gallery.host)", "Content-Length: 5", "Origin: http://\(gallery.host)"], body: "ids=1")
        #expect(stranger.status == 401)
        #expect(try await gallery.get("/download").status == 401)
        let marks = try await gallery.get("/download?q=is:favourite", cookie)
        #expect(marks.status == (isReadOnly ? 403 : 200))
      }
    }
  }

  @Test func `what is lost while the zip is read is left out of it, and it stays whole`() async throws {
    try await withServedLibrary { library, client in
      let long = [UInt8](repeating: 9, count: 48 << 20)
      try library.add(caption: "long", attaching: [long])
      let lost = try library.blob(of: Sample.png)
      let damaged = try library.blob(of: Sample.mp4)
      try library.add(caption: "last", attaching: [Sample.jpeg])
      let answer = try await client.whole("/download") {
        try FileManager.default.removeItem(atPath: library.path(of: lost))
        let path = try library.path(of: damaged)
        try FileManager.default.removeItem(atPath: path)
        try Data(Sample.mp4.reversed()).write(to: URL(filePath: path))
        try library.delete([4])
      }
      let lines = try contents(answer.body, library.folder)
      #expect(lines.last == "None")
      #expect(files(lines).map { $0.split(separator: " ")[0] } == ["1_1.bin", "4_1.jpg", "left"])
    }
  }

  @Test func `a store of blobs that changes a file between two readings ends the connection`() async throws {
    try await withServedLibrary { library, client in
      let long = try library.blob(of: [UInt8](repeating: 9, count: 48 << 20))
      let answer = try await client.whole("/download") {
        try FileManager.default.removeItem(atPath: library.path(of: long))
      }
      #expect(!answer.isWhole)
      #expect(answer.body.count < 48 << 20)
      #expect(try await client.get("/").status == 200)
    }
  }
}

extension RawClient {
  /// An answer whose length is not told before.
  struct ChunkedAnswer: Sendable {
    let status: Int
    let headers: [String: String]
    let body: [UInt8]
    /// Whether its end came.
    let isWhole: Bool

    subscript(name: String) -> String? { headers[name.lowercased()] }
  }

  /// Reads an answer in chunks. Does something after its head came.
  func whole(_ path: String, _ afterHead: @escaping @Sendable () throws -> Void = {}) async throws -> ChunkedAnswer {
    try await onThread { [port, cookie] in
      let connection = try Connection(port: port)
      try connection.send("GET", path, ["Cookie": cookie])
      let head = try connection.head()
      try afterHead()
      let (body, isWhole) = Self.unchunked(head.body + connection.rest())
      return ChunkedAnswer(status: head.status, headers: head.headers, body: body, isWhole: isWhole)
    }
  }

  /// The bytes of chunks (RFC 9112, 7.1), and whether the last one is among them.
  private static func unchunked(_ bytes: [UInt8]) -> ([UInt8], Bool) {
    var (body, rest): ([UInt8], ArraySlice<UInt8>) = ([], bytes[...])
    while let end = rest.firstIndex(of: 13) {
      guard let count = Int(String(decoding: rest[..<end], as: UTF8.self), radix: 16) else { return (body, false) }
      if count == 0 { return (body, true) }
      rest = rest[end...].dropFirst(2)
      body += rest.prefix(count)
      rest = rest.dropFirst(count + 2)
    }
    return (body, false)
  }
}
