import Glibc

/// Starts a program whose standard input and output are a socket, and whose standard error is `/dev/null`.
enum Spawning {
  static func start(_ program: String, _ environment: [String], connectedTo end: Int32) -> pid_t? {
    var files = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&files)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&files)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_adddup2(&files, end, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&files, end, STDOUT_FILENO)
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    setSignals(&attributes)
    return withStrings([program]) { arguments in
      withStrings(environment) { environment in
        var process = pid_t()
        return posix_spawn(&process, program, &files, &attributes, arguments, environment) == 0 ? process : nil
      }
    }
  }

  /// Gives the program its own process group, so that Ctrl-C in the terminal reaches only this program. Unblocks all
  /// signals and resets their handlers, whatever the starting thread has set.
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
