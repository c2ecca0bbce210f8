import CStatfs
import Glibc

/// The type of the file system that holds a folder.
///
/// SQLite's write-ahead log needs memory that all processes share through a file, and reliable locks. A network file system
/// has neither: two machines would overwrite each other's writes (https://sqlite.org/wal.html, "Disadvantages").
struct FileSystem: Equatable {
  /// The type by statfs(2). Some file systems report the type of the host's file system.
  let magic: UInt32
  /// The type in the list of mounts, if it is there: `fuse.sshfs`.
  var name: String?

  /// Whether a library may be on it.
  enum Verdict: Equatable {
    case fit
    /// It is on another machine. The value is its common name.
    case remote(String)
    /// It may be the folder of a virtual machine's host. A test must show whether memory and locks are shared.
    case untried(String)
  }

  var verdict: Verdict {
    let kind = name?.split(separator: ".").last.map(String.init)
    if let remoteName { return .remote(remoteName) }
    if let kind, Self.remoteKinds.contains(kind) { return .remote(kind) }
    if let sharedName { return .untried(kind ?? sharedName) }
    if let kind, Self.sharedKinds.contains(kind) { return .untried(kind) }
    return .fit
  }

  /// The common name of a network file system, by include/uapi/linux/magic.h of Linux and the numbers that file systems
  /// outside it use.
  private var remoteName: String? {
    switch magic {
    case 0x6969: "NFS"
    case 0x517B, 0xFF53_4D42, 0xFE53_4D42: "SMB"
    case 0x5346_414F, 0x6B41_4653: "AFS"
    case 0x7375_7245: "Coda"
    case 0x564C: "NCP"
    case 0x00C3_6400: "Ceph"
    case 0x0BD0_0BD0: "Lustre"
    case 0x0116_1970: "GFS2"
    case 0x7461_636F: "OCFS2"
    case 0x4750_4653: "GPFS"
    case 0x1983_0326: "BeeGFS"
    case 0x2003_0528: "OrangeFS"
    default: nil
    }
  }

  private var sharedName: String? {
    switch magic {
    case 0x6573_5546: "FUSE"
    case 0x0102_1997: "9p"
    case 0x786F_4256: "vboxsf"
    case 0xBACB_ACBC: "vmhgfs"
    default: nil
    }
  }

  private static let sharedKinds = ["9p", "virtiofs", "vboxsf", "vmhgfs"]
  private static let remoteKinds = [
    "nfs", "nfs4", "cifs", "smb3", "smbfs", "afs", "ceph", "lustre", "sshfs", "rclone", "s3fs", "goofys", "gcsfuse",
    "blobfuse", "blobfuse2", "davfs", "curlftpfs", "glusterfs", "gvfsd-fuse", "juicefs", "ceph-fuse", "smbnetfs", "mfs",
  ]
}

extension FileSystem {
  /// The file system of a folder, or of its nearest existing parent. Nil if the system does not report it.
  init?(of folder: String) {
    var path = folder
    var status = statfs()
    while statfs(path, &status) != 0 {
      guard errno == ENOENT, let slash = path.lastIndex(of: "/") else { return nil }
      path = slash == path.startIndex ? "/" : String(path[..<slash])
      if path == folder { return nil }
    }
    magic = UInt32(truncatingIfNeeded: status.f_type)
    name = Self.mountName(of: path)
  }

  /// The type of the mount that holds a path, from proc(5), `/proc/self/mountinfo`.
  private static func mountName(of path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0, let file = fopen("/proc/self/mountinfo", "re") else { return nil }
    defer { fclose(file) }
    let device = "\(major(status.st_dev)):\(minor(status.st_dev))"
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    defer { free(line) }
    while getline(&line, &capacity, file) > 0, let text = line.map({ String(cString: $0) }) {
      let fields = text.split(separator: " ")
      guard fields.count > 3, fields[2] == device, let dash = fields.firstIndex(of: "-") else { continue }
      return fields.dropFirst(dash + 1).first.map(String.init)
    }
    return nil
  }

  private static func major(_ device: UInt) -> UInt { (device >> 8) & 0xFFF | (device >> 32) & ~0xFFF }
  private static func minor(_ device: UInt) -> UInt { device & 0xFF | (device >> 12) & ~0xFF }

  /// Whether memory can be shared through a file of that folder, and the file can be locked.
  static func sharesMemory(in folder: String) -> Bool {
    var template = Array("\(folder)/.trial-XXXXXX".utf8CString)
    let file = mkstemp(&template)
    guard file >= 0 else { return true }
    defer { close(file) }
    unlink(template)
    let size = 4096
    guard ftruncate(file, off_t(size)) == 0, let one = mapping(file, size), let other = mapping(file, size) else {
      return false
    }
    defer {
      munmap(one, size)
      munmap(other, size)
    }
    one.storeBytes(of: 0x6D, as: UInt8.self)
    var lock = flock(l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 0, l_len: 1, l_pid: 0)
    return other.load(as: UInt8.self) == 0x6D && fcntl(file, F_SETLK, &lock) == 0
  }

  private static func mapping(_ file: Int32, _ size: Int) -> UnsafeMutableRawPointer? {
    let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
    return memory == MAP_FAILED ? nil : memory
  }
}
