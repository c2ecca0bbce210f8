import Foundation
import Machine
import Testing

@testable import media

@Suite(.timeLimit(.minutes(1))) struct ChildProcessTests {
  /// Runs a line of a shell. Returns its status and output.
  private func shell(_ line: String, input: String = "") throws -> (status: Int32, output: String) {
    let shell = try #require(Program("sh", ["PATH": "/usr/bin:/bin"]))
    let result = try shell.run(["-c", line], input: Array(input.utf8))
    return (result.status, String(decoding: result.output, as: UTF8.self))
  }

  @Test func `a program's status is returned, or the signal that ended it`() throws {
    #expect(try ChildProcess("/bin/sh", ["-c", "exit 7"]).wait() == 7)
    #expect(try ChildProcess("/bin/sh", ["-c", "kill -9 $$"]).wait() == 137)
    #expect(try ChildProcess("/bin/sh", ["-c", "exit $#", "sh", "a b", ""]).wait() == 2)
  }

  @Test func `a program that is not there does not start`() {
    let error = #expect(throws: Spawning.NotStarted.self) { try ChildProcess("/nowhere/sh", []) }
    #expect(error?.code == ENOENT)
  }

  @Test func `the status can also be read on another thread`() async throws {
    let (ended, end) = AsyncStream.makeStream(of: Int32.self)
    try ChildProcess("/bin/sh", ["-c", "exit 3"]).waitInBackground { end.yield($0) }
    #expect(await ended.first { _ in true } == 3)
  }

  @Test func `a program without files reads and writes nothing`() throws {
    #expect(try ChildProcess("/bin/sh", ["-c", "read line && exit 1; echo x && echo y >&2"]).wait() == 0)
  }

  @Test func `a program's input, output and errors are passed on whole`() throws {
    let long = String(repeating: "0123456789", count: 6000)
    #expect(try shell("cat", input: long) == (0, long))
    let program = try #require(Program("sh", ["PATH": "/usr/bin:/bin"]))
    let result = try program.run(["-c", "echo no crontab >&2; exit 1"])
    #expect((result.status, result.errors, result.reason) == (1, "no crontab\n", "no crontab"))
  }

  @Test func `a program inherits three files and no others`() throws {
    // Without O_CLOEXEC, as some library may open it.
    let file = open("/dev/null", O_RDONLY)
    defer { close(file) }
    #expect(try shell("[ ! -e /proc/$$/fd/\(file) ]").status == 0)
    #expect(try shell("ls /proc/$$/fd").output.split(separator: "\n").prefix(3) == ["0", "1", "2"])
  }

  @Test func `a program leads a process group of its own`() throws {
    #expect(try shell("read pid name state parent group rest < /proc/$$/stat; [ $group = $$ ]").status == 0)
  }

  @Test func `a program blocks and ignores no signal, whatever the thread does that starts it`() throws {
    var (blocked, before) = (sigset_t(), sigset_t())
    sigemptyset(&blocked)
    sigaddset(&blocked, SIGTERM)
    pthread_sigmask(SIG_BLOCK, &blocked, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    // Signals 32 and 33 are glibc's own.
    let masks = try shell("grep -E '^Sig(Blk|Ign)' /proc/self/status").output.split(separator: "\n")
    #expect(masks.count == 2 && masks.allSatisfy { $0.hasSuffix("00000000") || $0.hasSuffix("80000000") }, "\(masks)")
  }

  @Test func `a pipe's content outlives its writer, and an end that is closed ends it`() throws {
    let pipe = try PipeEnds()
    try pipe.writing.write("twelve bytes".utf8)
    pipe.writing.close()
    #expect(try pipe.reading.readToEnd() == Array("twelve bytes".utf8))
    #expect(throws: OpenFile.Failure.self) { try pipe.writing.write("x".utf8) }
  }

  @Test func `a file that is longer than allowed is read one byte further`() throws {
    let pipe = try PipeEnds()
    try pipe.writing.write("0123456789".utf8)
    pipe.writing.close()
    #expect(try pipe.reading.readToEnd(most: 4) == Array("01234".utf8))
  }

  @Test func `a failed file operation names the file and the reason`() {
    let error = #expect(throws: CocoaError.self) { try FileManager.default.removeItem(atPath: "/nowhere/file") }
    #expect(error.map(FileErrorText.of) == "/nowhere/file: No such file or directory")
  }
}
