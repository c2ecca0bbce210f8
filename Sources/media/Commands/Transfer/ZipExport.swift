import PostFiles
import Posts
import Storage
import Transfer
import Wording

extension ExportCommand {
  /// Writes the files of the chosen posts into a zip.
  func exportZip(_ app: App, _ publication: Publication) throws {
    let query = try query(app)
    let output = try ExportOutput(path: out, replaces: force, console: app.console)
    guard output.path != nil || !app.console.outputIsTerminal else {
      throw UsageError("a zip is no text for a terminal", cure: "name a file, or lead it into another program")
    }
    var zip = PostZip(of: app.library.blobs, by: try files.template())
    let line = LiveLine(app.console)
    defer { line.clear() }
    try app.library.withStore(for: .reading) { store in
      try store.eachPost(query) { post in
        guard publication.takes(post) else { return }
        zip.add(post)
        while let piece = try zip.next() { try output.write(piece) }
        line.show(ProgressBar(title: "export", done: zip.result.written, unit: "files", bytes: zip.result.bytes))
      }
    }
    try output.write(try zip.end(at: app.time.now()))
    try output.finish()
    line.clear()
    try report(zip.result, output, app.console)
    guard !zip.result.lost.isEmpty else { return }
    // What else was left out is said before that ends the command.
    publication.report(to: app.console)
    try sayHidden(query, app)
    app.console.message(
      "\(NumberText.count(zip.result.lost.count, "picture")) could not be copied: run \"media check\"")
    throw ExitHandling.Quiet(code: .partial)
  }

  private func report(_ result: PostZip.Result, _ output: ExportOutput, _ console: Console) throws {
    if let path = output.path {
      if global.json {
        try console.result(
          try JSONText.object([
            "format": TransferFormat.zip.rawValue, "path": path, "written": result.written, "same": result.same,
            "missing": result.missing, "lost": result.lost.count, "bytes": output.byteCount,
          ]))
      } else {
        let same = result.same > 0 ? ", \(result.same) are in several posts" : ""
        let missing = result.missing > 0 ? ", \(NumberText.count(result.missing, "picture")) not downloaded" : ""
        console.message(
          "Wrote \(NumberText.count(result.written, "file")) (\(NumberText.bytes(result.bytes))) into \(path)\(same)\(missing)."
        )
      }
    }
  }
}
