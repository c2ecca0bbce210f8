import Folders
import Foundation
import Testing

@testable import Machine

struct ProgramsTests {
  private static func put(_ name: String, in folder: Scratch, mode: Int = 0o755) throws -> String {
    let path = "\(folder.path)/\(name)"
    try Data("#!/bin/sh\n".utf8).write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    return path
  }

  @Test func `a program in the own folder precedes one on PATH, and the current folder is never searched`() throws {
    let (beside, onPath) = (try Scratch(), try Scratch())
    let environment = ["PATH": "::relative:.:/nonexistent:\(onPath.path)"]
    #expect(Programs.find("made", environment, beside: beside.path) == nil)
    let distant = try Self.put("made", in: onPath)
    #expect(Programs.find("made", environment, beside: beside.path) == distant)
    #expect(Programs.onPath("made", environment) == distant)
    let near = try Self.put("made", in: beside)
    #expect(Programs.find("made", environment, beside: beside.path) == near)
    #expect(Programs.onPath("made", environment) == distant)
    #expect(Programs.onPath("made", [:]) == nil)
  }

  @Test func `a file that cannot be executed is not a program`() throws {
    let (first, second) = (try Scratch(), try Scratch())
    _ = try Self.put("made", in: first, mode: 0o644)
    try FileManager.default.createDirectory(atPath: "\(first.path)/other", withIntermediateDirectories: false)
    let program = try Self.put("made", in: second)
    let environment = ["PATH": "\(first.path):\(second.path)"]
    #expect(Programs.onPath("made", environment) == program)
    #expect(Programs.onPath("other", environment) == nil)
  }
}
