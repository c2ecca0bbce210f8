/// Where pictures are drawn, one at a time: the child, begun when the first picture is asked for and again after it
/// ended, and the pictures in memory.
struct PictureBench {
  private let program: String
  private let environment: [String]
  private let patience: Duration
  private let now: @Sendable () -> ContinuousClock.Instant
  private var child: PictureChild?
  private var cache: PictureCache
  private var hopeless: DrawingFailure?
  private var number: UInt64 = 0

  init(
    program: String, environment: [String: String], memory: Int, patience: Duration,
    now: @escaping @Sendable () -> ContinuousClock.Instant
  ) {
    self.program = program
    // Where the libraries and the decoders lie may be told; nothing else of the person's is the child's business.
    self.environment = ["LD_LIBRARY_PATH", "GDK_PIXBUF_MODULE_FILE"].compactMap { name in
      environment[name].map { "\(name)=\($0)" }
    }
    self.patience = patience
    self.now = now
    cache = PictureCache(limit: memory)
  }

  /// The bytes of the pictures in memory.
  var byteCount: Int { cache.byteCount }

  /// The process that draws, where one runs.
  var process: Int32? { child?.number }

  /// Draws a picture, or finds it drawn. Blocks, for `patience` at most, and twice that where the child is begun.
  mutating func draw(_ request: PictureRequest) -> Result<DrawnPicture, DrawingFailure> {
    if let picture = cache.picture(for: request) { return .success(picture) }
    if let hopeless { return .failure(hopeless) }
    guard request.isPlausible else { return .failure(.refused("no terminal has such room")) }
    do throws(DrawingFailure) {
      let child = try running()
      number += 1
      let result = try answer(of: child, to: PictureWire.Asked(id: number, request: request))
      if case .success(let picture) = result { cache.keep(picture, for: request) }
      return result
    } catch {
      return .failure(error)
    }
  }

  /// Ends the child; the next picture begins another.
  mutating func rest() { child = nil }

  private mutating func running() throws(DrawingFailure) -> PictureChild {
    if let child { return child }
    guard let child = PictureChild(program, environment, now: now) else { throw giveUp("it cannot be started") }
    do {
      try child.greet(before: now() + patience)
    } catch {
      switch error {
      // A machine that is busy today is not one where it never starts.
      case .late: throw .broken("\(PictureProgram.name) was too slow to start")
      case .ended: throw giveUp("it ends at once; are libchafa and libgdk-pixbuf installed?")
      case .senseless: throw giveUp("it is of another version")
      }
    }
    self.child = child
    return child
  }

  private mutating func giveUp(_ reason: String) -> DrawingFailure {
    let failure = DrawingFailure.unavailable("\(program): \(reason)")
    hopeless = failure
    return failure
  }

  private mutating func answer(
    of child: PictureChild, to asked: PictureWire.Asked
  ) throws(DrawingFailure) -> Result<DrawnPicture, DrawingFailure> {
    do {
      return try child.answer(to: asked, before: now() + patience)
    } catch {
      self.child = nil
      switch error {
      case .ended: throw .broken("the picture ended the program that draws")
      case .late: throw .broken("the picture took longer than \(patience.formatted) to draw")
      case .senseless: throw .broken("what was drawn is no picture")
      }
    }
  }
}

extension Duration {
  fileprivate var formatted: String {
    let seconds = Double(components.seconds) + Double(components.attoseconds) / 1e18
    return seconds == seconds.rounded() ? "\(Int(seconds)) s" : "\(seconds) s"
  }
}
