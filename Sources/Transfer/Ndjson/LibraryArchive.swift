import Blobs
import FoundationEssentials
import Glibc
import Machine
import Storage

/// A library as one tar archive: its lines of JSON, `library.ndjson`, and the pictures that they name, as a library has them:
/// `blobs/ab/cdef…`. The lines come first, so that a reader knows at once what it is.
public enum LibraryArchive {
  /// The name of the lines.
  static let linesName = "library.ndjson"
  /// A picture that is named again after so many others is written again, rather than that all are remembered.
  private static let remembered = 200_000

  /// Writes an archive.
  ///
  /// - Parameters:
  ///   - path: What people call the archive; the lines are kept beside it until their length is known.
  ///   - store: The library.
  ///   - blobs: Its pictures.
  ///   - query: The posts; nil for everything.
  ///   - raw: Whether posts have their verbatim answers.
  ///   - program: The version of the program.
  ///   - now: The current time.
  ///   - write: Takes the archive's next bytes.
  /// - Returns: What was written.
  /// - Throws: `StorageError`, `NewFileError`, or what `write` throws.
  public static func write(
    to path: String, _ store: Store, _ blobs: any BlobStoring, of query: PostQuery?, raw: Bool,
    program: String, now: Date, write: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws -> NdjsonExport.Result {
    let folder = PathText.parent(of: path)
    guard let lines = UnnamedFile(in: folder.isEmpty ? "." : folder) else { throw NewFileError(path, errno) }
    var result = try NdjsonExport(of: store, program: program, now: now).run(of: query, raw: raw) { piece in
      if let code = piece.withUnsafeBytes(lines.append) { throw NewFileError(path, code) }
    }
    func read(_ offset: Int) throws -> [UInt8] {
      guard let bytes = lines.bytes(at: offset) else { throw NewFileError(path, errno) }
      return bytes
    }
    let tar = try TarWriter(path, to: write)
    try tar.add(linesName, byteCount: lines.byteCount, time: now) { put in
      var offset = 0
      while case let piece = try read(offset), !piece.isEmpty {
        try put(piece)
        offset += piece.count
      }
    }
    var offset = 0
    var reader = NdjsonReader {
      let piece = try read(offset)
      offset += piece.count
      return piece
    }
    var seen: Set<BlobID> = []
    while let line = try reader.next() {
      guard case .record(let record, _) = line else { continue }
      if seen.count >= remembered { seen = [] }
      for id in record.blobs where seen.insert(id).inserted {
        if try add(id, of: blobs, to: tar) { result.pictures += 1 } else { result.missing += 1 }
      }
    }
    try tar.finish()
    return result
  }

  private static let piece = 1 << 20

  /// - Returns: False if the library does not have the bytes.
  private static func add(_ id: BlobID, of blobs: any BlobStoring, to tar: TarWriter) throws -> Bool {
    guard let blob = try? blobs.stat(id), let first = try? blobs.fetch(id, 0..<min(piece, blob.byteCount)),
      first.count == min(piece, blob.byteCount)
    else { return false }
    var count = first.count
    try tar.add(id.path, byteCount: blob.byteCount, time: blob.storedAt) { put in
      try put(first)
      while count < blob.byteCount, let next = try? blobs.fetch(id, count..<min(count + piece, blob.byteCount)),
        !next.isEmpty
      {
        try put(next)
        count += next.count
      }
    }
    return count == blob.byteCount
  }

  /// The lines of a library in an archive, wherever in it; nil if the first files are others.
  static func lines(in tree: ArchiveTree) throws -> String? {
    var (found, left): (String?, Int) = (nil, mostLookedAt)
    try tree.eachFile { file in
      if file.path.hasSuffix(".ndjson"), NdjsonReader.recognizes(try file.read(upTo: 4096)) { found = file.path }
      left -= 1
      return found == nil && left > 0
    }
    return found
  }

  private static let mostLookedAt = 300

  /// Whether a file is an archive with a library in it.
  ///
  /// - Throws: `ImportError` if it is an archive that cannot be read.
  public static func recognizes(_ path: String) throws -> Bool {
    try ArchiveTree(path).map { try lines(in: $0) != nil } ?? false
  }

  /// Reads an archive into a library: its pictures first, then the lines.
  ///
  /// - Parameters:
  ///   - path: The archive.
  ///   - store: The library.
  ///   - blobs: Its pictures, which nobody removes meanwhile.
  ///   - dryRun: Whether nothing is stored.
  ///   - now: The current time.
  ///   - onProgress: Is told the result so far, after each batch.
  /// - Returns: What was done.
  /// - Throws: `ImportError.notRecognized` if the file is no archive of a library, another `ImportError`, `NdjsonError`, `StorageError` or `BlobError`. What was merged before stays.
  public static func read(
    _ path: String, into store: Store, _ blobs: any BlobStoring, dryRun: Bool, now: Date,
    onProgress: (NdjsonImport.Result) throws -> Void = { _ in }
  ) throws -> NdjsonImport.Result {
    guard let tree = try ArchiveTree(path), let lines = try lines(in: tree) else {
      throw ImportError.notRecognized(path: path)
    }
    let arriving = dryRun ? try pictures(of: tree) : []
    let pictures = dryRun ? 0 : try keepPictures(of: tree, in: blobs)
    var result = NdjsonImport.Result()
    try tree.eachFile { file in
      guard file.path == lines else { return true }
      let merging = NdjsonImport(into: store, blobs: blobs, dryRun: dryRun, arriving: arriving, now: now)
      result = try merging.run(read: { try file.read(upTo: 1 << 20) }, onProgress: onProgress)
      return false
    }
    result.pictures += pictures
    return result
  }

  private static func pictures(of tree: ArchiveTree) throws -> Set<BlobID> {
    var found: Set<BlobID> = []
    try tree.eachFile { file in
      if let id = picture(file.path) { found.insert(id) }
      return true
    }
    return found
  }

  private static func picture(_ path: String) -> BlobID? {
    let parts = path.split(separator: "/").suffix(3)
    return parts.first == "blobs" ? BlobID(parts.dropFirst().joined()) : nil
  }

  /// Stores the pictures under the names that they have, if these are those of their bytes.
  private static func keepPictures(of tree: ArchiveTree, in blobs: any BlobStoring) throws -> Int {
    var (drafts, count): ([any BlobReceiving], Int) = ([], 0)
    func keep() throws {
      count += try blobs.keep(drafts).count { !$0.wasStored }
      drafts = []
    }
    try tree.eachFile { file in
      guard let id = picture(file.path), try blobs.stat(id) == nil else { return true }
      let draft = try blobs.draft()
      try file.write(to: draft)
      if try draft.finish().id == id { drafts.append(draft) } else { draft.discard() }
      if drafts.count >= 64 { try keep() }
      return true
    }
    try keep()
    return count
  }
}
