import Foundation
import MediaHarvest
import Testing

@testable import ScriptedOrigin

@Suite(.timeLimit(.minutes(10))) struct PictureProgressTests {
  /// Saves the origin's post without downloading its picture.
  private func attachment(in home: Home, of origin: Origin) throws -> (post: Int64, picture: Int64) {
    let posts = origin.script.posts.map { scripted in
      Post(
        source: .usual, uri: scripted.uri, server: origin.server, remoteID: scripted.id, createdAt: noon,
        caption: scripted.caption,
        attachments: scripted.attachments.map { Attachment(kind: .image, url: origin.url + $0.path) })
    }
    try home.session.library.save(posts, of: origin.cats)
    let row = try #require(try home.session.library.snapshot(of: PostListQuery()).rows.first)
    return (row.post.id, try #require(row.post.attachments.first?.id))
  }

  @Test func `a picture is pending, then failed with count and next try, then stored`() async throws {
    try await withOrigin(.onePicture) { origin in
      let home = try Home()
      let pictures = home.session.pictures
      let (post, picture) = try attachment(in: home, of: origin)
      #expect(try pictures.progress(of: picture) == .pending(nextTry: nil))
      origin.change { $0.troubles = [.every("/media", .html)] }
      try await pictures.download(ofPosts: [post])
      let failed = PictureProgress.failed(count: 1, nextTry: noon + 900, reason: "it is a web page")
      #expect(try pictures.progress(of: picture) == failed)
      #expect(try await pictures.wait(for: picture) == failed)
      home.clock.pass(900)
      try await pictures.download(ofPosts: [post])
      guard case .failed(2, let next?, _) = try pictures.progress(of: picture) else {
        Issue.record("\(String(describing: try pictures.progress(of: picture)))")
        return
      }
      #expect(next == noon + 900 + 3600)
      origin.change { $0.troubles = [] }
      try await pictures.download(ofPosts: [post], retryFailed: true)
      guard case .stored(let blob) = try pictures.progress(of: picture) else {
        Issue.record("it is not stored")
        return
      }
      #expect(blob.hex == origin.script.posts[0].attachments[0].picture.sha256)
      #expect(try pictures.progress(of: 99) == nil)
    }
  }

  @Test func `a picture that its server no longer has is gone a day later`() async throws {
    try await withOrigin(.onePicture) { origin in
      let home = try Home()
      let (post, picture) = try attachment(in: home, of: origin)
      origin.change { $0.troubles = [.every("/media", .status(404))] }
      try await home.session.pictures.download(ofPosts: [post])
      guard case .failed(1, _, _) = try home.session.pictures.progress(of: picture) else {
        Issue.record("it has not failed")
        return
      }
      home.clock.pass(86_400)
      try await home.session.pictures.download(ofPosts: [post])
      #expect(try home.session.pictures.progress(of: picture) == .gone)
      #expect(try await home.session.pictures.wait(for: picture, throughFailures: true) == .gone)
    }
  }

  @Test func `a wait for a picture ends when it is stored`() async throws {
    try await withOrigin(.onePicture) { origin in
      let home = try Home()
      let (post, picture) = try attachment(in: home, of: origin)
      async let waited = home.session.pictures.wait(for: picture)
      try await home.session.pictures.download(ofPosts: [post])
      guard case .stored = try await waited else {
        Issue.record("it is not stored")
        return
      }
    }
  }

  @Test func `a wait for a picture that does not exist, or of a library that is closed, throws`() async throws {
    try await withOrigin(.onePicture) { origin in
      let home = try Home()
      let pictures = home.session.pictures
      await #expect(throws: PullSessionError.noAttachment(99)) { try await pictures.wait(for: 99) }
      let (_, picture) = try attachment(in: home, of: origin)
      let waited = Task { try await pictures.wait(for: picture) }
      home.session.close()
      await #expect(throws: PullSessionError.closed) { try await waited.value }
    }
  }
}
