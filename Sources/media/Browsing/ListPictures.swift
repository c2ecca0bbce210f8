import Browse
import Foundation
import MediaLibrary
import Pictures
import Terminal

/// The pictures of the list's screen: what the terminal can show, what was drawn, and who draws. The screen's thread
/// alone uses it.
final class ListPictures {
  /// What the pictures need of the program.
  struct Surroundings: Sendable {
    let environment: [String: String]
    let blobs: DiskBlobs
    /// What `--pictures` says; it goes before the setting until that is changed.
    let wish: PictureWish?
  }

  /// So long the terminal may think about what it can do; tmux may keep the question to itself.
  private static let patience = 0.5
  private static let patienceOfTmux = 0.15

  private let surroundings: Surroundings
  private let mailbox: Mailbox
  private var wish: PictureWish?
  private var setting: String?
  private var memory = 64_000_000
  private var deadline: Date?
  private var gallery: Gallery?
  private var dealer: PictureDealer?
  private var wasAsked = false

  init(_ surroundings: Surroundings, mailbox: Mailbox) {
    (self.surroundings, self.mailbox, wish) = (surroundings, mailbox, surroundings.wish)
  }

  /// When the terminal's time to answer is over.
  var nextTime: Date? { deadline }

  var isTmux: Bool { surroundings.environment["TMUX"]?.isEmpty == false }

  /// Takes the settings as they are now.
  func take(_ rows: [SettingRow]) {
    let value = rows.first { $0.name == "pictures" }?.value
    // What a person changes here is meant, whatever was written on the command line.
    if setting != nil, setting != value { wish = nil }
    setting = value
    memory = rows.first { $0.name == "memory" }.flatMap { ByteCount($0.value) }.map { Int($0.bytes) } ?? memory
  }

  /// Asks the terminal where that is needed, and decides with what it has said; the event for the screen where something
  /// is other than before.
  func settle(_ session: TerminalSession, now: Date) -> ScreenEvent? {
    guard let wish = wish ?? setting.flatMap(PictureWish.init) else { return nil }
    if !wasAsked, wish != .off, wish != .blocks, canAnswer {
      wasAsked = true
      session.ask(throughTmux: isTmux)
      deadline = now.addingTimeInterval(isTmux ? Self.patienceOfTmux : Self.patience)
    }
    if let end = deadline {
      if session.isAsked, now < end, deadlineIsNear(end, now) { return nil }
      deadline = nil
      session.endQuestion()
    }
    return decide(wish, session)
  }

  // A clock that was set back must not make the pictures wait.
  private func deadlineIsNear(_ end: Date, _ now: Date) -> Bool { end.timeIntervalSince(now) <= Self.patience }

  private var canAnswer: Bool {
    surroundings.environment["NO_COLOR"]?.isEmpty != false && surroundings.environment["TERM"] != "dumb"
  }

  private func decide(_ wish: PictureWish, _ session: TerminalSession) -> ScreenEvent? {
    var choice = PictureChoice.of(wish, answers: session.answers, environment: surroundings.environment)
    // tmux knows nothing of what goes through it: it would neither move such a picture nor take it away.
    if wish == .auto, choice?.isWrapped == true {
      choice = PictureChoice.of(.blocks, answers: session.answers, environment: surroundings.environment)
    }
    let cell = session.cell ?? session.answers.cell ?? .usual
    guard choice != gallery?.choice || choice != nil && (cell != gallery?.cell || memory != gallery?.memory) else {
      return nil
    }
    if choice == nil { dealer?.rest() } else { dealer?.want([]) }
    session.draw(with: choice.flatMap { PicturePen($0) })
    gallery = choice.map { choice in
      let blobs = surroundings.blobs
      let shelf = PictureShelf(folder: surroundings.environment["TMPDIR"] ?? "/tmp")
      return Gallery(choice, cell: cell, memory: memory, on: shelf) { BlobID($0).map(blobs.path) }
    }
    return .pictures(gallery?.cell)
  }

  /// Shows a canvas with its pictures. What comes to be seen `soon` is looked for when it is shown, not before: whoever
  /// has pressed a key waits for what is seen alone.
  func show(_ canvas: Canvas, soon: () -> [PicturePlace], on session: TerminalSession) {
    var canvas = canvas
    for (request, result) in mailbox.takePictures() { gallery?.take(request, result) }
    guard gallery != nil else {
      _ = canvas.takePictures()
      return session.show(canvas)
    }
    let wanted = gallery?.hang(on: &canvas) ?? []
    session.show(canvas) { gallery?.pixels($0) ?? [] }
    draw(wanted + (gallery?.prepare(soon()) ?? []))
  }

  private func draw(_ wanted: [PictureRequest]) {
    guard !wanted.isEmpty || dealer != nil else { return }
    do throws(DrawingFailure) {
      if dealer == nil {
        let drawer = PictureDrawer(
          program: try PictureProgram.find(surroundings.environment), environment: surroundings.environment, memory: 0,
          now: { .now })
        dealer = PictureDealer(drawer, mailbox)
      }
      dealer?.want(wanted)
    } catch {
      for request in wanted { mailbox.hand(request, .failure(error)) }
    }
  }
}
