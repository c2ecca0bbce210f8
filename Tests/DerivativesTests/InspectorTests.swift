import Blobs
import Foundation
import Pictures
import Testing

@testable import Derivatives

/// What pictures look like, by the built `media-picture`.
@Suite(.timeLimit(.minutes(10))) struct InspectorTests {
  /// A picture of hills: no two of its parts have one shade.
  private func hills(_ width: Int, _ height: Int, seed: Double = 1) -> [UInt32] {
    (0..<height).flatMap { y in
      (0..<width).map { x in
        let (u, v) = (Double(x) / Double(width), Double(y) / Double(height))
        let shade = 127 + 60 * sin(7 * u * seed + 2 * v) + 60 * cos(9 * v - 3 * u * seed)
        let byte = UInt32(max(0, min(255, shade)))
        return 0xFF00_0000 | byte << 16 | byte << 8 | byte
      }
    }
  }

  private func turned(_ pixels: [UInt32], _ width: Int) -> [UInt32] {
    stride(from: 0, to: pixels.count, by: width).flatMap { pixels[$0..<$0 + width].reversed() }
  }

  @Test func `a picture that was made smaller or is of another format is the same, another one is not`() async throws {
    let shop = try Shop()
    let large = try await shop.hash(try Made.png(800, 600, hills(800, 600)))
    let small = try await shop.hash(try Made.png(120, 90, hills(120, 90)))
    #expect(large.isSame(as: small))
    #expect(large.size == "800 × 600" && small.size == "120 × 90")
    let other = try await shop.hash(try Made.png(800, 600, hills(800, 600, seed: 2)))
    #expect(!large.isSame(as: other) && large.distance(to: other) > PictureHash.likelyDistance)
    let square = try await shop.hash(try Made.png(600, 600, hills(600, 600)))
    #expect(large.distance(to: square) <= PictureHash.sameDistance && !large.isSame(as: square))
  }

  @Test func `the mirrored hash is the hash of the mirrored picture`() async throws {
    let shop = try Shop()
    let plain = try await shop.hash(try Made.png(180, 160, hills(180, 160)))
    let mirrored = try await shop.hash(try Made.png(180, 160, turned(hills(180, 160), 180)))
    #expect(PictureHash.distance(plain.mirrored, mirrored.difference) <= 1)
    #expect(PictureHash.distance(plain.difference, mirrored.mirrored) <= 1)
    #expect(plain.distance(to: mirrored) > PictureHash.likelyDistance)
  }

  @Test(arguments: UInt8(1)...8) func `a picture is hashed as it is shown`(orientation: UInt8) async throws {
    let shop = try Shop()
    let hash = try await shop.hash(try Made.jpeg(160, 80, orientation: orientation))
    #expect(hash.size == (orientation < 5 ? "160 × 80" : "80 × 160"))
    let upright = try await shop.hash(try Made.jpeg(160, 80, orientation: 1))
    #expect(hash.isSame(as: upright) == (orientation == 1))
  }

  @Test func `pixels are the same whatever a file says beside them`() async throws {
    let shop = try Shop()
    let plain = try Made.jpeg(64, 48)
    let tagged = try Made.jpeg(64, 48, profile: Made.profile(space: "RGB ", text: "P3"))
    let files = [plain, tagged, try Made.jpeg(64, 50)]
    let questions = try files.map { Inspector.Question(try shop.put($0), [.pixels]) }
    let pixels = await shop.inspector().answers(to: questions).map { try? $0.get().pixels }
    #expect(pixels[0]?.utf8.count == 64 && pixels[0] == pixels[1])
    #expect(pixels[2] != nil && pixels[2] != pixels[0])
  }

  @Test func `a picture of one shade has a hash of no bits, and what is transparent is white`() async throws {
    let shop = try Shop()
    let white = try await shop.hash(try Made.png(40, 40, [UInt32](repeating: .max, count: 1600)))
    let clear = try await shop.hash(try Made.png(40, 40, [UInt32](repeating: 0, count: 1600)))
    #expect(white.difference == 0 && white.mirrored == 0)
    #expect(white.thumbnail == [UInt8](repeating: 255, count: 1024) && clear.thumbnail == white.thumbnail)
  }

  @Test func `a video in other bytes is the same by its frames, another one and a part of it are not`() async throws {
    let shop = try Shop()
    let film = try await shop.hash(try Fixture.bytes("film.mp4"))
    #expect(film.size == "160 × 120" && film.film?.duration == 6000)
    #expect(film.film?.frames.compactMap(\.self).count == 5)
    let small = try await shop.hash(try Fixture.bytes("film-small.webm"))
    #expect(small.size == "80 × 60" && film.isSame(as: small) && small.isSame(as: film))
    for name in ["film-other.mp4", "film-cut.mp4", "film-grey.mp4"] {
      #expect(!film.isSame(as: try await shop.hash(try Fixture.bytes(name))), "\(name)")
    }
    // A still is none.
    let middle = try #require(film.film?.frames[PictureHash.Film.middle])
    #expect(middle.film == nil && !film.isSame(as: middle) && film.distance(to: middle) == 0)
  }

  @Test func `an animated picture and the video made of it are the same`() async throws {
    let shop = try Shop()
    let animated = try await shop.hash(try Fixture.bytes("film.gif"))
    let video = try await shop.hash(try Fixture.bytes("film-of-gif.mp4"))
    #expect(animated.film?.duration == 6000 && video.film?.duration == 6000)
    #expect(animated.isSame(as: video))
    // An index finds films by the hashes of their middles.
    for film in [animated, video] { #expect(film.film?.frames[2]?.difference == film.difference) }
    let other = try await shop.hash(try Fixture.bytes("film-other.mp4"))
    #expect(!animated.isSame(as: other) && !video.isSame(as: other))
  }

  @Test(arguments: 1...8) func `the frames of an animated picture are hashed upright, as the picture is`(
    orientation: UInt8
  ) async throws {
    let shop = try Shop()
    let hash = try await shop.hash(try Made.animatedWebP(80, 40, orientation: orientation))
    let film = try #require(hash.film)
    let frames = film.frames.compactMap(\.self)
    #expect(frames.count == 5 && frames.allSatisfy { $0.difference == hash.difference })
  }

  @Test func `a video of one shade is the same as no other`() async throws {
    let shop = try Shop()
    let grey = try await shop.hash(try Fixture.bytes("film-grey.mp4"))
    let smaller = try await shop.hash(try Fixture.bytes("film-grey.webm"))
    for hash in [grey, smaller] {
      #expect(hash.film?.duration == 6000 && hash.film?.frames.compactMap(\.self).count == 5)
    }
    #expect(grey.distance(to: smaller) == 0 && !grey.isSame(as: smaller))
  }

  @Test func `of a video that is cut short or damaged, the frames that are there are hashed`() async throws {
    let shop = try Shop()
    let film = try await shop.hash(try Fixture.bytes("film.mp4"))
    let short = try await shop.hash(Array(try Fixture.bytes("film-small.webm").prefix(26_000)))
    #expect(short.film?.duration == 6000 && short.film?.frames.map { $0 != nil } == [true, true, true, false, false])
    #expect(!film.isSame(as: short))
    // From its second key frame to the third.
    var bytes = try Fixture.bytes("film.mp4")
    bytes.replaceSubrange(13_194..<23_709, with: repeatElement(0, count: 23_709 - 13_194))
    let damaged = try await shop.hash(bytes)
    for index in [0, 1, 4] {
      let (one, other) = (film.film?.frames[index], damaged.film?.frames[index])
      #expect(other.map { one?.isSame(as: $0) ?? false } == true, "\(index)")
    }
    #expect(!film.isSame(as: damaged))
    // What tells where its frames are stands at its end.
    let headless = try shop.put(Array(try Fixture.bytes("film.mp4").prefix(30_000)))
    let answer = try await shop.inspector().answers(to: [Inspector.Question(headless, [.hash, .facts])])[0].get()
    #expect(answer.hash == nil && Set(answer.failures.keys) == ["hash", "facts"])
  }

  @Test func `a video is hashed as it is shown, and one without frames says so`() async throws {
    let shop = try Shop()
    #expect(try await shop.hash(try Fixture.bytes("turned.mp4")).size == "64 × 96")
    #expect(try await shop.hash(try Fixture.bytes("wide-pixels.mp4")).size == "192 × 64")
    // Its decoder shows one picture of an animated PNG.
    #expect(try await shop.hash(try Fixture.bytes("moving.png")).film == nil)
    #expect(try await shop.hash(try Fixture.bytes("moving.webp")).film?.frames.count == 5)
    let sound = try shop.put(try Fixture.bytes("sound.mp4"))
    let answers = await shop.inspector().answers(to: [Inspector.Question(sound, [.hash])])
    #expect(try answers.first?.get().failures["hash"] == "the file holds no picture")
  }

  @Test func `the longest hash of a film fits into a line, and a longer one is not believed`() throws {
    let frame = PictureHash(
      difference: .max, mirrored: .max, frequencies: .max, thumbnail: [UInt8](repeating: .max, count: 1024),
      width: 1_000_000, height: 1_000_000)
    var film = frame
    film.film = .init(
      duration: PictureHash.Film.durations.upperBound, frames: [PictureHash?](repeating: frame, count: 5))
    #expect(film.isPlausible)
    let answer = InspectionProtocol.Answer(id: .max, hash: film)
    #expect(try PictureProtocol.line(answer).count < InspectionProtocol.longestHash)
    film.film?.frames.append(frame)
    #expect(!film.isPlausible)
    film.film = .init(duration: 1000, frames: [nil, nil, answer.hash, nil, nil])
    #expect(!film.isPlausible)
    film.film = .init(duration: 0, frames: [PictureHash?](repeating: nil, count: 5))
    #expect(!film.isPlausible)
  }

  @Test func `a bad file costs its own answer, and the others are in order`() async throws {
    let shop = try Shop()
    let good = try shop.put(try Made.png(9, 9))
    let missing = BlobID(hashing: Array("nothing".utf8))
    let bomb = try shop.put(try Made.png(announcing: 50_000, 50_000))
    let answers = await shop.inspector(children: 2).answers(
      to: [good, bomb, missing, good].map { Inspector.Question($0, [.hash, .facts]) })
    #expect(try answers[0].get().hash?.width == 9 && answers[3].get().hash == answers[0].get().hash)
    #expect(try answers[1].get().failures["hash"] == "the picture is too large: 50000 × 50000 pixels")
    #expect(answers[2] == .failure(.missing))
  }

  @Test(arguments: [
    ("kill -9 $$", "it ended the program that decodes"),
    ("echo '{\"id\":999}'", "the program that decodes sent no picture"),
    (
      #"printf '{"failures":{},"missing":{},"id":%s,"hash":{"difference":1,"mirrored":1,"frequencies":1,"thumbnail":[1],"width":1,"height":1}}\n' "$id""#,
      "the program that decodes sent no picture"
    ),
  ])
  func `a program that lies is not believed`(answer: String, reason: String) async throws {
    let shop = try Shop()
    let program = try shop.script(answer, greeting: "media-picture inspect 1")
    let blob = try shop.put(try Made.png(9, 9))
    let answers = await shop.inspector(program).answers(to: [Inspector.Question(blob, [.hash])])
    #expect(answers == [.failure(.undecodable(reason))])
  }
}

extension Shop {
  fileprivate func inspector(_ program: String = built, children: Int = 1) -> Inspector {
    let configuration = Derivatives.Configuration(
      program: program, environment: ProcessInfo.processInfo.environment, children: children)
    return Inspector(
      blobs: blobs, configuration: configuration,
      clocks: .init(now: { Date() }, instant: { .now }, sleep: { _ in throw CancellationError() }))
  }

  fileprivate func hash(_ bytes: [UInt8]) async throws -> PictureHash {
    let answers = await inspector().answers(to: [Inspector.Question(try put(bytes), [.hash])])
    return try #require(try answers.first?.get().hash)
  }
}

extension PictureHash {
  fileprivate var size: String { "\(width) × \(height)" }
}
