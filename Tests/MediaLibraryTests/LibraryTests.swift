import Folders
import Foundation
import MediaLibrary
import MemoryBlobs
import Testing

@testable import Storage

@Suite(.timeLimit(.minutes(10))) struct LibraryTests {
  private func numbers(_ rows: [ListedPost]) -> [Int64] { rows.map(\.post.id) }

  @Test func `saved, deleted, restored and added posts arrive as changes`() async throws {
    let home = try Home()
    let results = home.library.results(of: PostListQuery())
    try await results.performFetch()
    let updates = results.updates().makeAsyncIterator()
    let first = try #require(try await updates.next())
    #expect(first.isInitial && first.rows.isEmpty)

    #expect(try home.library.save([page([post(2), post(1)])], of: cats).map(\.new) == [2])
    let saved = try #require(try await updates.next())
    #expect(numbers(saved.rows) == [1, 2])
    #expect(saved.changes.insertions == [0, 1])

    try home.library.delete([1])
    #expect(try await updates.next()?.changes.deletions == [0])

    #expect(try home.library.restore([1]).changed == [1])
    #expect(try await updates.next()?.changes.insertions == [0])

    let made = Post(source: .manual, uri: "", createdAt: noon, caption: "a kingfisher")
    let number = try home.library.add(made, id: UUID())
    let added = try #require(try await updates.next())
    #expect(added.rows.first?.post.id == number)
    #expect(added.total == .exactly(3))

    home.library.close()
    #expect(try await updates.next() == nil)
  }

  @Test func `a library from before the first release is refused, and says what opens it`() throws {
    let folder = try Scratch()
    let library = try Library(in: folder.path) { noon }
    try library.store.writer.use { try $0.execute("PRAGMA user_version = 24") }
    library.close()
    let error = #expect(throws: StorageError.self) { try Library(in: folder.path) }
    #expect(
      error?.description == "\(folder.path)/media.sqlite was made by a version of media before 1.0: "
        + "open it once with the program of commit 90cc6253, then again with this one")
  }

  @Test func `edits are dated by the clock passed to the library`() throws {
    let home = try Home()
    try home.save([1])
    #expect(try home.library.store.post(1)?.post.storedAt == noon)
  }

  @Test func `a post that is added again under its identity is the same post`() throws {
    let home = try Home()
    let id = UUID()
    let made = Post(source: .manual, uri: "", createdAt: noon, caption: "a kingfisher")
    #expect(try home.library.add(made, id: id) == home.library.add(made, id: id))
  }

  @Test func `a list outlives the library's value, and ends with its readers when it is stopped`() async throws {
    let home = try Home()
    var library: Library? = try Library(in: home.folder) { noon }
    let results = try #require(library?.results(of: PostListQuery()))
    library = nil
    try await results.performFetch()
    let updates = results.updates().makeAsyncIterator()
    _ = try await updates.next()
    try home.save([1])
    #expect(try await updates.next()?.changes.insertions == [0])
    await results.stop()
    #expect(try await updates.next() == nil)
  }

  @Test func `a list of a closed library throws that it cannot be read`() async throws {
    let home = try Home()
    let results = home.library.results(of: PostListQuery())
    home.library.close()
    await #expect(throws: FetchedResultsError.nothingRead) { try await results.performFetch() }
  }

  @Test func `a closed library may be closed again, and refuses everything else`() throws {
    let home = try Home()
    try home.save([1])
    home.library.close()
    home.library.close()
    #expect(throws: StorageError.self) { try home.library.delete([1]) }
    #expect(throws: StorageError.self) { try home.save([2]) }
    #expect(throws: StorageError.self) { try home.library.snapshot(of: PostListQuery()) }
  }

  @Test func `plain posts are saved without pages, and a post is added by its parts`() throws {
    let home = try Home()
    let saved = try home.library.save([post(2), post(1)], of: cats)
    #expect((saved.new, saved.posts.count) == (2, 2))
    #expect(try home.library.save([post(2, caption: "edited")], of: cats).updated == 1)
    let picture: [UInt8] = Array("GIF89a".utf8) + [1, 0, 1, 0, 0, 0, 0, 0x3B]
    let number = try home.library.add(
      caption: "a kingfisher", title: "Seen", tags: ["#Birds"], attaching: [picture])
    let added = try #require(try home.library.store.post(number)?.post)
    #expect((added.caption, added.title, added.createdAt) == ("a kingfisher", "Seen", noon))
    #expect(added.tags == ["birds"])
    let blob = try #require(added.attachments.first?.blob)
    #expect(try home.library.blobs.read(blob) == picture)
  }

  @Test func `an error reads as its own sentence`() throws {
    let scratch = try Scratch()
    let path = scratch.path + "/media.sqlite"
    try Data("no store at all, but a text".utf8).write(to: URL(filePath: path))
    let error = try #require(throws: StorageError.self) { try Library(in: scratch.path) }
    #expect(error.localizedDescription == error.description)
    #expect(error.localizedDescription.hasPrefix("\(path) is not a media library"))
  }

  @Test func `a post made by hand keeps its file in blobs without a folder`() throws {
    let folder = try Scratch()
    let store = try Store.open(library: folder.path, now: noon)
    let library = Library(store: store, blobs: MemoryBlobs { noon }, folder: folder.path) { noon }
    let id = try library.add(caption: "a kingfisher", tags: ["birds"], attaching: [Array("bytes".utf8)])
    let blob = try #require(try library.store.post(id)?.post.attachments.first?.blob)
    #expect(try library.blobs.fetch(blob, 0..<5) == Array("bytes".utf8))
    #expect(try library.snapshot(of: PostListQuery(tag: "birds")).rows.map(\.post.id) == [id])
    library.close()
  }
}
