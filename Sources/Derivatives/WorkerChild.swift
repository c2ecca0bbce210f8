import Pictures

/// A child process in one of the modes of `media-picture`, which does one thing at a time. It is started with the first
/// request, and again after it ended.
struct WorkerChild {
  /// What a child is started with.
  struct Program: Sendable {
    let path: String
    let environment: [String: String]
    /// The time limit for one file.
    let timeLimit: Duration
    let now: @Sendable () -> ContinuousClock.Instant
  }

  /// Why there is no answer.
  enum Failure: Error {
    /// The program cannot be used. The text ends a sentence.
    case unavailable(String)
    /// The request is too long.
    case tooLong
    /// The child is lost.
    case lost(PictureWorkerProcess.Fault)
  }

  let program: Program
  private let mode: String
  private let greeting: String
  private var child: PictureWorkerProcess?
  private var number: UInt64 = 0
  private var lastUse: ContinuousClock.Instant

  /// A child that is not started yet.
  ///
  /// - Parameters:
  ///   - mode: Its argument.
  ///   - greeting: The line that it sends when it is ready.
  init(_ program: Program, mode: String, greeting: String) {
    (self.program, self.mode, self.greeting, lastUse) = (program, mode, greeting, program.now())
  }

  /// The process; nil if none runs.
  var process: Int32? { child?.number }

  /// Ends the process if it has not been used since a time.
  mutating func end(unusedSince time: ContinuousClock.Instant) {
    if lastUse <= time { child = nil }
  }

  /// Sends a request, and reads its answer. Blocks for at most the time limit, or twice that if it starts the process.
  ///
  /// - Parameters:
  ///   - limit: The time limit; nil for that of the program.
  ///   - request: Makes the request from its number.
  ///   - answer: Reads the answer before a time. The child is ended if it throws.
  mutating func exchange<Request: Encodable, Answer>(
    within limit: Duration? = nil, _ request: (UInt64) -> Request,
    _ answer: (PictureWorkerProcess, Request, ContinuousClock.Instant) throws(PictureWorkerProcess.Fault) -> Answer
  ) throws(Failure) -> Answer {
    defer { lastUse = program.now() }
    let child = try running()
    number += 1
    let request = request(number)
    guard let line = try? PictureProtocol.line(request), line.count <= PictureProtocol.longestLine else {
      throw .tooLong
    }
    do {
      try child.send(line)
      return try answer(child, request, program.now() + (limit ?? program.timeLimit))
    } catch {
      self.child = nil
      throw .lost(error)
    }
  }

  private mutating func running() throws(Failure) -> PictureWorkerProcess {
    if let child { return child }
    guard let child = PictureWorkerProcess(program.path, [mode], environment: program.environment, now: program.now)
    else { throw .unavailable("\(program.path) cannot be started") }
    do {
      try child.greet(greeting, before: program.now() + program.timeLimit)
    } catch {
      switch error {
      case .timedOut: throw .unavailable("\(program.path) was too slow to start")
      case .ended: throw .unavailable("\(program.path) ends at once")
      case .invalidAnswer: throw .unavailable("\(program.path) is of another version")
      }
    }
    self.child = child
    return child
  }
}

extension DerivativeError {
  /// What a failure says of the file under way.
  init(_ failure: WorkerChild.Failure, _ timeLimit: Duration) {
    self =
      switch failure {
      case .unavailable(let reason): .unavailable(reason)
      case .tooLong: .undecodable("its path is too long")
      case .lost(.ended): .undecodable("it ended the program that decodes")
      case .lost(.timedOut): .undecodable("it took longer than \(timeLimit.formatted) to decode")
      case .lost(.invalidAnswer): .undecodable("the program that decodes sent no picture")
      }
  }
}
