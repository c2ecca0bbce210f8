import Blobs
import FoundationEssentials
import Posts
import Storage

/// The files of posts as a zip archive that is made while it is read, without a temporary file.
///
/// A file is read and compared with its name before its header is written: what is missing or damaged is left out whole. One
/// of up to `piece` bytes is read once, a longer one twice. The last file, `left out.txt`, says what is not there.
///
/// Posts are added, then the bytes that they make are taken, and at last the end. It keeps a piece of one file, the
/// directory of the archive, and what tells two names apart.
package struct PostZip {
  private let blobs: any BlobStoring
  private let template: NameTemplate
  private var writer = ZipWriter()
  private var names = ZipNames()
  private var waiting: [File] = []
  private var reading: Reading?
  /// What was done so far.
  package private(set) var result = Result()

  /// What is in an archive.
  package struct Result: Sendable, Equatable {
    /// Its files, without `left out.txt`.
    package var written = 0
    /// Files that other posts have, too, under the same name.
    package var same = 0
    /// The length of its files in bytes.
    package var bytes = 0
    /// Attachments that were never downloaded.
    package var missing = 0
    /// Paths of files that the library has lost.
    package var lost: [String] = []
  }

  private struct File {
    let path: String
    let blob: BlobID
    let time: Date
  }

  private struct Reading {
    let file: File
    var sum: Checksum
    /// What the first reading found, once it is over.
    var found: Checksum?
  }

  /// What not everybody may see lies apart, so that it is not handed on unseen.
  private static let privateFolder = FileName(folder: "private")
  /// How many bytes are read at a time: hardly any picture has more.
  private static let piece = 4 << 20

  /// An archive without files.
  ///
  /// - Parameters:
  ///   - blobs: The library's pictures.
  ///   - template: The template of the names.
  package init(of blobs: any BlobStoring, by template: NameTemplate) { (self.blobs, self.template) = (blobs, template) }

  /// Adds the files of a post.
  package mutating func add(_ post: StoredPost) {
    for (index, attachment) in post.attachments.enumerated() {
      guard attachment.state == .stored, let blob = attachment.blob else {
        result.missing += 1
        continue
      }
      let file = NamedFile(post, index, by: template)
      if let path = names.path(of: post.visibility.isPublishable ? file : file.in(Self.privateFolder), blob) {
        waiting.append(File(path: path, blob: blob, time: post.createdAt))
      } else {
        result.same += 1
      }
    }
  }

  /// The next bytes of the archive, which may be none.
  ///
  /// - Returns: Nil once the files of all posts that were added are out.
  /// - Throws: `ZipError`; `BlobError.service` if the store of blobs cannot be used.
  package mutating func next() throws -> [UInt8]? {
    if reading == nil {
      guard !waiting.isEmpty else { return nil }
      reading = Reading(file: waiting.removeFirst(), sum: try Checksum())
    }
    guard var now = reading else { return nil }
    // It is put back unless it is over.
    reading = nil
    return try now.found == nil ? readFirst(&now) : readAgain(&now)
  }

  /// Reads a piece for the first time.
  private mutating func readFirst(_ now: inout Reading) throws -> [UInt8] {
    let start = Int(now.sum.byteCount)
    let piece: [UInt8]
    do throws(BlobError) { piece = try blobs.fetch(now.file.blob, start..<start + Self.piece) } catch {
      if case .service = error { throw error }
      result.lost.append(now.file.path)
      return []
    }
    now.sum.add(piece)
    guard piece.count < Self.piece else {
      reading = now
      return []
    }
    guard now.sum.name() == now.file.blob else {
      result.lost.append(now.file.path)
      return []
    }
    result.written += 1
    result.bytes += Int(now.sum.byteCount)
    let header = writer.header(
      of: .init(path: now.file.path, byteCount: now.sum.byteCount, checksum: now.sum.crc, time: now.file.time))
    if start == 0 { return header + piece }
    (now.found, now.sum) = (now.sum, try Checksum())
    reading = now
    return header
  }

  /// Reads a piece again. Nothing can be left out any more.
  private mutating func readAgain(_ now: inout Reading) throws -> [UInt8] {
    guard let found = now.found else { return [] }
    let (start, end) = (Int(now.sum.byteCount), Int(found.byteCount))
    let range = start..<min(start + Self.piece, end)
    guard let piece = try? blobs.fetch(now.file.blob, range), piece.count == range.count else {
      throw ZipError.changed(now.file.path)
    }
    now.sum.add(piece)
    if range.upperBound < end {
      reading = now
    } else if now.sum.crc != found.crc {
      throw ZipError.changed(now.file.path)
    }
    return piece
  }

  /// The last bytes of the archive.
  ///
  /// - Parameter now: The current time.
  package mutating func end(at now: Date) throws -> [UInt8] {
    var end: [UInt8] = []
    if let text = result.text {
      let bytes = Array(text.utf8)
      var sum = try Checksum()
      sum.add(bytes)
      let path = names.path(of: "left out")
      end += writer.header(
        of: .init(path: path, byteCount: sum.byteCount, checksum: sum.crc, time: now))
      end += bytes
    }
    return end + writer.end()
  }
}

extension PostZip.Result {
  /// What is not in the archive, for people; nil if nothing is.
  fileprivate var text: String? {
    guard missing + lost.count > 0 else { return nil }
    let never = missing > 0 ? "Never downloaded: \(missing)\n" : ""
    let gone = lost.isEmpty ? "" : "Missing or damaged in the library (run \"media check\"):\n"
    return never + gone + lost.map { "\($0)\n" }.joined()
  }
}
