import Terminal
import Testing

/// The exact bytes of pictures of pixels.
struct PixelTests {
  private let picture = CellRect(name: "a", row: 1, column: 2, rows: 2, columns: 4)
  private let pixels = Array("<a>".utf8)

  private func canvas(_ pictures: CellRect..., text: SafeText = "") -> Canvas {
    var canvas = Canvas(columns: 8, rows: 4)
    canvas.put(text, row: 0, column: 0)
    for picture in pictures {
      canvas.fill(
        row: picture.row, column: picture.column, rows: picture.rows, columns: picture.columns, style: .ground)
      canvas.addPicture(picture)
    }
    return canvas
  }

  private func output(_ format: PictureFormat, isWrapped: Bool = false) throws -> PictureOutput {
    try #require(PictureOutput(PictureChoice(format, isWrapped: isWrapped)))
  }

  /// The frames of consecutive canvases, without the sequences around a frame.
  private func frames(_ format: PictureFormat, isWrapped: Bool = false, _ canvases: Canvas...) throws -> [String] {
    var painter = Painter(colours: .many)
    let output = try output(format, isWrapped: isWrapped)
    return canvases.map { canvas in
      let bytes = painter.frame(canvas).bytes(output) { Array("<\($0.name)>".utf8) }
      let text = String(decoding: bytes, as: UTF8.self)
      return text.replacing("\u{1B}[?2026h", with: "").replacing("\u{1B}[?2026l", with: "")
        .replacing("\u{1B}", with: "^")
    }
  }

  private let ground = "^[0;48;5;235;38;5;250m"

  @Test func `sixels are written after the cells, and again only if their cells were written`() throws {
    let moved = CellRect(name: "a", row: 2, column: 2, rows: 2, columns: 4)
    let frames = try frames(
      .sixel, canvas(picture), canvas(picture, text: "x"), canvas(moved, text: "x"), canvas(text: "x"))
    #expect(frames[0] == "^[0m^[2J^[2;3H\(ground)    ^[3;3H    ^[0m^[2;3H<a>^[?25l")
    #expect(frames[1] == "^[1;1Hx")
    // The old pixels are overwritten in the row that the picture left, and in the row of both positions.
    #expect(frames[2] == "^[2;3H    ^[3;3H\(ground)    ^[4;3H    ^[0m^[3;3H<a>")
    #expect(frames[3] == "^[3;3H    ^[4;3H    ")
  }

  @Test func `kitty's pictures are deleted when they are removed, and before they are drawn again`() throws {
    var written = canvas(picture)
    written.put("x", row: 1, column: 2)
    let frames = try frames(.kitty, canvas(picture), written, canvas())
    #expect(frames[0].hasPrefix("^_Ga=d,d=A,q=2^\\^[0m^[2J"))
    #expect(frames[0].hasSuffix("^[2;3H<a>^[?25l"))
    #expect(frames[1] == "^_Ga=d,d=P,x=3,y=2,q=2^\\^[2;3Hx^[2;3H<a>")
    #expect(frames[2].hasPrefix("^_Ga=d,d=P,x=3,y=2,q=2^\\^[2;3H    "))
  }

  @Test func `within tmux sequences are wrapped, and the cursor is moved outside of them`() throws {
    let frames = try frames(.kitty, isWrapped: true, canvas(picture))
    #expect(frames[0].hasPrefix("^Ptmux;^^_Ga=d,d=A,q=2^^\\^\\^[0m"))
    #expect(frames[0].hasSuffix("^[2;3H^Ptmux;<a>^\\^[?25l"))
  }

  @Test func `the cursor is at its position after pictures are written`() throws {
    var first = canvas(picture)
    first.cursor = (0, 3)
    #expect(try frames(.iterm, first)[0].hasSuffix("^[2;3H<a>^[1;4H^[?25h"))
  }

  @Test func `a frame in which nothing changed writes nothing`() throws {
    #expect(try frames(.kitty, canvas(picture), canvas(picture))[1].isEmpty)
  }

  @Test func `pictures of characters need no picture output`() {
    #expect(PictureOutput(PictureChoice(.blocks)) == nil)
  }
}

/// Pictures of characters.
struct BlocksTests {
  @Test func `characters and their colours become cells, and are painted unchanged`() throws {
    let text = "\u{1B}[0m\u{1B}[38;2;1;2;3;48;5;7m▀\u{1B}[0m \n\u{1B}[94;41m▄\u{1B}[7;39m▌"
    let canvas = try #require(Canvas(blocks: Array(text.utf8), columns: 2, rows: 2))
    #expect(canvas.lines == ["▀", "▄▌"])
    #expect(canvas[0, 0].style == CellStyle(.paint(.rgb(1, 2, 3), on: .many(7))))
    #expect(canvas[0, 1].style == .plain)
    #expect(canvas[1, 1].style == CellStyle(.paint(.own, on: .few(1)), isReversed: true))
    var painter = Painter(colours: .many)
    let painted = painter.frame(canvas).text.replacing("\u{1B}", with: "^")
    #expect(painted.contains("^[0;38;2;1;2;3;48;5;7m▀^[2;1H^[0;94;41m▄^[0;7;41m▌"))
  }

  @Test(arguments: [
    "abc", "a\nb\nc", "猫", "\u{1B}[2J", "\u{1B}]0;x\u{7}", "\u{1B}[38;5m", "\u{1B}[38;2;1;2mx", "\u{1B}[1;300mx",
    "\u{1B}", "\u{1B}[0;0", "\u{1B}[\(String(repeating: "0;", count: 40))0m", "a\u{301}", "\r", "\u{7}",
  ])
  func `text that is not a picture of characters is refused`(text: String) {
    #expect(Canvas(blocks: Array(text.utf8), columns: 2, rows: 2) == nil)
  }

  @Test func `bytes that are not text are refused`() {
    #expect(Canvas(blocks: [0xFF, 0xFE], columns: 2, rows: 2) == nil)
  }
}
