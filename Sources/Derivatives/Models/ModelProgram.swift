import Blobs
import FoundationEssentials
import Glibc
import Machine
import Synchronization

/// A program that a person chose to look at pictures with a model. It is started with the first question, at the lowest
/// priority, does one thing at a time, and is ended with this value.
///
/// It gets a path of the picture's bytes, which it may read and must not change. What it answers is checked before it counts.
public final class ModelProgram: Sendable {
  /// How it is run.
  public struct Configuration: Sendable {
    /// The person's command, one line for the shell.
    public var line: String
    /// The environment of the program.
    public var environment: [String: String]
    /// The bytes of memory that each of its processes may use.
    public var memory: Int64
    /// How long it may take for one answer. It has three times as long to start, as weights are large.
    public var timeLimit: Duration

    /// A configuration from its parts.
    public init(line: String, environment: [String: String], memory: Int64, timeLimit: Duration = .seconds(60)) {
      (self.line, self.environment, self.memory, self.timeLimit) = (line, environment, memory, timeLimit)
    }
  }

  /// What the program says of itself.
  public struct Model: Sendable, Hashable {
    /// The model.
    public let name: ModelName
    /// Whether it looks at pictures.
    public let seesPictures: Bool
    /// Whether it knows what pictures mean.
    public let embedsPictures: Bool
    /// Whether it knows what texts mean.
    public let embedsTexts: Bool
  }

  private struct Running {
    let child: LineChild
    let input: OpenFile
    let greeting: ModelProtocol.Greeting
  }

  private struct State {
    var running: Running?
    var model: ModelName?
    var number = 0
    // Lines that came together.
    var lines: [[UInt8]] = []
    /// How many times in a row it was lost.
    var losses = 0
  }

  private let blobs: any BlobStoring
  private let temporary: String
  private let configuration: Configuration
  private let now: @Sendable () -> ContinuousClock.Instant
  private let mustEnd: @Sendable () -> Bool
  private let state = Mutex(State())
  private let thread = BlockingExecutor("model.program")

  /// After so many losses in a row, it is the program that is broken, not the pictures.
  private static let mostLosses = 3
  /// How many seconds it may take to end when it is told to.
  private static let grace = 1.0

  /// A program that looks at a library's files. It is not started yet.
  ///
  /// - Parameters:
  ///   - blobs: The files.
  ///   - temporary: A folder for copies of files that are elsewhere.
  ///   - configuration: How it is run.
  ///   - now: The clock by which its limits are measured.
  ///   - mustEnd: Whether the person wants it to end.
  public init(
    blobs: any BlobStoring, temporary: String, _ configuration: Configuration,
    now: @escaping @Sendable () -> ContinuousClock.Instant, mustEnd: @escaping @Sendable () -> Bool
  ) {
    (self.blobs, self.temporary, self.configuration) = (blobs, temporary, configuration)
    (self.now, self.mustEnd) = (now, mustEnd)
  }

  deinit { state.withLock { Self.end(&$0) } }

  /// The model, which is asked for by starting the program.
  ///
  /// - Throws: `DerivativeError.unavailable` if it does not start, or does not speak the protocol.
  public func model() async throws(DerivativeError) -> Model {
    try await thread.run { () throws(DerivativeError) in
      let greeting = try self.locked { (state) throws(DerivativeError) in try self.running(&state).greeting }
      return Model(
        name: greeting.model, seesPictures: greeting.gives != [.textEmbed],
        embedsPictures: greeting.gives.contains(.embed), embedsTexts: greeting.gives.contains(.textEmbed))
    }
  }

  /// What the model finds in a picture.
  ///
  /// - Throws: `DerivativeError.undecodable` if it cannot read the picture or was lost with it, `unavailable` if it is of no
  ///   use at all.
  public func findings(of blob: BlobID) async throws(DerivativeError) -> ModelFindings {
    let wants: [ModelProtocol.Want] = [.embed, .tags, .caption, .sensitive]
    return try await thread.run { () throws(DerivativeError) in
      let gives = try self.locked { (state) throws(DerivativeError) in try self.running(&state).greeting.gives }
      // A library elsewhere would hand out the file's bytes for nothing.
      guard !gives.isDisjoint(with: wants) else { return ModelFindings() }
      let file: BlobFile
      // A file that cannot be read now says nothing of the model, and is asked for again.
      do throws(BlobError) { file = try self.blobs.file(of: blob, in: self.temporary) } catch { throw .missing }
      if file.hindrance != nil { throw .missing }
      return try withExtendedLifetime(file) { () throws(DerivativeError) in
        try self.ask(wants, file: file.path)
      }
    }
  }

  /// What the model says that a text means.
  ///
  /// - Throws: `DerivativeError`, as `findings(of:)` does.
  public func embedding(of text: String) async throws(DerivativeError) -> Embedding {
    let findings = try await thread.run { () throws(DerivativeError) in
      try self.ask([.textEmbed], text: Self.shortened(text))
    }
    guard let embedding = findings.embedding else { throw .unavailable("the model does not know what texts mean") }
    return embedding
  }

  private static func shortened(_ text: String) -> String {
    var text = text[...]
    while text.utf8.count > ModelProtocol.longestText { text = text.dropLast(max(1, text.count / 8)) }
    return String(text)
  }

  // MARK: The child

  private func locked<Value: Sendable>(_ body: @Sendable (inout State) throws(DerivativeError) -> Value)
    throws(DerivativeError) -> Value
  {
    let result = state.withLock { state -> Result<Value, DerivativeError> in
      do throws(DerivativeError) { return .success(try body(&state)) } catch { return .failure(error) }
    }
    return try result.get()
  }

  private func ask(
    _ wants: [ModelProtocol.Want], file: String? = nil, text: String? = nil
  ) throws(DerivativeError) -> ModelFindings {
    try locked { (state) throws(DerivativeError) in
      let running = try self.running(&state)
      let asked = wants.filter(running.greeting.gives.contains)
      guard !asked.isEmpty else { return ModelFindings() }
      state.number += 1
      let request = ModelProtocol.Request(id: state.number, file: file, text: text, want: asked)
      let answer: ModelProtocol.Answer
      do throws(ModelProtocol.Fault) {
        try self.send(request, to: running)
        let line = try self.line(&state, running.child, within: self.configuration.timeLimit)
        answer = try ModelProtocol.answer(line, to: request, of: running.greeting.model)
        guard state.lines.isEmpty else { throw ModelProtocol.Fault("it sent more lines than were asked for") }
      } catch {
        throw self.lost(&state, error)
      }
      state.losses = 0
      switch answer {
      case .found(let findings): return findings
      case .failed(let reason): throw .undecodable(reason)
      }
    }
  }

  /// Ends the program, after which the next question starts it again.
  private func lost(_ state: inout State, _ fault: ModelProtocol.Fault) -> DerivativeError {
    let words = Self.words(of: state.running?.child)
    Self.end(&state)
    if mustEnd() { return .cancelled }
    state.losses += 1
    let reason = "the program of \"look\": \(fault.reason)\(words)"
    return state.losses < Self.mostLosses ? .undecodable(reason) : .unavailable(reason)
  }

  private func running(_ state: inout State) throws(DerivativeError) -> Running {
    if let running = state.running { return running }
    guard state.losses < Self.mostLosses else { throw .unavailable("the program of \"look\" was lost too often") }
    do throws(ModelProtocol.Fault) {
      let (child, input) = try start()
      do throws(ModelProtocol.Fault) {
        let line = try line(&state, child, within: configuration.timeLimit * 3)
        let greeting = try ModelProtocol.Greeting(line)
        guard state.model == nil || state.model == greeting.model else {
          throw ModelProtocol.Fault("it has another model than before")
        }
        let running = Running(child: child, input: input, greeting: greeting)
        (state.running, state.model) = (running, greeting.model)
        return running
      } catch {
        state.lines = []
        let words = Self.words(of: child)
        child.end(grace: Self.grace)
        throw ModelProtocol.Fault("\(error.reason)\(words)")
      }
    } catch {
      throw mustEnd() ? .cancelled : .unavailable("the program of \"look\": \(error.reason)")
    }
  }

  private func start() throws(ModelProtocol.Fault) -> (LineChild, OpenFile) {
    var ends: [Int32] = [-1, -1]
    // A socket, as writing to a pipe that a program closed would end this one.
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
      throw ModelProtocol.Fault("no socket for it can be made")
    }
    let (own, its) = (OpenFile(ends[0]), OpenFile(ends[1]))
    defer { its.close() }
    // The line is the person's own. Less memory than is allowed stays as it is.
    let line = "ulimit -c 0; ulimit -d \(configuration.memory / 1024) 2>/dev/null\n\(configuration.line)"
    // Otherwise its lines come when its buffer is full.
    let variables = configuration.environment.merging(["PYTHONUNBUFFERED": "1"]) { $1 }.map { "\($0)=\($1)" }
    do throws(Spawning.NotStarted) {
      let child = try LineChild("/bin/sh", ["-c", line], environment: variables, input: its.descriptor)
      setpriority(__priority_which_t(PRIO_PGRP.rawValue), id_t(child.number), 19)
      return (child, own)
    } catch {
      throw ModelProtocol.Fault("it cannot be started: \(String(cString: strerror(error.code)))")
    }
  }

  private func send(_ request: ModelProtocol.Request, to running: Running) throws(ModelProtocol.Fault) {
    let encoder = JSONEncoder()
    // Programs of a few lines read it, too.
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let json = try? encoder.encode(request) else {
      throw ModelProtocol.Fault("its question cannot be written")
    }
    var rest = (Array(json) + [UInt8(ascii: "\n")])[...]
    while !rest.isEmpty {
      // It reads between answers, and a request is smaller than the socket's buffer: this does not block.
      let count = rest.withUnsafeBytes {
        Glibc.send(running.input.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw ModelProtocol.Fault("it takes no questions") }
      rest = rest.dropFirst(count)
    }
  }

  /// Waits for a line.
  private func line(
    _ state: inout State, _ child: LineChild, within limit: Duration
  ) throws(ModelProtocol.Fault) -> [UInt8] {
    let deadline = now() + limit
    while state.lines.isEmpty {
      guard !mustEnd() else { throw ModelProtocol.Fault("it was ended") }
      guard now() < deadline else { throw ModelProtocol.Fault("it took longer than \(limit.formatted)") }
      let read: (lines: [[UInt8]], wroteAnything: Bool)?
      do { read = try child.lines(longest: ModelProtocol.longestLine) } catch { read = nil }
      guard let read else {
        // With what it still says on standard error.
        let status = child.wait(grace: Self.grace)
        throw ModelProtocol.Fault(status == 0 ? "it ended" : "it ended with status \(status)")
      }
      guard !child.isPassingOver, read.lines.count <= 16 else {
        throw ModelProtocol.Fault("it sent more than was asked for")
      }
      state.lines = read.lines
    }
    return state.lines.removeFirst()
  }

  private static func end(_ state: inout State) {
    state.lines = []
    guard let running = state.running.take() else { return }
    running.input.close()
    running.child.end(grace: grace)
  }

  /// What it said last, in brackets; nothing if it said nothing.
  private static func words(of child: LineChild?) -> String {
    let line = child?.lastWords.split(whereSeparator: \.isNewline).last.map { String($0.prefix(200)) } ?? ""
    return line.isEmpty ? "" : " (\(line))"
  }
}
