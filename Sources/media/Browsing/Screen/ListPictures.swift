import Browse
import FoundationEssentials
import MediaLibrary
import Pictures
import Terminal

/// The pictures of the list: the terminal's capabilities, the decoded pictures, and the scheduler. Only the screen's thread
/// uses it.
final class ListPictures {
  /// The dependencies of the pictures.
  struct PictureEnvironment: Sendable {
    let variables: [String: String]
    let blobs: any BlobStoring
    /// The value of `--pictures`, which overrides the setting until the setting changes.
    let wish: PicturePreference?
  }

  /// The deadline for the terminal's answer; tmux may swallow the question.
  private static let patience = 0.5
  private static let patienceOfTmux = 0.15

  private let environment: PictureEnvironment
  private let files: PictureFiles
  private let eventQueue: ScreenEventQueue
  private var wish: PicturePreference?
  private var setting: String?
  private var memory = 64_000_000
  private var deadline: Date?
  private var gallery: PictureLayer?
  private var dealer: PictureScheduler?
  private var wasAsked = false

  init(_ environment: PictureEnvironment, eventQueue: ScreenEventQueue) {
    (self.environment, self.eventQueue, wish) = (environment, eventQueue, environment.wish)
    files = PictureFiles(of: environment.blobs, environment: environment.variables)
  }

  /// When the terminal's time to answer is over.
  var nextTime: Date? { deadline }

  var isTmux: Bool { environment.variables["TMUX"]?.isEmpty == false }

  /// Applies the current settings.
  func apply(_ rows: [SettingRow]) {
    let value = rows.first { $0.name == "pictures" }?.value
    // A change made here overrides the command line.
    if setting != nil, setting != value { wish = nil }
    setting = value
    memory = rows.first { $0.name == "memory" }.flatMap { ByteCount($0.value) }.map { Int($0.bytes) } ?? memory
  }

  /// Queries the terminal if necessary, and applies its answer. Returns an event for the screen if something changed.
  func settle(_ session: TerminalSession, now: Date) -> ScreenEvent? {
    guard let wish = wish ?? setting.flatMap(PicturePreference.init) else { return nil }
    if !wasAsked, wish != .off, wish != .blocks, canAnswer {
      wasAsked = true
      session.ask(throughTmux: isTmux)
      deadline = now.addingTimeInterval(isTmux ? Self.patienceOfTmux : Self.patience)
    }
    if let end = deadline {
      if session.isQueryPending, now < end, deadlineIsNear(end, now) { return nil }
      deadline = nil
      session.endQuery()
    }
    return decide(wish, session)
  }

  // A clock set back must not delay the pictures.
  private func deadlineIsNear(_ end: Date, _ now: Date) -> Bool { end.timeIntervalSince(now) <= Self.patience }

  private var canAnswer: Bool {
    environment.variables["NO_COLOR"]?.isEmpty != false && environment.variables["TERM"] != "dumb"
  }

  private func decide(_ wish: PicturePreference, _ session: TerminalSession) -> ScreenEvent? {
    var choice = PictureChoice.of(wish, answers: session.answers, environment: environment.variables)
    // tmux does not track what passes through it: it would neither move nor remove such a picture.
    if wish == .auto, choice?.isWrapped == true {
      choice = PictureChoice.of(.blocks, answers: session.answers, environment: environment.variables)
    }
    let cell = session.cell ?? session.answers.cell ?? .usual
    guard choice != gallery?.choice || choice != nil && (cell != gallery?.cell || memory != gallery?.memory) else {
      return nil
    }
    if choice == nil { dealer?.rest() } else { dealer?.want([]) }
    session.draw(with: choice.flatMap { PictureOutput($0) })
    gallery = choice.map { choice in
      let file = DecodedPictureFile(folder: environment.variables["TMPDIR"] ?? "/tmp")
      return PictureLayer(choice, cell: cell, memory: memory, on: file) { [files] in BlobID($0).map(files.path) }
    }
    return .pictures(gallery?.cell)
  }

  /// Shows a canvas with its pictures. Pictures needed `soon` are drawn after it: a key press waits only for the visible
  /// ones.
  func show(_ canvas: Canvas, soon: () -> [CellRect], on session: TerminalSession) {
    var canvas = canvas
    for (request, result) in eventQueue.drainPictures() { gallery?.add(request, result) }
    guard gallery != nil else {
      _ = canvas.removePictures()
      return session.show(canvas)
    }
    let wanted = gallery?.place(on: &canvas) ?? []
    session.show(canvas) { gallery?.pixels($0) ?? [] }
    draw(wanted + (gallery?.prepare(soon()) ?? []))
  }

  private func draw(_ wanted: [PictureRequest]) {
    guard !wanted.isEmpty || dealer != nil else { return }
    do throws(DrawingFailure) {
      if dealer == nil {
        let drawer = PictureDrawer(
          program: try PictureProgram.find(environment.variables), environment: environment.variables, memory: 0,
          now: { .now })
        dealer = PictureScheduler(drawer, files, eventQueue)
      }
      dealer?.want(wanted)
    } catch {
      for request in wanted { eventQueue.append(request, .failure(error)) }
    }
  }
}
