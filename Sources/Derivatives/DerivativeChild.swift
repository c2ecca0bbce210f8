import Pictures

/// The child process that makes derivatives, one file at a time. It is started with the first file, and again after it
/// ended.
struct DerivativeChild {
  /// What a child is started with.
  struct Program: Sendable {
    let path: String
    let environment: [String: String]
    /// The time limit for one file.
    let timeLimit: Duration
    let now: @Sendable () -> ContinuousClock.Instant
  }

  private let program: Program
  private var child: PictureWorkerProcess?
  private var number: UInt64 = 0
  private var lastUse: ContinuousClock.Instant

  init(_ program: Program) { (self.program, lastUse) = (program, program.now()) }

  /// The process; nil if none runs.
  var process: Int32? { child?.number }

  /// Ends the process if it has not been used since a time.
  mutating func end(unusedSince time: ContinuousClock.Instant) {
    if lastUse <= time { child = nil }
  }

  /// Makes derivatives of a file. Blocks for at most the time limit, or twice that if it starts the process.
  mutating func make(
    _ sizes: Set<Derivatives.Size>, of path: String
  ) throws(DerivativeError) -> [Derivatives.Size: DerivativeFile] {
    defer { lastUse = program.now() }
    let child = try running()
    number += 1
    let request = DerivativeProtocol.Request(id: number, path: path, edges: sizes.map(\.rawValue).sorted())
    guard let line = try? PictureProtocol.line(request), line.count <= PictureProtocol.longestLine else {
      throw .undecodable("its path is too long")
    }
    do {
      try child.send(line)
      return try Self.answer(of: child, to: request, before: program.now() + program.timeLimit)
    } catch let error as DerivativeError {
      throw error
    } catch {
      self.child = nil
      throw .undecodable(words(for: error))
    }
  }

  private mutating func running() throws(DerivativeError) -> PictureWorkerProcess {
    if let child { return child }
    guard
      let child = PictureWorkerProcess(
        program.path, [DerivativeProtocol.mode], environment: program.environment, now: program.now)
    else { throw .unavailable("\(program.path) cannot be started") }
    do {
      try child.greet(DerivativeProtocol.greeting, before: program.now() + program.timeLimit)
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

  private func words(for error: any Error) -> String {
    switch error as? PictureWorkerProcess.Fault {
    case .ended: "it ended the program that decodes"
    case .timedOut: "it took longer than \(program.timeLimit.formatted) to decode"
    case .invalidAnswer, nil: "the program that decodes sent no picture"
    }
  }

  private static func answer(
    of child: PictureWorkerProcess, to request: DerivativeProtocol.Request, before deadline: ContinuousClock.Instant
  ) throws -> [Derivatives.Size: DerivativeFile] {
    let line = try child.line(before: deadline)
    guard let head = try? PictureProtocol.value(DerivativeProtocol.Head.self, of: line), head.id == request.id else {
      throw PictureWorkerProcess.Fault.invalidAnswer
    }
    if let failure = head.failure { throw DerivativeError.undecodable(failure) }
    let allowed = 1...DerivativeProtocol.mostBytes
    guard head.parts.map(\.edge).sorted() == request.edges, head.parts.allSatisfy({ allowed.contains($0.bytes) }) else {
      throw PictureWorkerProcess.Fault.invalidAnswer
    }
    var bytes = try child.read(head.parts.reduce(0) { $0 + $1.bytes }, before: deadline)[...]
    var files: [Derivatives.Size: DerivativeFile] = [:]
    for part in head.parts {
      guard let size = Derivatives.Size(rawValue: part.edge),
        let file = DerivativeFile(Array(bytes.prefix(part.bytes)), size: size)
      else { throw PictureWorkerProcess.Fault.invalidAnswer }
      files[size] = file
      bytes = bytes.dropFirst(part.bytes)
    }
    return files
  }
}
