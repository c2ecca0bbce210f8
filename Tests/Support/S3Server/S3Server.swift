import Folders
import Foundation
import HTTP
import S3Blobs
import Synchronization

/// An S3 server of this test process alone (SeaweedFS), on ports of the loopback address. It ends with the process.
public final class S3Server: Sendable {
  /// Why no server runs, in a sentence.
  public struct Failure: Error, CustomStringConvertible {
    /// The sentence.
    public let description: String
  }

  /// Who asks.
  public enum User: String, Sendable {
    /// May do everything.
    case owner
    /// May list and read.
    case reader
  }

  /// Its address.
  public let endpoint: String
  private let scratch: Scratch
  private let program: StartedProgram
  /// The server ends when the other end of this pipe is closed, at the latest with this process.
  private let life: Pipe
  private let session = Session(agent: "media-tests/1", limits: .init(downloads: 32, requests: 32), environment: [:])
  private let buckets = Atomic(0)

  private static let started = Mutex<Result<S3Server, Failure>?>(nil)

  /// The process's server, started by the first call.
  public static func shared() throws -> S3Server {
    try started.withLock { started in
      let server = started ?? Result { () throws(Failure) in try S3Server() }
      started = server
      return server
    }.get()
  }

  /// Starts a server whose files are new.
  public init() throws(Failure) {
    do {
      scratch = try Scratch()
      life = Pipe()
      try FileManager.default.createDirectory(atPath: "\(scratch.path)/data", withIntermediateDirectories: false)
      let log = "\(scratch.path)/log"
      _ = FileManager.default.createFile(atPath: log, contents: nil)
      program = try StartedProgram(
        "\(Self.root)/Scripts/lib/s3-server", ["\(scratch.path)/data"], input: life.fileHandleForReading,
        errors: FileHandle(forWritingAtPath: log))
    } catch {
      throw Failure(description: "\(error)")
    }
    let deadline = ContinuousClock.now + .seconds(180)
    while true {
      if let text = try? String(contentsOfFile: "\(scratch.path)/data/address", encoding: .utf8) {
        endpoint = text.trimmingCharacters(in: .whitespacesAndNewlines)
        return
      }
      guard program.isRunning, ContinuousClock.now < deadline else {
        let log = (try? String(contentsOfFile: "\(scratch.path)/log", encoding: .utf8)) ?? ""
        throw Failure(description: "SeaweedFS does not start (Scripts/setup --shared installs it): \(log.suffix(800))")
      }
      usleep(20_000)
    }
  }

  deinit { end() }

  /// Ends it.
  public func end() {
    try? life.fileHandleForWriting.close()
    program.wait()
  }

  /// Stops its program as if the machine were gone, or lets it go on.
  public func pause(_ isPaused: Bool) {
    guard let text = try? String(contentsOfFile: "\(scratch.path)/data/pid", encoding: .utf8),
      let id = pid_t(text.filter(\.isNumber))
    else { return }
    kill(id, isPaused ? SIGSTOP : SIGCONT)
  }

  /// The name of a new and empty bucket.
  public func newBucket() throws -> String {
    let name = "test\(buckets.add(1, ordering: .relaxed).newValue)"
    let answer = try send(.put, "/\(name)", as: .owner)
    guard answer.status == 200 else { throw Failure(description: "no bucket: \(answer.status)") }
    return name
  }

  /// The configuration of a user.
  public func configuration(_ user: User = .owner) -> S3Configuration {
    S3Configuration(
      credentials: S3Credentials(accessKey: user.rawValue, secretKey: Secret("\(user.rawValue)-secret")),
      endpoint: S3Endpoint(endpoint))
  }

  /// The variables of a user.
  public func environment(_ user: User = .owner) -> [String: String] {
    [
      "AWS_ENDPOINT_URL_S3": endpoint, "AWS_ACCESS_KEY_ID": user.rawValue,
      "AWS_SECRET_ACCESS_KEY": "\(user.rawValue)-secret", "AWS_REGION": "us-east-1",
    ]
  }

  /// What a store needs, with a folder of its own.
  public func environment(in folder: String, cacheLimit: Int = 0) -> S3Environment {
    S3Environment(variables: [:], client: session.blockingClient, folder: folder, cacheLimit: cacheLimit)
  }

  /// Sends a request of its own, signed. The path is percent-encoded.
  public func send(
    _ method: Request.Method, _ path: String, as user: User, body: [UInt8] = []
  ) throws -> Response {
    try session.blockingClient.send(configuration(user).signed(method, path, body: body, now: Date()), nil)
  }

  private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
    .standardizedFileURL.path
}
