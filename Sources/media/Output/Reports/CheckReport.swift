import Harvest
import Storage
import Synchronization
import Terminal
import Web
import Wording

/// Prints a check's findings, one a line on standard output, and its progress on standard error if that is a terminal.
final class CheckReport: Sendable {
  private struct State {
    var bar = ProgressBar(title: "check", unit: "pictures")
    var phase = Phase.rows
    var waste = (count: 0, bytes: 0)
  }

  /// What is counted: each phase has its own speed.
  private enum Phase { case rows, pictures, fetching }

  private let line: LiveLine
  private let console: Console
  private let json: Bool
  private let repair: Bool
  private let advice: SafeText
  private let state = Mutex(State())

  /// A report on a console, with progress on the console's live line or another.
  ///
  /// - Parameter advice: What to do about faults that were found and not repaired.
  init(
    _ console: Console, json: Bool, repair: Bool, advice: SafeText = "run \"media check --repair\"",
    on line: LiveLine? = nil
  ) {
    self.console = console
    self.json = json
    self.repair = repair
    self.advice = advice
    self.line = line ?? LiveLine(console)
  }

  func note(_ step: CheckStep) {
    switch step {
    case .rows(let name, let done, let known):
      draw(.rows) { bar in (bar.done, bar.total, bar.unit, bar.note) = (done, known, "kinds of rows", "\(name)") }
    case .pictures(let done, let known, let bytes):
      draw(.pictures) { bar in
        (bar.done, bar.total, bar.unit, bar.bytes, bar.note) = (done, known, Self.pictures, bytes, "")
      }
    case .folders: draw(.pictures) { $0.note = "the folders of the pictures" }
    }
  }

  func note(_ event: PullEvent) {
    guard case .picture(let done, let known, let bytes) = event else { return }
    draw(.fetching) { bar in
      (bar.done, bar.total, bar.unit, bar.bytes, bar.note) = (done, known, Self.pictures, Int(bytes), "fetched anew")
    }
  }

  func message(_ text: SafeText) { line.say(text) }

  private static let pictures: SafeText = "pictures"

  /// Waste is reported in one line at the end, except as JSON.
  func say(_ finding: Finding, isMended: Bool) throws {
    line.clear()
    if json {
      return try console.result(
        try JSONText.line(
          JSONMembers(present: [
            "kind": finding.kind.rawValue, "detail": finding.detail, "path": finding.path, "blob": finding.blob?.hex,
            "post": finding.post, "repaired": repair ? isMended : nil,
          ])))
    }
    guard finding.isFault else {
      // Recovered files are reported again as unreferenced.
      if isMended { return }
      return state.withLock { state in
        state.waste = (state.waste.count + 1, state.waste.bytes &+ (finding.byteCount ?? 0))
      }
    }
    let post = finding.post.map { " (post \($0))" } ?? ""
    try console.result("\(finding.kind.rawValue): \(finding.detail)\(post)\(isMended ? "; mended" : "")")
  }

  /// Prints the result and returns the exit code.
  func end(_ result: CheckResult) throws {
    line.clear()
    guard result.remaining == 0 else { return try complain(result) }
    guard !json, !console.isQuiet else { return }
    let mended = result.faults > 0 ? "Mended \(NumberText.count(result.faults, "fault")). " : ""
    let bytes = NumberText.bytes(result.blobBytes)
    let held = "\(NumberText.count(result.posts, "post")), \(NumberText.count(result.blobs, "picture")), \(bytes)"
    try console.result("\(mended)Everything is in order: \(held)\(waste)")
  }

  private func complain(_ result: CheckResult) throws {
    let faults = NumberText.count(result.remaining, "fault")
    if result.isDamaged {
      let first = repair ? "" : "run \"media check --repair\", or "
      console.error(
        "media: the store itself is damaged: \(first)put a dated copy (media-before-….sqlite) in its place")
    } else if repair {
      console.error("media: \(faults) could not be mended: what is said of each tells how")
    } else {
      console.error("media: \(faults) found: \(advice)")
    }
    throw ExitHandling.Quiet(code: result.isDamaged ? .storage : .partial)
  }

  private var waste: String {
    let (count, bytes) = state.withLock { $0.waste }
    if count == 0 { return "" }
    return "; nothing needs \(NumberText.count(count, "file")) (\(NumberText.bytes(bytes))), media gc frees them"
  }

  private func draw(_ phase: Phase, _ change: (inout ProgressBar) -> Void) {
    state.withLock { state in
      if state.phase != phase { line.begin() }
      state.phase = phase
      change(&state.bar)
      line.show(state.bar)
    }
  }
}
