import Folders
import Foundation
import PostgreSQLServer
import Storage
import Synchronization
import Testing

/// A user's machine as `media` sees it: a home, an environment, and all output.
struct Sandbox: Sendable {
  private let scratch: Scratch
  private let count = Counter()
  /// The commands' environment; only PATH comes from the machine.
  var environment: [String: String]

  /// The maximum address space of a command in kilobytes (`ulimit -v`). It stops a command that collects endless data of a
  /// hostile server before the machine runs out of memory. It does not work with a sanitizer.
  private let ceiling: Int?

  /// The limit for hostile servers: a pull needs a seventh of it.
  static let narrow = 2 << 20

  /// The built command, beside the test bundle.
  static let binary = built("media")

  /// A built program, beside the test bundle.
  static func built(_ name: String) -> String {
    let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return own.split(separator: "/").dropLast().map { "/\($0)" }.joined() + "/\(name)"
  }

  init(ceiling: Int? = nil) throws {
    self.ceiling = ProcessInfo.processInfo.environment["TSAN_OPTIONS"] == nil ? ceiling : nil
    scratch = try Scratch()
    for name in ["home", "said"] {
      try FileManager.default.createDirectory(atPath: "\(scratch.path)/\(name)", withIntermediateDirectories: true)
    }
    environment = [
      "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", "HOME": "\(scratch.path)/home",
      "MEDIA_HOME": "\(scratch.path)/library", "MEDIA_CONFIG": "\(scratch.path)/config", "TZ": "UTC",
      "LANG": "C.UTF-8", "TERM": "xterm",
    ]
    // Here are no languages: no journey waits until the text in its pictures is read, but those that ask for it.
    environment["TESSDATA_PREFIX"] = scratch.path
    if Self.isShared {
      let address = try PostgreSQLServer.shared().newURI("blobs=\(scratch.path)/library")
      // A journey in a folder may begin with looking into an empty one.
      try LibraryAddress(address).map { try Store.open(library: $0) }?.close()
      environment["MEDIA_HOME"] = address
    }
    // Sanitizer options apply to the started programs, too.
    for name in ["LD_PRELOAD", "TSAN_OPTIONS"] { environment[name] = ProcessInfo.processInfo.environment[name] }
  }

  var folder: String { scratch.path }
  /// Whether libraries are databases of a PostgreSQL server whose pictures lie in a folder. Every journey that looks into no
  /// file of a library is the same over both.
  static let isShared = ProcessInfo.processInfo.environment["MEDIA_TEST_STORE"] == "postgresql"

  /// What names the library: its folder, or the address of its database.
  var address: String { environment["MEDIA_HOME"] ?? "" }
  /// The folder of the library, or of a database's pictures.
  var library: String { address.hasPrefix("postgresql:") ? "\(scratch.path)/library" : address }
  var configuration: String { environment["MEDIA_CONFIG"] ?? "" }
  /// The folder of all commands' outputs.
  var said: String { "\(scratch.path)/said" }

  /// Runs `media` to its end.
  @discardableResult
  func media(_ arguments: String..., input: String? = nil) async throws -> Ended {
    try await run(arguments, input: input)
  }

  /// Runs `media` to its end.
  func run(_ arguments: [String], input: String? = nil) async throws -> Ended {
    let running = try start(Self.binary, arguments)
    if let input { running.type(input) }
    running.endInput()
    return try await running.end()
  }

  /// Runs a line of bash to its end; `$MEDIA` is the command.
  func bash(_ line: String) async throws -> Ended {
    let running = try start("/bin/bash", ["-c", line])
    running.endInput()
    return try await running.end()
  }

  /// Runs SQL on the library, as no command does.
  ///
  /// - Returns: What it prints, a line for each row.
  @discardableResult
  func sql(_ sql: String) async throws -> String {
    let database = address.replacing(/&blobs=.*/, with: "")
    let command =
      address == library
      ? ["sqlite3", "-cmd", ".timeout 10000", "\(library)/media.sqlite", sql]
      : ["psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-d", database, "-c", "SET search_path TO media", "-c", sql]
    let ended = try await start("/usr/bin/env", command).end()
    try #require(ended.status == 0, "\(ended.errors)")
    return ended.output
  }

  /// Lets the next garbage collection remove what was stored and deleted until now. A shared library keeps a grace, so what is
  /// stored in it gets older.
  func endGrace() async throws {
    try await media("settings", "trash", "0s")
    guard address != library else {
      try await media("settings", "gc-grace", "0s")
      return
    }
    try await sql("UPDATE blob SET stored_at = '2020-01-01T00:00:00.000Z'")
    for file in FileManager.default.subpaths(atPath: "\(library)/blobs") ?? [] {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1_577_836_800)], ofItemAtPath: "\(library)/blobs/\(file)")
    }
  }

  /// Starts `media` in the background.
  func begin(_ arguments: String...) throws -> Running { try begin(arguments) }

  /// Starts `media` in the background.
  func begin(_ arguments: [String]) throws -> Running { try start(Self.binary, arguments) }

  /// Writes a file into the configuration folder.
  func configure(_ name: String, _ text: String, mode: Int = 0o600) throws {
    let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
    try FileManager.default.createDirectory(
      atPath: configuration, withIntermediateDirectories: true, attributes: attributes)
    let isMade = FileManager.default.createFile(
      atPath: "\(configuration)/\(name)", contents: Data(text.utf8), attributes: [.posixPermissions: mode])
    try #require(isMade)
  }

  /// Starts a program in the background.
  func start(_ program: String, _ arguments: [String]) throws -> Running {
    var environment = environment
    environment["MEDIA"] = Self.binary
    let said = "\(said)/\(count.next())"
    guard let ceiling else { return try Running(program, arguments, environment, said: said) }
    let line = "ulimit -v \(ceiling) && exec \"$0\" \"$@\""
    return try Running("/bin/sh", ["-c", line, program] + arguments, environment, said: said)
  }

  private final class Counter: Sendable {
    private let value = Atomic(0)
    func next() -> Int { value.add(1, ordering: .relaxed).newValue }
  }
}

/// A command's exit code and output.
struct Ended: Sendable {
  let status: Int32
  let output: String
  let errors: String

  var lines: [String] { output.split(separator: "\n").map(String.init) }

  /// The printed JSON objects, one per line.
  func objects() throws -> [[String: any Sendable]] {
    try lines.map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: any Sendable], "\($0)")
    }
  }

  /// The only printed JSON object.
  func object() throws -> [String: any Sendable] {
    let all = try objects()
    try #require(all.count == 1, "\(output)\(errors)")
    return all[0]
  }
}

/// Checks a command's failure: its exit code, nothing on standard output, and one line that says what failed and what to
/// do.
func expect(
  _ ended: Ended, fails status: Int32, saying words: String..., output: Bool = false,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(ended.status == status, "\(ended.output)\(ended.errors)", sourceLocation: sourceLocation)
  let apiErrors = ended.errors.split(separator: "\n").filter { $0.hasPrefix("media: ") }
  #expect(apiErrors.count == 1, "\(ended.errors)", sourceLocation: sourceLocation)
  for word in words {
    #expect(apiErrors.first?.contains(word) == true, "\(ended.errors)", sourceLocation: sourceLocation)
  }
  #expect(output || ended.output.isEmpty, "\(ended.output)", sourceLocation: sourceLocation)
  for trace in ["Fatal error", "Stack dump", ".swift:", "Error Domain", "CocoaError"] {
    #expect(!ended.errors.contains(trace), "\(ended.errors)", sourceLocation: sourceLocation)
  }
}

extension [String: any Sendable] {
  /// A member of a member.
  subscript(_ outer: String, _ inner: String) -> Int? { (self[outer] as? [String: any Sendable])?[inner] as? Int }
}

extension Trait where Self == ConditionTrait {
  /// For tests that look into the files of a library, or play what only a library in a folder can meet.
  static var inFolders: ConditionTrait { .disabled(if: Sandbox.isShared, "the library is in a database") }
}
