import ArgumentParser
import FoundationEssentials
import Glibc
import HTTP
import Harvest
import S3Blobs
import Storage
import Terminal
import Transfer

/// `media backup`
struct BackupCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup", _superCommandName: Media.name,
    abstract: "Copy the library into a folder or a bucket, and bring that copy up to date.",
    discussion: """
      The copy is a library: "media list --library FOLDER" reads it. Pulls may run meanwhile. Only what is new is copied, \
      and pictures that the library has let go are removed. If the backup is cut off, the earlier one stays whole. \
      Settings and logins outside the library are not copied. Exits with 1 if pictures of the library are missing or \
      damaged, or if the copy cannot hold all of its records.

      A bucket of an S3 service is named s3://BUCKET/PREFIX. Its key and address come from AWS_ACCESS_KEY_ID, \
      AWS_SECRET_ACCESS_KEY, AWS_REGION and AWS_ENDPOINT_URL_S3, or from ~/.aws.
      """)

  @Argument(
    help: "The folder or s3:// address: a backup of this library, or a new or empty one.", completion: .directory)
  var folder: String

  @Flag(help: "Then read everything back, check it, and copy anew what is damaged.")
  var verify = false

  @Flag(name: .customLong("new"), help: "Begin anew where a backup was before and is not found.")
  var isNew = false

  @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

  func run() async throws {
    guard !folder.isEmpty else { throw UsageError("the folder is empty", cure: "name a folder") }
    let app = try App(global)
    try app.library.expectIfNamed()
    guard app.library.exists else { throw NoLibrary(folder: app.library.path) }
    let report = BackupReport(app.console, json: global.json)
    defer { report.line.clear() }
    var hasWaited = false
    let lock = try await app.library.pictureLock.share(time: app.time) {
      if !hasWaited { report.waits() }
      hasWaited = true
    }
    defer { withExtendedLifetime(lock) {} }
    let store = try app.library.openStore()
    defer { store.close() }
    let identity = UUID().uuidString.lowercased()
    if folder.hasPrefix("s3://") {
      guard let address = S3Address(folder) else { throw BlobAddressError.badBucket(folder) }
      let lease = try await hold(address, store, app.time)
      defer { withExtendedLifetime(lease) {} }
      let backup = BucketBackup(
        of: store, app.library.blobs, library: app.library.path, to: try app.bucket(address), now: app.time.now(),
        onStep: report.note)
      let result = try backup.run(newIdentity: identity, isNew: isNew)
      try report.end(result, folder: "\(address)")
      if verify { try check(app.console) { try backup.verify(onStep: $0, found: $1) } }
      return try report.complain(of: result)
    }
    let path = try absolute(folder, home: app.environment["HOME"])
    let backup = Backup(
      of: store, app.library.blobs, library: app.library.path, now: app.time.now(),
      pause: { usleep(30_000) }, onStep: report.note)
    let result = try backup.run(into: path, newIdentity: identity, isNew: isNew)
    try report.end(result, folder: path)
    if verify { try check(app.console) { try backup.verify(path, onStep: $0, found: $1) } }
    try report.complain(of: result)
  }

  /// Lets one machine at a time back up a shared library into a bucket; nil if the library is not shared. Of two at once, the
  /// one that began earlier would remove what the other one sent.
  private func hold(_ address: S3Address, _ store: Store, _ time: TimeSource) async throws -> HeldLease? {
    guard let leases = store.leases else { return nil }
    guard let lease = try await HeldLease.take("backup:\(address)", of: leases, time: time) else {
      throw BackupError.busy("\(address)")
    }
    return lease
  }

  private static let advice: SafeText = "back up into a new folder, and keep this one until that is done"

  private func check(
    _ console: Console,
    _ verify: (_ onStep: (CheckStep) -> Void, _ found: (Finding, Bool) throws -> Void) throws -> CheckResult
  ) throws {
    let report = CheckReport(console, json: global.json, repair: false, advice: Self.advice)
    let result = try verify(report.note) { try report.say($0, isMended: $1) }
    try report.end(result)
  }

  private func absolute(_ path: String, home: String?) throws -> String {
    var full = path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
    if path == "~" || path.hasPrefix("~/"), let home { full = home + path.dropFirst() }
    while full.count > 1, full.hasSuffix("/") { full.removeLast() }
    return full
  }
}
