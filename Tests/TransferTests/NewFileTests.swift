import Folders
import Foundation
import Testing

@testable import Transfer

@Suite struct NewFileTests {
  private let scratch: Scratch
  init() throws { scratch = try Scratch() }

  private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: scratch.path).sorted() }
  private func text(_ name: String) -> String? {
    FileManager.default.contents(atPath: "\(scratch.path)/\(name)").map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func `a file has its name only when it is whole, with its permissions`() throws {
    let file = try NewFile(at: "\(scratch.path)/a", mode: 0o640, replaces: false)
    try file.write("one ".utf8)
    #expect(try names().allSatisfy { $0 != "a" })
    try file.write("two".utf8)
    try file.finish()
    #expect(try names() == ["a"])
    #expect(text("a") == "one two")
    #expect(file.byteCount == 7)
    let mode = try FileManager.default.attributesOfItem(atPath: "\(scratch.path)/a")[.posixPermissions] as? Int
    #expect(mode == 0o640)
  }

  @Test func `a file that is given up leaves nothing behind`() throws {
    for replaces in [false, true] {
      try NewFile(at: "\(scratch.path)/a", replaces: replaces).write(Array(repeating: 65, count: 1 << 20))
    }
    #expect(try names() == [])
  }

  @Test func `a file is never replaced unasked, even if it appears meanwhile`() throws {
    let first = try NewFile(at: "\(scratch.path)/a", replaces: false)
    let second = try NewFile(at: "\(scratch.path)/a", replaces: false)
    try first.write("first".utf8)
    try second.write("second".utf8)
    try first.finish()
    #expect(throws: NewFileError.exists(path: "\(scratch.path)/a")) { try second.finish() }
    #expect(throws: NewFileError.exists(path: "\(scratch.path)/a")) {
      _ = try NewFile(at: "\(scratch.path)/a", replaces: false)
    }
    #expect(text("a") == "first")
    let third = try NewFile(at: "\(scratch.path)/a", replaces: true)
    try third.write("third".utf8)
    #expect(text("a") == "first")
    try third.finish()
    #expect(text("a") == "third")
    #expect(try names() == ["a"])
  }

  @Test func `a link stays a link, and what it leads to is replaced`() throws {
    try Data("old".utf8).write(to: URL(filePath: "\(scratch.path)/real"))
    try FileManager.default.createSymbolicLink(
      atPath: "\(scratch.path)/link", withDestinationPath: "\(scratch.path)/real")
    let file = try NewFile(at: "\(scratch.path)/link", replaces: true)
    try file.write("new".utf8)
    try file.finish()
    #expect(text("real") == "new")
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: "\(scratch.path)/link") == "\(scratch.path)/real")
  }

  @Test func `a folder, a missing folder and a device are told apart`() throws {
    #expect(throws: NewFileError.folder(path: scratch.path)) { _ = try NewFile(at: scratch.path, replaces: true) }
    #expect(throws: NewFileError.self) { _ = try NewFile(at: "\(scratch.path)/none/a", replaces: false) }
    let device = try NewFile(at: "/dev/null", replaces: false)
    try device.write("x".utf8)
    try device.finish()
    let full = try NewFile(at: "/dev/full", replaces: false)
    try full.write("x".utf8)
    #expect(throws: NewFileError.refused(path: "/dev/full", reason: "No space left on device")) { try full.finish() }
  }
}
