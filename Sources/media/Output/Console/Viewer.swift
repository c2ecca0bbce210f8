import Blobs
import FoundationEssentials
import Glibc
import MediaLibrary
import Posts
import Synchronization

/// Opens stored pictures in the user's or the desktop's viewer. The viewer receives a copy, so that its changes do not
/// reach the library.
final class Viewer: Sendable {
  private let blobs: any BlobStoring
  private let environment: [String: String]
  /// The folder of the copies, once created, and the time of the last copy.
  private let copies = Mutex<(folder: String, last: ContinuousClock.Instant)?>(nil)

  /// The time that a program needs to read its file.
  private static let patience = Duration.seconds(10)
  /// Documents that can run scripts are not opened.
  private static let extensions: [MediaType: String] = [
    .jpeg: "jpg", .png: "png", .gif: "gif", .webp: "webp", .avif: "avif", .heic: "heic", .bmp: "bmp", .tiff: "tiff",
    .mp4: "mp4", .quickTime: "mov", .webm: "webm", .matroska: "mkv", .mp3: "mp3", .m4a: "m4a", .ogg: "ogg",
    .wav: "wav", .flac: "flac",
  ]

  /// A viewer of a library's pictures.
  init(blobs: any BlobStoring, environment: [String: String]) { (self.blobs, self.environment) = (blobs, environment) }

  /// Passes a copy of a picture to the viewer: the user's shell command if there is one.
  ///
  /// - Parameter onFailure: Called when the program fails.
  func open(
    _ id: BlobID, with line: String?, onFailure: @escaping @Sendable (ViewerError) -> Void
  ) throws(ViewerError) {
    let (program, arguments) = try opener(line)
    let file = try copy(id)
    let name = line ?? "xdg-open"
    guard let child = try? ChildProcess(program, arguments + [file]) else { throw .ended(name, status: 127) }
    child.waitInBackground { status in
      if status != 0 { onFailure(.ended(name, status: status)) }
    }
  }

  /// Removes the copies, except those that a program may not have read yet.
  func close() {
    copies.withLock { copies in
      guard let made = copies, ContinuousClock.now - made.last > Self.patience else { return }
      try? FileManager.default.removeItem(atPath: made.folder)
      copies = nil
    }
  }

  private func opener(_ line: String?) throws(ViewerError) -> (program: String, arguments: [String]) {
    // The file's name is an argument, and never a part of what the shell parses.
    if let line { return ("/bin/sh", ["-c", "\(line) \"$1\"", "sh"]) }
    let hasDesktop = ["DISPLAY", "WAYLAND_DISPLAY"].contains { environment[$0]?.isEmpty == false }
    guard hasDesktop, let program = Programs.onPath("xdg-open", environment) else { throw .noProgram }
    return (program, [])
  }

  // MARK: The copy

  private func copy(_ id: BlobID) throws(ViewerError) -> String {
    guard let type = try? blobs.header(of: id).type else { throw .unreadable }
    guard let suffix = Self.extensions[type] else { throw .refused(type) }
    let file = "\(try folder())/\(id.hex.prefix(16)).\(suffix)"
    unlink(file)
    do throws(BlobError) { try blobs.copy(id, to: file) } catch { throw .notCopied }
    return file
  }

  /// A folder that only its owner can enter.
  private func folder() throws(ViewerError) -> String {
    let parent = environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
    let made = copies.withLock { copies -> String? in
      if copies == nil {
        var template = Array("\(parent)/media-view.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { return nil }
        copies = (String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self), .now)
      }
      copies?.last = .now
      return copies?.folder
    }
    guard let made else { throw .notCopied }
    return made
  }
}

/// Why a picture is not opened.
enum ViewerError: ExplainedError, Equatable {
  /// Neither the user nor the desktop has a viewer for it.
  case noProgram
  /// The stored bytes are missing or of an unknown type.
  case unreadable
  /// Its type is not opened.
  case refused(MediaType)
  /// There is no disk space for a copy.
  case notCopied
  /// The program failed.
  case ended(String, status: Int32)

  var summary: String {
    switch self {
    case .noProgram: "no program opens pictures here"
    case .unreadable: "the stored picture cannot be read"
    case .refused(let type): "it is \(type.rawValue), which is not opened: it could run scripts"
    case .notCopied: "the picture cannot be copied for the program that opens it"
    case .ended(let program, let status): "\(program) failed with status \(status)"
    }
  }

  var cure: String? {
    switch self {
    case .noProgram, .ended: "media settings opener \"feh\" names one"
    case .unreadable: "media check looks it through"
    case .refused: nil
    case .notCopied: "see whether the disk for temporary files is full"
    }
  }

  var exitCode: ExitCode {
    switch self {
    case .noProgram, .ended: .unavailable
    case .unreadable, .refused: .unreadable
    case .notCopied: .storage
    }
  }
}
