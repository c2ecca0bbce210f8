import CTesseract
import Glibc
import Pictures

/// tesseract with the data of some languages. The last ones stay for the next picture: reading them takes as long as a small
/// picture.
final class TextEngine {
  /// A word that was read.
  struct Word {
    let text: String
    /// How sure tesseract is, in percent.
    let confidence: Float
    let box: Box
  }

  /// Where a word stands, in pixels.
  struct Box {
    /// The number of the line.
    let line: Int
    var left, top, right, bottom: Int32

    /// The rectangle of both, in the line of this.
    func joined(_ other: Box) -> Box {
      Box(
        line: line, left: min(left, other.left), top: min(top, other.top), right: max(right, other.right),
        bottom: max(bottom, other.bottom))
    }
  }

  // One thread: this program answers one request after the other, and tesseract asks on the thread that waits for it.
  nonisolated(unsafe) private static var last: (languages: TextLanguages, engine: TextEngine)?
  // The same. A C function without a context reads when the picture's time is over, on the processor's clock.
  nonisolated(unsafe) private static var end: clock_t = 0
  // CLOCKS_PER_SEC of POSIX.
  private static let clocksPerSecond = 1_000_000

  private let library: text_library
  private let pointer: OpaquePointer

  private init(_ languages: TextLanguages) throws(Refusal) {
    var library = text_library()
    guard text_open_library(&library) != 0 else { throw Refusal(missing: "libtesseract.so.5") }
    let folder = languages.folder(Self.environment)
    guard let folder else {
      throw Refusal(ofMachine: "\(languages.obstacle(Self.environment) ?? "")")
    }
    guard let pointer = library.create() else { throw Refusal("memory is short") }
    (self.library, self.pointer) = (library, pointer)
    _ = library.set(pointer, "debug_file", "/dev/null")
    guard library.begin(pointer, folder, languages.text, Int32(TEXT_NEURAL)) == 0 else {
      throw Refusal(ofMachine: "tesseract cannot read its data of \(languages.text)")
    }
    // The picture has dark letters already. Otherwise each line that is hard to read would be read twice.
    _ = library.set(pointer, "tessedit_do_invert", "0")
  }

  deinit { library.release(pointer) }

  /// An engine that reads languages. It lasts until others are asked for.
  static func reading(_ languages: TextLanguages) throws(Refusal) -> TextEngine {
    if let last, last.languages == languages { return last.engine }
    // One engine's memory at a time.
    last = nil
    let engine = try TextEngine(languages)
    last = (languages, engine)
    return engine
  }

  /// The program and its version.
  var version: String { "tesseract \(library.version().map { String(cString: $0) } ?? "")" }

  /// The words in a picture, in the order in which they are read.
  ///
  /// - Parameters:
  ///   - shades: The picture in shades of grey, row by row.
  ///   - seconds: The processor time after which only what was read until then is returned.
  func words(
    in shades: [UInt8], _ width: Int, _ height: Int, within seconds: Int
  ) throws(Refusal) -> [Word] {
    guard let monitor = library.create_monitor() else { throw Refusal("memory is short") }
    defer { library.release_monitor(monitor) }
    Self.end = clock() + seconds * Self.clocksPerSecond
    library.set_end(monitor) { _, _ in clock() > TextEngine.end }
    // The picture is copied.
    shades.withUnsafeBufferPointer {
      library.set_pixels(pointer, $0.baseAddress, Int32(width), Int32(height), 1, Int32(width))
    }
    defer { library.clear(pointer) }
    // A screen tells none, and guessing it costs a warning.
    library.set_resolution(pointer, 96)
    _ = library.recognize(pointer, monitor)
    guard let results = library.results(pointer) else { return [] }
    defer { library.release_results(results) }
    return words(results)
  }

  private func words(_ results: OpaquePointer) -> [Word] {
    let layout = library.layout(results)
    var (words, line): ([Word], Int) = ([], 0)
    repeat {
      if library.begins(layout, Int32(TEXT_LINE)) != 0 { line += 1 }
      guard let text = library.text(results, Int32(TEXT_WORD)) else { continue }
      defer { library.free_text(text) }
      var box = Box(line: line, left: 0, top: 0, right: 0, bottom: 0)
      guard library.box(layout, Int32(TEXT_WORD), &box.left, &box.top, &box.right, &box.bottom) != 0 else { continue }
      words.append(
        Word(text: String(cString: text), confidence: library.confidence(results, Int32(TEXT_WORD)), box: box))
    } while words.count < Self.mostWords && library.next(results, Int32(TEXT_WORD)) != 0
    return words
  }

  /// More words than the largest page of a newspaper has.
  private static let mostWords = 20_000

  private static var environment: [String: String] {
    getenv(TextLanguages.folderVariable).map { [TextLanguages.folderVariable: String(cString: $0)] } ?? [:]
  }
}
