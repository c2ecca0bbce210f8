import CChafa
import Pictures
import Terminal

/// A picture as bytes for a terminal.
struct Drawing {
  let columns, rows: Int
  let bytes: [UInt8]

  /// Draws pixels as requested. The same pixels give the same bytes.
  init(_ pixels: Pixels, for request: PictureRequest) throws(Refusal) {
    let frame = PictureFrame(width: pixels.width, height: pixels.height, for: request)
    let part = gdk_pixbuf_new_subpixbuf(
      pixels.pointer, Int32(frame.left), Int32(frame.top), Int32(frame.width), Int32(frame.height))
    guard let part else { throw Refusal("the picture has no pixels") }
    defer { g_object_unref(UnsafeMutableRawPointer(part)) }
    let config = Self.config(frame, request)
    defer { chafa_canvas_config_unref(config) }
    let canvas = chafa_canvas_new(config)
    defer { chafa_canvas_unref(canvas) }
    let type = gdk_pixbuf_get_has_alpha(part) != 0 ? CHAFA_PIXEL_RGBA8_UNASSOCIATED : CHAFA_PIXEL_RGB8
    chafa_canvas_draw_all_pixels(
      canvas, type, gdk_pixbuf_read_pixels(part), Int32(frame.width), Int32(frame.height),
      gdk_pixbuf_get_rowstride(part))
    guard let text = chafa_canvas_print(canvas, Self.terminal) else { throw Refusal("it could not be drawn") }
    defer { g_string_free(text, 1) }
    (columns, rows) = (frame.columns, frame.rows)
    bytes = Array(UnsafeRawBufferPointer(start: text.pointee.str, count: Int(text.pointee.len)))
  }

  // The sequences of all formats; the format selects which are used. The process has one thread, which only reads them.
  nonisolated(unsafe) private static let terminal = chafa_term_db_get_fallback_info(chafa_term_db_get_default())

  private static func config(_ frame: PictureFrame, _ request: PictureRequest) -> OpaquePointer? {
    let config = chafa_canvas_config_new()
    chafa_canvas_config_set_geometry(config, Int32(frame.columns), Int32(frame.rows))
    chafa_canvas_config_set_cell_geometry(config, Int32(request.cell.width), Int32(request.cell.height))
    chafa_canvas_config_set_pixel_mode(config, mode(request.format))
    let colours = request.format == .blocks ? request.colours : .truecolor
    chafa_canvas_config_set_canvas_mode(config, mode(colours))
    let symbols = chafa_symbol_map_new()
    let tags = CHAFA_SYMBOL_TAG_BLOCK.rawValue | CHAFA_SYMBOL_TAG_BORDER.rawValue | CHAFA_SYMBOL_TAG_SPACE.rawValue
    chafa_symbol_map_add_by_tags(symbols, ChafaSymbolTags(tags))
    chafa_canvas_config_set_symbol_map(config, symbols)
    chafa_symbol_map_unref(symbols)
    return config
  }

  private static func mode(_ format: PictureFormat) -> ChafaPixelMode {
    switch format {
    case .kitty: CHAFA_PIXEL_MODE_KITTY
    case .sixel: CHAFA_PIXEL_MODE_SIXELS
    case .iterm: CHAFA_PIXEL_MODE_ITERM2
    case .blocks: CHAFA_PIXEL_MODE_SYMBOLS
    }
  }

  private static func mode(_ colours: PictureColours) -> ChafaCanvasMode {
    switch colours {
    case .truecolor: CHAFA_CANVAS_MODE_TRUECOLOR
    case .indexed256: CHAFA_CANVAS_MODE_INDEXED_256
    case .indexed16: CHAFA_CANVAS_MODE_INDEXED_16
    case .none: CHAFA_CANVAS_MODE_FGBG
    }
  }
}
