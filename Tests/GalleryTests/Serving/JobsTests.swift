import Folders
import Foundation
import Posts
import Synchronization
import Testing

@testable import Gallery

@Suite(.timeLimit(.minutes(2))) struct JobsTests {
  private let folder: Scratch
  private let events = Events()

  init() throws { folder = try Scratch() }

  /// What was published.
  private final class Events: Sendable {
    private let all = Mutex<[Job]>([])
    let stream: AsyncStream<Job>
    private let tell: AsyncStream<Job>.Continuation

    init() { (stream, tell) = AsyncStream.makeStream(of: Job.self) }

    var count: Int { all.withLock(\.count) }
    func note(_ job: Job) {
      all.withLock { $0.append(job) }
      tell.yield(job)
    }

    /// Waits for a state of a job.
    func wait(for id: Int, _ isMeant: (Job) -> Bool = { !$0.isActive }) async throws -> Job {
      if let job = all.withLock({ $0.last { $0.id == id } }), isMeant(job) { return job }
      for await job in stream where job.id == id && isMeant(job) { return job }
      throw CancellationError()
    }
  }

  /// Jobs whose `media` is a shell script, which gets the arguments.
  private func jobs(_ script: String) throws -> Jobs {
    let path = "\(folder.path)/media"
    try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
    return Jobs(MediaProgram(path: path, library: "/the library")) { [events] in events.note($0) }
  }

  private func plan(_ value: String = "cats", follow: FollowPace? = nil) -> JobPlan {
    JobPlan(kind: .pull, title: value, command: MediaArguments("tag", [value]).adding("--pages", "2"), follow: follow)
  }

  private static let summary = """
    {"feed":"tag:cats@a.example","pages":1,"requests":1,"posts":{"new":40,"updated":1,"unchanged":2,"deleted":0,\
    "unreadable":0},"media":{"downloaded":12,"deduplicated":0,"failed":1,"bytes":1},"complete":true,"next":null}
    """

  @Test func `a value that looks like a flag or a command line stays a value`() async throws {
    let jobs = try jobs("for word; do echo \"$word\" >> '\(folder.path)/words'; done")
    for value in ["--library=/x", "; rm -rf /", "$(id)"] { _ = try await events.wait(for: jobs.add(plan(value)).id) }
    let words = try String(contentsOfFile: "\(folder.path)/words", encoding: .utf8).split(separator: "\n")
    #expect(
      words.prefix(7) == [
        "tag", "--pages=2", "--json", "--log-format=json", "--library=/the library", "--", "--library=/x",
      ])
    #expect(words.filter { $0 == "; rm -rf /" || $0 == "$(id)" }.count == 2)
  }

  /// An event as a child prints it. Its words never decide.
  private func printed(
    _ level: LogLine.Level, _ event: LogLine.Event, _ words: String, _ fill: (inout LogLine) -> Void = { _ in }
  ) throws -> String {
    var line = LogLine(time: Date(timeIntervalSince1970: 0), level: level, event: event, message: words)
    fill(&line)
    return "echo '\(String(decoding: try JSONEncoder().encode(line), as: UTF8.self))' >&2"
  }

  @Test func `progress, failures and wanted logins are told by their fields`() async throws {
    let jobs = try jobs(
      """
      \(try printed(.info, .progress, "Blatt 9 von 9") { $0.progress = .init(done: 1, total: 4, unit: "pages") })
      until test -e '\(folder.path)/go'; do sleep 0.05; done
      \(try printed(.error, .feedFailed, "for a log"))
      \(try printed(.error, .failure, "erstens") { $0.login = "b.example" })
      \(try printed(.error, .failure, "zweitens: media login c.example") { $0.login = "a.example" })
      exit 77
      """)
    let job = try await jobs.add(plan())
    #expect(try await events.wait(for: job.id) { $0.part != nil }.part == 0.25)
    try Data().write(to: URL(fileURLWithPath: "\(folder.path)/go"))
    let failed = try await events.wait(for: job.id)
    #expect(failed.failure == "zweitens: media login c.example")
    #expect((failed.login, failed.notes) == ("a.example", ["erstens"]))
  }

  @Test func `a job ends with its summary, and with what went wrong in the command's words`() async throws {
    let jobs = try jobs(
      """
      \(try printed(.info, .progress, "tag:cats: page 1 of 4, 40 posts"))
      echo '\(Self.summary)'
      test "$7" = cats && exit 0
      \(try printed(.error, .message, "could not download picture: it is gone"))
      \(try printed(.error, .failure, #"not logged in at a.example: run "media login a.example""#) { $0.login = "a.example" })
      exit 77
      """)
    let done = try await events.wait(for: jobs.add(plan()).id)
    #expect(done.state == .done)
    #expect(done.results == ["tag:cats@a.example: 40 new posts, 1 updated, 12 pictures, 1 picture failed"])
    let failed = try await events.wait(for: jobs.add(plan("dogs")).id)
    #expect((failed.state, failed.status) == (.failed, 77))
    #expect(failed.failure == "not logged in at a.example: run \"media login a.example\"")
    #expect(failed.login == "a.example")
    #expect(failed.notes == ["could not download picture: it is gone"])
  }

  @Test func `two run at once, equal ones are one, and the last fifty are kept`() async throws {
    let jobs = try jobs("test -e '\(folder.path)/go' || sleep 600")
    let first = try await jobs.add(plan("1"))
    #expect(try await jobs.add(plan("1")).id == first.id)
    _ = try await jobs.add(plan("2"))
    #expect(try await jobs.add(plan("3")).state == .waiting)
    #expect(try await jobs.cancel(3).state == .cancelled)
    _ = try await jobs.cancel(first.id)
    #expect(try await events.wait(for: first.id).state == .cancelled)
    _ = try await jobs.cancel(2)
    _ = try await events.wait(for: 2)
    try Data().write(to: URL(fileURLWithPath: "\(folder.path)/go"))
    for number in 4...60 { _ = try await events.wait(for: try await jobs.add(plan("\(number)")).id) }
    let kept = await jobs.all.map(\.id)
    #expect(kept == (11...60).reversed())
    await #expect(throws: PullRefusal.noJob) { try await jobs.cancel(1) }
  }

  @Test func `a child that does not end when asked is killed with all that it started`() async throws {
    let jobs = try jobs(
      "trap '' TERM; sleep 600 & echo $! > '\(folder.path)/child'; echo here >&2; while :; do wait; done")
    let job = try await jobs.add(plan())
    _ = try await events.wait(for: job.id) { $0.progress == "here" }
    await jobs.end()
    #expect(await jobs.all.first?.state == .cancelled)
    let child = try #require(
      pid_t(
        try String(contentsOfFile: "\(folder.path)/child", encoding: .utf8).trimmingCharacters(
          in: .whitespacesAndNewlines)))
    // A process that has ended and that nobody waited for still has its number.
    let stat = try? String(contentsOfFile: "/proc/\(child)/stat", encoding: .utf8)
    #expect(stat?.contains(") Z ") ?? true)
  }

  @Test func `however much a child prints, little is kept and little is told`() async throws {
    let jobs = try jobs(
      """
      yes '{"time":"","level":"notice","event":"message","message":"a line"}' | head -c 1000000 >&2
      head -c 1000000 /dev/zero | tr '\\0' x >&2
      yes '\(Self.summary)' | head -c 1000000
      exit 1
      """)
    let job = try await events.wait(for: jobs.add(plan()).id)
    #expect(job.state == .failed)
    #expect(try JSONEncoder().encode(job).count < 16_000)
    #expect(events.count < 100)
  }

  @Test func `a crash and a missing program are failures with a sentence`() async throws {
    let job = try await events.wait(for: try jobs("kill -SEGV $$").add(plan()).id)
    #expect(job.failure == "the command was ended by signal 11: what came is stored, try again")
    let without = Jobs(MediaProgram(path: nil, library: "/")) { [events] in events.note($0) }
    let other = try await without.add(plan("dogs"))
    while await without.all.first?.isActive == true { await Task.yield() }
    #expect(await without.all.first?.failure?.contains("install media whole") == true)
    #expect(other.id == 1)
  }

  @Test func `a pulled feed is followed afterwards, unless the pull failed`() async throws {
    let jobs = try jobs("echo \"$*\" >> '\(folder.path)/calls'; test \"$1\" = tag && echo '\(Self.summary)'; exit 0")
    #expect(try await events.wait(for: jobs.add(plan(follow: FollowPace(every: "1h"))).id).state == .done)
    let calls = try String(contentsOfFile: "\(folder.path)/calls", encoding: .utf8).split(separator: "\n")
    #expect(calls.count == 2)
    #expect(calls.last == "follow --every=1h --json --log-format=json --library=/the library -- tag:cats@a.example")
  }
}
