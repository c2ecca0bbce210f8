import Blobs
import Derivatives
import Storage

// What the model of the person's choice finds.

extension InspectionRun {
  /// A model that is ready to look.
  struct ModelInUse {
    /// Its number in the library.
    let number: Int64
    /// What it can do.
    let model: ModelProgram.Model
  }

  /// So many texts are stored in one transaction.
  private static let texts = 50

  /// Starts the model; nil if there is none, if it has nothing to do, or if it cannot be used, which the report then says.
  func modelInUse(_ report: inout Report, mayReplace: Bool, within bounds: Bounds) async throws -> ModelInUse? {
    guard let program = model else { return nil }
    let current = try store.currentModel()
    // Weights take seconds to load: not at each harvest. Whether it is another model by now, the next new file or text shows.
    if bounds.files != nil, let current,
      try store.filesToInspect(for: [.model], model: current, atMost: 1).isEmpty,
      try !store.awaitsTexts(current)
    {
      return nil
    }
    let found: ModelProgram.Model
    do throws(DerivativeError) { found = try await program.model() } catch {
      report.note(error)
      return nil
    }
    // Of two machines with two models, each would undo what the other one's has found, without end.
    if let current, !mayReplace, try store.number(of: found.name) != current {
      report.hasOtherModel = true
      return nil
    }
    return ModelInUse(number: try store.use(found.name, now: time.now()), model: found)
  }

  /// What the model finds in a file; nil if it is not asked, or cannot be.
  func found(
    byModelIn file: UninspectedFile, _ report: inout Report, before deadline: ContinuousClock.Instant?
  ) async -> FileInspection.Outcome<ModelFindings>? {
    guard let model, file.kinds.contains(.model) else { return nil }
    guard file.mediaType?.hasPrefix("image/") == true else { return .nothing }
    guard report.modelUnavailable == nil, !isOver(deadline) else { return nil }
    do throws(DerivativeError) { return .found(try await model.findings(of: file.blob)) } catch {
      if case .undecodable(let reason) = error { return .failed(reason) }
      report.note(error)
      return nil
    }
  }

  /// Lets a model that does not know what pictures mean look at the texts of posts.
  func embedTexts(
    of posts: [Int64]?, by inUse: ModelInUse, again isAgain: Bool, _ report: inout Report,
    before deadline: ContinuousClock.Instant?, _ progress: (Report) -> Void
  ) async throws {
    guard let model, inUse.model.embedsTexts, !inUse.model.embedsPictures else { return }
    var last: Int64?
    while report.modelUnavailable == nil, !isOver(deadline) {
      let texts = try store.textsToEmbed(
        by: inUse.number, before: last, of: posts, again: isAgain, atMost: Self.texts)
      guard let end = texts.last?.post else { return }
      last = end
      var found: [EmbeddedText] = []
      for text in texts where report.modelUnavailable == nil && !isOver(deadline) {
        do throws(DerivativeError) {
          found.append(EmbeddedText(text, text.text.isEmpty ? nil : try await model.embedding(of: text.text)))
        } catch {
          if case .undecodable = error { found.append(EmbeddedText(text, nil)) } else { report.note(error) }
        }
      }
      try store.keep(found, by: inUse.number)
      report.texts += found.count
      progress(report)
    }
  }

  private func isOver(_ deadline: ContinuousClock.Instant?) -> Bool {
    Task.isCancelled || deadline.map { $0 <= .now } ?? false
  }
}

extension InspectionRun.Report {
  /// Notes why a model cannot look.
  fileprivate mutating func note(_ error: DerivativeError) {
    switch error {
    case .unavailable(let reason), .undecodable(let reason): modelUnavailable = reason
    case .missing, .sound, .superseded, .cancelled: break
    }
  }
}
