// Draws pictures for `media`: requests come on standard input, answers go to standard output, as PictureWire says. It
// is a program of its own so that a picture that breaks a decoder, or keeps one busy for ever, ends this and nothing
// else.

import CChafa
import Glibc
import Pictures

@main struct MediaPicture {
  static func main() {
    Limits.begin()
    // One thread: its stacks count as memory, and small pictures gain nothing by more.
    chafa_set_n_threads(1)
    let lines = InputLines()
    say(Array(PictureWire.greeting.utf8))
    while let line = lines.next() { answer(line) }
  }

  private static func answer(_ line: [UInt8]) {
    guard let asked = try? PictureWire.value(PictureWire.Asked.self, of: line) else {
      return say(PictureWire.Head(id: 0, failure: "the request makes no sense"))
    }
    Limits.beginPicture()
    defer { Limits.endPicture() }
    do throws(Refusal) {
      let request = asked.request
      guard request.isPlausible else { throw Refusal("no terminal has such room") }
      let drawing = try Drawing(Decoding(request).pixels(), for: request)
      guard drawing.bytes.count <= PictureWire.mostBytes else { throw Refusal("it is too large when drawn") }
      say(
        PictureWire.Head(
          id: asked.id, columns: drawing.columns, rows: drawing.rows, bytes: drawing.bytes.count))
      say(drawing.bytes)
    } catch {
      say(PictureWire.Head(id: asked.id, failure: error.words.text))
    }
  }

  private static func say(_ head: PictureWire.Head) {
    guard let line = try? PictureWire.line(head) else { exit(70) }
    say(line)
  }

  /// Says it whole; where nobody listens any more there is nothing left to do.
  private static func say(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { exit(0) }
      rest = rest.dropFirst(count)
    }
  }
}
