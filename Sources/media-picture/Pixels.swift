import CChafa

/// Pixels in memory.
final class Pixels {
  /// The library's object. `deinit` releases it.
  let pointer: OpaquePointer
  /// The colour profile that the file embeds, in base64; nil if there is none.
  let profile: String?

  init(_ pointer: OpaquePointer, profile: String? = nil) { (self.pointer, self.profile) = (pointer, profile) }

  deinit { g_object_unref(UnsafeMutableRawPointer(pointer)) }

  var width: Int { Int(gdk_pixbuf_get_width(pointer)) }
  var height: Int { Int(gdk_pixbuf_get_height(pointer)) }
}
