import JSONReading
import Posts

// What gallery-dl writes of a note: the API's answer without its files, one of which stands in each file's description.

extension DownloadReader {
  static let misskey = DownloadReader(
    recognizes: {
      $0.string("instance") != nil && $0.object("user") != nil && $0.has("createdAt") && $0.has("visibility")
    },
    read: { files, raw in
      let fields = files[0]
      guard let server = fields.string("instance").flatMap({ Server($0) }) else {
        return PageItem(id: nil, content: .unreadable(reason: "it names no server"), raw: raw)
      }
      var note = MisskeyNote(fields)
      // The description of a note without files has none. The files of a boost are those of what it repeats.
      if !fields.list("fileIds", most: 1).isEmpty { note.isBoost = false }
      let shown = files.compactMap { $0.object("file").map(MisskeyFile.init) }
      note.files = shown
      if note.isBoost, !note.other.isEmpty { note.other[0].files = shown }
      return note.pageItem(on: server, raw: raw)
    })
}
