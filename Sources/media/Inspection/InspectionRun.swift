import Blobs
import Derivatives
import HTTP
import Pictures
import Storage

/// Inspects the files of a library that were not inspected yet, in batches.
struct InspectionRun: Sendable {
  /// Where it ends, although files are left.
  struct Bounds: Sendable {
    /// The maximum number of files; nil for all.
    var files: Int?
    /// The time after which no batch begins; nil for none.
    var time: Duration?

    /// What a harvest does: the next harvest goes on.
    static let harvest = Bounds(files: 1000, time: .seconds(30))
    /// The same for text, which takes some hundred times as long a picture.
    static let harvestedText = Bounds(files: 60, time: .seconds(30))
  }

  /// What came of it.
  struct Report: Sendable, Equatable {
    /// The number of files that were inspected.
    var files = 0
    /// How many of them could not be read.
    var failed = 0
    /// What is not installed, so that some files were passed over, as the end of a sentence; nil if nothing is missing.
    var missing: String?
    /// Why it ended early, as no file of a batch could be read; the end of a sentence, nil if it did not.
    var unavailable: String?
    /// Why the model looked at no more files, as the end of a sentence; nil if nothing kept it from that.
    var modelUnavailable: String?
    /// Whether the model looked at no file, as another one is that of the library.
    var hasOtherModel = false
    /// The number of posts whose texts the model looked at.
    var texts = 0
  }

  /// What is said of a model that is not the one of the library, and what changes that.
  static let otherModel =
    "another model looked at the files of this library: \"media look --only model\" lets this one look at all of them"

  let store: Store
  let inspector: Inspector
  /// The model that the person chose; nil if there is none.
  let model: ModelProgram?
  let time: TimeSource
  /// The languages in which text is read.
  let languages: TextLanguages?
  /// So many files are stored in one transaction, and then the next are read.
  private static let batch = 100
  /// The same for text and models, which are slow. What was read until then lasts, whatever happens.
  private static let slowBatch = 10

  init(
    _ store: Store, _ inspector: Inspector, model: ModelProgram? = nil, time: TimeSource,
    languages: TextLanguages? = nil
  ) {
    (self.store, self.inspector, self.model) = (store, inspector, model)
    (self.time, self.languages) = (time, languages)
  }

  /// Inspects files until none is left, a bound is reached or the task is cancelled.
  ///
  /// - Parameters:
  ///   - kinds: What they are inspected for.
  ///   - posts: Only files of these posts; nil for all.
  ///   - isAgain: Whether files are inspected again.
  ///   - mayReplace: Whether the model takes the place of the one that looked at the library's files before.
  ///   - progress: Receives the report after each batch.
  func run(
    for kinds: Set<InspectionKind>, of posts: [Int64]? = nil, again isAgain: Bool = false,
    replacingModel mayReplace: Bool = false, within bounds: Bounds, _ progress: (Report) -> Void = { _ in }
  ) async throws -> Report {
    var report = Report()
    let model = kinds.contains(.model) ? try await modelInUse(&report, mayReplace: mayReplace, within: bounds) : nil
    // Weights may take longer to load than a harvest looks.
    let deadline = bounds.time.map { ContinuousClock.now + $0 }
    let kinds = model == nil ? kinds.subtracting([.model]) : kinds
    // The first of a group may have been removed.
    try store.groupPictures()
    // Posts are asked for in parts, as each part is looked up anew.
    var parts = posts.map { posts in
      stride(from: 0, to: posts.count, by: Self.batch).map { Array(posts[$0..<min($0 + Self.batch, posts.count)]) }[...]
    }
    var (part, last): ([Int64]?, Int64?) = (parts?.popFirst(), nil)
    while !Task.isCancelled, deadline.map({ $0 > .now }) ?? true, posts == nil || part != nil {
      let limit = min(
        kinds.isSubset(of: InspectionKind.ofFiles) ? Self.batch : Self.slowBatch, (bounds.files ?? .max) - report.files)
      guard limit > 0 else { break }
      let files = try store.filesToInspect(
        for: kinds, in: languages?.text, before: last, of: part, again: isAgain, model: model?.number, atMost: limit)
      guard let end = files.last?.number else {
        if posts == nil { break }
        (part, last) = (parts?.popFirst(), nil)
        continue
      }
      last = end
      let inspections = try await inspect(files, &report, before: deadline)
      try store.keep(inspections, by: model?.number, now: time.now())
      if inspections.isEmpty, report.unavailable != nil { break }
      // What is missing for the only kind is missing for all files.
      if inspections.isEmpty, kinds == [.text] && report.missing != nil || report.modelUnavailable != nil { break }
      report.unavailable = nil
      try await comparePixels(of: inspections.map(\.number), before: deadline)
      progress(report)
    }
    if let model { try await embedTexts(of: posts, by: model, again: isAgain, &report, before: deadline, progress) }
    return report
  }

  private func inspect(
    _ files: [UninspectedFile], _ report: inout Report, before deadline: ContinuousClock.Instant?
  ) async throws -> [FileInspection] {
    let isAsked = files.contains { !$0.wants.isEmpty }
    let answers =
      isAsked
      ? await inspector.answers(
        to: files.map { Inspector.Question($0.blob, $0.wants, in: languages) }, before: deadline)
      : files.map { _ in .success(InspectionProtocol.Answer(id: 0)) }
    let said = try said(of: files)
    var inspections: [FileInspection] = []
    for (file, answer) in zip(files, answers) {
      var inspection = FileInspection(of: file.number)
      switch answer {
      case .success(let answer):
        inspection = FileInspection(of: file, answer, in: languages)
        report.missing = answer.missing.values.min() ?? report.missing
      case .failure(.missing), .failure(.cancelled), .failure(.superseded): continue
      // What a bad disk or a missing program hides is not the file's fault.
      case .failure(.unavailable(let reason)): report.unavailable = reason
      case .failure(let error):
        inspection = FileInspection(of: file, failing: error, in: languages)
        // What a file says of itself is read without its frames, which may have ended the program.
        if Set(file.wants).isSuperset(of: [.hash, .facts]) {
          let rest = await inspector.answers(to: [Inspector.Question(file.blob, [.facts])], before: deadline)
          if case .success(let answer)? = rest.first {
            inspection.facts = FileInspection(of: file, answer, in: languages).facts
          }
        }
      }
      if let said = said[file.number] { inspection.add(said.facts, by: said.source) }
      inspection.model = await found(byModelIn: file, &report, before: deadline)
      guard !inspection.isEmpty else { continue }
      inspections.append(inspection)
      report.files += 1
      if inspection.isFailed { report.failed += 1 }
    }
    return inspections
  }

  /// Hashes the pixels of pictures that have one hash and one size, to tell which differ only in what files say beside them.
  private func comparePixels(of files: [Int64], before deadline: ContinuousClock.Instant?) async throws {
    let twins = try store.picturesWithTwins(among: files, atMost: Self.batch)
    guard !twins.isEmpty else { return }
    let answers = await inspector.answers(
      to: twins.map { Inspector.Question($0.blob, [.pixels]) }, before: deadline)
    let pixels = zip(twins, answers).compactMap { twin, answer -> (Int64, String?)? in
      switch answer {
      case .success(let answer): answer.missing.isEmpty ? (twin.number, answer.pixels) : nil
      case .failure(.undecodable): (twin.number, nil)
      case .failure: nil
      }
    }
    try store.keep(pixels: pixels)
  }
}

extension UninspectedFile {
  fileprivate var wants: [InspectionProtocol.Want] {
    let type = mediaType?.prefix { $0 != "/" } ?? ""
    return kinds.sorted { $0.rawValue < $1.rawValue }.compactMap { kind in
      switch kind {
      case .hash: ["image", "video"].contains(type) ? .hash : nil
      case .facts: ["image", "video", "audio"].contains(type) ? .facts : nil
      case .text: type == "image" ? .text : nil
      case .model: nil
      }
    }
  }
}

extension FileInspection {
  fileprivate init(of file: UninspectedFile, _ answer: InspectionProtocol.Answer, in languages: TextLanguages?) {
    self.init(of: file.number)
    self.languages = languages?.text
    func outcome<Found>(_ found: Found?, _ want: InspectionProtocol.Want) -> Outcome<Found>? {
      if answer.missing[want.rawValue] != nil { return nil }
      return found.map { .found($0) } ?? answer.failures[want.rawValue].map { .failed($0) } ?? .nothing
    }
    if file.kinds.contains(.hash) { hash = outcome(answer.hash, .hash) }
    let said = answer.facts.flatMap { $0 == FileFacts() ? nil : $0 }
    if file.kinds.contains(.facts) { facts = outcome(said, .facts) }
    if file.kinds.contains(.text) { text = outcome(answer.text, .text) }
  }

  fileprivate init(of file: UninspectedFile, failing error: DerivativeError, in languages: TextLanguages?) {
    self.init(of: file.number)
    self.languages = languages?.text
    let reason = if case .undecodable(let reason) = error { reason } else { "it has no picture" }
    if file.kinds.contains(.hash) { hash = .failed(reason) }
    if file.kinds.contains(.facts) { facts = .failed(reason) }
    if file.kinds.contains(.text) { text = .failed(reason) }
  }

  fileprivate var isEmpty: Bool { hash == nil && facts == nil && text == nil && model == nil }

  fileprivate var isFailed: Bool {
    if case .failed = hash { return true }
    if case .failed = facts { return true }
    if case .failed = text { return true }
    if case .failed = model { return true }
    return false
  }
}
