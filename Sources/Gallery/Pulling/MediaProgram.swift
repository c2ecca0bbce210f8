import Glibc
import Machine

/// The `media` program beside this one, for one library.
struct MediaProgram: Sendable {
  private let path: String?
  private let library: String?

  /// - Parameters:
  ///   - path: The program; nil if it is missing.
  ///   - library: The folder of the library; nil if the environment names it. The configuration is that of the environment.
  init(path: String?, library: String?) { (self.path, self.library) = (path, library) }

  /// The installed program.
  init(library: String?) {
    let variable = getenv("PATH").map { String(cString: $0) }
    self.init(path: Programs.beside("media", variable.map { ["PATH": $0] } ?? [:]), library: library)
  }

  /// Starts a command.
  func start(_ command: MediaArguments, hasInput: Bool = false) throws(PullRefusal) -> ChildCommand {
    guard let path else { throw .noProgram }
    do {
      return try ChildCommand(
        path, command.adding("--log-format", "json").adding("--library", library).all, hasInput: hasInput)
    } catch {
      throw .notStarted(String(cString: strerror(error.code)))
    }
  }
}
