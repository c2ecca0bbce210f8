import CGNU
import Glibc

/// Starts other programs.
package enum Spawning {
  /// The system does not start a program; the code is one of `errno`.
  package struct NotStarted: Error {
    package let code: Int32
  }

  /// The descriptors of a program's standard files; /dev/null where nil.
  package typealias Files = (input: Int32?, output: Int32?, errors: Int32?)

  /// Starts a program in its own process group, so that Ctrl-C in the terminal reaches only this program. It inherits three
  /// files and no others. It blocks and ignores no signal, whatever the starting thread has set.
  ///
  /// - Parameters:
  ///   - program: Its path.
  ///   - arguments: Its arguments, without its own name.
  ///   - environment: Its environment as `NAME=value`; this program's if nil.
  ///   - files: Its standard files.
  /// - Returns: Its process identifier, which is also that of its group.
  package static func start(
    _ program: String, _ arguments: [String] = [], environment: [String]? = nil, files standard: Files
  ) throws(NotStarted) -> pid_t {
    var files = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&files)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&files)
      posix_spawnattr_destroy(&attributes)
    }
    set(standard.input, as: STDIN_FILENO, O_RDONLY, &files)
    set(standard.output, as: STDOUT_FILENO, O_WRONLY, &files)
    set(standard.errors, as: STDERR_FILENO, O_WRONLY, &files)
    posix_spawn_file_actions_addclosefrom_np(&files, STDERR_FILENO + 1)
    setSignals(&attributes)
    var process = pid_t()
    let code = withStrings([program] + arguments) { arguments in
      guard let environment else { return posix_spawn(&process, program, &files, &attributes, arguments, environ) }
      return withStrings(environment) { posix_spawn(&process, program, &files, &attributes, arguments, $0) }
    }
    guard code == 0 else { throw NotStarted(code: code) }
    return process
  }

  /// Waits for the end of a program that was started. Must be called once.
  ///
  /// - Returns: Its status; the number of the signal that ended it, plus 128.
  @discardableResult
  package static func wait(for process: pid_t) -> Int32 {
    var status: Int32 = 0
    guard retried({ waitpid(process, &status, 0) }) >= 0 else { return 127 }
    return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
  }

  private static func set(
    _ descriptor: Int32?, as number: Int32, _ mode: Int32, _ files: inout posix_spawn_file_actions_t
  ) {
    if let descriptor {
      posix_spawn_file_actions_adddup2(&files, descriptor, number)
    } else {
      posix_spawn_file_actions_addopen(&files, number, "/dev/null", mode, 0)
    }
  }

  private static func setSignals(_ attributes: inout posix_spawnattr_t) {
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
  }

  private static func withStrings<Result>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let copies = strings.map { strdup($0) }
    defer { copies.forEach { free($0) } }
    return body(copies + [nil])
  }
}
