import Blobs
import CVideo

/// An open video or sound. Its file must stay open as long.
final class OpenVideo {
  /// The demuxers of libavformat, by the type of a file.
  static let demuxers: [MediaType: String] = [
    .mp4: "mov", .quickTime: "mov", .m4a: "mov", .webm: "matroska", .matroska: "matroska", .mp3: "mp3", .ogg: "ogg",
    .flac: "flac", .wav: "wav",
  ]

  /// The library's object. `deinit` releases it.
  let pointer: UnsafeMutablePointer<video>
  private let table: UnsafeMutablePointer<video_library>

  /// Opens a file.
  ///
  /// - Parameter showing: Whether it must hold a picture, which is then prepared to be shown.
  init(_ file: borrowing PictureFile, showing: Bool) throws(Refusal) {
    var library = video_library()
    guard video_open_library(&library) != 0 else {
      throw Refusal(missing: "libavformat.so.\(LIBAVFORMAT_VERSION_MAJOR)")
    }
    pointer = .allocate(capacity: 1)
    table = .allocate(capacity: 1)
    pointer.initialize(to: video())
    table.initialize(to: library)
    let open = showing ? video_open : video_open_streams
    try Self.check(open(pointer, table, file.descriptor, Self.demuxers[file.type] ?? ""))
    if showing { try Self.check(video_begin(pointer, Int64(Measures.mostPixels))) }
  }

  deinit {
    video_close(pointer)
    pointer.deallocate()
    table.deallocate()
  }

  private static func check(_ fault: UnsafePointer<CChar>?) throws(Refusal) {
    if let fault { throw Refusal("\(String(cString: fault))") }
  }
}
