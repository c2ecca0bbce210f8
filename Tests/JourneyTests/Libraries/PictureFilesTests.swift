import Blobs
import Foundation
import MemoryBlobs
import Pictures
import ScriptedOrigin
import Terminal
import Testing

@testable import media

/// How the picture worker, which reads files, gets pictures.
@Suite(.timeLimit(.minutes(10))) struct PictureFilesTests {
  /// A picture as cells of characters.
  private func draw(_ blobs: any BlobStoring, _ id: BlobID, in folder: String) async throws -> DrawnPicture {
    let environment = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", "TMPDIR": folder]
    let files = PictureFiles(of: blobs, environment: environment)
    let drawer = PictureDrawer(
      program: Sandbox.built("media-picture"), environment: environment, memory: 0, timeLimit: .seconds(60),
      now: { .now })
    let request = PictureRequest(path: files.path(of: id), columns: 8, rows: 4, format: .blocks)
    return try await files.draw(request, by: drawer)
  }

  private func keep(_ picture: Picture, in blobs: any BlobStoring) throws -> BlobID {
    let draft = try blobs.draft()
    try picture.bytes.withUnsafeBytes { try draft.write($0) }
    return try blobs.keep([draft])[0].id
  }

  @Test func `a picture of a store without files is drawn from a copy like one from a file`() async throws {
    let sandbox = try Sandbox()
    let (disk, memory) = (DiskBlobs(library: sandbox.library), MemoryBlobs { Date(timeIntervalSince1970: 0) })
    let before = try FileManager.default.contentsOfDirectory(atPath: sandbox.folder)
    let drawn = try await draw(disk, keep(Picture(1), in: disk), in: sandbox.folder)
    #expect(try await draw(memory, keep(Picture(1), in: memory), in: sandbox.folder) == drawn)
    #expect(try Set(FileManager.default.contentsOfDirectory(atPath: sandbox.folder)) == Set(before + ["library"]))
  }

  @Test func `a picture that is not in the store is not drawn, and says so`() async throws {
    let sandbox = try Sandbox()
    let memory = MemoryBlobs { Date(timeIntervalSince1970: 0) }
    await #expect(throws: DrawingFailure.refused("the stored picture cannot be copied")) {
      try await draw(memory, BlobID(hashing: [1]), in: sandbox.folder)
    }
  }
}
