import Blobs
import FoundationEssentials
import Hummingbird
import Machine
import MediaLibrary
import Web

/// Marks posts, puts them into albums, saves filters, and takes back what this gallery changed of these.
struct MarkRoutes: Sendable {
  let parts: GalleryParts

  static let marker = Marker(machine: MachineName.current, program: .gallery)

  /// The maximum number of bytes of a request: a long note, or the numbers of many posts.
  private static let mostBytes = 1 << 20

  private struct Undo: Decodable { let changes: [Int64] }

  func add(to router: Router<GalleryContext>) {
    router.post("/api/mark") { request, _ in
      let wanted: MarkRequest = try await read(request, #"{"ids":[17],"favourite":true}"#)
      let marks = try wanted.marks()
      return try await change { [try $0.mark(wanted.ids, marks, by: Self.marker, now: $1)] }
    }
    router.post("/api/album") { request, _ in
      let wanted: AlbumRequest = try await read(request, #"{"ids":[17],"album":"Winter","adds":true}"#)
      return try await change { try wanted.change($0, by: Self.marker, now: $1) }
    }
    router.post("/api/album/move") { request, _ in
      let wanted: MoveRequest = try await read(request, #"{"ids":[17],"album":"Winter","before":18}"#)
      return try await change { try wanted.change($0, by: Self.marker, now: $1) }
    }
    router.post("/api/same") { request, _ in
      let wanted: SameRequest = try await read(request, #"{"ids":[17,18],"verdict":"same"}"#)
      let pictures = try wanted.files()
      return try await change {
        [try $0.set(wanted.verdict, ofPosts: wanted.ids, showing: pictures, by: Self.marker, now: $1)]
      }
    }
    router.post("/api/searches") { request, _ in
      let wanted: SearchRequest = try await read(request, #"{"name":"good","filter":"rating:>=4"}"#)
      let filter = try wanted.readFilter()
      return try await change { [try $0.save(filter, as: wanted.name, by: Self.marker, now: $1)] }
    }
    router.post("/api/undo") { request, _ in
      let wanted: Undo = try await read(request, #"{"changes":[17]}"#)
      let undone = try await parts.read { [now = parts.now()] library in
        try wanted.changes.compactMap { try library.store.undo($0, by: Self.marker, now: now) }
      }
      guard undone.count == wanted.changes.count else { throw RequestError.nothingToUndo }
      let posts = Set(undone.flatMap(\.posts)).sorted()
      let isWhole = undone.allSatisfy { $0.kept == 0 }
      guard !posts.isEmpty || isWhole || undone.contains(where: { $0.kept == 0 }) else {
        throw RequestError.changedSince
      }
      let said = isWhole ? nil : "Undone, but for what was changed again since"
      return Response(json: JSONMembers(present: ["posts": posts, "said": said]))
    }
  }

  private func read<Body: Decodable>(_ request: Request, _ example: String) async throws -> Body {
    try await request.object(Body.self, upTo: Self.mostBytes, must: "JSON such as \(example)")
  }

  private func change(_ work: @escaping @Sendable (Store, Date) throws -> [Marking]) async throws -> Response {
    let markings = try await parts.read { [now = parts.now()] library in
      do { return try work(library.store, now) } catch let error as MarkError { throw RequestError.badMark(error) }
    }
    return Response(
      json: JSONMembers(present: [
        "changed": Array(Set(markings.flatMap(\.changed))).sorted(), "unknown": markings.first?.unknown ?? [],
        // By what it is undone, the last one first; empty if nothing changed.
        "changes": markings.compactMap(\.change),
        // How many posts of an export became one with others of them.
        "joined": markings.map(\.joined).reduce(0, +),
        // The name of the saved search that had another filter.
        "replaced": markings.first?.replaced,
      ]))
  }
}

/// What is said of posts. What is left out stays as it is.
struct MarkRequest: Decodable, Sendable {
  let ids: [Int64]
  let favourite: Bool?
  let rating: Int?
  let seen: Bool?
  let note: String?
  /// Own tags that they get.
  let tags: [String]?
  /// Own tags that they lose.
  let untags: [String]?

  /// - Throws: `RequestError` if nothing is said.
  func marks() throws(RequestError) -> [Mark] {
    var marks: [Mark] = []
    if let favourite { marks.append(.favourite(favourite)) }
    if let rating { marks.append(.rating(rating)) }
    if let seen { marks.append(.seen(seen)) }
    if let note { marks.append(.note(note)) }
    marks += (tags ?? []).map(Mark.ownTag) + (untags ?? []).map(Mark.noOwnTag)
    guard !marks.isEmpty else {
      throw .badParameter("the body", must: "JSON with favourite, rating, seen, note, tags or untags")
    }
    return marks
  }
}

/// Puts posts into an album, or takes them out.
struct AlbumRequest: Decodable, Sendable {
  let ids: [Int64]
  let album: String
  let adds: Bool
  /// Whether the album must be there.
  let existing: Bool?

  /// An album that does not exist yet is made for what is put into it, unless one was meant that was shown.
  ///
  /// - Returns: What is undone together, the last change first.
  func change(_ store: Store, by marker: Marker, now: Date) throws -> [Marking] {
    guard adds else { return [try store.remove(ids, fromAlbum: album, by: marker, now: now)] }
    do { return [try store.add(ids, toAlbum: album, by: marker, now: now)] } catch MarkError.noAlbum
      where existing != true
    {
      let made = try store.createAlbum(album, by: marker, now: now)
      return [try store.add(ids, toAlbum: album, by: marker, now: now), made]
    }
  }
}

/// Moves posts within an album.
struct MoveRequest: Decodable, Sendable {
  /// The posts, in the order in which they will stand.
  let ids: [Int64]
  let album: String
  /// The post that they will stand before; nil for the end.
  let before: Int64?
  /// Whether they will stand before all others.
  let toStart: Bool?

  /// Each move is a change of its own.
  private static let most = 500

  /// - Returns: What is undone together, the last change first.
  func change(_ store: Store, by marker: Marker, now: Date) throws -> [Marking] {
    guard ids.count <= Self.most else { throw RequestError.badParameter("ids", must: "at most \(Self.most) posts") }
    let first = toStart == true ? try store.window(ofAlbum: album, after: 1)?.reading.rows.first?.post.id : nil
    let moves = try ids.map { try store.move($0, inAlbum: album, before: first ?? before, by: marker, now: now) }
    return moves.reversed()
  }
}

/// Says whether posts show the same picture.
struct SameRequest: Decodable, Sendable {
  let ids: [Int64]
  let verdict: SameVerdict
  /// The files that are meant, in hexadecimal; nil for those of the posts that are near.
  let pictures: [String]?

  func files() throws(RequestError) -> [BlobID]? {
    guard let pictures else { return nil }
    let files = pictures.compactMap { BlobID($0) }
    guard files.count == pictures.count else { throw .badParameter("pictures", must: "the files' hashes") }
    return files
  }
}

/// Saves a filter under a name.
struct SearchRequest: Decodable, Sendable {
  let name: String
  let filter: String

  func readFilter() throws(RequestError) -> Filter {
    do { return try Filter(parsing: filter) } catch { throw .badFilter(error) }
  }
}
