import CPicture
import Folders
import Foundation
import Pictures
import Terminal
import Testing

/// A folder of pictures that is removed after the test.
final class Album: Sendable {
  private let scratch: Scratch
  var path: String { scratch.path }

  init() throws { scratch = try Scratch() }

  /// Writes bytes to a file.
  func put(_ bytes: [UInt8], as name: String) throws -> String {
    try Data(bytes).write(to: URL(filePath: "\(path)/\(name)"))
    return "\(path)/\(name)"
  }

  /// Writes a shell script in place of `media-picture`.
  func script(_ lines: String) throws -> String {
    let draft = try put(Array("#!/bin/sh\n\(lines)\n".utf8), as: "draft")
    let program = "\(path)/\(PictureProgram.name)"
    // Another process writes it: a child process of another test that starts just now could inherit the open file, and a
    // file that is open for writing cannot be executed.
    let install = try Process.run(URL(filePath: "/usr/bin/install"), arguments: ["-m", "755", draft, program])
    install.waitUntilExit()
    try #require(install.terminationStatus == 0)
    return program
  }
}

/// Pictures from encoders. Red increases to the right, green downwards.
enum Made {
  static func jpeg(_ width: Int, _ height: Int) throws -> [UInt8] {
    var shim = picture_jpeg()
    try #require(picture_open_jpeg(&shim) != 0)
    return try encoded(width, height) { picture_encode_jpeg(&shim, $0, $1, $2, 90, $3) }
  }

  static func png(_ width: Int, _ height: Int) throws -> [UInt8] {
    var shim = picture_png()
    try #require(picture_open_png(&shim) != 0)
    return try encoded(width, height) { picture_encode_png(&shim, $0, $1, $2, $3) }
  }

  static func webp(_ width: Int, _ height: Int) throws -> [UInt8] {
    var shim = picture_webp()
    try #require(picture_open_webp(&shim) != 0)
    return try encoded(width, height) { picture_encode_webp(&shim, $0, $1, $2, 80, $3) }
  }

  /// One pixel with a table of two colours: the smallest GIF.
  static let gif: [UInt8] =
    Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 255, 0, 0, 0, 0, 0, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0]
    + [2, 2, 0x44, 1, 0, 0x3B]

  /// A JPEG with an orientation (EXIF, tag 0x0112).
  static func jpeg(_ width: Int, _ height: Int, orientation: UInt8) throws -> [UInt8] {
    let tiff: [UInt8] =
      Array("II*\0".utf8) + [8, 0, 0, 0, 1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0, 0, 0, 0, 0]
    let exif = Array("Exif\0\0".utf8) + tiff
    let plain = try jpeg(width, height)
    return plain[..<2] + [0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif + plain[2...]
  }

  private static func encoded(
    _ width: Int, _ height: Int,
    _ encode: (UnsafePointer<UInt32>, Int32, Int32, UnsafeMutablePointer<Int>) -> UnsafeMutablePointer<UInt8>?
  ) throws -> [UInt8] {
    var pixels: [UInt32] = []
    for y in 0..<height {
      for x in 0..<width { pixels.append(0xFF80_0000 | UInt32(y * 255 / height) << 8 | UInt32(x * 255 / width)) }
    }
    var length = 0
    let bytes = try #require(encode(pixels, Int32(width), Int32(height), &length))
    defer { free(bytes) }
    return Array(UnsafeBufferPointer(start: bytes, count: length))
  }
}

extension PictureDrawer {
  /// The built program, beside the test bundle.
  static let built: String = {
    let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return own.split(separator: "/").dropLast().map { "/\($0)" }.joined() + "/\(PictureProgram.name)"
  }()

  /// A drawer with the machine's clock.
  convenience init(_ program: String = built, memory: Int = 1 << 20, timeLimit: Duration = .seconds(60)) {
    self.init(
      program: program, environment: ProcessInfo.processInfo.environment, memory: memory, timeLimit: timeLimit,
      now: { .now })
  }

  /// The result of a request.
  func result(_ request: PictureRequest) async -> Result<DrawnPicture, DrawingFailure> {
    do throws(DrawingFailure) {
      return .success(try await draw(request))
    } catch {
      return .failure(error)
    }
  }
}

extension PictureRequest {
  static func blocks(_ path: String, _ columns: Int = 8, _ rows: Int = 4) -> PictureRequest {
    PictureRequest(path: path, columns: columns, rows: rows, format: .blocks)
  }
}
