import ArgumentParser
import Posts
import Terminal
import Web
import Wording

/// `media doctor`
struct DoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", _superCommandName: Media.name,
    abstract: "Look for what keeps the library from working, and say what helps.",
    discussion: """
      Looks at the library's files and its disk, at failing feeds and at the schedule of harvests; asks whether servers \
      answer, accept the logins and agree about the time. Changes nothing, and ends within 15 seconds even if a server \
      hangs. The exit status is 0 unless something has to be mended.
      """)

  @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

  func run() async throws {
    let app: App
    do { app = try App(global) } catch let error as any ExplainedError {
      // A mistake in the settings keeps every command from starting.
      let report = DoctorReport([("configuration", [Diagnosis(error)])])
      return try report.show(in: global.console, width: nil, isJSON: global.json)
    }
    let doctor = Doctor(examinations: app.examinations.all, time: .system)
    let report = DoctorReport(await doctor.examine())
    try report.show(in: app.console, width: app.output.reportWidth, isJSON: global.json)
  }
}

/// What a doctor found, as people and programs read it.
private struct DoctorReport {
  let found: [(name: String, diagnoses: [Diagnosis])]

  init(_ found: [(name: String, diagnoses: [Diagnosis])]) { self.found = found }

  /// Prints it.
  ///
  /// - Parameter width: The columns of the terminal; nil if lines may have any width.
  /// - Throws: `ExitHandling.Quiet` if something has to be mended.
  func show(in console: Console, width: Int?, isJSON: Bool) throws {
    let all = found.flatMap { examination in examination.diagnoses.map { (examination.name, $0) } }
    if isJSON {
      for (name, diagnosis) in all { try console.result(try JSONText.line(diagnosis.members(name))) }
    } else {
      for (name, diagnosis) in all {
        let state = diagnosis.state == .good ? "ok" : diagnosis.state.rawValue
        let start = "\(state.padded(to: 9))\(name.padded(to: 15))"
        let sentence = SafeText(diagnosis.sentence)
        let lines = width.map { sentence.wrapped(to: max(30, $0 - start.count)) } ?? [sentence]
        for (number, line) in lines.enumerated() {
          try console.result("\(number == 0 ? start : "".padded(to: start.count))\(line)")
        }
      }
      console.message("\(summary(all.map(\.1)))")
    }
    let problems = all.map(\.1).filter { $0.state == .problem }
    guard let first = problems.first else { return }
    throw ExitHandling.Quiet(code: problems.allSatisfy { $0.exitCode == first.exitCode } ? first.exitCode : .partial)
  }

  private func summary(_ all: [Diagnosis]) -> String {
    let counts = [
      (Diagnosis.State.problem, "problem", nil), (.notice, "notice", nil),
      (.unknown, "thing that was not to be found out", "things that were not to be found out"),
    ].compactMap { state, one, many -> String? in
      let count = all.count { $0.state == state }
      return count > 0 ? NumberText.count(count, one, many) : nil
    }
    return counts.isEmpty ? "Everything is in order." : counts.joined(separator: ", ")
  }
}

extension Diagnosis {
  /// One line: what was found, and what helps.
  fileprivate var sentence: String { cure.map { "\(message): \($0)" } ?? message }
}

extension Diagnosis {
  fileprivate func members(_ examination: String) -> JSONMembers {
    JSONMembers(present: ["examination": examination, "state": state, "message": message, "cure": cure])
  }
}
