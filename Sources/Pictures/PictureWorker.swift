/// Draws pictures one at a time, in a child process, and has a cache of drawn pictures.
struct PictureWorker {
  private var child: WorkerChild
  private var cache: DecodedPictureCache
  private var permanentFailure: DrawingFailure?

  init(_ program: WorkerChild.Program, memory: Int) {
    child = WorkerChild(program, mode: nil, greeting: PictureProtocol.greeting)
    cache = DecodedPictureCache(limit: memory)
  }

  /// The size of the cached pictures in bytes.
  var byteCount: Int { cache.byteCount }

  /// The child process; nil if none runs.
  var process: Int32? { child.process }

  /// Draws a picture, or returns a cached one. Blocks for at most the time limit, or twice that if it starts the child.
  mutating func draw(_ request: PictureRequest) -> Result<DrawnPicture, DrawingFailure> {
    if let picture = cache.picture(for: request) { return .success(picture) }
    if let permanentFailure { return .failure(permanentFailure) }
    guard request.isPlausible else { return .failure(.refused("no terminal has such room")) }
    do throws(WorkerChild.Failure) {
      let result = try child.exchange({ PictureProtocol.NumberedRequest(id: $0, request: request) }) {
        (child, request, deadline) throws(PictureWorkerProcess.Fault) in
        try child.answer(to: request, before: deadline)
      }
      if case .success(let picture) = result { cache.keep(picture, for: request) }
      return result
    } catch {
      return .failure(failure(error))
    }
  }

  /// Ends the child. The next picture starts another.
  mutating func endChild() { child.end(unusedSince: child.program.now()) }

  private mutating func failure(_ failure: WorkerChild.Failure) -> DrawingFailure {
    switch failure {
    case .unusable(nil): return fail("it cannot be started")
    case .unusable(.ended): return fail("it ends at once; are libchafa and libgdk-pixbuf installed?")
    case .unusable(.invalidAnswer): return fail("it is of another version")
    // Not permanent: the machine may only be busy.
    case .unusable(.timedOut): return .broken("\(PictureProgram.name) was too slow to start")
    case .tooLong: return .refused("its path is too long")
    case .lost(.ended): return .broken("the picture ended the program that draws")
    case .lost(.timedOut): return .broken("the picture took longer than \(child.program.timeLimit.formatted) to draw")
    case .lost(.invalidAnswer): return .broken("the drawing is not a picture")
    }
  }

  private mutating func fail(_ reason: String) -> DrawingFailure {
    let failure = DrawingFailure.unavailable("\(child.program.path): \(reason)")
    permanentFailure = failure
    return failure
  }
}

extension Duration {
  /// The time as people read it.
  package var formatted: String {
    let seconds = Double(components.seconds) + Double(components.attoseconds) / 1e18
    return seconds == seconds.rounded() ? "\(Int(seconds)) s" : "\(seconds) s"
  }
}
