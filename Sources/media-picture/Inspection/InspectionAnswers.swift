import Glibc
import Pictures

/// Answers requests to inspect files until the input ends.
enum InspectionAnswers {
  static func run() {
    // Whatever a person does goes first.
    setpriority(PRIO_PROCESS.rawValue.signed, 0, 19)
    let lines = InputLines()
    Output.send(Array(InspectionProtocol.greeting.utf8))
    while let line = lines.next() { answer(line) }
  }

  private static func answer(_ line: [UInt8]) {
    guard let request = try? PictureProtocol.value(InspectionProtocol.Request.self, of: line) else {
      return Output.send(line: InspectionProtocol.Answer(id: 0))
    }
    if request.wants.contains(.text) {
      Limits.beginPicture(seconds: InspectionProtocol.secondsForText)
    } else {
      Limits.beginPicture()
    }
    defer { Limits.endPicture() }
    var answer = InspectionProtocol.Answer(id: request.id)
    for want in request.wants {
      do throws(Refusal) {
        switch want {
        case .hash: answer.hash = try PictureHasher.hash(of: request.path)
        case .pixels: answer.pixels = try PictureHasher.pixels(of: request.path)
        case .facts: answer.facts = try FactsReader.facts(of: request.path)
        case .text: answer.text = try TextReader.text(of: request.path, in: request.languages)
        }
      } catch {
        if error.isOfMachine {
          answer.missing[want.rawValue] = error.message.text
        } else {
          answer.failures[want.rawValue] = error.message.text
        }
      }
    }
    Output.send(line: answer)
  }
}
