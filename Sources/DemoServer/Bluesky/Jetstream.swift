import FoundationEssentials
import NIOCore
import NIOWebSocket
import Web

/// The stream of everybody's posts, as Jetstream sends it (https://github.com/bluesky-social/jetstream): what happened from a
/// cursor on, then what happens.
struct Jetstream {
  static let path = "/subscribe"
  /// How far back it goes. An older cursor begins there, and nothing says so.
  private static let window: TimeInterval = 36 * 3_600
  /// How many events are written at once: the pictures of all of them are drawn first.
  private static let batch = 25

  let serverState: ServerState
  let pause: @Sendable (Duration) async throws -> Void

  /// Writes events until its task is cancelled or the client leaves.
  @Sendable func speak(_ query: Fields, to client: WebSocketChannel.Outbound) async throws {
    let collections = query.all("wantedCollections")
    let wantsPosts = collections.isEmpty || collections.contains(where: Self.covers)
    var position = serverState.world.withLock { [start = start(query)] world in
      world.events.firstIndex { $0.time >= start } ?? world.events.count
    }
    while true {
      let events = serverState.world.withLock { [position] in Array($0.events.dropFirst(position).prefix(Self.batch)) }
      position += events.count
      if wantsPosts, !events.isEmpty {
        for event in try await texts(of: events) { try await client.write(event) }
        continue
      }
      // Events of accounts come whatever collections are wanted. So a client that waits for this moment sees that it came.
      try await client.write(WebSocketFrame(fin: true, opcode: .ping, data: ByteBuffer()))
      try await client.write(identity(of: Person.everyone[0], position))
      try await pause(.seconds(1))
    }
  }

  /// Where to begin. Without a cursor, and with one from the future, that is now.
  private func start(_ query: Fields) -> Date {
    let now = serverState.now()
    let cursor = query["cursor"].flatMap { Int64($0) }.map { Date(timeIntervalSince1970: Double($0) / 1e6) } ?? now
    return max(min(cursor, now), now.addingTimeInterval(-Self.window))
  }

  /// Whether a wanted collection, which may end in `.*`, is that of posts.
  private static func covers(_ wanted: String) -> Bool {
    wanted == BlueskyWire.collection || wanted.hasSuffix(".*") && BlueskyWire.collection.hasPrefix(wanted.dropLast())
  }

  // MARK: Events

  private func texts(of events: [World.Event]) async throws -> [JSON] {
    let wire = BlueskyWire(world: serverState.wire.world, origin: serverState.origin)
    let files = try await serverState.blobs.files(
      of: events.filter { $0.kind != .delete }.map(\.post), drawnBy: serverState.studio)
    return events.map { event in
      var commit: JSON = [
        "rev": .text(BlueskyNames.key(DemoPost.id(at: event.time))), "operation": .text(event.kind.rawValue),
        "collection": .text(BlueskyWire.collection), "rkey": .text(BlueskyNames.key(event.post.id)),
      ]
      if event.kind != .delete {
        let record = wire.record(event.post, files)
        commit = commit.adding(["record": record, "cid": .text(BlueskyWire.cid(of: record))])
      }
      return Self.event("commit", of: event.post.person, at: event.time, commit)
    }
  }

  private func identity(of person: Person, _ number: Int) -> JSON {
    let now = serverState.now()
    return Self.event(
      "identity", of: person, at: now,
      [
        "did": .text(person.did), "handle": .text(person.blueskyHandle), "seq": .number(number),
        "time": .text(now.wire),
      ])
  }

  private static func event(_ kind: String, of person: Person, at time: Date, _ content: JSON) -> JSON {
    let time = Int((time.timeIntervalSince1970 * 1e6).rounded())
    return .object([
      ("did", .text(person.did)), ("time_us", .number(time)), ("kind", .text(kind)), (kind, content),
    ])
  }
}

extension WebSocketChannel.Outbound {
  fileprivate func write(_ json: JSON) async throws {
    try await write(WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(bytes: json.bytes)))
  }
}
