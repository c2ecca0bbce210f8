import Blobs
import Filters
import Foundation
import Posts
import PropertyTesting
import Storage

/// What a store promises of what is found in files.
public enum InspectionContract {
  private static let person = MarksContract.person

  /// The claims.
  public static let claims =
    [
      StoreClaim("files that posts show are inspected, the last stored ones first, each once") { library in
        let files = try library.show([1: ["a"], 2: ["b"], 3: ["a"]])
        let found = try library.other.filesToInspect(for: [.hash, .facts], atMost: 10)
        try expect(found.map(\.blob), ["b", "a"].map(name))
        try expect(found.map(\.kinds), [[.hash, .facts], [.hash, .facts]])
        try expect(
          try library.other.filesToInspect(for: [.hash], before: found[0].number, atMost: 10).map(\.blob), [name("a")])
        try expect(
          try library.other.filesToInspect(for: [.hash], of: [files.posts[1]], atMost: 10).map(\.blob), [name("b")])
        var inspection = FileInspection(of: found[0].number)
        inspection.hash = .found(hash(0))
        try library.store.keep([inspection], now: noon)
        let rest = try library.other.filesToInspect(for: [.hash, .facts], atMost: 10)
        try expect(rest.map(\.kinds), [[.facts], [.hash, .facts]])
        try expect(try library.other.filesToInspect(for: [.hash], again: true, atMost: 10).count, 2)
        inspection.facts = .failed("it is damaged")
        try library.store.keep([inspection], now: noon)
        let progress = try library.other.inspectionProgress()
        try expect(progress.files, 2)
        try expect(progress.inspected, [.hash: 1, .facts: 1])
        try expect(progress.failed.filter { $0.value > 0 }, [.facts: 1])
        try expect(try library.other.filesToInspect(for: [.hash, .facts], atMost: 10).map(\.blob), [name("a")])
      },
      StoreClaim("what was found in a file that is gone is passed over") { library in
        var inspection = FileInspection(of: 77)
        inspection.hash = .found(hash(0))
        try library.store.keep([inspection], now: noon)
        try expect(try library.other.inspectionProgress(), InspectionProgress())
      },
      StoreClaim("pictures are the same if all that is compared is near") { library in
        let files = try library.show([1: ["first"], 2: ["near"], 3: ["far"], 4: ["wide"], 5: ["dark"], 6: ["other"]])
        try library.keep([
          "first": hash(0), "near": hash(0b1111), "far": hash(0b11111), "wide": hash(0, width: 420),
          "dark": hash(0, shade: 160), "other": hash(0, frequencies: 0xFFFF),
        ])
        try expect(try library.groups(), [[files.posts[0], files.posts[1]]])
        let group = try require(try library.group())
        try expect(group.showings.map(\.distance), [0, 4])
        try expect(group.showings.map(\.isExact), [false, false])
        try expect(try library.other.sharedPictures(of: files.posts), [files.posts[0]: 2, files.posts[1]: 2])
        // By their hashes and forms alone they are nearer to each other.
        try expect(try library.groups(within: 0).map { Set($0) }, [Set([0, 4, 5].map { files.posts[$0] })])
        try expect(try library.groups(within: 8).map(\.count), [5])
      },
      StoreClaim("films are the same if their lengths, their middles and three other frames are") { library in
        let files = try library.show([
          1: ["film"], 2: ["copy"], 3: ["cut"], 4: ["turn"], 5: ["still"], 6: ["first"], 7: ["dark"], 8: ["night"],
        ])
        let frames: [UInt64] = [0, 1 << 20, 0xFF00, 0xFF_0000, .max]
        try library.keep([
          "film": film(frames, 60_000), "copy": film([0, 0xFFF, 0xFF7F, 0xFF_0000, .max], 61_000),
          "cut": film(frames, 57_000), "turn": film([0, 0xFFF, 0xFF01, 0xFFF, .max], 60_000), "still": hash(0xFF00),
          "first": hash(0), "dark": film(frames, 9000, isFlat: true), "night": film(frames, 9000, isFlat: true),
        ])
        try expect(try library.groups(), [[files.posts[0], files.posts[1]]])
        try expect(try library.other.sharedPictures(of: files.posts), [files.posts[0]: 2, files.posts[1]: 2])
        // Nearer by their middles alone, but a still has no length.
        try expect(
          try library.groups(within: 4).map { Set($0) },
          [Set([0, 3].map { files.posts[$0] }), Set([6, 7].map { files.posts[$0] })])
        // Stills of it are like it.
        try expect(Set(try library.numbers("like:\(files.posts[0])")), Set(files.posts))
        // Without its middle, no film is the same.
        try library.keep(["copy": film([0, 1 << 20, nil, 0xFF_0000, .max], 60_000)])
        try expect(try library.groups(), [])
        // Frames that a later look does not find are gone.
        try library.keep(["film": hash(0xFF00), "copy": hash(7)])
        try expect(try library.groups(), [[files.posts[0], files.posts[4]], [files.posts[1], files.posts[5]]])
      },
      StoreClaim("the earliest post had a picture first, and the largest file is told") { library in
        let files = try library.show([5: ["late"], 2: ["early", "large"], 3: ["late"]])
        try library.keep(["late": hash(1), "early": hash(0), "large": hash(2, width: 800, height: 600)])
        let group = try require(try library.group())
        try expect(
          group.showings.map { "\($0.post).\($0.position)" },
          ["\(files.post(2)).0", "\(files.post(2)).1", "\(files.post(3)).0", "\(files.post(5)).0"])
        try expect(group.showings[group.largest].blob, name("large"))
        try expect(group.showings.map(\.isExact), [false, false, true, true])
        try expect(group.posts, 3)
        // Of a post that shows its picture once more, nobody learns anything.
        try library.store.delete([files.post(3), files.post(5)], now: noon)
        try expect(try library.groups(), [])
        try expect(try library.other.sharedPictures(of: files.posts), [:])
      },
      StoreClaim("the picture of the most posts comes first, in whatever bytes") { library in
        let files = try library.show([1: ["a"], 2: ["b"], 3: ["c"], 4: ["c"], 5: ["c"]])
        try library.keep(["a": hash(0), "b": hash(1)])
        for distance in [nil, 4] as [Int?] {
          var groups: [[Int64]] = []
          try library.other.eachSamePictures(within: distance) { groups.append($0.showings.map(\.post)) }
          try expect(groups, [Array(files.posts[2...]), [files.posts[0], files.posts[1]]])
        }
        var first: [Int64] = []
        try library.other.eachSamePictures(of: [files.posts[1]], atMost: 1) { first = $0.showings.map(\.post) }
        try expect(first, [files.posts[0], files.posts[1]])
      },
      StoreClaim("a group whose first picture cannot be read any more is one of the others") { library in
        let files = try library.show([1: ["a"], 2: ["b"], 3: ["c"]])
        let numbers = try library.keep(["a": hash(0), "b": hash(1), "c": hash(2)])
        var unreadable = FileInspection(of: try require(numbers["a"]))
        unreadable.hash = .failed("it is damaged")
        try library.store.keep([unreadable], now: noon)
        try expect(try library.groups(), [[files.posts[1], files.posts[2]]])
        try library.store.groupPictures()
        try expect(try library.groups(), [[files.posts[1], files.posts[2]]])
      },
      StoreClaim("files with the same pixels are told, and are asked for once") { library in
        try library.show([1: ["a"], 2: ["b"], 3: ["c"]])
        let numbers = try library.keep(["a": hash(0), "b": hash(0), "c": hash(0, width: 401)])
        let twins = try library.other.picturesWithTwins(among: [try require(numbers["b"])], atMost: 9)
        try expect(Set(twins.map(\.blob)), Set(["a", "b"].map(name)))
        try library.store.keep(pixels: twins.map { ($0.number, "p") })
        try expect(try library.other.picturesWithTwins(among: Array(numbers.values), atMost: 9), [])
        try expect(try require(try library.group()).showings.map(\.isExact), [true, true, false])
      },
      StoreClaim("what a person says of two pictures counts before their hashes, and lasts") { library in
        let files = try library.show([1: ["a"], 2: ["b"], 3: ["c"], 4: ["d"]])
        let hashes = ["a": hash(0), "b": hash(1), "c": hash(.max), "d": hash(.max - 1)]
        try library.keep(hashes)
        let (a, b, c, d) = (files.posts[0], files.posts[1], files.posts[2], files.posts[3])
        try expect(try library.groups(), [[a, b], [c, d]])
        try library.store.set(.different, of: [(name("b"), name("a"))], by: person, now: noon)
        try expect(try library.groups(), [[c, d]])
        try library.store.set(.same, of: [(name("a"), name("d"))], by: person, now: noon)
        try expect(try library.groups(), [[a, c, d]])
        for _ in 0..<2 {
          try library.keep(hashes)
          try expect(try library.groups(), [[a, c, d]])
        }
        try expect(try library.groups(within: 8), [[c, d]])
        try expect(try library.store.set(.none, of: [(name("a"), name("b"))], by: person, now: noon).pairs, 1)
        try expect(try library.store.set(.none, of: [(name("a"), name("b"))], by: person, now: noon).pairs, 0)
        try library.store.set(.none, of: [(name("a"), name("d"))], by: person, now: noon)
        try library.keep(hashes)
        try expect(try library.groups(), [[a, b], [c, d]])
      },
      StoreClaim("a verdict about posts is one change, which is taken back unless somebody said something else") {
        library in
        let files = try library.show([1: ["a"], 2: ["b"], 3: ["c", "d"], 4: ["a"], 5: []])
        try library.keep(["a": hash(0), "b": hash(.max), "c": hash(3), "d": hash(0xFF00_FF00)])
        let (a, b, c) = (files.posts[0], files.posts[1], files.posts[2])
        let together = try library.store.set(.same, ofPosts: [b, a], by: person, now: noon)
        try expect(together.changed, [a, b])
        try expect(try library.store.set(.same, ofPosts: [a, b], by: person, now: noon).change, nil)
        // Of a post with several pictures, the one that is near.
        let apart = try library.store.set(.different, ofPosts: [a, c], by: person, now: noon)
        try expect(try library.groups(), [[a, b, files.posts[3]]])
        try expect(
          try library.store.undo(try require(apart.change), by: person, now: noon)?.words, "call pictures different")
        try expect(try library.groups(), [[a, b, c, files.posts[3]]])
        try library.store.set(.different, ofPosts: [a, b], by: person, now: noon)
        try library.store.undo(try require(together.change), by: person, now: noon)
        try expect(try library.groups(), [[a, c, files.posts[3]]])
        // The same file needs no verdict, and who has no picture gets none.
        try expect(try library.store.set(.same, ofPosts: [a, files.posts[3]], by: person, now: noon).change, nil)
        try expect(throws: MarkError.sameFile) {
          try library.store.set(.different, ofPosts: [a, files.posts[3]], by: person, now: noon)
        }
        // What is shown beside each other is meant, near or not.
        let shown = try library.store.set(
          .same, ofPosts: [b, c], showing: [name("b"), name("d")], by: person, now: noon)
        try expect(try library.groups(), [[a, c, files.posts[3]], [b, c]])
        try library.store.undo(try require(shown.change), by: person, now: noon)
        try expect(try library.groups(), [[a, c, files.posts[3]]])
        try expect(throws: MarkError.noLikePicture(b)) {
          try library.store.set(.same, ofPosts: [b, c], by: person, now: noon)
        }
        try expect(throws: MarkError.noLikePicture(files.posts[4])) {
          try library.store.set(.same, ofPosts: [a, b, files.posts[4]], by: person, now: noon)
        }
        try expect(throws: MarkError.manyToCompare(51)) {
          try library.store.set(.same, ofPosts: Array(1...51), by: person, now: noon)
        }
      },
      StoreClaim("verdicts go with a copy, and the later one counts") { library in
        try library.show([1: ["a"], 2: ["b"]])
        try library.keep(["a": hash(0), "b": hash(1)])
        try library.store.set(.different, of: [(name("a"), name("b"))], by: person, now: noon)
        var records: [LibraryRecord] = []
        try library.store.eachRecord(of: nil, raw: false) { if case .verdict = $0 { records.append($0) } }
        try expect(records.count, 1)
        try library.store.set(.none, of: [(name("a"), name("b"))], by: person, now: noon + 60)
        try library.merge(records)
        try expect(try library.groups().count, 1)
        let later = records.map { record -> LibraryRecord in
          guard case .verdict(var verdict) = record else { return record }
          verdict[.stamp] = .text("1 2030-01-01T00:00:00.000Z 00000000 laptop")
          return .verdict(verdict)
        }
        try library.merge(later)
        try expect(try library.groups(), [])
      },
      StoreClaim("a post whose pictures earlier posts show is a copy") { library in
        let files = try library.show([1: ["a"], 2: ["a"], 3: ["b"], 4: ["a", "c"], 5: []])
        try expect(try library.numbers("is:copy"), [files.posts[1]])
        try library.keep(["a": hash(0), "b": hash(3), "c": hash(255)])
        try expect(try library.numbers("is:copy"), [files.posts[2], files.posts[1]])
        try expect(try library.numbers("-is:copy"), [files.posts[4], files.posts[3], files.posts[0]])
        // The first one of them that is left is none.
        try library.store.delete([files.posts[0]], now: noon)
        try expect(try library.numbers("is:copy"), [files.posts[2]])
      },
      StoreClaim("an open list of copies follows when the first post with a picture goes") { library in
        let posts = try library.show([1: ["a"], 2: ["a"]]).posts
        var list = PostListQuery()
        list.filter = PostFilter(try Filter(parsing: "is:copy"), now: noon)
        var readings = library.store.observe(list, around: nil, before: 0, after: 9).makeAsyncIterator()
        try expect(try await readings.next()?.rows.map(\.post.id), [posts[1]])
        try library.other.delete([posts[0]], now: noon)
        try expect(try await readings.next()?.rows.count, 0)
      },
      StoreClaim("posts with pictures like those of a post are found, mirrored ones too") { library in
        let files = try library.show([1: ["a"], 2: ["near"], 3: ["far"], 4: ["mirror"], 5: ["a"], 6: []])
        try library.keep([
          "a": hash(0, mirrored: 0xFFFF_0000), "near": hash(0xFF), "far": hash(0x3FF, width: 500),
          "mirror": hash(0xFFFF_0001),
        ])
        func found(_ text: String) throws -> Set<Int64> { Set(try library.numbers(text)) }
        let (a, near, far) = (files.posts[0], files.posts[1], files.posts[2])
        try expect(try found("like:\(a)"), [a, near, files.posts[3], files.posts[4]])
        try expect(try found("like:\(near)"), [a, near, far, files.posts[4]])
        try expect(try found("like:\(near) -like:\(a)"), [far])
        try expect(try found("like:\(files.posts[5])"), [])
        try expect(try found("like:999999"), [])
      },
    ]
    + PropertyTest.seeds(sample: 2, whole: 30).map { seed in
      StoreClaim("hashes that are near are found as by comparing all, seed \(seed)") { library in
        var dice = Dice(state: seed)
        let names = (0..<60).map { "\($0)" }
        let files = try library.show(Dictionary(uniqueKeysWithValues: names.indices.map { ($0 + 1, [names[$0]]) }))
        let centres = (0..<4).map { _ in dice.next() }
        let hashes = names.map { _ in
          (0..<dice.below(12)).reduce(centres.randomElement(using: &dice)!) { bits, _ in
            bits ^ 1 << UInt64(dice.below(64))
          }
        }
        // No two of them are the same, so that every one is the first of its group.
        try library.keep(
          Dictionary(
            uniqueKeysWithValues: names.indices.map {
              (names[$0], hash(hashes[$0], width: Int(100 * pow(1.05, Double($0)))))
            }))
        for index in names.indices {
          let near = names.indices.filter { PictureHash.distance(hashes[$0], hashes[index]) <= 8 }
          try expect(Set(try library.numbers("like:\(files.posts[index])")), Set(near.map { files.posts[$0] }))
        }
      }
    }

  static func name(_ text: String) -> BlobID { BlobID(hashing: Array(text.utf8)) }

  /// A film of frames with these difference hashes; nil stands for one that cannot be decoded.
  fileprivate static func film(_ frames: [UInt64?], _ duration: Int, isFlat: Bool = false) -> PictureHash {
    let hashes = frames.map { difference in
      difference.map { difference in
        var frame = hash(difference)
        if !isFlat { frame.thumbnail = frame.thumbnail.indices.map { UInt8($0 / 8) } }
        return frame
      }
    }
    var film = hashes.compactMap(\.self)[frames.count / 2]
    film.film = PictureHash.Film(duration: duration, frames: hashes)
    return film
  }

  fileprivate static func hash(
    _ difference: UInt64, mirrored: UInt64 = 0xAAAA_5555_AAAA_5555, frequencies: UInt64 = 0, shade: UInt8 = 100,
    width: Int = 400, height: Int = 300
  ) -> PictureHash {
    PictureHash(
      difference: difference, mirrored: mirrored, frequencies: frequencies,
      thumbnail: [UInt8](repeating: shade, count: PictureHash.thumbnailSide * PictureHash.thumbnailSide), width: width,
      height: height)
  }
}

/// Posts that show files.
struct Shown {
  /// Their numbers in the library, the earliest post first.
  let posts: [Int64]
  /// The same by the numbers that they were made of.
  let byNumber: [Int: Int64]

  func post(_ number: Int) -> Int64 { byNumber[number] ?? 0 }
}

extension NewLibrary {
  /// Stores posts with pictures.
  ///
  /// - Parameter files: The names of the files of each post, by its number.
  @discardableResult
  func show(_ files: [Int: [String]]) throws -> Shown {
    let numbers = files.keys.sorted()
    let ids = try pull(numbers.map { post($0, pictures: files[$0]?.count ?? 0) }).posts
    for (id, number) in zip(ids, numbers) {
      let tasks = try store.pictures(ofPosts: [id], now: noon)
      for (task, name) in zip(tasks, files[number] ?? []) {
        let blob = StoredBlob(id: InspectionContract.name(name), byteCount: 9, mediaType: "image/jpeg")
        try store.attach([(task, blob)], now: noon)
      }
    }
    return Shown(posts: ids, byNumber: Dictionary(uniqueKeysWithValues: zip(numbers, ids)))
  }

  /// Keeps hashes of files. Returns their numbers.
  @discardableResult
  func keep(_ hashes: [String: PictureHash]) throws -> [String: Int64] {
    try keep(hashes.mapValues { hash in { $0.hash = .found(hash) } })
  }

  /// Keeps facts of files. Returns their numbers.
  @discardableResult
  func keep(facts: [String: FileInspection.Outcome<FileFacts>]) throws -> [String: Int64] {
    try keep(facts.mapValues { facts in { $0.facts = facts } })
  }

  /// Keeps what was found in files. Returns their numbers.
  @discardableResult
  func keep(_ found: [String: (inout FileInspection) -> Void]) throws -> [String: Int64] {
    let files = try store.filesToInspect(for: [.hash, .facts], again: true, atMost: 100)
    var numbers: [String: Int64] = [:]
    // In the order of their names, as some are found to be the first.
    let inspections = found.keys.sorted().compactMap { name -> FileInspection? in
      guard let file = files.first(where: { $0.blob == InspectionContract.name(name) }) else { return nil }
      numbers[name] = file.number
      var inspection = FileInspection(of: file.number)
      found[name]?(&inspection)
      return inspection
    }
    try store.keep(inspections, now: noon)
    return numbers
  }

  /// The posts of each group, the earliest first; the groups in the order of their first posts.
  fileprivate func groups(within distance: Int? = nil) throws -> [[Int64]] {
    var groups: [[Int64]] = []
    try other.eachSamePictures(within: distance) { groups.append($0.showings.map(\.post)) }
    return groups.sorted { $0[0] < $1[0] }
  }

  fileprivate func group() throws -> SamePictures? {
    var first: SamePictures?
    try other.eachSamePictures { first = first ?? $0 }
    return first
  }

  fileprivate func merge(_ records: [LibraryRecord]) throws {
    try store.beginMerge()
    _ = try store.merge(records, stored: [], known: [], dryRun: false, now: noon)
  }
}
