import FoundationEssentials
import Machine
import Web
import Wording

/// What `media doctor` finds, as it tells it.
struct DoctorFinding: Decodable, Sendable, Equatable {
  let examination: String
  let state: String
  let message: String
  let cure: String?
}

/// Asks `media doctor`, for one reader at a time: whoever asks meanwhile gets the same answer.
actor DoctorReading {
  private let program: MediaProgram
  private let work = BlockingExecutor("doctor")
  private var current: Task<[DoctorFinding], any Error>?

  init(_ program: MediaProgram) { self.program = program }

  /// What it finds, which may take fifteen seconds.
  ///
  /// - Throws: `PullRefusal` if there is no program.
  func findings() async throws -> [DoctorFinding] {
    if let current { return try await current.value }
    // Awaited below.
    let task = Task { [program, work] in
      try await work.run {
        let child = try program.start(MediaArguments("doctor").adding("--json"))
        var lines: [Data] = []
        let status = child.run { output in
          if case .result(let line) = output { lines.append(Data(line.utf8)) }
        }
        // It finds something at least of itself.
        if lines.isEmpty { throw PullRefusal.notStarted("it ended with \(status)") }
        return lines.compactMap { try? JSONDecoder().decode(DoctorFinding.self, from: $0) }
      }
    }
    current = task
    defer { current = nil }
    return try await task.value
  }
}

/// What keeps the library from working, and what helps.
struct DoctorPage {
  let findings: [DoctorFinding]

  var html: HTML {
    let rows = findings.map { finding -> HTML in
      let state: HTML = finding.state == "good" ? "ok" : "\(finding.state)"
      let mark: HTML = finding.state == "problem" ? "<span class=\"bad\">\(state)</span>" : state
      let cure: HTML = finding.cure.map { "<br><bdi class=\"soft\">\($0)</bdi>" as HTML } ?? ""
      return """
        <tr><td>\(mark)</td><th scope="row">\(finding.examination)</th>
        <td><bdi>\(finding.message)</bdi>\(cure)</td></tr>
        """
    }
    return PageFrame.html(
      "Doctor", .status, styles: ["insights.css"],
      """
      <main class="page status"><h1>Doctor</h1><p>\(summary)</p>
      <table><thead><tr><th>State</th><th>Of</th><th>What was found</th></tr></thead>
      <tbody>\(HTML.joined(rows))</tbody></table>
      <p><a href="/doctor">Look again</a> · <a href="/status">Status</a></p></main>
      """)
  }

  private var summary: HTML {
    let (problems, unknown) = (findings.count { $0.state == "problem" }, findings.count { $0.state == "unknown" })
    if problems > 0 { return "<span class=\"bad\">\(NumberText.count(problems, "problem"))</span> to mend." }
    return unknown > 0 ? "Nothing else has to be mended than what is unknown." : "Nothing has to be mended."
  }
}
