import FoundationEssentials
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
  /// The position of the last change that was told; nil before the library is observed.
  private(set) var position: ChangePosition?
  /// Until when it was told what began.
  private var told: Date
  /// The last changes, for browsers that come back.
  private var latest: [Event] = []

  /// How long a stream stays silent. Proxies end connections that are silent for a minute.
  static let silence = Duration.seconds(15)
  /// How long to wait before a library that could not be read is observed again.
  static let recovery = Duration.seconds(5)
  /// How many changes a browser may have missed and still get one by one.
  private static let mostMissed = 256

  /// - Parameter pause: Waits, and throws if its task is cancelled.
  init(library: Library, pause: @escaping @Sendable (Duration) async throws -> Void) {
    (self.library, self.pause, told) = (library, pause, library.now())
  }

  /// Observes the library until it is closed or the task is cancelled. All streams end then. A library that cannot be read,
  /// such as a damaged one, is observed again later: pages tell what is wrong with it, and the gallery goes on.
  func run() async {
    // Cancelled below, when the library is observed no more.
    let heartbeat = Task {
      while true {
        try await pause(Self.silence)
        stir()
        tellWhatBegan()
      }
    }
    while !library.store.isClosed {
      do {
        try await observe()
        break
      } catch {
        guard !library.store.isClosed, (try? await pause(Self.recovery)) != nil else { break }
      }
    }
    heartbeat.cancel()
    end()
  }

  /// Tells of the posts that were planned and have begun: lists show them from now on, although nothing in the library changed.
  private func tellWhatBegan() {
    try? library.correctClock()
    let (start, now) = (told, library.now())
    // A library that cannot be read is asked again.
    guard let begun = try? library.store.begunPosts(after: start, upTo: now) else { return }
    told = now
    guard !begun.isEmpty else { return }
    let change = LibraryChange.posts(Set(begun), authors: [])
    publish(Event(library.foldsLists ? (try? library.store.withLinks(change)) ?? change : change))
  }

  /// Tells the changes from now on.
  private func observe() async throws {
    let start = try library.store.changePosition()
    // After a time without readings, what was missed is told at once.
    if let position, position != start { announce(.everything, at: start) }
    position = start
    for try await change in library.store.changes(after: start) {
      announce(library.foldsLists ? try library.store.withLinks(change.change) : change.change, at: change.position)
    }
  }

  private func announce(_ change: LibraryChange, at position: ChangePosition) {
    self.position = position
    let event = Event(change, at: position)
    latest.append(event)
    if latest.count > Self.mostMissed { latest.removeFirst() }
    publish(event)
  }

  /// Ends every stream, now and later: the gallery ends, or the library was closed.
  private func end() {
    hasEnded = true
    for stream in streams.values { stream.finish() }
  }

  /// Hands an event to every stream.
  func publish(_ event: Event) { send(event.text) }

  /// Sends what readers pass over, which shows each stream whether its browser is still signed in.
  func stir() { send(":\n\n") }

  private func send(_ text: String) {
    for stream in streams.values {
      // What a slow reader misses may have changed anything. Without a position, it does not resume after it.
      if case .dropped = stream.yield(text) { stream.yield(Event.everything.text) }
    }
  }

  /// The text of the events from now on. A reader that is too slow misses the oldest, and is told that everything changed.
  ///
  /// - Parameter last: The position of the last event that the reader got before, of any server of the library; nil if it
  ///   is new. It first gets what it missed since.
  func subscribe(after last: String? = nil) -> AsyncStream<String> {
    count += 1
    let number = count
    let (stream, continuation) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(256))
    guard !hasEnded else {
      continuation.finish()
      return stream
    }
    if let last, last != position?.description {
      let missed = latest.lastIndex { $0.id == last }.map { latest[($0 + 1)...] }
      for event in missed ?? [.everything] { continuation.yield(event.text) }
    }
    streams[number] = continuation
    // The browser has left, and nobody waits for this.
    continuation.onTermination = { _ in Task { await self.remove(number) } }
    return stream
  }

  private func remove(_ number: Int) { streams[number] = nil }
}

extension ChangeHub.Event {
  /// Anything may have changed.
  static let everything = Self(id: nil, name: "change", data: #"{"everything":true}"#)

  fileprivate init(_ change: LibraryChange, at position: ChangePosition? = nil) {
    let data =
      switch change {
      case .everything: Self.everything.data
      case .posts(let posts, let authors): #"{"posts":\#(posts.sorted()),"authors":\#(authors.sorted())}"#
      }
    self.init(id: position?.description, name: "change", data: data)
  }

  /// As it is sent.
  var text: String { (id.map { "id: \($0)\n" } ?? "") + "event: \(name)\ndata: \(data)\n\n" }
}
