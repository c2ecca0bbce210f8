import Web
import Wording

/// The space that the library takes, as a bar of the disk and as a table.
struct SpacePart {
  let space: SpaceUsed

  private struct Row {
    let name: String
    let tone: String
    let bytes: Int
    var note = ""
  }

  private var rows: [Row] {
    [
      space.store.map { Row(name: "Posts", tone: "series-1", bytes: $0, note: "one file") },
      Row(
        name: "Pictures and files", tone: "series-2", bytes: space.blobs,
        note: NumberText.count(space.blobCount, "file")),
      Row(name: "Thumbnails", tone: "series-3", bytes: space.thumbnails, note: "made again when they are missing"),
    ].compactMap(\.self)
  }

  var html: HTML {
    let disk = space.disk.map { disk -> HTML in
      """
      <tr><th scope="row">Free on the disk</th><td class="number">\(NumberText.bytes(Int(disk.free)))</td>\
      <td class="soft">of \(NumberText.bytes(Int(disk.size)))</td></tr>
      """
    }
    let lines = rows.map { row -> HTML in
      """
      <tr><th scope="row"><span class="swatch \(row.tone)" aria-hidden="true"></span> \(row.name)</th>\
      <td class="number">\(NumberText.bytes(row.bytes))</td><td class="soft">\(row.note)</td></tr>
      """
    }
    return """
      <section class="card"><h2>Space</h2>\(bar)<table class="space"><caption class="visually-hidden">Space used</caption>\
      <tbody>\(HTML.joined(lines))\(disk ?? "")</tbody></table></section>
      """
  }

  /// The parts beside each other. On a disk that is mostly others', they are drawn as parts of the library.
  private var bar: HTML {
    let sum = rows.reduce(0) { $0 + $1.bytes }
    guard sum > 0 else { return "" }
    var position = 0.0
    let parts = rows.map { row -> HTML in
      let part = Double(row.bytes) / Double(sum)
      defer { position += part }
      return """
        <rect class="\(row.tone)" x="\(NumberText.percent(position))" width="\(NumberText.percent(part))" height="16">\
        <title>\(row.name): \(NumberText.bytes(row.bytes))</title></rect>
        """
    }
    return
      "<svg class=\"parts\" width=\"100%\" height=\"16\" aria-hidden=\"true\" focusable=\"false\">\(HTML.joined(parts))</svg>"
  }
}
