import Foundation
import MediaLibrary
import Testing

@testable import Gallery

struct BlobRoutesTests {
  @Test func `a picture is served whole, by its type, forever`() async throws {
    try await withServedLibrary { library, client in
      let name = try library.blob(of: Sample.png)
      let answer = try await client.get("/blob/\(name)")
      #expect(answer.status == 200 && answer.body == Sample.png)
      #expect(answer["Content-Type"] == "image/png")
      #expect(answer["Content-Disposition"] == nil)
      #expect(answer["Content-Length"] == "\(Sample.png.count)")
      #expect(answer["Accept-Ranges"] == "bytes")
      #expect(answer["ETag"] == "\"\(name)\"")
      #expect(answer["Cache-Control"] == "private, max-age=31536000, immutable")
      #expect(answer["Content-Security-Policy"] == "sandbox; default-src 'none'")
      #expect(answer["X-Content-Type-Options"] == "nosniff")
    }
  }

  @Test(arguments: [
    (Sample.jpeg, "image/jpeg", true), (Sample.mp4, "video/mp4", true), (Sample.mp3, "audio/mpeg", true),
    (Sample.svg, "image/svg+xml", false), (Sample.html, "text/html", false),
    (Sample.pdf, "application/octet-stream", false), (Sample.tiny, "application/octet-stream", false),
  ])
  func `only pictures, videos and sound are shown in a browser`(bytes: [UInt8], type: String, isInline: Bool)
    async throws
  {
    try await withServedLibrary { library, client in
      let answer = try await client.get("/blob/\(try library.blob(of: bytes))")
      #expect(answer.body == bytes && answer["Content-Type"] == type)
      #expect(answer["Content-Disposition"] == (isInline ? nil : "attachment"))
      #expect(answer["Content-Security-Policy"]?.hasPrefix("sandbox") == true)
      #expect(answer["X-Content-Type-Options"] == "nosniff")
    }
  }

  @Test func `a part is served as the request says`() async throws {
    try await withServedLibrary { library, client in
      let bytes = Array(0..<UInt8(200))
      let name = try library.blob(of: bytes)
      let part = try await client.get("/blob/\(name)", ["Range": "bytes=10-19"])
      #expect(part.status == 206 && part.body == Array(bytes[10..<20]))
      #expect(part["Content-Range"] == "bytes 10-19/200" && part["Content-Length"] == "10")
      let last = try await client.get("/blob/\(name)", ["Range": "bytes=-5", "If-Range": "\"\(name)\""])
      #expect(last.status == 206 && last.body == Array(bytes[195...]))
      let none = try await client.get("/blob/\(name)", ["Range": "bytes=200-"])
      #expect(none.status == 416 && none["Content-Range"] == "bytes */200")
      for headers in [["Range": "bytes=0-1,5-6"], ["Range": "bytes=0-1", "If-Range": "\"other\""]] {
        let whole = try await client.get("/blob/\(name)", headers)
        #expect(whole.status == 200 && whole.body == bytes)
      }
    }
  }

  @Test func `a long file comes in pieces, from any place`() async throws {
    try await withServedLibrary { library, client in
      let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
      let name = try library.blob(of: bytes)
      #expect(try await client.get("/blob/\(name)").body == bytes)
      let part = try await client.get("/blob/\(name)", ["Range": "bytes=100000-900000"])
      #expect(part.body == Array(bytes[100_000...900_000]))
    }
  }

  @Test func `HEAD tells the same as GET, without bytes and ranges`() async throws {
    try await withServedLibrary { library, client in
      let name = try library.blob(of: Sample.png)
      let answer = try await client.get("/blob/\(name)", ["Range": "bytes=0-1"], method: "HEAD")
      #expect(answer.status == 200 && answer.body.isEmpty)
      #expect(answer["Content-Length"] == "\(Sample.png.count)" && answer["Content-Type"] == "image/png")
    }
  }

  @Test func `a file that the browser has is not sent again`() async throws {
    try await withServedLibrary { library, client in
      let name = try library.blob(of: Sample.png)
      let answer = try await client.get("/blob/\(name)", ["If-None-Match": "\"\(name)\"", "Range": "bytes=0-1"])
      #expect(answer.status == 304 && answer.body.isEmpty && answer["ETag"] == "\"\(name)\"")
      #expect(try await client.get("/blob/\(name)", ["If-None-Match": "\"x\""]).status == 200)
    }
  }

  @Test func `no path leads to another file`() async throws {
    try await withServedLibrary { library, client in
      let name = try library.blob(of: Sample.png)
      let names = [
        "%2e%2e", "..", "%2e%2e%2fmedia.sqlite", "..%2f..%2fetc%2fpasswd", name.uppercased(), String(name.dropLast()),
        "\(name)0", "\(name)%00", "%00", String(repeating: "0", count: 64), "\(name.prefix(2))/\(name.dropFirst(2))",
        "\(name)/..", "",
        "\(name)%2f", String(repeating: "g", count: 64),
      ]
      for name in names {
        let answer = try await client.get("/blob/\(name)")
        // 400 where the path is not even spelt as one.
        #expect([400, 404].contains(answer.status), "\(name)")
        #expect(!answer.text.contains("SQLite format"))
      }
    }
  }

  @Test func `bytes that the library does not know are not served`() async throws {
    try await withServedLibrary { library, client in
      let draft = try library.blobs.draft()
      try Sample.html.withUnsafeBytes { try draft.write($0) }
      let kept = try library.blobs.keep([draft])
      let answer = try await client.get("/blob/\(kept[0].id.hex)")
      #expect(answer.status == 404 && answer.text.contains("no file of this name is stored"))
    }
  }

  @Test func `a file that is missing or cut short is said, not served`() async throws {
    try await withServedLibrary { library, client in
      let missing = try library.blob(of: Sample.png)
      try FileManager.default.removeItem(
        atPath: try library.path(of: missing))
      #expect(try await client.get("/blob/\(missing)").status == 404)
      let damaged = try library.blob(of: Sample.mp4)
      let path = try library.path(of: damaged)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
      truncate(path, 5)
      let answer = try await client.get("/blob/\(damaged)")
      #expect(answer.status == 500 && answer.text.contains("the stored file is damaged"))
    }
  }

  @Test func `a file that vanishes on the way ends the connection, and is not read before the client takes it`()
    async throws
  {
    try await withServedLibrary { library, client in
      let bytes = [UInt8](repeating: 9, count: 48 << 20)
      let name = try library.blob(of: bytes)
      let path = try library.path(of: name)
      let received = try await onThread {
        let connection = try RawClient.Connection(port: client.port)
        try connection.send("GET", "/blob/\(name)", ["Cookie": client.cookie])
        let head = try connection.head()
        #expect(head["Content-Length"] == "\(bytes.count)")
        try FileManager.default.removeItem(atPath: path)
        return head.body + connection.rest()
      }
      #expect(received.count < bytes.count && received.allSatisfy { $0 == 9 })
    }
  }

  @Test func `a download has the name that is asked for, as a name and no path`() async throws {
    try await withServedLibrary { library, client in
      let name = try library.blob(of: Sample.png)
      let answer = try await client.get("/blob/\(name)?name=2026-11-21%20birds%2017-2.png")
      #expect(answer["Content-Disposition"] == "attachment; filename=\"2026-11-21 birds 17-2.png\"")
      let tricky = try await client.get("/blob/\(name)?name=..%2F..%2Fa%0D%0AX-Evil:%201%22.exe")
      #expect(tricky["Content-Disposition"] == "attachment; filename=\"_.._a__X-Evil_ 1_.png\"")
      #expect(tricky["X-Evil"] == nil)
    }
  }
}
