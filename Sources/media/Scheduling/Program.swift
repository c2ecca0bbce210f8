import Machine

/// Another program, run to its end.
struct Program {
  let path: String

  /// Its exit status and output.
  struct Result {
    let status: Int32
    let output: [UInt8]
    let errors: String

    /// Its first line on standard error, else on standard output, else that it failed.
    var reason: String {
      let outputs = [errors, String(decoding: output, as: UTF8.self)]
      let line = outputs.lazy.compactMap { $0.split(whereSeparator: \.isNewline).first }.first
      return line.map(String.init) ?? "status \(status)"
    }
  }

  /// Finds a program on PATH.
  init?(_ name: String, _ environment: [String: String]) {
    guard let path = Programs.onPath(name, environment) else { return nil }
    self.path = path
  }

  /// A program at a path.
  init(at path: String) { self.path = path }

  /// Runs it. Only for programs that read all input before they write, and write little to standard error.
  func run(_ arguments: [String], input: [UInt8] = []) throws -> Result {
    let (child, output, errors) = try start(arguments, input)
    let outputBytes = (try? output.readToEnd()) ?? []
    let errorBytes = (try? errors.readToEnd()) ?? []
    return Result(status: child.wait(), output: outputBytes, errors: String(decoding: errorBytes, as: UTF8.self))
  }

  /// Starts it and passes it its input. Its ends of the pipes are closed here, so that what is read ends when it ends.
  private func start(
    _ arguments: [String], _ input: [UInt8]
  ) throws(Spawning.NotStarted) -> (child: ChildProcess, output: OpenFile, errors: OpenFile) {
    let (toIt, fromIt, errors) = (try PipeEnds(), try PipeEnds(), try PipeEnds())
    let child = try ChildProcess(path, arguments, input: toIt.reading, output: fromIt.writing, errors: errors.writing)
    for end in [toIt.reading, fromIt.writing, errors.writing] { end.close() }
    try? toIt.writing.write(input)
    toIt.writing.close()
    return (child, fromIt.reading, errors.reading)
  }
}
