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
  private var streams: [Int: AsyncStream<Event>.Continuation] = [:]
  private var count = 0
  private var hasEnded = false

  init(library: Library) { self.library = library }

  /// Observes the library until the task is cancelled.
  func run() async {
    do {
      for try await change in library.store.changes(startsWithEverything: false) { publish(Event(change)) }
    } catch {
      publish(Event(id: nil, name: "failed", data: "{}"))
    }
    if Task.isCancelled { end() }
  }

  /// Ends every stream, now and later: the gallery ends.
  private func end() {
    hasEnded = true
    for stream in streams.values { stream.finish() }
  }

  /// Hands an event to every stream.
  func publish(_ event: Event) {
    for stream in streams.values { stream.yield(event) }
  }

  /// The events from now on. A reader that is too slow misses the oldest.
  func subscribe() -> AsyncStream<Event> {
    count += 1
    let number = count
    let (stream, continuation) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: .bufferingNewest(256))
    streams[number] = continuation
    if hasEnded { continuation.finish() }
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
