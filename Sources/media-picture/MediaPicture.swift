// Draws pictures for `media`, and makes derivatives of them for a gallery. It reads requests from standard input and writes
// answers to standard output, by the protocol of its mode, PictureProtocol without one. It is a separate program, so that a
// picture that breaks a decoder or keeps it busy for ever ends only this process.

import CChafa
import Pictures

@main struct MediaPicture {
  static func main() {
    Limits.begin()
    if let mode = CommandLine.arguments.dropFirst().first.flatMap({ modes[$0] }) { return mode() }
    // One thread: stacks count towards the memory limit, and small pictures do not draw faster with more.
    chafa_set_n_threads(1)
    let lines = InputLines()
    Output.send(Array(PictureProtocol.greeting.utf8))
    while let line = lines.next() { answer(line) }
  }

  private static var modes: [String: () -> Void] {
    [
      DerivativeProtocol.mode: DerivativeAnswers.run, FormatsProtocol.mode: tellFormats,
      InspectionProtocol.mode: InspectionAnswers.run, StrippingProtocol.mode: StrippingAnswers.run,
    ]
  }

  private static func tellFormats() {
    for format in FormatsProtocol.known where format.mediaType.map(Decoding.decodes) ?? VideoPoster.isAvailable {
      Output.send(Array("\(format.name)\n".utf8))
    }
  }

  private static func answer(_ line: [UInt8]) {
    guard let numbered = try? PictureProtocol.value(PictureProtocol.NumberedRequest.self, of: line) else {
      return Output.send(line: PictureProtocol.Head(id: 0, failure: "the request makes no sense"))
    }
    Limits.beginPicture()
    defer { Limits.endPicture() }
    do throws(Refusal) {
      let request = numbered.request
      guard request.isPlausible else { throw Refusal("no terminal has such room") }
      let drawing = try Drawing(Decoding(request).pixels(PictureFile(request.path)), for: request)
      guard drawing.bytes.count <= PictureProtocol.mostBytes else { throw Refusal("it is too large when drawn") }
      Output.send(
        line: PictureProtocol.Head(
          id: numbered.id, columns: drawing.columns, rows: drawing.rows, bytes: drawing.bytes.count))
      Output.send(drawing.bytes)
    } catch {
      Output.send(line: PictureProtocol.Head(id: numbered.id, failure: error.message.text))
    }
  }
}
