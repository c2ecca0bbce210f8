import Foundation
import PropertyTesting
import SQLite
import ScriptedOrigin
import Testing

@testable import Storage

/// Faults at the calls by which a command changes files. Every run tests a sample; `Scripts/faults` tests all: a kill at
/// every call, and the other faults everywhere except within a long run of writes to one file.
@Suite(.timeLimit(.minutes(60))) struct CrashMatrixTests {
  /// The number of calls that meet a fault in a short run.
  private static let sample = 14

  @Test(
    .inFolders, arguments: FaultScenario.all.filter { FaultTable.wants($0.name) },
    PropertyTest.seeds(sample: 1, whole: 4))
  func `no failure and no kill loses anything, and the next run ends as if nothing had happened`(
    scenario: FaultScenario, part: UInt64
  ) async throws {
    let preload = try await Preload()
    try await withOrigin(scenario.script) { origin in
      let matrix = try await CrashMatrix(scenario, at: origin, preload)
      for (fault, number) in Self.points(of: matrix.calls, part: part) { try await matrix.meet(fault, at: number) }
    }
  }

  private static func points(of calls: [FileCall], part: UInt64) -> [(Fault, Int)] {
    let edges = FileCall.edges(of: calls)
    let all = Fault.allCases.flatMap { fault in
      (fault == .kill ? calls : edges).filter(fault.befalls).map { (fault, $0.number) }
    }
    let parts = PropertyTest.seeds(sample: 1, whole: 4).count
    if parts > 1 { return all.enumerated().filter { $0.offset % parts == Int(part) }.map(\.element) }
    var dice = Dice(state: part)
    // Each kind of fault has its turn.
    return (0..<sample).compactMap { turn in
      let fault = Fault.allCases[turn % Fault.allCases.count]
      return all.filter { $0.0 == fault }.randomElement(using: &dice)
    }
  }
}

/// One scenario: first undisturbed, then repeatedly with a fault.
struct CrashMatrix: Sendable {
  private let scenario: FaultScenario
  private let origin: Origin
  private let preload: Preload
  /// The state in which every round begins.
  private let template: Sandbox
  private let undisturbed: Likeness
  /// The calls of the undisturbed action.
  let calls: [FileCall]

  init(_ scenario: FaultScenario, at origin: Origin, _ preload: Preload) async throws {
    (self.scenario, self.origin, self.preload) = (scenario, origin, preload)
    template = try Sandbox()
    try await scenario.prepare(template, origin)
    let sandbox = try Self.copy(of: template)
    let ended = try await scenario.action(preload.sandbox(sandbox), origin)
    try #require(ended.status == 0, "\(ended.output)\(ended.errors)")
    undisturbed = try await scenario.likeness(sandbox)
    try #require(undisturbed.rows.isEmpty == false)
    calls = preload.calls(in: sandbox)
    try #require(Set(calls.map(\.name)).isSuperset(of: ["open", "write", "sync"]), "not all of it was intercepted")
    let again = try await scenario.recovery(sandbox, origin)
    try #require(again.status == 0, "\(again.output)\(again.errors)")
    #expect(try await undisturbed == scenario.likeness(sandbox), "\(scenario.name) changes when it is done twice")
  }

  /// One round. If the fault comes too late for this run's calls, the round is undisturbed.
  func meet(_ fault: Fault, at number: Int) async throws {
    let sandbox = try Self.copy(of: template)
    let requestCount = origin.requests.count
    let ended = try await scenario.action(preload.sandbox(sandbox, fault, at: number), origin)
    guard let call = preload.calls(in: sandbox).first(where: \.isStruck) else { return }
    let round = "\(scenario.name), \(fault.rawValue) at \(call)"
    try await expectHonest(ended, fault, sandbox, round)
    try await expectOrder(sandbox, round)
    let again = try await scenario.recovery(sandbox, origin)
    #expect(again.status == 0, "\(round): \(again.output)\(again.errors)")
    let now = try await scenario.likeness(sandbox)
    let (lost, gained) = (undisturbed.missing(in: now), now.missing(in: undisturbed))
    #expect(lost.isEmpty && gained.isEmpty, "\(round): lost \(lost.prefix(3)), gained \(gained.prefix(3))")
    let check = try await sandbox.media("check", "--json")
    #expect((check.status, check.output) == (0, ""), "\(round): \(check.output)\(check.errors)")
    #expect(Self.leftovers(in: sandbox).isEmpty, "\(round): \(Self.leftovers(in: sandbox))")
    // A request that only checks whether the server shows anything is not a page.
    let pages = origin.requests.dropFirst(requestCount).filter {
      $0.path.hasPrefix("/api/v1/timelines") && $0.parameter("limit") != "5"
    }
    let cursors = pages.map { "\($0.parameter("max_id") ?? "") \($0.parameter("min_id") ?? "")" }
    // An end without links is asked for once more, at once.
    let asked = zip(cursors, [""] + cursors).filter { $0 != $1 }.map(\.0)
    #expect(asked.count - Set(asked).count <= 1, "\(round): \(cursors)")
    try FaultTable.note(
      scenario.name, fault.rawValue, ended.status, lost: lost.count, pagesTwice: cursors.count - Set(cursors).count)
  }

  /// A killed command is dead, another failed command reports why, and a silent one has done everything.
  private func expectHonest(_ ended: Ended, _ fault: Fault, _ sandbox: Sandbox, _ round: String) async throws {
    if fault.kills { return #expect(ended.status == 137, "\(round): \(ended.errors)") }
    #expect([0, 1, 74].contains(ended.status), "\(round): \(ended.status) \(ended.errors)")
    if ended.status == 0 {
      let now = try await scenario.likeness(sandbox)
      let (lost, gained) = (undisturbed.missing(in: now), now.missing(in: undisturbed))
      #expect(
        lost.isEmpty && gained.isEmpty, "\(round) ended with 0: lost \(lost.prefix(3)), gained \(gained.prefix(3))")
    } else {
      #expect(ended.errors.contains("media: "), "\(round): \(ended.errors)")
    }
    for trace in ["Fatal error", "Stack dump", ".swift:", "Error Domain", "CocoaError"] {
      #expect(!ended.errors.contains(trace), "\(round): \(ended.errors)")
    }
  }

  /// Files with a final name are complete, and a check finds nothing but waste.
  private func expectOrder(_ sandbox: Sandbox, _ round: String) async throws {
    for file in Likeness.files(in: sandbox.library) {
      let bytes = FileManager.default.contents(atPath: "\(sandbox.library)/blobs/\(file)")
      #expect(bytes.map { Picture.sha256(Array($0)) } == file.filter { $0 != "/" }, "\(round): \(file)")
    }
    for name in try copies(in: sandbox) {
      let (words, posts) = try Self.copyFacts("\(sandbox.library)/\(name)")
      #expect(
        (words, posts) == ("ok", try Self.copyFacts("\(template.library)/media.sqlite").posts), "\(round): \(name)")
    }
    let check = try await sandbox.media("check", "--json")
    let kinds = try check.objects().compactMap { $0["kind"] as? String }
    #expect(Set(kinds).isSubset(of: ["orphan", "unreferenced"]), "\(round): \(check.output)")
    #expect(check.status == 0, "\(round): \(check.output)\(check.errors)")
    // It can be read, whatever it contains by now.
    _ = try await scenario.likeness(sandbox)
  }

  private func copies(in sandbox: Sandbox) throws -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: sandbox.library)) ?? []
    return names.filter { $0.hasPrefix("media-before-") && $0.hasSuffix(".sqlite") }
  }

  /// Files that should only have been set aside briefly.
  private static func leftovers(in sandbox: Sandbox) -> [String] {
    [sandbox.library, sandbox.configuration]
      .flatMap { FileManager.default.enumerator(atPath: $0)?.compactMap { $0 as? String } ?? [] }
      .filter { name in [".part", ".new", "-journal"].contains { name.hasSuffix($0) } }
  }

  private static func copyFacts(_ path: String) throws -> (words: String?, posts: Int?) {
    try Likeness.read(path) { db in
      let words = try db.value("PRAGMA quick_check(1)") as String?
      return (words, try db.hasTable("post") ? try db.value("SELECT count(*) FROM post") as Int? : nil)
    }
  }

  private static func copy(of template: Sandbox) throws -> Sandbox {
    let sandbox = try Sandbox()
    for (from, to) in [(template.library, sandbox.library), (template.configuration, sandbox.configuration)]
    where FileManager.default.fileExists(atPath: from) { try FileManager.default.copyItem(atPath: from, toPath: to) }
    return sandbox
  }
}
