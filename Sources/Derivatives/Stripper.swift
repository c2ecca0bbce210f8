import Blobs
import Glibc
import Pictures
import Synchronization
import Terminal

/// Why a file has no copy that does not say where it was taken.
public enum StrippingError: Error, Sendable, Hashable {
  /// The file cannot be cleaned. The text ends a sentence.
  case refused(String)
  /// Nothing can be cleaned now, whatever the file: a program is not installed. The text ends a sentence.
  case unavailable(String)

  /// One sentence for the person who publishes.
  public var message: String {
    switch self {
    case .refused(let reason): "Its place cannot be taken out: \(Self.clause(reason))."
    case .unavailable(let reason): "No place can be taken out of files: \(Self.clause(reason))."
    }
  }

  // A decoder that a hostile picture took over may have written it.
  private static func clause(_ reason: String) -> String { SafeText(reason).prefix(300).text }
}

/// Makes copies of files that do not say where they were taken, for what is published. A child process does it, one file
/// at a time.
public final class Stripper: Sendable {
  private let child: Mutex<WorkerChild>

  /// A stripper. The child is started with the first file.
  ///
  /// - Parameters:
  ///   - program: The path of `media-picture`.
  ///   - environment: The environment of this process. The child gets only the paths of libraries.
  ///   - timeLimit: The time limit for one file.
  ///   - now: The clock.
  public init(
    program: String, environment: [String: String], timeLimit: Duration = .seconds(600),
    now: @escaping @Sendable () -> ContinuousClock.Instant
  ) {
    let program = WorkerChild.Program(path: program, environment: environment, timeLimit: timeLimit, now: now)
    child = Mutex(WorkerChild(program, mode: StrippingProtocol.mode, greeting: StrippingProtocol.greeting))
  }

  /// Writes a copy of a file without what says where it was taken. Blocks for at most the time limit, or twice that for the
  /// first file.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - output: The path of the copy, where nothing may be yet, in a folder that nobody else writes to.
  /// - Returns: Whether there is a copy. If not, the file itself has nothing to take out.
  /// - Throws: A `StrippingError`. There is no copy then.
  public func strip(_ path: String, to output: String) throws(StrippingError) -> Bool {
    let result = child.withLock { child in
      do throws(WorkerChild.Failure) {
        return try child.exchange(
          { StrippingProtocol.Request(id: $0, path: path, output: output) }, Self.answer)
      } catch {
        // A child that was killed left a part of a file that it began.
        if case .lost = error { unlink(output) }
        return .failure(Self.error(error, of: child.program))
      }
    }
    return try result.get()
  }

  /// Whether files of a type are cleaned before they are published: pictures, films and sounds. Others are published as they
  /// are.
  public static func cleans(_ mediaType: String?) -> Bool {
    let kind = mediaType?.prefix { $0 != "/" } ?? ""
    return ["image", "video", "audio"].contains(kind) && mediaType != MediaType.svg.rawValue
      || mediaType == MediaType.ogg.rawValue
  }

  /// Ends the child. The next file starts another.
  public func endChild() { child.withLock { $0.end(unusedSince: $0.program.now()) } }

  /// Ends the child if it was not used since a time. A busy one stays.
  func endChild(unusedSince time: ContinuousClock.Instant) { child.withLockIfAvailable { $0.end(unusedSince: time) } }

  /// The process; nil if none runs.
  var process: Int32? { child.withLock(\.process) }

  private static func answer(
    of child: PictureWorkerProcess, to request: StrippingProtocol.Request, before deadline: ContinuousClock.Instant
  ) throws(PictureWorkerProcess.Fault) -> Result<Bool, StrippingError> {
    let line = try child.line(before: deadline)
    guard let answer = try? PictureProtocol.value(StrippingProtocol.Answer.self, of: line), answer.id == request.id
    else { throw .invalidAnswer }
    return answer.failure.map { .failure(answer.isOfMachine == true ? .unavailable($0) : .refused($0)) }
      ?? .success(answer.isWritten)
  }

  private static func error(_ failure: WorkerChild.Failure, of program: WorkerChild.Program) -> StrippingError {
    switch failure {
    case .unusable(let fault): .unavailable(program.reason(fault))
    case .tooLong: .refused("its path is too long")
    case .lost(.ended): .refused("it ended the program that cleans it")
    case .lost(.timedOut): .refused("it took longer than \(program.timeLimit.formatted) to clean")
    case .lost(.invalidAnswer): .refused("the program that cleans it sent no answer")
    }
  }
}
