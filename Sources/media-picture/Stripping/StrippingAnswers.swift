import Pictures

/// Answers requests for clean copies until the input ends.
enum StrippingAnswers {
  static func run() {
    let lines = InputLines()
    Output.send(Array(StrippingProtocol.greeting.utf8))
    while let line = lines.next() { answer(line) }
  }

  private static func answer(_ line: [UInt8]) {
    guard let request = try? PictureProtocol.value(StrippingProtocol.Request.self, of: line) else {
      return Output.send(line: StrippingProtocol.Answer(id: 0, failure: "the request makes no sense"))
    }
    // A film is copied whole.
    Limits.beginPicture(seconds: 600)
    defer { Limits.endPicture() }
    do throws(Refusal) {
      let isWritten = try Stripping.strip(request.path, to: request.output)
      Output.send(line: StrippingProtocol.Answer(id: request.id, isWritten: isWritten))
    } catch {
      Output.send(
        line: StrippingProtocol.Answer(
          id: request.id, failure: error.message.text, isOfMachine: error.isOfMachine ? true : nil))
    }
  }
}
