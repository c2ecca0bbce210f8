import Blobs
import Folders
import Foundation
import Pictures
import Synchronization
import Testing

@testable import Derivatives

/// A library's folder, clocks that tests set, and `Derivatives` over them with the built child.
final class Shop: Sendable {
  let scratch: Scratch
  let blobs: any BlobStoring
  let date = Mutex(Date(timeIntervalSince1970: 1_700_000_000))
  /// What passed on the clock, which moves by tests alone.
  let elapsed = Mutex(Duration.zero)
  private let start = ContinuousClock.now
  let notices = Mutex<[String]>([])

  init(_ scratch: Scratch? = nil, blobs: (any BlobStoring)? = nil) throws {
    self.scratch = try scratch ?? Scratch()
    self.blobs = blobs ?? DiskBlobs(library: self.scratch.path)
  }

  func cache(limit: Int = ThumbnailCache.standardLimit) -> ThumbnailCache {
    ThumbnailCache(library: scratch.path, limit: limit) { self.date.withLock { $0 } }
  }

  func derivatives(
    _ program: String = built, children: Int = 1, limit: Int = ThumbnailCache.standardLimit,
    timeLimit: Duration = .seconds(60), capacity: Int = 512
  ) -> Derivatives {
    var configuration = Derivatives.Configuration(
      program: program, environment: ProcessInfo.processInfo.environment, children: children)
    configuration.timeLimit = timeLimit
    configuration.capacity = capacity
    let clocks = Derivatives.Clocks(
      now: { self.date.withLock { $0 } }, instant: { self.start + self.elapsed.withLock { $0 } },
      sleep: { _ in throw CancellationError() })
    return Derivatives(
      blobs: blobs, cache: cache(limit: limit), configuration: configuration, clocks: clocks,
      notice: { line in self.notices.withLock { $0.append(line) } })
  }

  func put(_ bytes: [UInt8]) throws -> BlobID {
    let draft = try blobs.draft()
    try bytes.withUnsafeBytes { try draft.write($0) }
    return try #require(blobs.keep([draft]).first).id
  }

  func pass(_ seconds: TimeInterval) { date.withLock { $0 += seconds } }

  /// The paths of the cache's files below `cache/thumb`.
  var cached: [String] {
    let names =
      FileManager.default.enumerator(atPath: "\(scratch.path)/cache/thumb")?.compactMap { $0 as? String } ?? []
    return names.filter { $0.contains(".") }.sorted()
  }

  func path(_ blob: BlobID, _ size: Derivatives.Size) -> String {
    "\(scratch.path)/cache/thumb/\(size.rawValue)/\(blob.hex.prefix(2))/\(blob.hex.dropFirst(2)).webp"
  }

  /// Writes a shell script in place of `media-picture`. It sends the greeting, logs each request, and runs `answers` for it.
  func script(_ answers: String, greeting: String = "media-picture derivatives 1") throws -> String {
    try Data(try Made.webp(8, 6)).write(to: URL(filePath: "\(scratch.path)/answer.webp"))
    let lines = """
      #!/bin/sh
      echo "\(greeting)"
      while read -r line; do
        echo "$line" >>\(scratch.path)/asked
        id=${line#*\\"id\\":}; id=${id%%[,\\}]*}
        bytes=$(wc -c <\(scratch.path)/answer.webp)
        \(answers)
      done
      """
    try Data("\(lines)\n".utf8).write(to: URL(filePath: "\(scratch.path)/draft"))
    let program = "\(scratch.path)/\(PictureProgram.name)"
    // Another process writes it: a child process of another test that starts just now could inherit the open file, and a
    // file that is open for writing cannot be executed.
    let install = try Process.run(
      URL(filePath: "/usr/bin/install"), arguments: ["-m", "755", "\(scratch.path)/draft", program])
    install.waitUntilExit()
    try #require(install.terminationStatus == 0)
    return program
  }

  /// Answers a request for one small derivative.
  var good: String {
    #"printf '{"id":%s,"parts":[{"bytes":%s,"edge":320}]}\n' "$id" "$bytes"; cat \#(scratch.path)/answer.webp"#
  }

  /// The lines that scripted children were sent.
  var asked: [String] {
    let text = (try? String(contentsOfFile: "\(scratch.path)/asked", encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map(String.init)
  }

  /// The built program, beside the test bundle.
  static let built: String = {
    let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return own.split(separator: "/").dropLast().map { "/\($0)" }.joined() + "/\(PictureProgram.name)"
  }()
}

extension Derivatives {
  /// The result of a request.
  func result(_ blob: BlobID, _ size: Size = .small) async -> Result<DerivativeFile, DerivativeError> {
    do throws(DerivativeError) { return .success(try await file(for: blob, size: size)) } catch {
      return .failure(error)
    }
  }

  func seen(_ blob: BlobID, _ size: Size = .small) async throws -> Seen {
    try Seen(try await file(for: blob, size: size).bytes)
  }
}
