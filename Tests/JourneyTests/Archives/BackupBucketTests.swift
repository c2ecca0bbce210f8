import Blobs
import Folders
import Foundation
import S3Blobs
import S3Server
import ScriptedOrigin
import Testing

/// `media backup s3://…` with the built command and a real service.
@Suite(.timeLimit(.minutes(20))) struct BackupBucketTests {
  private let server: S3Server
  private let address: String
  private let scratch: Scratch

  init() throws {
    (server, scratch) = (try S3Server.shared(), try Scratch())
    address = "s3://\(try server.newBucket())/copies/mine"
  }

  private func newSandbox(_ user: S3Server.User = .owner) throws -> Sandbox {
    var sandbox = try Sandbox()
    sandbox.environment.merge(server.environment(user)) { $1 }
    return sandbox
  }

  private func pull(_ sandbox: Sandbox, _ origin: Origin, pages: Int = 1) async throws {
    let ended = try await sandbox.media(
      "tag", "cats", "--pages", "\(pages)", "--page-size", "10", "--server", origin.url)
    try #require(ended.status == 0, "\(ended.errors)")
  }

  @discardableResult
  private func backUp(_ sandbox: Sandbox, _ more: String...) async throws -> [String: any Sendable] {
    let ended = try await sandbox.run(["backup", address, "--json"] + more)
    try #require(ended.status == 0, "\(ended.output)\(ended.errors)")
    return try ended.object()
  }

  private var store: S3Blobs {
    get throws {
      S3Blobs(
        try #require(S3Address(address)), server.configuration(), server.environment(in: "\(scratch.path)/spool"))
    }
  }

  private func names() throws -> [BlobID] {
    var ids: [BlobID] = []
    try store.eachBlob { ids.append($0.id) }
    return ids
  }

  private func names(in sandbox: Sandbox) throws -> [BlobID] {
    var ids: [BlobID] = []
    try DiskBlobs(library: sandbox.library).eachBlob { ids.append($0.id) }
    return ids
  }

  /// Brings the objects into a folder, as any tool for buckets does.
  private func restore() throws -> String {
    let folder = "\(scratch.path)/restored"
    try FileManager.default.createDirectory(atPath: "\(folder)/blobs", withIntermediateDirectories: true)
    let store = try store
    _ = try store.receive(fileNamed: "media.sqlite", to: "\(folder)/media.sqlite")
    try store.eachBlob { blob in
      try? FileManager.default.createDirectory(
        atPath: "\(folder)/blobs/\(blob.id.folderName)", withIntermediateDirectories: false)
      try store.copy(blob.id, to: "\(folder)/\(blob.id.path)")
    }
    return folder
  }

  @Test(.inFolders) func `a backup in a bucket grows by what is new, reads back whole, and is a library again`()
    async throws
  {
    try await withOrigin(Script.each(40)) { origin in
      let sandbox = try newSandbox()
      try await pull(sandbox, origin)
      #expect(try await backUp(sandbox)["copied"] as? Int ?? 0 > 0)
      #expect(try await backUp(sandbox)["unchanged"] as? Bool == true)
      try await pull(sandbox, origin, pages: 3)
      let second = try await sandbox.run(["backup", address, "--verify"])
      #expect(second.status == 0, "\(second.output)\(second.errors)")
      #expect(second.output.contains("Backed up into \(address): the store and "))
      #expect(try names() == names(in: sandbox))
      let restored = try restore()
      let list = try await sandbox.media("list", "--json", "--limit", "1000").output
      #expect(try await sandbox.media("list", "--json", "--limit", "1000", "--library", restored).output == list)
      let check = try await sandbox.media("check", "--deep", "--library", restored)
      #expect(check.status == 0, "\(check.output)\(check.errors)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: "\(sandbox.library)/cache").sorted() == ["s3"])
    }
  }

  @Test(.inFolders) func `pictures that the library let go leave the bucket, and damaged ones are sent anew`()
    async throws
  {
    try await withOrigin(Script.each(10)) { origin in
      let sandbox = try newSandbox()
      try await pull(sandbox, origin)
      try await backUp(sandbox)
      let damaged = try #require(try names().first)
      let path = "/\(address.dropFirst(5))/\(damaged.path)"
      _ = try server.send(.put, path, as: .owner, body: [1, 2, 3])
      let verified = try await sandbox.run(["backup", address, "--verify"])
      #expect(verified.output.contains("\(damaged.folderName)") && verified.status == 0, "\(verified)")
      #expect(try store.condition(of: damaged) == .good)
      let posts = try await sandbox.media("list", "--json", "--limit", "3").objects().compactMap { $0["id"] as? Int }
      _ = try await sandbox.run(["delete"] + posts.map(String.init))
      for key in ["trash", "gc-grace"] { try await sandbox.media("settings", key, "0s") }
      try #require(try await sandbox.media("gc").status == 0)
      #expect(try await backUp(sandbox)["removed"] as? Int ?? 0 >= 1)
      #expect(try names() == names(in: sandbox))
    }
  }

  @Test func `a bucket that holds something else, is missing or may not be written is refused`() async throws {
    try await withOrigin(Script.each(5)) { origin in
      let sandbox = try newSandbox()
      try await pull(sandbox, origin)
      let other = try store
      let draft = try other.draft()
      try [UInt8]([1]).withUnsafeBytes { try draft.write($0) }
      let kept = try other.keep([draft])[0]
      expect(try await sandbox.media("backup", address), fails: 64, saying: "is no backup")
      #expect(try names() == [kept.id])
      expect(try await sandbox.media("backup", "s3://nowhere/x"), fails: 78, saying: "there is no bucket nowhere")
      expect(try await sandbox.media("backup", "s3://?"), fails: 64, saying: "s3://BUCKET/PREFIX")
      let reader = try newSandbox(.reader)
      try await pull(reader, origin)
      expect(try await reader.media("backup", "\(address)2"), fails: 74, saying: "may not be written")
      var stranger = sandbox
      stranger.environment["AWS_SECRET_ACCESS_KEY"] = "guessed"
      expect(try await stranger.media("backup", "\(address)2"), fails: 77, saying: "AWS_SECRET_ACCESS_KEY")
      stranger.environment["AWS_ACCESS_KEY_ID"] = nil
      expect(try await stranger.media("backup", "\(address)2"), fails: 78, saying: "AWS_ACCESS_KEY_ID")
      try await sandbox.media("backup", "\(address)2")
      let another = try newSandbox()
      try await pull(another, origin)
      expect(try await another.media("backup", "\(address)2"), fails: 64, saying: "of another library")
    }
  }
}
