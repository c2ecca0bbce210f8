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

    /// A question from its parts.
    public init(_ blob: BlobID, _ wants: [InspectionProtocol.Want]) { (self.blob, self.wants) = (blob, wants) }
  }

  /// An answer, or why there is none.
  public typealias Answer = Result<InspectionProtocol.Answer, DerivativeError>

  private struct Worker: Sendable {
    let child: Child
    let thread = BlockingExecutor("inspector.child")
  }

  private final class Child: Sendable {
    let child: Mutex<PictureChild>

    init(_ program: PictureChild.Program) { child = Mutex(PictureChild(program)) }

    func answer(_ path: String, _ wants: [InspectionProtocol.Want]) -> Answer {
      child.withLock { child in
        do throws(DerivativeError) { return .success(try child.inspect(path, wants)) } catch { return .failure(error) }
      }
    }
  }

  private let blobs: any BlobStoring
  private let temporary: String
  private let workers: [Worker]

  /// An inspector of a library's files. It starts no process yet.
  public init(blobs: any BlobStoring, configuration: Derivatives.Configuration, clocks: Derivatives.Clocks) {
    (self.blobs, temporary) = (blobs, configuration.temporary)
    let program = PictureChild.Program(
      path: configuration.program, mode: InspectionProtocol.mode, greeting: InspectionProtocol.greeting,
      environment: configuration.environment, timeLimit: configuration.timeLimit, now: clocks.instant)
    workers = (0..<configuration.children).map { _ in Worker(child: Child(program)) }
  }

  /// Answers questions, several at once. Cancelling the task leaves those out that were not begun.
  ///
  /// - Returns: The answers, in the order of the questions.
  public func answers(to questions: [Question]) async -> [Answer] {
    await withTaskGroup(of: [(Int, Answer)].self) { group in
      for (first, worker) in workers.enumerated().prefix(questions.count) {
        group.addTask {
          var answers: [(Int, Answer)] = []
          for index in stride(from: first, to: questions.count, by: self.workers.count) where !Task.isCancelled {
            answers.append((index, await worker.thread.run { self.answer(to: questions[index], by: worker.child) }))
          }
          return answers
        }
      }
      var all = [Answer](repeating: .failure(.cancelled), count: questions.count)
      for await answers in group { for (index, answer) in answers { all[index] = answer } }
      return all
    }
  }

  private func answer(to question: Question, by child: Child) -> Answer {
    do throws(BlobError) {
      let file = try blobs.file(of: question.blob, in: temporary)
      return withExtendedLifetime(file) { child.answer(file.path, question.wants) }
    } catch {
      return .failure(DerivativeError(error))
    }
  }
}

extension PictureChild {
  /// Inspects a file.
  mutating func inspect(
    _ path: String, _ wants: [InspectionProtocol.Want]
  ) throws(DerivativeError) -> InspectionProtocol.Answer {
    try answer(to: { InspectionProtocol.Request(id: $0, path: path, wants: wants) }) { child, number, deadline in
      let line = try child.line(before: deadline)
      guard let answer = try? PictureProtocol.value(InspectionProtocol.Answer.self, of: line), answer.id == number,
        answer.hash?.isPlausible != false
      else { throw PictureWorkerProcess.Fault.invalidAnswer }
      return answer
    }
  }
}
