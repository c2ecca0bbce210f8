import Blobs
import FoundationEssentials
import Rows

extension PictureText {
  /// The columns of `picture_text t`, as `init` reads them.
  static let columns = "t.engine AS read_by, t.text AS read_text, t.boxes AS read_boxes"

  /// The text in a picture; nil if there is none, or it was not read.
  init?(of file: Int64, in db: Database) throws {
    let text = try db.row("SELECT \(Self.columns) FROM picture_text t WHERE t.blob = $1", [file]) {
      try PictureText($0)
    }
    guard let text = text ?? nil else { return nil }
    self = text
  }

  /// The text in a row with `columns`; nil if the row has none.
  init?(_ row: some RowReading) throws {
    let (engine, text, boxes): (String?, String?, String?) = try (row["read_by"], row["read_text"], row["read_boxes"])
    guard let engine, let text else { return nil }
    let numbers = boxes.flatMap { try? JSONDecoder().decode([Int].self, from: Data($0.utf8)) } ?? []
    let lines = text.split(separator: "\n").map(String.init)
    // Another program may have written what does not fit.
    let known = numbers.count == 4 * lines.count ? numbers : [Int](repeating: 0, count: 4 * lines.count)
    self.init(
      engine: engine, lines: lines.indices.map { Line(lines[$0], box: Array(known[4 * $0..<4 * $0 + 4])) })
  }

  /// Stores it as that of a file, which must have none.
  func store(of file: Int64, in db: Database) throws {
    try db.run(
      "INSERT INTO picture_text (blob, engine, text, boxes) VALUES ($1, $2, $3, $4)",
      [file, engine.storable, text.storable, lines.flatMap(\.box).map(Int64.init).jsonList])
  }
}
