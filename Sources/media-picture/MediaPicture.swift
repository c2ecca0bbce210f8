// Draws pictures for `media`. It reads requests from standard input and writes answers to standard output, by the
// protocol of PictureProtocol. It is a separate program, so that a picture that breaks a decoder or keeps it busy for ever
// ends only this process.

import CChafa
import Glibc
import Pictures

@main struct MediaPicture {
  static func main() {
    Limits.begin()
    // One thread: stacks count towards the memory limit, and small pictures do not draw faster with more.
    chafa_set_n_threads(1)
    let lines = InputLines()
    send(Array(PictureProtocol.greeting.utf8))
    while let line = lines.next() { answer(line) }
  }

  private static func answer(_ line: [UInt8]) {
    guard let numbered = try? PictureProtocol.value(PictureProtocol.NumberedRequest.self, of: line) else {
      return send(PictureProtocol.Head(id: 0, failure: "the request makes no sense"))
    }
    Limits.beginPicture()
    defer { Limits.endPicture() }
    do throws(Refusal) {
      let request = numbered.request
      guard request.isPlausible else { throw Refusal("no terminal has such room") }
      let drawing = try Drawing(Decoding(request).pixels(), for: request)
      guard drawing.bytes.count <= PictureProtocol.mostBytes else { throw Refusal("it is too large when drawn") }
      send(
        PictureProtocol.Head(
          id: numbered.id, columns: drawing.columns, rows: drawing.rows, bytes: drawing.bytes.count))
      send(drawing.bytes)
    } catch {
      send(PictureProtocol.Head(id: numbered.id, failure: error.message.text))
    }
  }

  private static func send(_ head: PictureProtocol.Head) {
    guard let line = try? PictureProtocol.line(head) else { exit(70) }
    send(line)
  }

  /// Writes all bytes. Exits if the reader has gone.
  private static func send(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { exit(0) }
      rest = rest.dropFirst(count)
    }
  }
}
