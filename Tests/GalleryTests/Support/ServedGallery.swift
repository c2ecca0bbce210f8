import Derivatives
import Folders
import Foundation
import Machine
import MediaLibrary
import Storage
import Synchronization
import Testing

@testable import Gallery

/// A gallery that is served while a test looks at it, over real sockets, with a library of its own.
struct ServedGallery: Sendable {
  let folder: Scratch
  let library: Library
  let signIns: SignIns
  let clock: TestClock
  let port: Int

  /// A caption that only those who are signed in may see.
  static let secret = "a kingfisher that nobody else may see"

  var libraryFolder: String { library.folder }
  var configuration: String { "\(folder.path)/config" }
  var host: String { "127.0.0.1:\(port)" }

  /// A one-time address, as the gallery prints it.
  func newToken() async throws -> String {
    let address = try await signIns.newAddress(at: "")
    return String(address.dropFirst("/?token=".count))
  }

  /// The Cookie field of a browser that has signed in.
  func cookie() async throws -> String {
    let answer = try await get("/?token=\(try await newToken())")
    return "Cookie: \(try #require(answer["set-cookie"]?.split(separator: ";").first))"
  }

  /// Sends a GET request with further lines of its head.
  func get(_ target: String, _ lines: String..., host: String? = nil) async throws -> RawAnswer {
    try await send("GET \(target) HTTP/1.1", ["Host: \(host ?? self.host)"] + lines)
  }

  /// Sends a POST request as a page of the gallery does, with further lines of its head.
  func post(
    _ target: String, _ body: String, _ lines: String..., type: String = "application/json", origin: String? = nil
  ) async throws -> RawAnswer {
    let own = ["Origin: \(origin ?? "http://\(host)")", "X-Media: 1", "Sec-Fetch-Site: same-origin"]
    return try await send(
      "POST \(target) HTTP/1.1",
      ["Host: \(host)", "Content-Type: \(type)", "Content-Length: \(body.utf8.count)"] + lines
        + (origin == "" ? [] : own),
      body: body)
  }

  /// Sends a request by its lines, unchanged.
  func send(_ first: String, _ lines: [String], body: String = "") async throws -> RawAnswer {
    let text = ([first] + lines + ["Connection: close", "", body]).joined(separator: "\r\n")
    return try await raw(Array(text.utf8))
  }

  /// Sends bytes, ends the sending side, and reads to the end.
  func raw(_ bytes: [UInt8]) async throws -> RawAnswer {
    try await BlockingExecutor("test.socket").run { [port] in try RawSocket.exchange(bytes, port: port) }
  }
}

/// Serves a gallery for the length of `body`.
///
/// - Parameters:
///   - languages: The languages in which text is read, as the library knows them.
///   - path: The folder of its library; nil for a new one.
func withGallery(
  _ options: GalleryServer.Options = .init(), isEmpty: Bool = false, folds: Bool = false,
  reading languages: String? = nil, library path: String? = nil,
  pause: @escaping @Sendable (Duration) async throws -> Void = instantPause,
  _ body: (ServedGallery) async throws -> Void
) async throws {
  let (folder, clock) = (try Scratch(), TestClock())
  var library = try Library(in: path ?? "\(folder.path)/library", now: { clock.now })
  defer { library.close() }
  (library.foldsLists, library.textLanguages) = (folds, languages)
  if !isEmpty { try library.add(caption: ServedGallery.secret, tags: ["birds"]) }
  let signIns = SignIns(folder: "\(folder.path)/config", now: { clock.now })
  if options.isOnNetwork { try await signIns.setPassword("correct horse") }
  let server = GalleryServer(
    options: options, library: library, derivatives: testDerivatives(of: library), signIns: signIns, now: { clock.now },
    pause: { $0 == ChangeHub.silence ? try await instantPause($0) : try await pause($0) })
  try await withThrowingTaskGroup(of: Void.self) { group in
    let (ready, tell) = AsyncStream.makeStream(of: Int.self)
    group.addTask {
      defer { tell.finish() }
      try await server.run { tell.yield($1) }
    }
    var ports = ready.makeAsyncIterator()
    if let port = await ports.next() {
      try await body(
        ServedGallery(folder: folder, library: library, signIns: signIns, clock: clock, port: port))
    }
    group.cancelAll()
    try await group.waitForAll()
  }
}

/// Returns at once; but streams of events, which say something after so long a silence, stay silent.
@Sendable func instantPause(_ duration: Duration) async throws {
  guard duration == ChangeHub.silence else { return }
  let (silence, end) = AsyncStream.makeStream(of: Void.self)
  for await _ in silence {}
  end.finish()
  throw CancellationError()
}

/// The small pictures of a library, made by the built program.
func testDerivatives(of library: Library) -> Derivatives {
  let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
  let program = URL(filePath: own).deletingLastPathComponent().appending(path: "media-picture").path
  let now = Date(timeIntervalSince1970: 1_795_000_000)
  return Derivatives(
    blobs: library.blobs, cache: ThumbnailCache(library: library.folder) { now },
    configuration: .init(program: program, environment: ProcessInfo.processInfo.environment, children: 1),
    clocks: .init(now: { now }, instant: { .now }, sleep: { _ in try await Task.sleep(for: .seconds(86_400)) }),
    notice: { _ in })
}

/// A clock that moves when a test says so.
final class TestClock: Sendable {
  private let elapsed = Mutex<TimeInterval>(0)
  var now: Date { Date(timeIntervalSince1970: 1_795_000_000 + elapsed.withLock { $0 }) }
  func pass(_ seconds: TimeInterval) { elapsed.withLock { $0 += seconds } }
}
