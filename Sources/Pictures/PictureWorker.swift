/// Draws pictures one at a time. It has the child process, which it starts for the first picture and again after it
/// ended, and a cache of drawn pictures.
struct PictureWorker {
  private let program: String
  private let environment: [String: String]
  private let timeLimit: Duration
  private let now: @Sendable () -> ContinuousClock.Instant
  private var child: PictureWorkerProcess?
  private var cache: DecodedPictureCache
  private var permanentFailure: DrawingFailure?
  private var number: UInt64 = 0

  init(
    program: String, environment: [String: String], memory: Int, timeLimit: Duration,
    now: @escaping @Sendable () -> ContinuousClock.Instant
  ) {
    self.program = program
    self.environment = environment
    self.timeLimit = timeLimit
    self.now = now
    cache = DecodedPictureCache(limit: memory)
  }

  /// The size of the cached pictures in bytes.
  var byteCount: Int { cache.byteCount }

  /// The child process; nil if none runs.
  var process: Int32? { child?.number }

  /// Draws a picture, or returns a cached one. Blocks for at most `timeLimit`, or twice that if it starts the child.
  mutating func draw(_ request: PictureRequest) -> Result<DrawnPicture, DrawingFailure> {
    if let picture = cache.picture(for: request) { return .success(picture) }
    if let permanentFailure { return .failure(permanentFailure) }
    guard request.isPlausible else { return .failure(.refused("no terminal has such room")) }
    do throws(DrawingFailure) {
      let child = try running()
      number += 1
      let result = try answer(of: child, to: PictureProtocol.NumberedRequest(id: number, request: request))
      if case .success(let picture) = result { cache.keep(picture, for: request) }
      return result
    } catch {
      return .failure(error)
    }
  }

  /// Ends the child. The next picture starts another.
  mutating func endChild() { child = nil }

  private mutating func running() throws(DrawingFailure) -> PictureWorkerProcess {
    if let child { return child }
    guard let child = PictureWorkerProcess(program, environment: environment, now: now) else {
      throw fail("it cannot be started")
    }
    do {
      try child.greet(before: now() + timeLimit)
    } catch {
      switch error {
      // Not permanent: the machine may only be busy.
      case .timedOut: throw .broken("\(PictureProgram.name) was too slow to start")
      case .ended: throw fail("it ends at once; are libchafa and libgdk-pixbuf installed?")
      case .invalidAnswer: throw fail("it is of another version")
      }
    }
    self.child = child
    return child
  }

  private mutating func fail(_ reason: String) -> DrawingFailure {
    let failure = DrawingFailure.unavailable("\(program): \(reason)")
    permanentFailure = failure
    return failure
  }

  private mutating func answer(
    of child: PictureWorkerProcess, to request: PictureProtocol.NumberedRequest
  ) throws(DrawingFailure) -> Result<DrawnPicture, DrawingFailure> {
    do {
      return try child.answer(to: request, before: now() + timeLimit)
    } catch {
      self.child = nil
      switch error {
      case .ended: throw .broken("the picture ended the program that draws")
      case .timedOut: throw .broken("the picture took longer than \(timeLimit.formatted) to draw")
      case .invalidAnswer: throw .broken("the drawing is not a picture")
      }
    }
  }
}

extension Duration {
  /// The time as people read it.
  package var formatted: String {
    let seconds = Double(components.seconds) + Double(components.attoseconds) / 1e18
    return seconds == seconds.rounded() ? "\(Int(seconds)) s" : "\(seconds) s"
  }
}
