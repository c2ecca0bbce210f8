import CSQLite
import Folders
import Foundation
import Synchronization

/// A folder of SQLite's files, of which is known what a loss of power would leave: what each file held when it was last
/// synced. A disk may keep more of what was written, and must keep that.
final class UnreliableDisk: Sendable {
  private let scratch: Scratch
  private let folder: String

  /// Watches the files that this process opens in a folder from now on.
  init(_ scratch: Scratch) throws {
    _ = SyncRecorder.isInstalled
    self.scratch = scratch
    guard let path = realpath(scratch.path, nil) else { throw POSIXError(.ENOENT) }
    defer { free(path) }
    folder = String(cString: path)
    SyncRecorder.watched.withLock { [folder] in $0[folder] = [:] }
  }

  deinit { SyncRecorder.watched.withLock { [folder] in $0[folder] = nil } }

  /// What a loss of power at this moment would leave, in a folder of its own.
  func afterPowerLoss() throws -> Scratch {
    let left = try Scratch()
    for (name, bytes) in SyncRecorder.watched.withLock({ [folder] in $0[folder] ?? [:] }) {
      try Data(bytes).write(to: URL(fileURLWithPath: "\(left.path)/\(name)"))
    }
    return left
  }
}

/// SQLite's own access to files (its VFS), with notes of what a sync makes durable. It is the default of this process from
/// the first watched folder on. Files in other folders are opened as before. https://sqlite.org/vfs.html
private enum SyncRecorder {
  /// The contents of the files of each watched folder when they were last synced.
  static let watched: Mutex<[String: [String: [UInt8]]]> = Mutex([:])
  /// An open file in a watched folder.
  private struct File: @unchecked Sendable {
    let path: String
    /// SQLite's own functions for it. They are constants of the library.
    let methods: UnsafePointer<sqlite3_io_methods>
  }

  /// The open files in watched folders, by the addresses of SQLite's structures for them.
  private static let files: Mutex<[Int: File]> = Mutex([:])
  /// For each set of SQLite's functions for a file, by its address: the address of the same set with `synced` and `closed`.
  private static let notingMethods: Mutex<[Int: Int]> = Mutex([:])
  nonisolated(unsafe) private static let usual = sqlite3_vfs_find(nil)!.pointee

  static let isInstalled: Bool = {
    let vfs = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    vfs.initialize(to: usual)
    vfs.pointee.zName = UnsafePointer(strdup("unreliable disk"))
    vfs.pointee.pNext = nil
    vfs.pointee.xOpen = { vfs, name, file, flags, result in
      let code = SyncRecorder.usual.xOpen(vfs, name, file, flags, result)
      if code == SQLITE_OK, let name, let file { SyncRecorder.note(String(cString: name), file) }
      return code
    }
    vfs.pointee.xDelete = { vfs, name, isSynced in
      let code = SyncRecorder.usual.xDelete(vfs, name, isSynced)
      if code == SQLITE_OK, let name { SyncRecorder.set(nil, at: String(cString: name)) }
      return code
    }
    return sqlite3_vfs_register(vfs, 1) == SQLITE_OK
  }()

  private static func note(_ path: String, _ file: UnsafeMutablePointer<sqlite3_file>) {
    guard watched.withLock({ $0[folder(of: path)] != nil }), let methods = file.pointee.pMethods else { return }
    files.withLock { $0[Int(bitPattern: file)] = File(path: path, methods: methods) }
    let noting = notingMethods.withLock { made in
      if let address = made[Int(bitPattern: methods)] { return address }
      let address = Int(bitPattern: copy(methods))
      made[Int(bitPattern: methods)] = address
      return address
    }
    file.pointee.pMethods = UnsafePointer(bitPattern: noting)
  }

  private static func copy(
    _ methods: UnsafePointer<sqlite3_io_methods>
  ) -> UnsafeMutablePointer<sqlite3_io_methods> {
    let noting = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    noting.initialize(to: methods.pointee)
    noting.pointee.xSync = { SyncRecorder.synced($0, $1) }
    noting.pointee.xClose = { SyncRecorder.closed($0) }
    return noting
  }

  private static func synced(_ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32) -> Int32 {
    guard let open = files.withLock({ $0[Int(bitPattern: file)] }) else { return SQLITE_IOERR }
    let code = open.methods.pointee.xSync(file, flags)
    if code == SQLITE_OK, let data = FileManager.default.contents(atPath: open.path) {
      set(Array(data), at: open.path)
    }
    return code
  }

  private static func closed(_ file: UnsafeMutablePointer<sqlite3_file>?) -> Int32 {
    guard let open = files.withLock({ $0.removeValue(forKey: Int(bitPattern: file)) }) else { return SQLITE_IOERR }
    return open.methods.pointee.xClose(file)
  }

  private static func set(_ bytes: [UInt8]?, at path: String) {
    let name = String(path.dropFirst(folder(of: path).count + 1))
    watched.withLock { $0[folder(of: path)]?[name] = bytes }
  }

  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
  }
}
