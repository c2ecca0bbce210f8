import Pictures

/// The child process that makes derivatives, one file at a time.
struct DerivativeChild {
  private var child: WorkerChild

  init(_ program: WorkerChild.Program) {
    child = WorkerChild(program, mode: DerivativeProtocol.mode, greeting: DerivativeProtocol.greeting)
  }

  /// The process; nil if none runs.
  var process: Int32? { child.process }

  /// Ends the process if it has not been used since a time.
  mutating func end(unusedSince time: ContinuousClock.Instant) { child.end(unusedSince: time) }

  /// Makes derivatives of a file. Blocks for at most the time limit, or twice that if it starts the process.
  mutating func make(
    _ sizes: Set<Derivatives.Size>, of path: String
  ) throws(DerivativeError) -> [Derivatives.Size: DerivativeFile] {
    let edges = sizes.map(\.rawValue).sorted()
    let result: Result<[Derivatives.Size: DerivativeFile], DerivativeError>
    do throws(WorkerChild.Failure) {
      result = try child.exchange({ DerivativeProtocol.Request(id: $0, path: path, edges: edges) }, Self.answer)
    } catch {
      throw DerivativeError(error, child.program.timeLimit)
    }
    return try result.get()
  }

  private static func answer(
    of child: PictureWorkerProcess, to request: DerivativeProtocol.Request, before deadline: ContinuousClock.Instant
  ) throws(PictureWorkerProcess.Fault) -> Result<[Derivatives.Size: DerivativeFile], DerivativeError> {
    let line = try child.line(before: deadline)
    guard let head = try? PictureProtocol.value(DerivativeProtocol.Head.self, of: line), head.id == request.id else {
      throw .invalidAnswer
    }
    if let failure = head.failure { return .failure(.undecodable(failure)) }
    let allowed = 1...DerivativeProtocol.mostBytes
    guard head.parts.map(\.edge).sorted() == request.edges, head.parts.allSatisfy({ allowed.contains($0.bytes) }) else {
      throw .invalidAnswer
    }
    var bytes = try child.read(head.parts.reduce(0) { $0 + $1.bytes }, before: deadline)[...]
    var files: [Derivatives.Size: DerivativeFile] = [:]
    for part in head.parts {
      guard let size = Derivatives.Size(rawValue: part.edge),
        let file = DerivativeFile(Array(bytes.prefix(part.bytes)), size: size)
      else { throw .invalidAnswer }
      files[size] = file
      bytes = bytes.dropFirst(part.bytes)
    }
    return .success(files)
  }
}
