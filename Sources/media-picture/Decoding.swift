import CChafa
import Pictures
import Terminal

/// The size at which to decode a picture of a size.
typealias DecodingSize = (_ width: Int, _ height: Int) -> (width: Int, height: Int)

/// Decodes one file. It checks sizes before it allocates pixels.
struct Decoding {
  private let size: DecodingSize

  init(size: @escaping DecodingSize) { self.size = size }

  init(_ request: PictureRequest) {
    self.init { PictureFrame.decodingSize(width: $0, height: $1, for: request) }
  }

  /// The first picture of the file, about as large as requested, in the orientation that the file specifies.
  func pixels(_ file: borrowing PictureFile) throws(Refusal) -> Pixels {
    let loader = try Self.loader(for: file.type.rawValue)
    defer { g_object_unref(UnsafeMutableRawPointer(loader)) }
    try load(file, by: loader)
    guard let decoded = gdk_pixbuf_loader_get_pixbuf(loader) else { throw Refusal("the file holds no picture") }
    let profile = gdk_pixbuf_get_option(decoded, "icc-profile").map { String(cString: $0) }
    return Pixels(try Self.upright(decoded, file), profile: profile)
  }

  private static func upright(
    _ decoded: OpaquePointer, _ file: borrowing PictureFile
  ) throws(Refusal) -> OpaquePointer {
    // It changes nothing if the loader has reported an orientation.
    if let orientation = file.orientation { gdk_pixbuf_set_option(decoded, "orientation", "\(orientation)") }
    guard let upright = gdk_pixbuf_apply_embedded_orientation(decoded) else { throw Refusal("memory is short") }
    return upright
  }

  /// What `body` makes of each picture of an animation, upright, that is shown at one of some times; empty if the file has only one
  /// for its decoder.
  ///
  /// - Parameter milliseconds: The times, in ascending order.
  func pictures<Made>(
    _ file: borrowing PictureFile, at milliseconds: [Int], _ body: (Pixels) throws(Refusal) -> Made
  ) throws(Refusal) -> [Made] {
    let loader = try Self.loader(for: file.type.rawValue)
    defer { g_object_unref(UnsafeMutableRawPointer(loader)) }
    try load(file, by: loader)
    guard let animation = gdk_pixbuf_loader_get_animation(loader),
      gdk_pixbuf_animation_is_static_image(animation) == 0
    else { return [] }
    var time = picture_time(seconds: 0, microseconds: 0)
    guard let position = gdk_pixbuf_animation_get_iter(animation, &time) else { throw Refusal("memory is short") }
    defer { g_object_unref(UnsafeMutableRawPointer(position)) }
    return try milliseconds.map { milliseconds throws(Refusal) -> Made in
      time = picture_time(seconds: milliseconds / 1000, microseconds: milliseconds % 1000 * 1000)
      gdk_pixbuf_animation_iter_advance(position, &time)
      guard let shown = gdk_pixbuf_animation_iter_get_pixbuf(position) else { throw Refusal("memory is short") }
      return try body(Pixels(try Self.upright(shown, file)))
    }
  }

  private func load(_ file: borrowing PictureFile, by loader: OpaquePointer) throws(Refusal) {
    let progress = DecodingProgress(size, scales: file.type != .png)
    let data = Unmanaged.passUnretained(progress).toOpaque()
    picture_watch(loader, whenSized, whenDecoded, data)
    do {
      try feed(file, to: loader, progress)
    } catch {
      gdk_pixbuf_loader_close(loader, nil)
      throw error
    }
    var fault: UnsafeMutablePointer<GError>?
    guard gdk_pixbuf_loader_close(loader, &fault) != 0 else { throw Self.refusal(fault) }
    // Only the PNG loader accepts fewer rows than the header announces.
    if file.type == .png, let decoded = gdk_pixbuf_loader_get_pixbuf(loader),
      progress.lowest < gdk_pixbuf_get_height(decoded)
    {
      throw Refusal("the picture is damaged: rows are missing")
    }
  }

  /// Whether something here decodes a type.
  static func decodes(_ type: String) -> Bool {
    guard let loader = try? loader(for: type) else { return false }
    gdk_pixbuf_loader_close(loader, nil)
    g_object_unref(UnsafeMutableRawPointer(loader))
    return true
  }

  private static func loader(for type: String) throws(Refusal) -> OpaquePointer {
    var fault: UnsafeMutablePointer<GError>?
    if let loader = gdk_pixbuf_loader_new_with_mime_type(type, &fault) { return loader }
    g_clear_error(&fault)
    throw Refusal("nothing here decodes \(type)")
  }

  private func feed(
    _ file: borrowing PictureFile, to loader: OpaquePointer, _ progress: DecodingProgress
  ) throws(Refusal) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    defer { buffer.deallocate() }
    let bytes = buffer.assumingMemoryBound(to: UInt8.self).baseAddress
    while true {
      let count = try file.read(into: buffer)
      if count == 0 { return }
      var fault: UnsafeMutablePointer<GError>?
      let isAccepted = gdk_pixbuf_loader_write(loader, bytes, gsize(count), &fault) != 0
      if let refusal = progress.refusal {
        g_clear_error(&fault)
        throw refusal
      }
      guard isAccepted else { throw Self.refusal(fault) }
    }
  }

  private static func refusal(_ fault: UnsafeMutablePointer<GError>?) -> Refusal {
    var fault = fault
    defer { g_clear_error(&fault) }
    let message = fault?.pointee.message.map { String(cString: $0) } ?? "no reason is told"
    return Refusal("the picture is damaged: \(message.prefix(200))")
  }
}

/// The progress of a loader: the picture's size, and the lowest decoded row.
final class DecodingProgress {
  private let size: DecodingSize
  private let scales: Bool
  /// The number of decoded rows.
  private(set) var lowest = 0
  /// Why the picture is refused, once its size is known.
  private(set) var refusal: Refusal?

  /// `scales` must be false for a loader that scales only after decoding the whole picture: scaling then saves nothing,
  /// and the loader does not report rows.
  init(_ size: @escaping DecodingSize, scales: Bool) {
    self.size = size
    self.scales = scales
  }

  /// The size at which to decode a picture.
  fileprivate func decodingSize(_ width: Int, _ height: Int) -> (width: Int, height: Int) {
    do throws(Refusal) {
      try Measures.check(width: width, height: height)
    } catch {
      refusal = error
      // Loaders stop at a picture without area before they allocate memory for it.
      return (0, 0)
    }
    return scales ? size(width, height) : (width, height)
  }

  fileprivate func decoded(to row: Int) { lowest = max(lowest, row) }
}

private func whenSized(_ loader: OpaquePointer?, _ width: Int32, _ height: Int32, _ data: UnsafeMutableRawPointer?) {
  guard let data else { return }
  let size = Unmanaged<DecodingProgress>.fromOpaque(data).takeUnretainedValue().decodingSize(Int(width), Int(height))
  gdk_pixbuf_loader_set_size(loader, Int32(size.width), Int32(size.height))
}

private func whenDecoded(
  _ loader: OpaquePointer?, _ left: Int32, _ top: Int32, _ width: Int32, _ height: Int32,
  _ data: UnsafeMutableRawPointer?
) {
  guard let data else { return }
  Unmanaged<DecodingProgress>.fromOpaque(data).takeUnretainedValue().decoded(to: Int(top) + Int(height))
}
