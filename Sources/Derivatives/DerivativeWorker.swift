import Dispatch
import Pictures
import Synchronization

/// A child process that makes derivatives, one file at a time, and the thread that waits for its answers, so that no thread of
/// Swift's tasks does.
final class DerivativeWorker: Sendable {
  private let child: Mutex<WorkerChild>
  private let queue = DispatchQueue(label: "media.derivatives.child")

  init(_ program: WorkerChild.Program) {
    child = Mutex(WorkerChild(program, mode: DerivativeProtocol.mode, greeting: DerivativeProtocol.greeting))
  }

  /// The child process; nil if none runs.
  var process: Int32? { child.withLock(\.process) }

  /// Runs a call on the worker's thread.
  func perform(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

  /// Makes derivatives of a file. Blocks for at most the time limit, or twice that if it starts the process.
  func make(_ sizes: Set<Derivatives.Size>, of path: String) throws(DerivativeError) -> Derivatives.Files {
    let edges = sizes.map(\.rawValue).sorted()
    let result = child.withLock { child in
      do throws(WorkerChild.Failure) {
        return try child.exchange({ DerivativeProtocol.Request(id: $0, path: path, edges: edges) }, Self.answer)
      } catch {
        return .failure(DerivativeError(error, of: child.program, within: child.program.timeLimit))
      }
    }
    return try result.get()
  }

  /// Ends the child if it has not been used since a time. One that is being used stays.
  func endChild(unusedSince time: ContinuousClock.Instant) {
    _ = child.withLockIfAvailable { $0.end(unusedSince: time) }
  }

  private static func answer(
    of child: PictureWorkerProcess, to request: DerivativeProtocol.Request, before deadline: ContinuousClock.Instant
  ) throws(PictureWorkerProcess.Fault) -> Result<Derivatives.Files, DerivativeError> {
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
    var files: Derivatives.Files = [:]
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

extension DerivativeError {
  /// What a failure says of the file under way.
  init(_ failure: WorkerChild.Failure, of program: WorkerChild.Program, within timeLimit: Duration) {
    self =
      switch failure {
      case .unusable(let fault): .unavailable(program.reason(fault))
      case .tooLong: .undecodable("its path is too long")
      case .lost(.ended): .undecodable("it ended the program that decodes")
      case .lost(.timedOut): .undecodable("it took longer than \(timeLimit.formatted) to decode")
      case .lost(.invalidAnswer): .undecodable("the program that decodes sent no picture")
      }
  }
}
