import Folders
import Foundation
import MediaLibrary
import MemoryBlobs
import RelayedStore
import Testing

/// A library does everything on any store that has the facets, with blobs that have no files.
@Suite(.timeLimit(.minutes(10))) struct AnyStoreTests {
  private func library(in folder: Scratch) throws -> Library {
    Library(
      store: RelayedStore(try Store.open(library: folder.path, now: noon)), blobs: MemoryBlobs { noon },
      folder: folder.path
    ) { noon }
  }

  @Test func `a list on another store tells what changes`() async throws {
    let folder = try Scratch()
    let library = try library(in: folder)
    let results = library.results(of: PostListQuery())
    try await results.performFetch()
    let updates = results.updates().makeAsyncIterator()
    #expect(try #require(try await updates.next()).rows.isEmpty)
    try library.save([page([post(2), post(1)])], of: cats)
    #expect(try await updates.next()?.changes.insertions == [0, 1])
    let ids = try library.snapshot(of: PostListQuery()).rows.map(\.post.id)
    try library.delete([ids[1]])
    #expect(try await updates.next()?.changes.deletions == [1])
    #expect(try library.window(atEndOf: PostListQuery(), 1)?.anchor == library.store.lastKey(of: PostListQuery()))
    library.close()
    #expect(try await updates.next() == nil)
  }

  @Test func `values of another store are read again when it changes`() async throws {
    let folder = try Scratch()
    let library = try library(in: folder)
    let values = library.values { try $0.deletedPosts().count }
    var counts = values.makeAsyncIterator()
    #expect(try await counts.next() == 0)
    let id = try library.save([post(1)], of: cats).posts[0]
    try library.delete([id])
    #expect(try await counts.next() == 1)
    library.close()
    #expect(try await counts.next() == nil)
  }

  @Test func `a post made by hand keeps its file in blobs without a folder`() throws {
    let folder = try Scratch()
    let library = try library(in: folder)
    let id = try library.add(caption: "a kingfisher", tags: ["birds"], attaching: [Array("bytes".utf8)])
    let blob = try #require(try library.store.post(id)?.post.attachments.first?.blob)
    #expect(try library.blobs.fetch(blob, 0..<5) == Array("bytes".utf8))
    #expect(try library.snapshot(of: PostListQuery(tag: "birds")).rows.map(\.post.id) == [id])
    library.close()
  }
}
