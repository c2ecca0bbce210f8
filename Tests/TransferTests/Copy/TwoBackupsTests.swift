import Blobs
import Folders
import Foundation
import PostgreSQLServer
import Posts
import S3Blobs
import Storage
import Testing
import Transfer

/// Two machines that back up one library into one bucket, although a lease lets one at a time: the first one slept.
@Suite struct TwoBackupsTests {
  private let scratch: Scratch
  private let stores: [Store]
  private let blobs: DiskBlobs
  private let bucket: String
  private let now = Date(timeIntervalSince1970: 1_763_640_000)

  init() throws {
    scratch = try Scratch()
    let address = try #require(LibraryAddress(try PostgreSQLServer.shared().newURI("blobs=/pictures")))
    stores = try (0..<2).map { _ in try Store.open(library: address) }
    blobs = DiskBlobs(library: "\(scratch.path)/pictures")
    bucket = "\(try SharedPlace.bucket(scratch).address)"
    for machine in 0..<2 {
      try FileManager.default.createDirectory(
        atPath: "\(scratch.path)/machine\(machine)", withIntermediateDirectories: false)
    }
  }

  private func add(_ text: String) throws {
    let kept = try blobs.keep(Array(text.utf8))
    let post = Post(
      source: .manual, uri: "", createdAt: now, caption: text, attachments: [Attachment(kind: .file, url: nil)])
    let file = StoredBlob(id: kept.id, byteCount: kept.byteCount, mediaType: nil)
    try stores[0].add(post, id: UUID(), pictures: [file], now: now)
  }

  private func backup(on machine: Int, onStep: @escaping (BackupStep) -> Void = { _ in }) throws -> BucketBackup {
    BucketBackup(
      of: stores[machine], blobs, library: "\(scratch.path)/machine\(machine)",
      to: try SharedPlace.store(at: bucket, scratch), now: now, onStep: onStep)
  }

  @Test func `a backup during which another machine backed up replaces and removes nothing`() throws {
    try add("a heron")
    #expect(try backup(on: 0).run(newIdentity: "lab").copied == 1)
    try add("an owl")
    var isFirst = true
    let slow = try backup(on: 0) { step in
      // The store was copied, and nothing was sent yet.
      guard case .blobs = step, isFirst else { return }
      isFirst = false
      #expect(throws: Never.self) {
        try add("a kingfisher")
        #expect(try backup(on: 1).run(newIdentity: "lab").copied == 2)
      }
    }
    let error = try #require(throws: BackupError.self) { try slow.run(newIdentity: "lab") }
    #expect(error == .busy(bucket))
    var findings: [String] = []
    let checked = try backup(on: 1).verify(onStep: { _ in }) { finding, _ in findings.append("\(finding)") }
    #expect(findings.isEmpty && checked.remaining == 0, "\(findings)")
    let there = try SharedPlace.store(at: bucket, scratch)
    for text in ["a heron", "an owl", "a kingfisher"] { #expect(try there.contains(BlobID(hashing: Array(text.utf8)))) }
  }
}
