import CExiv2
import Glibc

/// The EXIF, IPTC and XMP of a picture, read by exiv2. Tags have exiv2's names (https://exiv2.org/metadata.html).
final class Metadata {
  /// The most values of a tag that are read.
  static let mostValues = 1000

  private let library: metadata_library
  private let pointer: OpaquePointer

  /// Reads the metadata of a picture. The bytes must stay as long as this value.
  init(_ bytes: UnsafeRawBufferPointer) throws(Refusal) {
    library = try Self.loaded()
    guard let pointer = library.create() else { throw Refusal("memory is short") }
    self.pointer = pointer
    guard library.open(pointer, bytes.assumingMemoryBound(to: UInt8.self).baseAddress, bytes.count, nil) != 0 else {
      throw Refusal("its metadata are damaged")
    }
  }

  deinit { library.release(UnsafeMutableRawPointer(pointer)) }

  private static func loaded() throws(Refusal) -> metadata_library {
    var library = metadata_library()
    guard metadata_open_library(&library) != 0 else { throw Refusal(missing: "libgexiv2.so.2") }
    return library
  }

  /// The bytes of a tag; nil if it is not there.
  func bytes(_ tag: String) -> [UInt8]? {
    guard let text = library.text(pointer, tag, nil) else { return nil }
    defer { library.free_text(text) }
    return Self.bytes(text)
  }

  /// The values of a tag that has several, at most `mostValues`.
  func values(_ tag: String) -> [[UInt8]] {
    strings(library.texts(pointer, tag, nil), most: Self.mostValues)
  }

  /// The names of all tags.
  var tags: [String] {
    [library.exif_tags, library.iptc_tags, library.xmp_tags].flatMap { list in
      strings(list?(pointer), most: .max).map { String(decoding: $0, as: UTF8.self) }
    }
  }

  /// Replaces EXIF and XMP, and encodes them.
  ///
  /// - Parameters:
  ///   - exif: Tags of EXIF.
  ///   - xmp: Tags of XMP that have one value.
  ///   - lists: Tags of XMP that have several.
  /// - Returns: EXIF as a TIFF, and XMP as a document. One that holds nothing is empty.
  func encoded(
    exif: [(tag: String, value: [UInt8])], xmp: [(tag: String, value: String)], lists: [(tag: String, values: [String])]
  ) throws(Refusal) -> (exif: [UInt8], xmp: [UInt8]) {
    library.clear_exif(pointer)
    library.clear_xmp(pointer)
    for (tag, value) in exif {
      let value = (value + [0]).map { CChar(bitPattern: $0) }
      // A value that its tag cannot have is no loss.
      _ = library.set_text(pointer, tag, value, nil)
    }
    for (tag, value) in xmp { _ = library.set_text(pointer, tag, value, nil) }
    for (tag, values) in lists where !values.isEmpty { setList(tag, values) }
    return (
      try encodedEXIF(isEmpty: exif.isEmpty), try encodedXMP(isEmpty: xmp.isEmpty && lists.allSatisfy(\.values.isEmpty))
    )
  }

  private func setList(_ tag: String, _ values: [String]) {
    let copies = values.map { strdup($0) }
    defer { copies.forEach { free($0) } }
    var list = copies.map { $0.map { UnsafePointer<CChar>($0) } } + [nil]
    _ = library.set_texts(pointer, tag, &list, nil)
  }

  private func encodedEXIF(isEmpty: Bool) throws(Refusal) -> [UInt8] {
    if isEmpty { return [] }
    guard let encoded = library.exif(pointer, 0, nil) else { throw Refusal("its metadata cannot be written again") }
    defer { library.release_bytes(encoded) }
    var count = 0
    let content = library.content(encoded, &count)
    return Array(UnsafeRawBufferPointer(start: content, count: count))
  }

  private func encodedXMP(isEmpty: Bool) throws(Refusal) -> [UInt8] {
    if isEmpty { return [] }
    guard let packet = library.xmp(pointer, Self.compact, 0, nil) else {
      throw Refusal("its metadata cannot be written again")
    }
    defer { library.free_text(packet) }
    return Self.bytes(packet)
  }

  // GEXIV2_USE_COMPACT_FORMAT | GEXIV2_OMIT_ALL_FORMATTING, and GEXIV2_READ_ONLY_PACKET, which has no padding.
  private static let compact: Int32 = 0x0040 | 0x0800 | 0x0020

  private func strings(_ list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, most: Int) -> [[UInt8]] {
    guard let list else { return [] }
    defer { library.free_texts(list) }
    var values: [[UInt8]] = []
    while values.count < most, let value = list[values.count] { values.append(Self.bytes(value)) }
    return values
  }

  private static func bytes(_ text: UnsafePointer<CChar>) -> [UInt8] {
    Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
  }
}
