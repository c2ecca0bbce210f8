import Blobs
import Foundation
import Posts
import Storage

/// What a store promises of the text that stands in pictures.
public enum PictureTextContract {
  /// The claims.
  public static let claims =
    [
      StoreClaim("text in pictures is found by the same search, and told apart from what the author wrote") { library in
        let files = try library.show([1: ["sign"], 2: ["leaves"], 3: ["sign"]])
        let late = try library.pendingPicture(of: 4)
        func found(_ words: String) throws -> [Int64] {
          try library.other.posts(PostQuery(search: words, limit: nil)).map(\.id)
        }
        try expect(try found("welcome"), [])
        try library.keep(text: ["sign": .found(sign), "leaves": .nothing])
        let (a, b, c, d) = (files.posts[0], files.posts[1], files.posts[2], late.post)
        try expect(try found("welcome casino"), [c, a])
        try expect(try found("casi"), [c, a])
        try expect(try library.numbers("has:text"), [c, a])
        try expect(try library.numbers("-has:text"), [d, b])
        try expect(try library.other.post(a)?.post.attachments.first?.text, sign)
        let list = PostListQuery(search: "welcome")
        try expect(try library.other.window(list).rows.map(\.post.isFoundInPicture), [true, true])
        try expect(try library.other.window(PostListQuery()).rows.map(\.post.isFoundInPicture).contains(true), false)
        let own = PostListQuery(search: try require(try library.other.post(a)?.post.caption))
        try expect(try library.other.window(own).rows.filter { $0.post.id == a }.map(\.post.isFoundInPicture), [false])
        // A picture that was read for one post is read for all that show it.
        try library.attach("sign", to: late.task)
        try expect(try found("casino"), [d, c, a])
        try library.keep(text: [
          "sign": .found(PictureText(engine: "e", lines: [.init("Closed today", box: [0, 0, 9, 9])]))
        ])
        try expect(try found("casino"), [])
        try expect(try found("\"closed today\""), [d, c, a])
        try library.keep(text: ["sign": .nothing])
        try expect(try found("closed"), [])
        try expect(try library.other.post(a)?.post.attachments.first?.text, nil)
      },
      StoreClaim("a picture is read anew in other languages, and only pictures are read") { library in
        try library.show([1: ["a"], 2: ["b"]])
        try library.attach("film", "video/mp4", to: library.pendingPicture(of: 3).task)
        try expect(try library.unread("eng"), 2)
        try library.keep(text: ["a": .nothing, "b": .failed("it is damaged")])
        try expect(try [library.unread("eng"), library.unread("eng+deu")], [0, 2])
        try expect(try library.other.filesToInspect(for: [.text], in: "eng", again: true, atMost: 10).count, 2)
        let progress = try library.other.inspectionProgress(in: "eng")
        try expect([progress.files, progress.pictures, progress.inspected[.text] ?? 0], [3, 2, 2])
        try expect(try library.other.inspectionProgress(in: "deu").inspected[.text] ?? 0, 0)
        try expect(try library.other.inspectionProgress().inspected[.text] ?? 0, 2)
      },
    ]

  private static let sign = PictureText(
    engine: "tesseract 5.3.0",
    lines: [.init("Welcome to the", box: [100, 200, 5000, 400]), .init("Casino Resort", box: [100, 800, 4000, 400])])
}

extension NewLibrary {
  /// Keeps texts in files. Returns their numbers.
  @discardableResult
  fileprivate func keep(text: [String: FileInspection.Outcome<PictureText>]) throws -> [String: Int64] {
    try keep(
      text.mapValues { text in
        {
          $0.text = text
          $0.languages = "eng"
        }
      })
  }

  fileprivate func attach(_ name: String, _ type: String = "image/jpeg", to task: PictureTask) throws {
    let blob = StoredBlob(id: InspectionContract.name(name), byteCount: 9, mediaType: type)
    try store.attach([(task, blob)], now: noon)
  }

  /// How many files are to be read in some languages.
  fileprivate func unread(_ languages: String) throws -> Int {
    try other.filesToInspect(for: [.text], in: languages, atMost: 10).count
  }

  /// A new post, and its picture, which is not stored yet.
  fileprivate func pendingPicture(of number: Int) throws -> (post: Int64, task: PictureTask) {
    let posts = try pull([post(number, pictures: 1)]).posts
    return (posts[0], try require(try store.pictures(ofPosts: posts, now: noon).first))
  }
}
