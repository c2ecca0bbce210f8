import Folders
import Foundation
import Testing

@testable import PostFiles

/// The frame of a zip, as Python and unzip read it.
struct ZipWriterTests {
  /// Runs Python with an archive, and returns what it prints.
  private func python(_ script: String, _ path: String) throws -> String {
    try output("/usr/bin/env", "python3", "-c", script, path)
  }

  private func output(_ program: String, _ arguments: String...) throws -> String {
    let process = Process()
    (process.executableURL, process.arguments) = (URL(filePath: program), arguments)
    let pipe = Pipe()
    (process.standardOutput, process.standardError) = (pipe, pipe)
    try process.run()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return process.terminationStatus == 0 ? text : "failed: \(text)"
  }

  private func entry(_ path: String, _ byteCount: UInt64 = 0, at time: TimeInterval = 1_763_464_000.5)
    -> ZipWriter.Entry
  {
    .init(path: path, byteCount: byteCount, checksum: 0, time: Date(timeIntervalSince1970: time))
  }

  @Test func `more files than 16 bits count are all listed`() throws {
    let folder = try Scratch()
    var (writer, bytes): (ZipWriter, [UInt8]) = (ZipWriter(), [])
    for number in 0..<70_000 { bytes += writer.header(of: entry("\(number % 7)/\(number).jpg")) }
    bytes += writer.end()
    #expect(writer.offset == UInt64(bytes.count))
    let path = "\(folder.path)/many.zip"
    try Data(bytes).write(to: URL(filePath: path))
    let script = """
      import sys, zipfile
      z = zipfile.ZipFile(sys.argv[1])
      print(len(z.namelist()), z.namelist()[-1], z.testzip())
      """
    #expect(try python(script, path) == "70000 \(69_999 % 7)/69999.jpg None\n")
    #expect(try output("/usr/bin/env", "unzip", "-tq", path).hasPrefix("No errors detected"))
  }

  @Test func `a file of more than 4 GiB, and one behind it, are found`() throws {
    let folder = try Scratch()
    let path = "\(folder.path)/long.zip"
    let file = open(path, O_RDWR | O_CREAT | O_EXCL, 0o600)
    defer { close(file) }
    var writer = ZipWriter()
    // Nobody writes the bytes of the long file: its place is a hole.
    for (name, length) in [("short", UInt64(0)), ("long", (4 << 30) + 5), ("behind", 0), ("limit", 0xFFFF_FFFF)] {
      let start = writer.offset
      let header = writer.header(of: entry(name, length))
      #expect(pwrite(file, header, header.count, Int(start)) == header.count)
    }
    let start = writer.offset
    let end = writer.end()
    #expect(pwrite(file, end, end.count, Int(start)) == end.count)
    let script = """
      import sys, zipfile
      z = zipfile.ZipFile(sys.argv[1])
      for i in z.infolist(): print(i.filename, i.file_size, i.compress_size, i.extract_version, z.open(i).read(1) == b'')
      """
    #expect(
      try python(script, path) == """
        short 0 0 20 True
        long 4294967301 4294967301 45 False
        behind 0 0 45 True
        limit 4294967295 4294967295 45 False

        """)
    #expect(try output("/usr/bin/env", "unzip", "-tq", path, "behind").hasPrefix("No errors detected"))
  }

  @Test func `times are exact, and those that no field holds are the nearest`() throws {
    let folder = try Scratch()
    var (writer, bytes): (ZipWriter, [UInt8]) = (ZipWriter(), [])
    for (name, time) in [("now", 1_763_464_001.0), ("old", -9e9), ("far", 9e10), ("ä🐦", 315_532_800)] {
      bytes += writer.header(of: entry(name, at: time))
    }
    bytes += writer.end()
    let path = "\(folder.path)/times.zip"
    try Data(bytes).write(to: URL(filePath: path))
    let script = """
      import sys, zipfile
      for i in zipfile.ZipFile(sys.argv[1]).infolist():
        print(i.filename, *i.date_time, int.from_bytes(i.extra[5:9], 'little'), oct(i.external_attr >> 16))
      """
    #expect(
      try python(script, path) == """
        now 2025 11 18 11 6 40 1763464001 0o100644
        old 1980 1 1 0 0 0 0 0o100644
        far 2107 12 31 23 59 58 0 0o100644
        ä🐦 1980 1 1 0 0 0 315532800 0o100644

        """)
  }
}
