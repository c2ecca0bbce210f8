import MediaLibrary
import Storage

/// Hands every change of the library to every open stream of events. One observer of the library serves all of them.
actor ChangeHub {
  /// An event of the stream (https://html.spec.whatwg.org/multipage/server-sent-events.html).
  struct Event: Sendable {
    /// The position after the event, by which a browser resumes; nil if it has none.
    let id: String?
    /// The event's name.
    let name: String
    /// JSON on one line.
    let data: String
  }

  private let library: Library
  private let pause: @Sendable (Duration) async throws -> Void
  private var streams: [Int: AsyncStream<String>.Continuation] = [:]
  private var count = 0
  private var hasEnded = false

  /// How long a stream stays silent. Proxies end connections that are silent for a minute.
  static let silence = Duration.seconds(15)

  /// - Parameter pause: Waits, and throws if its task is cancelled.
  init(library: Library, pause: @escaping @Sendable (Duration) async throws -> Void) {
    (self.library, self.pause) = (library, pause)
  }

  /// Observes the library until it is closed or the task is cancelled. All streams end then.
  func run() async {
    let heartbeat = Task {
      while true {
        try await pause(Self.silence)
        send(":\n\n")
      }
    }
    do {
      for try await change in library.store.changes(startsWithEverything: true) { publish(Event(change)) }
    } catch {
      publish(Event(id: nil, name: "failed", data: "{}"))
    }
    heartbeat.cancel()
    end()
  }

  /// Ends every stream, now and later: the gallery ends, or the library was closed.
  private func end() {
    hasEnded = true
    for stream in streams.values { stream.finish() }
  }

  /// Hands an event to every stream.
  func publish(_ event: Event) { send(event.text) }

  private func send(_ text: String) {
    for stream in streams.values {
      // What a slow reader misses may have changed anything.
      if case .dropped = stream.yield(text) { stream.yield(Event(.everything).text) }
    }
  }

  /// The text of the events from now on. A reader that is too slow misses the oldest, and is told that everything changed.
  func subscribe() -> AsyncStream<String> {
    count += 1
    let number = count
    let (stream, continuation) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(256))
    guard !hasEnded else {
      continuation.finish()
      return stream
    }
    streams[number] = continuation
    continuation.onTermination = { _ in Task { await self.remove(number) } }
    return stream
  }

  private func remove(_ number: Int) { streams[number] = nil }
}

extension ChangeHub.Event {
  fileprivate init(_ change: LibraryChange) {
    switch change {
    case .everything: self.init(id: nil, name: "change", data: #"{"everything":true}"#)
    case .posts(let posts, let authors):
      self.init(
        id: nil, name: "change", data: #"{"posts":\#(posts.sorted()),"authors":\#(authors.sorted())}"#)
    }
  }

  /// As it is sent.
  var text: String { (id.map { "id: \($0)\n" } ?? "") + "event: \(name)\ndata: \(data)\n\n" }
}
