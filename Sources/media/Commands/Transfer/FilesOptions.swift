import ArgumentParser
import PostFiles
import Storage
import Terminal
import Transfer
import Wording

/// The options of `media export` that write the pictures and files themselves.
struct FilesOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The folder into which pictures and files are written.", valueName: "dir"),
    completion: .directory)
  var files: String?

  @Option(
    help: ArgumentHelp(
      "With --files and zip: the names, by default \(NameTemplate.standard). The fields: \(NameField.allCases.map(\.rawValue).joined(separator: ", ")).",
      valueName: "template"))
  var name: String?

  @Option(
    help: ArgumentHelp(
      "With --files: what is written beside each file, of \(Sidecar.allCases.map(\.rawValue).joined(separator: ", ")).",
      valueName: "list"))
  var sidecars: String?

  @Flag(help: "With --files: hard links instead of copies. A link shares its bytes with the library.")
  var link = false

  /// Whether any of them is given.
  var areGiven: Bool { files != nil }

  func validate() throws {
    guard files != nil else {
      if sidecars != nil || link { throw ValidationError("--sidecars and --link go with --files") }
      return
    }
    if files?.isEmpty == true { throw ValidationError("--files is empty") }
    _ = try chosen()
  }

  /// The names of files.
  func template() throws -> NameTemplate { try NameTemplate(name ?? NameTemplate.standard) }

  /// What is written.
  func plan() throws -> FileExport.Plan {
    FileExport.Plan(
      template: try template(), sidecars: try chosen(), links: link,
      modes: FileModes(file: CallerUmask.fileMode))
  }

  private func chosen() throws -> Set<Sidecar> {
    let names = sidecars?.split(separator: ",").map { $0.trimmingPrefix(" ") } ?? []
    return Set(
      try names.map { name in
        guard let sidecar = Sidecar(rawValue: String(name)) else {
          let known = Sidecar.allCases.map(\.rawValue).joined(separator: ", ")
          throw ValidationError("--sidecars has \"\(name)\", which is unknown: write some of \(known)")
        }
        return sidecar
      })
  }
}

/// Writes pictures and files into a folder.
struct FilesExport {
  let console: Console
  let library: LibraryOpener
  let options: FilesOptions
  let json: Bool
  let includesPrivate: Bool
  /// Whether what is written beside them has the marks.
  let marks: Bool

  /// Writes those of the chosen posts, and says what was done.
  func run(_ query: PostQuery) throws {
    guard let path = options.files else { return }
    var plan = try options.plan()
    plan.marks = marks
    if plan.links {
      console.message(
        "media: a link shares its bytes with the library: what changes the file damages the library's picture")
    }
    let publication = Publication(includesPrivate: includesPrivate)
    let line = LiveLine(console)
    defer { line.clear() }
    let export = try FileExport(into: path, from: library.blobs, plan) { post, file in
      try JSONText.line(PostLine(post, file: file, marks: plan.marks)).text + "\n"
    }
    try library.withStore(for: .reading) { store in
      try store.eachPost(query) { post in
        guard publication.takes(post) else { return }
        try export.add(post)
        let done = export.result.written + export.result.left + export.result.same
        line.show(ProgressBar(title: "export", done: done, unit: "files", bytes: export.result.bytes))
      }
    }
    try export.finish()
    line.clear()
    publication.report(to: console)
    try report(export.result, path, plan)
  }

  private func report(_ result: FileExportResult, _ path: String, _ plan: FileExport.Plan) throws {
    if json {
      return try console.result(
        try JSONText.object([
          "files": path, "written": result.written, "linked": result.linked, "left": result.left, "same": result.same,
          "bytes": result.bytes, "missing": result.missing, "sidecars": result.sidecars, "kept": result.keptSidecars,
        ]))
    }
    let written = "Wrote \(NumberText.count(result.written, "file")) (\(NumberText.bytes(result.bytes))) into \(path)"
    let left = result.left > 0 ? ", \(result.left) were there" : ""
    let same = result.same > 0 ? ", \(result.same) are in several posts" : ""
    let missing = result.missing > 0 ? ", \(NumberText.count(result.missing, "picture")) not downloaded" : ""
    console.message("\(written)\(left)\(same)\(missing).")
    if plan.links, result.linked < result.written {
      console.message("media: \(path) takes no links to the library: its files are copies")
    }
    if result.keptSidecars > 0 {
      console.message("media: \(NumberText.count(result.keptSidecars, "sidecar")) changed by others stayed as they are")
    }
  }
}
