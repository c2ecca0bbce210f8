import HTTP
import Posts

/// Examines what a library needs to work for years: all at once, each for a limited time.
struct Doctor: Sendable {
  /// What is examined, in the order of the report.
  let examinations: [Examination]
  /// How long one may take. What hangs is said to be unknown.
  var patience = Duration.seconds(12)
  let time: TimeSource

  /// What each examination found. A problem that stops several of them is told once.
  func examine() async -> [(name: String, diagnoses: [Diagnosis])] {
    var told: [Diagnosis] = []
    return await examineAll().map { name, diagnoses in
      let new = diagnoses.filter { $0.state != .problem || !told.contains($0) }
      told += new
      return (name, new)
    }
  }

  private func examineAll() async -> [(name: String, diagnoses: [Diagnosis])] {
    await withTaskGroup { group in
      for (index, examination) in examinations.enumerated() {
        group.addTask { (index, await diagnoses(of: examination)) }
      }
      var found = examinations.map { (name: $0.name, diagnoses: [Diagnosis]()) }
      for await (index, diagnoses) in group { found[index].diagnoses = diagnoses }
      return found
    }
  }

  private func diagnoses(of examination: Examination) async -> [Diagnosis] {
    let (answers, answer) = AsyncStream.makeStream(of: [Diagnosis].self, bufferingPolicy: .bufferingOldest(1))
    // A call that a disk or a server holds cannot be stopped. Its task is left behind: this process ends next.
    let work = Task {
      do { answer.yield(try await examination.examine()) } catch { answer.yield([Diagnosis(error)]) }
    }
    // Cancelled below with the first answer.
    let limit = Task {
      guard (try? await time.sleep(patience)) != nil else { return }
      let seconds = patience.components.seconds
      answer.yield([
        Diagnosis(
          .unknown, "it was not to be found out within \(seconds) seconds",
          cure: "look whether a disk or a server hangs", exitCode: .tryLater)
      ])
    }
    defer {
      work.cancel()
      limit.cancel()
    }
    for await diagnoses in answers { return diagnoses }
    return []
  }
}
