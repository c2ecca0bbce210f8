import Blobs
import Machine
import Pictures
import Synchronization

/// Inspects stored files in child processes: what pictures look like, and what files say of themselves.
///
/// The children run at the lowest priority, and are ended with this value.
public final class Inspector: Sendable {
  /// What is asked of one file.
  public struct Question: Sendable {
    /// The file.
    public let blob: BlobID
    /// What is asked.
    public let wants: [InspectionProtocol.Want]
    /// The languages in which text is read; nil if none is asked for.
    public let languages: TextLanguages?

    /// A question from its parts.
    public init(_ blob: BlobID, _ wants: [InspectionProtocol.Want], in languages: TextLanguages? = nil) {
      (self.blob, self.wants, self.languages) = (blob, wants, languages)
    }
  }

  /// An answer, or why there is none.
  public typealias Answer = Result<InspectionProtocol.Answer, DerivativeError>

  private final class Worker: Sendable {
    let child: Mutex<WorkerChild>
    let thread = BlockingExecutor("inspector.child")

    init(_ program: WorkerChild.Program) {
      child = Mutex(WorkerChild(program, mode: InspectionProtocol.mode, greeting: InspectionProtocol.greeting))
    }
  }

  private let blobs: any BlobStoring
  private let temporary: String
  private let workers: [Worker]

  /// An inspector of a library's files. It starts no process yet.
  public init(blobs: any BlobStoring, configuration: Derivatives.Configuration, clocks: Derivatives.Clocks) {
    (self.blobs, temporary) = (blobs, configuration.temporary)
    let program = WorkerChild.Program(
      path: configuration.program, environment: configuration.environment, timeLimit: configuration.timeLimit,
      now: clocks.instant)
    workers = (0..<configuration.children).map { _ in Worker(program) }
  }

  /// Answers questions, several at once. Cancelling the task leaves those out that were not begun.
  ///
  /// - Parameter deadline: The time after which no question is begun; nil for none.
  /// - Returns: The answers, in the order of the questions.
  public func answers(
    to questions: [Question], before deadline: ContinuousClock.Instant? = nil
  ) async -> [Answer] {
    await withTaskGroup(of: [(Int, Answer)].self) { group in
      for (first, worker) in workers.enumerated().prefix(questions.count) {
        group.addTask {
          var answers: [(Int, Answer)] = []
          for index in stride(from: first, to: questions.count, by: self.workers.count) {
            if Task.isCancelled || deadline.map({ $0 <= .now }) ?? false { break }
            answers.append((index, await worker.thread.run { self.answer(to: questions[index], by: worker) }))
          }
          return answers
        }
      }
      var all = [Answer](repeating: .failure(.cancelled), count: questions.count)
      for await answers in group { for (index, answer) in answers { all[index] = answer } }
      return all
    }
  }

  private func answer(to question: Question, by worker: Worker) -> Answer {
    // A library elsewhere would hand out the file's bytes for nothing.
    if question.wants.isEmpty { return .success(InspectionProtocol.Answer(id: 0)) }
    do throws(BlobError) {
      let file = try blobs.file(of: question.blob, in: temporary)
      if let error = file.hindrance { return .failure(error) }
      return withExtendedLifetime(file) { Self.answer(to: file.path, question, by: worker) }
    } catch {
      return .failure(DerivativeError(error))
    }
  }

  private static func answer(to path: String, _ question: Question, by worker: Worker) -> Answer {
    worker.child.withLock { child in
      // At the lowest priority, a busy machine may leave it hardly any time. Its processor time is limited, too.
      let isLong = !Set(question.wants).isDisjoint(with: [.text, .hash])
      let limit = isLong ? max(Self.timeForText, child.program.timeLimit) : child.program.timeLimit
      do throws(WorkerChild.Failure) {
        return .success(
          try child.exchange(
            within: limit,
            {
              InspectionProtocol.Request(
                id: $0, path: path, wants: question.wants, languages: question.languages?.text)
            }, Self.read))
      } catch {
        return .failure(DerivativeError(error, of: child.program, within: limit))
      }
    }
  }

  private static let timeForText = Duration.seconds(Int64(InspectionProtocol.secondsForText))

  private static func read(
    _ child: PictureWorkerProcess, _ request: InspectionProtocol.Request, _ deadline: ContinuousClock.Instant
  ) throws(PictureWorkerProcess.Fault) -> InspectionProtocol.Answer {
    let line = try child.line(before: deadline)
    guard let answer = try? PictureProtocol.value(InspectionProtocol.Answer.self, of: line), answer.id == request.id,
      answer.hash?.isPlausible != false, answer.facts?.isPlausible != false,
      answer.text?.isPlausible != false,
      answer.pixels.map({ BlobID($0) != nil }) ?? true
    else { throw .invalidAnswer }
    return answer
  }
}
