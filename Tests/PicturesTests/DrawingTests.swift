import Pictures
import Terminal
import Testing

/// The real `media-picture` with pictures from encoders.
@Suite(.timeLimit(.minutes(10))) struct DrawingTests {
  @Test(arguments: ["jpeg", "png", "webp", "gif"], PictureFormat.allCases)
  func `a picture of every kind is drawn in every format`(kind: String, format: PictureFormat) async throws {
    let album = try Album()
    let bytes =
      switch kind {
      case "jpeg": try Made.jpeg(64, 48)
      case "png": try Made.png(64, 48)
      case "webp": try Made.webp(64, 48)
      default: Made.gif
      }
    // The bytes determine the type, not the name.
    let path = try album.put(bytes, as: "picture.txt")
    let drawn = try await PictureDrawer().draw(PictureRequest(path: path, columns: 8, rows: 8, format: format))
    // 64 × 48 pixels in 8 cells of 8 × 16 pixels, and one pixel, which becomes no larger than a cell's height.
    #expect([drawn.columns, drawn.rows] == (kind == "gif" ? [2, 1] : [8, 3]))
    let beginnings: [PictureFormat: String] = [
      .kitty: "\u{1B}_G", .sixel: "\u{1B}P", .iterm: "\u{1B}]1337;File=", .blocks: "\u{1B}[",
    ]
    #expect(String(decoding: drawn.bytes, as: UTF8.self).hasPrefix(beginnings[format] ?? "?"))
  }

  @Test func `blocks are as many lines as rows, and the same each time`() async throws {
    let album = try Album()
    let request = PictureRequest.blocks(try album.put(try Made.png(64, 64), as: "a.png"), 4, 2)
    let (first, second) = (try await PictureDrawer().draw(request), try await PictureDrawer().draw(request))
    #expect(first == second)
    #expect(first.bytes.count { $0 == UInt8(ascii: "\n") } == 1)
    // Another processor may round a colour differently, so only shapes and positions are compared.
    let text = String(decoding: first.bytes, as: UTF8.self).split(separator: "\u{1B}")
      .map { $0.drop { $0 != "m" }.dropFirst() }.joined()
    #expect(text.split(separator: "\n").map(\.count) == [4, 4], "\(text)")
  }

  @Test func `without colours a picture has only shapes`() async throws {
    let album = try Album()
    var request = PictureRequest.blocks(try album.put(try Made.png(64, 64), as: "a.png"))
    request.colours = .none
    let drawn = try await PictureDrawer().draw(request)
    #expect(!drawn.bytes.contains(0x1B))
  }

  @Test func `a picture is rotated by its orientation`() async throws {
    let album = try Album()
    let path = try album.put(try Made.jpeg(200, 50, orientation: 6), as: "turned.jpg")
    let drawn = try await PictureDrawer().draw(.blocks(path, 40, 20))
    // 50 × 200 pixels in cells twice as high as wide.
    #expect([drawn.columns, drawn.rows] == [10, 20])
  }

  @Test func `cropping fills all cells`() async throws {
    let album = try Album()
    var request = PictureRequest.blocks(try album.put(try Made.jpeg(200, 50), as: "wide.jpg"), 6, 3)
    let fitted = try await PictureDrawer().draw(request)
    #expect([fitted.columns, fitted.rows] == [6, 1])
    request.filling = .crop
    let cropped = try await PictureDrawer().draw(request)
    #expect([cropped.columns, cropped.rows] == [6, 3])
  }

  @Test func `in the actual size a part of the picture is drawn, from a pixel on and within the picture`() async throws
  {
    let album = try Album()
    var request = PictureRequest.blocks(try album.put(try Made.jpeg(200, 50), as: "wide.jpg"), 6, 2)
    request.filling = .actual
    let start = try await PictureDrawer().draw(request)
    #expect([start.columns, start.rows] == [6, 2])
    (request.left, request.top) = (5000, 5000)
    let frame = PictureFrame(width: 200, height: 50, for: request)
    #expect([frame.left, frame.top, frame.width, frame.height] == [152, 18, 48, 32])
    #expect(try await PictureDrawer().draw(request).bytes != start.bytes)
    let small = PictureFrame(width: 20, height: 10, for: request)
    #expect([small.left, small.width, small.columns, small.rows] == [0, 20, 3, 1])
    request.left = -1
    #expect(!request.isPlausible)
  }
}
