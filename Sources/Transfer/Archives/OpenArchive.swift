import CArchive
import Glibc
import Machine

/// An archive that is read from its beginning to its end, by libarchive. Used by one thread.
final class OpenArchive {
  /// What an entry is.
  enum Entry {
    case file(any ImportFile)
    case folder
    /// Something that is not read, in the plural.
    case passedOver(String)
  }

  /// libarchive's functions, never freed; nil if it is missing. Nothing writes to them once they are found, so any thread
  /// may read them.
  nonisolated(unsafe) static let shared = archive_shim_open()

  private let library: ArchiveShim
  private let archive: OpaquePointer
  private let name: String
  /// The most bytes that may come out of it.
  private let most: Int
  private var read = 0
  private let locale: UnsafeMutableRawPointer?
  private let before: UnsafeMutableRawPointer?

  /// Opens an archive.
  ///
  /// - Parameters:
  ///   - file: The archive's descriptor.
  ///   - name: Its name for people.
  ///   - most: The most bytes that may come out of it.
  /// - Throws: `ImportError` if it is none.
  init(_ file: Int32, name: String, most: Int) throws {
    guard let library = Self.shared?.pointee, let archive = library.read_new() else {
      throw ImportError.unreadable(path: name, reason: SystemLibrary.missing("libarchive.so.13"))
    }
    (self.library, self.archive, self.name, self.most) = (library, archive, name, most)
    locale = archive_shim_utf8()
    before = archive_shim_use_locale(locale)
    archive_shim_support(Self.shared, archive)
    guard file >= 0 else { return }
    lseek(file, 0, SEEK_SET)
    try expect(library.read_open_fd(archive, file, 256 << 10))
  }

  /// The content of a single compressed file.
  ///
  /// - Parameters:
  ///   - bytes: The compressed bytes.
  ///   - most: The most bytes that may come out of them.
  /// - Throws: `ImportError` if they are damaged or grow larger.
  static func unpacked(_ bytes: [UInt8], most: Int) throws -> [UInt8]? {
    try bytes.withUnsafeBytes { bytes in
      let archive = try OpenArchive(-1, name: "a compressed file", most: most)
      try archive.expect(archive.library.read_open_memory(archive.archive, bytes.baseAddress, bytes.count))
      guard case .file(let file) = try archive.next() else { return nil }
      return try file.readAll(most: most)
    }
  }

  deinit {
    _ = library.read_free(archive)
    _ = archive_shim_use_locale(before)
    if let locale { archive_shim_free_locale(locale) }
  }

  /// The next entry; nil at the end.
  func next() throws -> Entry? {
    var found: OpaquePointer?
    let code = library.read_next_header(archive, &found)
    if code == Int32(archive_shim_end) { return nil }
    try expect(code)
    try checkSize()
    guard let entry = found else { return nil }
    if library.entry_is_encrypted(entry) != 0 {
      throw ImportError.unreadable(path: name, reason: "it is encrypted")
    }
    if library.entry_hardlink(entry) != nil || library.entry_symlink(entry) != nil { return .passedOver("links") }
    switch UInt32(library.entry_filetype(entry)) {
    case UInt32(archive_shim_folder): return .folder
    case UInt32(archive_shim_file), 0: break
    default: return .passedOver("devices and pipes")
    }
    guard let path = path(of: entry) else { return .passedOver("files whose names lead out of the archive") }
    let size = library.entry_size_is_set(entry) != 0 ? Int(library.entry_size(entry)) : nil
    return .file(ArchiveFile(path: path, byteCount: size, archive: self))
  }

  /// The path of an entry, if it leads nowhere else.
  private func path(of entry: OpaquePointer) -> String? {
    if library.format(archive) == Int32(archive_shim_raw) { return stem }
    guard let bytes = library.entry_pathname(entry) ?? library.entry_pathname_utf8(entry) else { return nil }
    let path = String(cString: bytes)
    var parts = path.split(separator: "/", omittingEmptySubsequences: false)
    if parts.first == "." { parts.removeFirst() }
    let isFit = parts.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." && !$0.contains("\\") }
    return isFit && !parts.isEmpty ? parts.joined(separator: "/") : nil
  }

  /// A single compressed file is called as the archive without its last ending.
  private var stem: String {
    let file = name.split(separator: "/").last.map(String.init) ?? name
    return file.lastIndex(of: ".").map { String(file[..<$0]) } ?? file
  }

  fileprivate func read(upTo count: Int) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let received = library.read_data(archive, &bytes, count)
    guard received >= 0 else { throw failure() }
    read += received
    try checkSize()
    bytes.removeLast(count - received)
    return bytes
  }

  private func checkSize() throws {
    guard read <= most, library.filter_bytes(archive, 0) <= most else {
      throw ImportError.tooLarge(path: name, reason: "it would grow to more than \(most >> 20) MB")
    }
  }

  private func expect(_ code: Int32) throws {
    guard code == Int32(archive_shim_ok) || code == Int32(archive_shim_warn) else { throw failure() }
  }

  private func failure() -> ImportError {
    let reason = library.error_string(archive).map { String(cString: $0) } ?? "it is damaged"
    return reason.lowercased().contains("truncated")
      ? .cutShort(path: name) : .unreadable(path: name, reason: reason)
  }
}

/// A file of an archive, which can be read until the next one is asked for.
private final class ArchiveFile: ImportFile {
  let path: String
  let byteCount: Int?
  private let archive: OpenArchive

  init(path: String, byteCount: Int?, archive: OpenArchive) {
    (self.path, self.byteCount, self.archive) = (path, byteCount, archive)
  }

  func read(upTo most: Int) throws -> [UInt8] { try archive.read(upTo: most) }
}
