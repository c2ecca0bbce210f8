import Blobs
import Folders
import Foundation
import HTTP
import Posts
import ScriptedOrigin
import Services
import Storage
import Synchronization
import Testing

@testable import Harvest

@Suite(.timeLimit(.minutes(10))) struct LimitTests {
  /// Delays downloads until a number is in flight at once, and records the maximum.
  private actor Turnstile {
    private let expected: Int
    private var inside = 0
    private(set) var most = 0

    init(expecting expected: Int) { self.expected = expected }

    func enter() async {
      inside += 1
      most = max(most, inside)
      while most < expected, (try? await Task.sleep(for: .milliseconds(2))) != nil {}
    }

    func leave() { inside -= 1 }

    nonisolated func around(_ transport: Transport) -> Transport {
      Transport(
        send: transport.send,
        download: { request, sink throws(TransportError) in
          await self.enter()
          do throws(TransportError) {
            let response = try await transport.download(request, sink)
            await self.leave()
            return response
          } catch {
            await self.leave()
            throw error
          }
        })
    }
  }

  @Test func `sixteen pictures are in flight at once while four wait, and never more`() async throws {
    try await withOrigin(.album(posts: 40, pictures: 2)) { origin in
      origin.change { $0.mostAtOnce = 17 }
      let library = try TestLibrary()
      let turnstile = Turnstile(expecting: 20)
      let report = try await library.pull(origin, through: turnstile.around(library.transport))
      #expect(report.summary.media.downloaded == 80)
      #expect(await turnstile.most == 20)
      #expect(origin.critique.isEmpty)
    }
  }

  @Test func `pages wait for their pictures`() async throws {
    try await withOrigin(.album(posts: 30, pictures: 2)) { origin in
      let library = try TestLibrary()
      let gate = AsyncStream.makeStream(of: Void.self)
      let seen = Mutex([Int]())
      // The first wait for pictures releases them: without one this test never ends.
      let time = TimeSource(
        now: { noon },
        sleep: { _ in
          seen.withLock { $0.append(origin.requests(to: "/api/v1/timelines").count) }
          gate.continuation.finish()
          try await Task.sleep(for: .milliseconds(1))
        }, chance: { 0 })
      let live = library.transport
      let held = Transport(
        send: live.send,
        download: { request, sink throws(TransportError) in
          for await _ in gate.stream {}
          return try await live.download(request, sink)
        })
      let feed = try TestLibrary.feed(origin)
      let pictures = PictureFetcher(transport: held, blobs: library.blobs, store: library.store, time: time)
      let source = MastodonSource(server: feed.server, token: nil, transport: live, time: time)
      let pull = FeedPull(
        source: source, store: library.store, pictures: pictures, time: time, mostWaiting: 10, requests: { 0 })
      let report = await pull.run(feed, PullPlan(pages: 6, pageSize: 5, avatars: false)) { _ in }
      #expect(report.summary.media.downloaded == 60)
      #expect(seen.withLock(\.first) == 3, "two pages' pictures wait, the third page was on its way")
    }
  }

  /// A slow disk: it keeps nothing before the gate is opened.
  private final class SlowBlobs: BlobStoring {
    private let disk: DiskBlobs
    private let gate = DispatchSemaphore(value: 0)
    private let state = Mutex((drafts: 0, kept: 0, mostOpen: 0, isOpen: false))

    init(_ disk: DiskBlobs) { self.disk = disk }

    var drafts: Int { state.withLock(\.drafts) }
    var mostOpen: Int { state.withLock(\.mostOpen) }

    func open() {
      state.withLock { $0.isOpen = true }
      gate.signal()
    }

    func draft() throws(BlobError) -> any BlobReceiving {
      state.withLock {
        $0.drafts += 1
        $0.mostOpen = max($0.mostOpen, $0.drafts - $0.kept)
      }
      return try disk.draft()
    }

    func keep(_ drafts: [any BlobReceiving]) throws(BlobError) -> [Kept] {
      if !state.withLock(\.isOpen) { gate.wait() }
      let kept = try disk.keep(drafts)
      state.withLock { $0.kept += drafts.count }
      return kept
    }

    func remove(_ blob: BlobInfo) throws(BlobError) -> Bool { try disk.remove(blob) }
    func stat(_ id: BlobID) throws(BlobError) -> BlobInfo? { try disk.stat(id) }
    func fetch(_ id: BlobID, _ range: Range<Int>) throws(BlobError) -> [UInt8] { try disk.fetch(id, range) }
    func page(after last: BlobID?, limit: Int) throws(BlobError) -> [BlobInfo] {
      try disk.page(after: last, limit: limit)
    }
    func quarantine(_ id: BlobID) throws(BlobError) -> Bool { try disk.quarantine(id) }
    func quarantine(_ residue: BlobResidue) throws(BlobError) -> Bool { try disk.quarantine(residue) }
    func appendToQuarantine(_ line: String) throws(BlobError) { try disk.appendToQuarantine(line) }
  }

  @Test func `a slow disk holds the workers back, and every picture comes in the end`() async throws {
    try await withOrigin(.album(posts: 40, pictures: 5)) { origin in
      let library = try TestLibrary()
      let blobs = SlowBlobs(library.blobs)
      defer { blobs.open() }
      async let pulling = library.pull(origin, PullPlan(avatars: false), keeping: blobs)
      // The workers are blocked when nothing changes for a while; a late start only weakens the test.
      var before = -1
      while blobs.drafts < 64 || blobs.drafts != before {
        before = blobs.drafts
        try await Task.sleep(for: .milliseconds(150))
      }
      // The batch being written, the waiting pictures, and one of each worker.
      let workers = 16 + PictureFetcher.workersBeside
      #expect(blobs.drafts <= 1 + 64 + workers)
      blobs.open()
      let report = try await pulling
      #expect(report.summary.media.downloaded == 200)
      #expect(blobs.mostOpen <= 64 + 64 + 2 * workers)
      #expect(try library.states == [.stored: 200])
    }
  }

  @Test(.enabled(if: SmallDisk.isPossible, "mounting a small disk takes root"))
  func `a full disk stops the pull with its error, and what came stays`() async throws {
    try await withOrigin(.album(posts: 120, pictures: 1, padding: 60_000)) { origin in
      let disk = try SmallDisk(bytes: 4 << 20)
      let library = try TestLibrary(in: disk.scratch.path)
      let report = try await library.pull(origin, PullPlan(pages: 3))
      let failure = try #require(report.failure as? any ExplainedError)
      #expect(failure.exitCode == .storage)
      #expect(failure.summary.hasPrefix("the disk is full, \(disk.scratch.path)"))
      #expect(report.summary.media.downloaded > 0)
      // Some of the interrupted batch have files but no rows yet; they are found at the next download.
      #expect(report.summary.media.downloaded <= library.blobNames.count)
      let stored = try library.posts.flatMap(\.attachments).filter { $0.state == .stored }
      #expect(stored.count == report.summary.media.downloaded)
      for picture in stored {
        let id = try #require(picture.blob)
        #expect(Picture.sha256(try library.blobs.read(id)) == id.hex)
      }
    }
  }
}
