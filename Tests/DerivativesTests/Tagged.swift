import Blobs
import Folders
import Foundation
import Pictures
import Testing

@testable import Derivatives

/// Pictures with metadata that exiv2's own command wrote (https://exiv2.org/manpage.html).
struct Tagged {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// The file extensions of what exiv2 writes to.
  static let kinds = ["jpg", "png", "webp"]

  static func picture(_ kind: String) throws -> [UInt8] {
    switch kind {
    case "jpg": try Made.jpeg(40, 30)
    case "png": try Made.png(40, 30)
    case "webp": try Made.webp(40, 30)
    default: Made.tiff(40, 30, orientation: 1)
    }
  }

  /// Writes a picture, and changes its metadata.
  ///
  /// - Parameter commands: Commands as `set Exif.Image.Artist Anna`.
  func put(_ kind: String, _ commands: [String]) throws -> String {
    let path = try put(bytes: Self.picture(kind), "picture.\(kind)")
    if commands.isEmpty { return path }
    _ = try Self.exiv2(commands.map { "-M\($0)" } + [path])
    return path
  }

  func put(bytes: [UInt8], _ name: String) throws -> String {
    let path = "\(scratch.path)/\(name)"
    try Data(bytes).write(to: URL(filePath: path))
    return path
  }

  /// What is read of a picture whose metadata are changed.
  static func facts(_ kind: String, _ commands: [String]) throws -> FileFacts {
    let tagged = try Tagged()
    return try withExtendedLifetime(tagged) { try FactsChild().facts(try tagged.put(kind, commands)) }
  }

  /// What is read of a file.
  static func facts(bytes: [UInt8], _ name: String) throws -> FileFacts {
    let tagged = try Tagged()
    return try withExtendedLifetime(tagged) { try FactsChild().facts(try tagged.put(bytes: bytes, name)) }
  }

  /// All metadata of a file as exiv2 prints them.
  static func printed(_ path: String) throws -> String { try exiv2(["-qpa", path], allowing: [0, 1, 253]) }

  @discardableResult
  static func exiv2(_ arguments: [String], allowing: Set<Int32> = [0]) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/exiv2")
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let printed = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    try #require(allowing.contains(process.terminationStatus), "exiv2 ended with \(process.terminationStatus)")
    return String(decoding: printed, as: UTF8.self)
  }
}

/// The built `media-picture`, which inspects files.
final class FactsChild {
  private(set) var child: PictureWorkerProcess?
  private var number: UInt64 = 0

  /// The answer of the child; nil if it ended. The next request starts another.
  func answer(_ path: String) throws -> InspectionProtocol.Answer? {
    number += 1
    let child = try child ?? start()
    self.child = child
    do {
      try child.send(try PictureProtocol.line(InspectionProtocol.Request(id: number, path: path, wants: [.facts])))
      let line = try child.line(before: .now + .seconds(120))
      let answer = try PictureProtocol.value(InspectionProtocol.Answer.self, of: line)
      try #require(answer.id == number)
      return answer
    } catch PictureWorkerProcess.Fault.ended {
      self.child = nil
      return nil
    }
  }

  /// The facts of a file.
  func facts(_ path: String) throws -> FileFacts {
    let answer = try #require(try answer(path))
    return try #require(answer.facts, "\(answer.failures)")
  }

  private func start() throws -> PictureWorkerProcess {
    let started = PictureWorkerProcess(
      Shop.built, [InspectionProtocol.mode], environment: ProcessInfo.processInfo.environment, now: { .now })
    let child = try #require(started)
    try child.greet(InspectionProtocol.greeting, before: .now + .seconds(120))
    return child
  }
}

/// EXIF written byte by byte (TIFF 6.0, 2), for what no program writes.
enum RawEXIF {
  struct Entry {
    let tag, type, count: Int
    var value: [UInt8]
  }

  static func ascii(_ tag: Int, _ text: [UInt8]) -> Entry { Entry(tag: tag, type: 2, count: text.count, value: text) }

  static func long(_ tag: Int, _ value: Int) -> Entry { Entry(tag: tag, type: 4, count: 1, value: little(value, 4)) }

  /// One directory at 8, and the values behind it.
  static func tiff(_ entries: [Entry], next: Int = 0) -> [UInt8] {
    var (directory, values) = ([UInt8](), [UInt8]())
    let behind = 8 + 2 + 12 * entries.count + 4
    for entry in entries {
      directory += little(entry.tag, 2) + little(entry.type, 2) + little(entry.count, 4)
      if entry.value.count > 4 {
        directory += little(behind + values.count, 4)
        values += entry.value
      } else {
        directory += entry.value + [UInt8](repeating: 0, count: 4 - entry.value.count)
      }
    }
    return Array("II*\0".utf8) + little(8, 4) + little(entries.count, 2) + directory + little(next, 4) + values
  }

  static func jpeg(_ tiff: [UInt8]) throws -> [UInt8] {
    Made.inserting(Array("Exif\0\0".utf8) + tiff, marker: 0xE1, into: try Made.jpeg(40, 30))
  }

  static func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}

extension [UInt8] {
  /// Whether the bytes of a text are among these.
  func holds(_ text: String) -> Bool { Data(self).range(of: Data(text.utf8)) != nil }
}
