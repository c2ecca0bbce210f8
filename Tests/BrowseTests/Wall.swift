import Foundation
import MediaLibrary
import Pictures
import Terminal

@testable import Browse

/// A tester with pictures over it, drawn as letters.
struct Wall {
  var tester: ScreenTester
  private var gallery: PictureLayer
  /// The pictures that the last screen requested.
  private(set) var wanted: [PictureRequest] = []

  /// A screen with pictures, made of characters by default.
  init(
    _ columns: Int, _ rows: Int, posts: [ListRow] = Wall.posts, isGrid: Bool = false,
    format: PictureFormat = .blocks, memory: Int = 1 << 20, isStill: Bool = true
  ) throws {
    tester = try ScreenTester(columns, rows, posts: posts, isStill: isStill)
    gallery = PictureLayer(PictureChoice(format), cell: .usual, memory: memory) { "/\($0)" }
    let view = SettingRow(name: "view", value: isGrid ? "grid" : "list", help: "", choices: ["list", "grid"])
    tester.send(.settings([view], refresh: 60), .pictures(.usual))
    _ = tester.done()
  }

  /// Twelve posts, an hour apart, each with a picture of its own letter.
  static let posts: [ListRow] = ScreenTester.posts.map { post in
    var post = post
    post.pictures = [picture(post.id)]
    return post
  }

  /// A stored picture. Its name repeats a letter.
  static func picture(_ number: Int64, kind: SafeText = "image", alt: SafeText = "") -> ListRow.Picture {
    let blob = BlobID(String(repeating: String(number % 16, radix: 16), count: 64))
    var picture = ListRow.Picture(kind: kind, alt: alt, size: "1200 × 800", state: "stored", blob: blob)
    picture.pixels = ListRow.PixelSize(width: 1200, height: 800)
    picture.byteCount = 3_210_000
    return picture
  }

  /// The lines of the screen with its pictures.
  mutating func canvas() -> Canvas {
    var canvas = tester.canvas
    wanted = gallery.place(on: &canvas)
    wanted += gallery.prepare(tester.screen.soon)
    return canvas
  }

  mutating func lines() -> [String] { canvas().lines }

  mutating func text() -> String { lines().joined(separator: "\n") }

  /// Draws all requested pictures. Returns their number.
  @discardableResult
  mutating func draw() -> Int {
    var count = 0
    while true {
      _ = canvas()
      guard !wanted.isEmpty, count < 1000 else { return count }
      for request in wanted { take(request, .success(Self.drawn(request))) }
      count += wanted.count
    }
  }

  mutating func take(_ request: PictureRequest, _ result: Result<DrawnPicture, DrawingFailure>) {
    gallery.add(request, result)
  }

  func pixels(_ scope: CellRect) -> String { String(decoding: gallery.pixels(scope), as: UTF8.self) }

  private static func drawn(_ request: PictureRequest) -> DrawnPicture {
    let letter = String(request.path.dropFirst().prefix(1))
    let line = String(repeating: letter, count: request.columns)
    let lines = Array(repeating: line, count: request.rows).joined(separator: "\n")
    return DrawnPicture(columns: request.columns, rows: request.rows, bytes: Array(lines.utf8))
  }
}
