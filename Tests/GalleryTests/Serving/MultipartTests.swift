import Testing

@testable import Gallery

struct MultipartTests {
  /// What a form contains: each part's name, file name and bytes.
  private func parts(of form: String, piece: Int, boundary: String = "b") throws -> [String] {
    var reader = MultipartReader(boundary: boundary, mostParts: 10)
    var (all, bytes): ([String], [UInt8]) = ([], [])
    var rest = Array(form.utf8)[...]
    while !rest.isEmpty {
      try reader.consume(rest.prefix(piece)) { event in
        switch event {
        case .part(let head): all.append("\(head.name)/\(head.file ?? "-")")
        case .bytes(let more): bytes += more
        case .end:
          all[all.count - 1] += "=\(String(decoding: bytes, as: UTF8.self))"
          bytes = []
        }
      }
      rest = rest.dropFirst(piece)
    }
    try reader.finish()
    return all
  }

  private func form(_ parts: (head: String, body: String)...) -> String {
    parts.map { "--b\r\n\($0.head)\r\n\r\n\($0.body)\r\n" }.joined() + "--b--\r\n"
  }

  @Test func `a form is read the same in pieces of any size`() throws {
    let form = form(
      ("Content-Disposition: form-data; name=\"text\"", "two\r\nlines\r\n--not the boundary"),
      (
        "Content-Disposition: form-data; name=\"files\"; filename=\"תמונה.jpg\"\r\nContent-Type: image/jpeg",
        "\r\n\r\n-"
      ),
      ("content-disposition: form-data; filename=\"a;b.png\"; name=files", ""))
    let expected = ["text/-=two\r\nlines\r\n--not the boundary", "files/תמונה.jpg=\r\n\r\n-", "files/a;b.png="]
    for piece in [1, 2, 3, 7, 64, 10_000] { #expect(try parts(of: form, piece: piece) == expected) }
  }

  @Test func `a part without its end, and a form without its end, are no forms`() {
    let whole = form(("Content-Disposition: form-data; name=\"text\"", "cat"))
    for count in 0..<(whole.count - 2) {
      #expect(throws: MultipartReader.Failure.endedEarly) {
        try parts(of: String(whole.prefix(count)) + "x", piece: 5, boundary: "b")
      }
    }
  }

  @Test func `heads without a name, endless heads and too many parts are refused`() {
    #expect(throws: MultipartReader.Failure.malformed) {
      try parts(of: form(("Content-Type: text/plain", "x")), piece: 9)
    }
    #expect(throws: MultipartReader.Failure.malformed) {
      try parts(of: form(("X: \(String(repeating: "x", count: 20_000))", "x")), piece: 999)
    }
    #expect(throws: MultipartReader.Failure.malformed) { try parts(of: "--bad", piece: 9) }
    let part = "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n\r\n"
    #expect(throws: MultipartReader.Failure.tooManyParts) {
      try parts(of: String(repeating: part, count: 11), piece: 50)
    }
  }
}
