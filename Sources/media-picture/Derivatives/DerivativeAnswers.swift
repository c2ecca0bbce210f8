import Pictures

/// Answers requests for derivatives until the input ends.
enum DerivativeAnswers {
  static func run() {
    let lines = InputLines()
    Output.send(Array(DerivativeProtocol.greeting.utf8))
    while let line = lines.next() { answer(line) }
  }

  private static func answer(_ line: [UInt8]) {
    guard let request = try? PictureProtocol.value(DerivativeProtocol.Request.self, of: line), request.isPlausible
    else {
      return Output.send(line: DerivativeProtocol.Head(id: 0, failure: "the request makes no sense"))
    }
    Limits.beginPicture()
    defer { Limits.endPicture() }
    do throws(Refusal) {
      let derivatives = try Derivation(edges: request.edges).derivatives(of: request.path)
      let parts = derivatives.map { DerivativeProtocol.Part(edge: $0.edge, bytes: $0.bytes.count) }
      Output.send(line: DerivativeProtocol.Head(id: request.id, parts: parts))
      for derivative in derivatives { Output.send(derivative.bytes) }
    } catch {
      Output.send(line: DerivativeProtocol.Head(id: request.id, failure: error.message.text))
    }
  }
}
