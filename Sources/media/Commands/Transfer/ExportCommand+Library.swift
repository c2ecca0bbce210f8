import Blobs
import FoundationEssentials
import Posts
import Storage
import Transfer
import Wording

extension ExportCommand {
  /// Writes everything, or the chosen posts with what they need. Addresses of feeds may hold keys, so that their owner
  /// alone may read the file.
  func exportLibrary(_ app: App) throws {
    let query = areChosen ? try query(app) : nil
    let output = try ExportOutput(path: out, replaces: force, isPrivate: true, console: app.console)
    let copier = try blobs.map { try Self.copier(from: app.library.blobs, to: $0) }
    let result = try app.library.withStore(for: .reading) { store in
      if let path = output.path, isArchive {
        return try LibraryArchive.write(
          to: path, store, app.library.blobs, of: query, raw: raw, program: Media.version, now: app.time.now()
        ) { try output.write($0) }
      }
      return try NdjsonExport(of: store, program: Media.version, now: app.time.now()).run(
        of: query, raw: raw, copying: copier
      ) { try output.write($0) }
    }
    try output.finish()
    if result.pictures > 0 { app.console.message("Copied \(NumberText.count(result.pictures, "picture")).") }
    if result.missing > 0 {
      app.console.message("\(NumberText.count(result.missing, "picture")) could not be copied: run \"media check\"")
    }
    try report(result.posts, "post", output, app.console)
    if result.missing > 0 { throw ExitHandling.Quiet(code: .partial) }
  }

  private static func copier(from source: any BlobStoring, to folder: String) throws -> BlobCopier {
    do { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) } catch {
      throw UsageError("--blobs \(folder) cannot be made", cure: "name a folder that may be written")
    }
    return BlobCopier(from: source, to: DiskBlobs(library: folder))
  }

  /// Writes the posts made by hand as planner entries.
  func exportEntries(_ app: App, _ publication: Publication) throws {
    let query = areChosen ? try query(app) : nil
    let output = try ExportOutput(path: out, replaces: force, console: app.console)
    let count = try app.library.withStore(for: .reading) { store in
      let names = try store.postsMadeByHand()
      let files = format == .ics ? app.library.blobs : nil
      var document = EntryDocument(uris: names.map(\.uri), format: format, blobs: files, version: Media.version)
      return try document.write(query, names.map(\.id), from: store, where: publication.takes) { try output.write($0) }
    }
    try output.finish()
    if count.filesLeftOut > 0 {
      app.console.message("\(NumberText.count(count.filesLeftOut, "file")) left out: larger than 4 MB, or missing")
    }
    try report(count.entries, "post", output, app.console)
  }
}
