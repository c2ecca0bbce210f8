import Blobs
import Foundation
import Posts
import Storage

/// What a store promises of what files, and sources of their posts, say of them.
public enum FactsContract {
  /// The claims.
  public static let claims = [
    StoreClaim("what files say of themselves is found, and what one no longer says is not") { library in
      let files = try library.show([1: ["a"], 2: ["b"], 3: ["c"], 4: []])
      var (munich, suva, film) = (FileFacts(), FileFacts(), FileFacts())
      (munich.latitude, munich.longitude, munich.camera, munich.takenAt) = (
        48.14, 11.58, "NIKON D90", "2025-05-01T23:59:59"
      )
      (suva.latitude, suva.longitude, suva.camera, suva.takenAt) = (
        -18.1, -179.95, "100%_\\ Pro", "2025-06-01T00:00:00"
      )
      (film.duration, film.codecs, film.hasSound, film.keywords) = (90_500, ["h264", "aac"], true, ["a \"b\"", "c"])
      let facts = ["a": munich, "b": suva, "c": film]
      let numbers = try library.keep(facts: facts.mapValues { .found($0) })
      func found(_ text: String) throws -> [Int64] { try library.numbers(text) }
      let (a, b, c) = (files.posts[0], files.posts[1], files.posts[2])
      for (text, wanted) in [
        ("camera:nikon", [a]), ("camera:\"d90\"", [a]), ("camera:%", [b]), ("camera:_", [b]),
        ("camera:\"\\\\\"", [b]),
        ("camera:canon", []), ("camera:canon|pro|d90", [b, a]), ("-camera:nikon", [files.posts[3], c, b]),
        ("taken:2025", [b, a]), ("taken:2025-05", [a]), ("taken:2025-05-01", [a]),
        ("taken:2025-05-02", []), ("taken:2024", []), ("has:gps", [b, a]), ("-has:gps", [files.posts[3], c]),
        ("near:48.1,11.5,20km", [a]), ("near:48.1,11.5,2km", []), ("near:48.14,11.58", [a]),
        ("near:-18.1,179.9,20km", [b]), ("place:München", [a]), ("place:\"munich, DE\"", [a]), ("place:Suva", []),
        ("-place:Munich has:gps", [b]), ("place:Suva|Munich", [a]), ("country:germany", [a]), ("country:FJ", [b]),
        ("country:DE|FJ", [b, a]), ("country:AT", []),
        ("near:-18.1,179.9,10km", []), ("duration:90", [c]), ("duration:>89s", [c]), ("duration:>90s", []),
        ("duration:<=90s", [c]),
        ("duration:>9223372036854775807", []), ("duration:<2562047788015215h", [c]),
        ("duration:<2m", [c]), ("duration:>=1h", []), ("has:gps|video", [b, a]),
      ] { try expect("\(text) \(try found(text))", "\(text) \(wanted)") }
      try expect(
        try [a, b, c, files.posts[3]].map { try library.other.post($0)?.post.attachments.first?.facts },
        [munich, suva, film, nil])
      let list = PostListQuery()
      try expect(
        Set(try library.other.filePositions(of: list).map { [$0.latitude, $0.longitude] }),
        [[48.14, 11.58], [-18.1, -179.95]])
      try library.keep(facts: ["a": .nothing])
      try expect(try found("has:gps"), [b])
      try expect(try library.other.filePositions(of: list).count, 1)
      try expect(numbers.count, 3)
    },
    StoreClaim("what a source says counts where the file says nothing, until its answer is another one") { library in
      let files = try library.show([1: ["a"], 2: ["b"], 3: ["c"], 4: ["d"]])
      var file = FileFacts()
      (file.takenAt, file.camera) = ("2025-05-01T12:00:00", "NIKON D90")
      let said = try require(
        SaidFacts(takenAt: "2024-03", position: SaidFacts.Position(latitude: 48.14, longitude: 11.58)))
      func adding(
        _ outcome: FileInspection.Outcome<FileFacts>
      ) -> (inout FileInspection) -> Void {
        {
          $0.facts = outcome
          $0.add(said, by: .usual)
        }
      }
      try library.keep([
        "a": adding(.found(file)), "b": adding(.nothing), "c": adding(.failed("it is damaged")),
        "d": { $0.facts = .nothing },
      ])
      let (a, b) = (files.posts[0], files.posts[1])
      for (text, wanted) in [
        ("taken:2025-05-01", [a]), ("taken:2024-03", [b]), ("taken:2024", [b]), ("taken:2024-03-01", []),
        ("place:Munich", [b, a]), ("has:gps", [b, a]), ("near:48.1,11.5,20km", [b, a]), ("country:DE", [b, a]),
      ] { try expect("\(text) \(try library.numbers(text))", "\(text) \(wanted)") }
      try expect(try library.other.filePositions(of: PostListQuery()).count, 2)
      let shown = try [a, b].map { try require(try library.other.post($0)?.post.attachments.first?.facts) }
      try expect(shown.map(\.takenBy), [nil, SourceName.usual.rawValue])
      try expect(shown.map(\.placeBy), [SourceName.usual.rawValue, SourceName.usual.rawValue])
      let numbers = try library.other.filesToInspect(for: [.facts], again: true, atMost: 9).map(\.number)
      let answers = try library.other.answers(ofFiles: numbers, from: [.usual])
      try expect(answers.count, 4)
      try expect(answers.values.joined().allSatisfy { $0.body?.first == UInt8(ascii: "{") }, true)
      try expect(try library.other.answers(ofFiles: numbers, from: [.manual]).count, 0)
      // What it says by now is read when the files are looked at anew.
      try expect(try library.other.filesToInspect(for: [.facts], atMost: 9).map(\.blob), [])
      try library.pull([post(2, caption: "edited", pictures: 1), post(4, caption: "edited", pictures: 1)])
      try expect(try library.other.filesToInspect(for: [.facts], atMost: 9).map(\.blob), [name("b")])
    },
  ]

  private static func name(_ text: String) -> BlobID { InspectionContract.name(text) }
}
