import Foundation
import HTTP
import Posts
import ScriptedOrigin
import Storage
import Synchronization
import Testing

@testable import Harvest

/// Pictures of a host that names and enforces a limit.
@Suite(.timeLimit(.minutes(10))) struct PutOffTests {
  /// The network through a gate, to a server that counts pictures as GoToSocial's file server does.
  private func transport(_ library: TestLibrary, limit: Int, window: TimeInterval) -> Transport {
    let server = Mutex(CountingServer(limit: limit, window: window))
    let clock = library.clock.timekeeper
    let inFlight = Mutex(0)
    // While one request probes a new window, the others check again after short waits. Such a wait lasts until the probe
    // has its answer: a slow machine must not use up the time that a picture waits.
    let time = TimeSource(
      now: clock.now,
      sleep: { wait in
        guard wait < .seconds(1) else { return try await clock.sleep(wait) }
        repeat { try await Task.sleep(for: .milliseconds(50)) } while inFlight.withLock { $0 > 0 }
      }, chance: { 0 })
    let live = Session(agent: "media/test", environment: [:]).transport
    let counting = Transport(send: live.send) { request, sink throws(TransportError) in
      let told = server.withLock { $0.answer(at: time.now()) }
      if told.status == 429 { return told }
      inFlight.withLock { $0 += 1 }
      defer { inFlight.withLock { $0 -= 1 } }
      let answer = try await live.download(request, sink)
      return Response(status: answer.status, headers: told.headers, body: answer.body)
    }
    let gate = RateGate(store: library.store, rank: .interactive, time: time)
    return gate.guarding(counting).patient(PictureFetcher.patience, time: time)
  }

  @Test func `at a limit pictures are put off until its end and not failed, and had then`() async throws {
    try await withOrigin(.album(posts: 40, pictures: 1)) { origin in
      let library = try TestLibrary()
      let transport = transport(library, limit: 30, window: 900)
      let report = try await library.pull(origin, PullPlan(avatars: false), through: transport)
      #expect(report.failure == nil)
      let media = report.summary.media
      #expect((media.downloaded, media.putOff, media.failed, media.waiting) == (30, 10, 0, 0))
      let putOff = try #require(report.picturesPutOff.first)
      #expect((report.picturesPutOff.count, putOff.count) == (1, 10))
      #expect(putOff.host == HostCircuitBreaker.host(of: origin.url))
      #expect(abs(putOff.until.timeIntervalSince(noon) - 900) < 2)
      #expect(try library.states == [.stored: 30, .pending: 10])
      #expect(try library.rows("SELECT DISTINCT attempts FROM attachment WHERE state = 'pending'").count == 1)
      #expect(try library.store.duePictures(limit: 99, now: noon + 800).isEmpty)
      library.clock.pass(902)
      #expect(try library.store.duePictures(limit: 99, now: noon + 902).count == 10)
      let next = try await library.pull(origin, PullPlan(.rest, avatars: false), through: transport)
      #expect((next.summary.pages, next.summary.media.downloaded) == (0, 10))
      #expect(try library.states == [.stored: 40])
    }
  }

  @Test func `a limit that ends soon is waited for`() async throws {
    try await withOrigin(.album(posts: 40, pictures: 1)) { origin in
      let library = try TestLibrary()
      let transport = transport(library, limit: 30, window: 40)
      let report = try await library.pull(origin, PullPlan(avatars: false), through: transport)
      #expect((report.summary.media.downloaded, report.summary.media.putOff) == (40, 0))
    }
  }

  @Test func `a picture that another place gives is not put off`() async throws {
    try await withOrigin(.album(posts: 1, pictures: 1)) { origin in
      let good = "\(origin.url)/media/0-0.png"
      let picture: JSON = [
        "id": "7", "type": "image", "url": .text("\(origin.url)/limited"), "remote_url": .text(good),
      ]
      origin.change { script in
        script.posts[0].overrides = ["media_attachments": [picture]]
        script.troubles = [.every("/limited", .status(429, headers: ["Retry-After": "900"]))]
      }
      let report = try await TestLibrary().pull(origin, PullPlan(avatars: false))
      // The host asked for a pause: it gets no request at its other address either.
      #expect((report.summary.media.downloaded, report.summary.media.putOff) == (0, 1))
      #expect(origin.requests(to: "/media").isEmpty)
      try await withOrigin(.album(posts: 1, pictures: 1)) { other in
        let picture: JSON = [
          "id": "7", "type": "image", "url": .text("\(origin.url)/limited"),
          "remote_url": .text("\(other.url)/media/0-0.png"),
        ]
        other.change { $0.posts[0].overrides = ["media_attachments": [picture]] }
        let report = try await TestLibrary().pull(other, PullPlan(avatars: false))
        #expect((report.summary.media.downloaded, report.summary.media.putOff) == (1, 0))
      }
    }
  }

  @Test func `a limit that names no time is one, and its pictures are put off`() async throws {
    try await withOrigin(.album(posts: 40, pictures: 1)) { origin in
      origin.change { $0.troubles = [.every("/media", .status(429))] }
      let library = try TestLibrary()
      let report = try await library.pull(origin, PullPlan(avatars: false))
      #expect((report.summary.media.putOff, report.summary.media.failed) == (40, 0))
      let until = try #require(report.picturesPutOff.first?.until)
      #expect(
        until > library.clock.timekeeper.now() && until <= library.clock.timekeeper.now() + FetchFailure.assumedLimit)
      // Only they were left, and no page was read for them.
      origin.change { $0.troubles = [] }
      library.clock.pass(FetchFailure.assumedLimit)
      origin.change { $0.troubles = [.every("/media", .status(429, headers: ["Retry-After": "900"]))] }
      let again = try await library.pull(origin, PullPlan(.rest, avatars: false))
      #expect((again.summary.pages, again.summary.media.putOff, again.summary.hasPicturesAlone) == (0, 40, true))
    }
  }

  @Test func `a redirect to a host at its limit names that host, which is not asked again`() async throws {
    try await withOrigin(.album(posts: 40, pictures: 1)) { origin in
      try await withOrigin(Script()) { files in
        files.change { $0.troubles = [.every("/", .status(429, headers: ["Retry-After": "900"]))] }
        origin.change { $0.troubles = [.every("/media", .redirect(to: "\(files.url)/a.png"))] }
        let report = try await TestLibrary().pull(origin, PullPlan(avatars: false))
        #expect(report.summary.media.putOff == 40)
        #expect(report.picturesPutOff.map(\.host) == [HostCircuitBreaker.host(of: files.url)])
        // Those in flight when it did.
        #expect(files.requests.count < 30)
      }
    }
  }

  @Test(arguments: [500, 404])
  func `one error with a limit beside it freezes nothing of its host`(status: Int) async throws {
    try await withOrigin(.album(posts: 40, pictures: 1)) { origin in
      let limits = ["X-RateLimit-Limit": "300", "X-RateLimit-Remaining": "5", "X-RateLimit-Reset": "600"]
      origin.change { $0.troubles = [.every("/media/0-0", .status(status, headers: limits))] }
      let library = try TestLibrary()
      let time = library.clock.timekeeper
      let gate = RateGate(store: library.store, rank: .interactive, time: time)
      let live = Session(agent: "media/test", environment: [:]).transport
      let transport = gate.guarding(live).patient(PictureFetcher.patience, time: time)
      let report = try await library.pull(origin, PullPlan(avatars: false), through: transport)
      let media = report.summary.media
      #expect((media.downloaded, media.failed, media.putOff) == (39, 1, 0))
    }
  }
}
