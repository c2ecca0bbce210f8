/// A child process in one of the modes of `media-picture`, which does one thing at a time. It is started with the first
/// request, and again after it ended.
package struct WorkerChild {
  /// What a child is started with.
  package struct Program: Sendable {
    let path: String
    let environment: [String: String]
    /// The time limit for one file.
    package let timeLimit: Duration
    package let now: @Sendable () -> ContinuousClock.Instant

    package init(
      path: String, environment: [String: String], timeLimit: Duration,
      now: @escaping @Sendable () -> ContinuousClock.Instant
    ) {
      (self.path, self.environment, self.timeLimit, self.now) = (path, environment, timeLimit, now)
    }

    /// Why it cannot be used, as the end of a sentence.
    package func reason(_ fault: PictureWorkerProcess.Fault?) -> String {
      switch fault {
      case nil: "\(path) cannot be started"
      case .timedOut: "\(path) was too slow to start"
      case .ended: "\(path) ends at once"
      case .invalidAnswer: "\(path) is of another version"
      }
    }
  }

  /// Why there is no answer.
  package enum Failure: Error {
    /// The program cannot be used: it cannot be started, or did not greet.
    case unusable(PictureWorkerProcess.Fault?)
    /// The request is too long.
    case tooLong
    /// The child is lost.
    case lost(PictureWorkerProcess.Fault)
  }

  package let program: Program
  private let mode: [String]
  private let greeting: String
  private var child: PictureWorkerProcess?
  private var number: UInt64 = 0
  private var lastUse: ContinuousClock.Instant

  /// A child that is not started yet.
  ///
  /// - Parameters:
  ///   - mode: Its argument, if it needs one.
  ///   - greeting: The line that it sends when it is ready.
  package init(_ program: Program, mode: String?, greeting: String) {
    (self.program, self.mode, self.greeting, lastUse) = (program, mode.map { [$0] } ?? [], greeting, program.now())
  }

  /// The process; nil if none runs.
  package var process: Int32? { child?.number }

  /// Ends the process if it has not been used since a time.
  package mutating func end(unusedSince time: ContinuousClock.Instant) {
    if lastUse <= time { child = nil }
  }

  /// Sends a request, and reads its answer. Blocks for at most the time limit, or twice that if it starts the process.
  ///
  /// - Parameters:
  ///   - limit: The time limit; nil for that of the program.
  ///   - request: Makes the request from its number.
  ///   - answer: Reads the answer before a time. The child is ended if it throws.
  package mutating func exchange<Request: Encodable, Answer>(
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
    guard let child = PictureWorkerProcess(program.path, mode, environment: program.environment, now: program.now)
    else { throw .unusable(nil) }
    do {
      try child.greet(greeting, before: program.now() + program.timeLimit)
    } catch {
      throw .unusable(error)
    }
    self.child = child
    return child
  }
}
