import Posts
import Services
import Storage

extension InspectionRun {
  /// What a source says of a file.
  struct Said {
    let facts: SaidFacts
    let source: SourceName
  }

  /// What sources say of files, by their numbers. Of a file of several posts, the one that was stored first counts.
  func said(of files: [UninspectedFile]) throws -> [Int64: Said] {
    let asked = files.filter { $0.kinds.contains(.facts) }.map(\.number)
    guard !asked.isEmpty else { return [:] }
    return try store.answers(ofFiles: asked, from: Catalogue.describing).compactMapValues { answers in
      answers.lazy.compactMap { answer in
        Catalogue.said(of: answer.source, answer: answer.body).map { Said(facts: $0, source: answer.source) }
      }.first
    }
  }
}
