import FoundationEssentials
import HTTPTypes
import Hummingbird
import MediaLibrary
import NIOCore
import PostFiles
import Synchronization
import Web
import Wording

/// The files of a list, or of some posts, as a zip.
///
/// A selection comes as a form, because thousands of numbers fit no address. It changes nothing of the library, so it needs
/// no scripts, and a gallery for reading only answers it, too.
struct DownloadRoutes: Sendable {
  let parts: GalleryParts

  static let path = "/download"
  /// The maximum number of bytes of a form: the numbers of many posts.
  private static let mostBytes = 1 << 20

  func add(to router: Router<GalleryContext>) {
    router.get(RouterPath(Self.path)) { [isOwners = !parts.isReadOnly] request, _ in
      let list = ListAddress(request.fields)
      let (numbers, title) = try await parts.read { library in
        let posts = try list.list(in: library, isOwners: isOwners).listed(at: library.now())
        let numbers = try library.store.members(of: posts).ranges.flatMap { $0.map(Int64.init) }
        let name = try list.filter()?.name(of: .album)
        return (numbers, try name ?? FeedPage.title(of: list, in: library))
      }
      return try await response(numbers, named: title)
    }
    router.post(RouterPath(Self.path)) { request, _ in
      let body = try await request.body.collect(upTo: Self.mostBytes)
      let words = (Fields(form: String(buffer: body))["ids"] ?? "").split(separator: ",")
      let numbers = words.compactMap { Int64($0) }
      guard !numbers.isEmpty, numbers.count == words.count else {
        throw RequestError.badParameter("ids", must: "numbers of posts, such as 17,18")
      }
      return try await response(numbers, named: NumberText.count(numbers.count, "post"))
    }
  }

  /// The first file is read before the answer begins, so that a store of blobs that is away is answered with a sentence.
  private func response(_ numbers: [Int64], named title: String) async throws -> Response {
    let zip = ZipStream(numbers)
    var first: [UInt8] = []
    while first.isEmpty, let piece = try await parts.read({ try zip.next(in: $0) }) { first = piece }
    let name = DownloadName("\(title).zip", ServedType(mediaType: nil))
    return Response(
      status: .ok, headers: [.contentType: "application/zip", .contentDisposition: name.disposition],
      body: ResponseBody { [first] writer in
        try await writer.write(ByteBuffer(bytes: first))
        // A reader that is gone ends it: the next piece cannot be written.
        while let piece = try await parts.read({ try zip.next(in: $0) }) {
          if !piece.isEmpty { try await writer.write(ByteBuffer(bytes: piece)) }
        }
        try await writer.finish(nil)
      })
  }
}

/// A zip of posts, made piece by piece as its reader takes it.
private final class ZipStream: Sendable {
  private struct State {
    var zip: PostZip?
    var numbers: ArraySlice<Int64>
    var isOver = false
  }

  /// How many posts are read at once.
  private static let chunk = 200

  private let state: Mutex<State>

  init(_ numbers: [Int64]) { state = Mutex(State(numbers: numbers[...])) }

  /// The next bytes, which may be none; nil at the end.
  func next(in library: Library) throws -> [UInt8]? {
    try state.withLock { state in
      var zip = try state.zip ?? PostZip(of: library.blobs, by: NameTemplate(NameTemplate.standard))
      defer { state.zip = zip }
      if let piece = try zip.next() { return piece }
      guard state.numbers.isEmpty else {
        for post in try library.store.posts(numbered: state.numbers.prefix(Self.chunk)) { zip.add(post) }
        state.numbers = state.numbers.dropFirst(Self.chunk)
        return []
      }
      guard !state.isOver else { return nil }
      state.isOver = true
      return try zip.end(at: library.now())
    }
  }
}
