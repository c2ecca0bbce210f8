import FoundationEssentials

/// A user timer of systemd and the service that it starts.
struct SystemdTimer {
  let name: String
  private let folder: String
  private let systemctl: Program?

  init(_ harvest: ScheduledHarvest, _ environment: [String: String]) {
    name = "media-harvest-\(harvest.name)"
    let home = environment["HOME"] ?? ""
    let configuration = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "\(home)/.config"
    folder = "\(configuration)/systemd/user"
    systemctl = Program("systemctl", environment)
  }

  private var timerFile: String { "\(folder)/\(name).timer" }
  private var serviceFile: String { "\(folder)/\(name).service" }

  /// Whether its files exist.
  var isInstalled: Bool { FileManager.default.fileExists(atPath: timerFile) }

  /// The interval in the timer's file, in seconds.
  var interval: Duration? {
    let text = FileManager.default.contents(atPath: timerFile).map { String(decoding: $0, as: UTF8.self) } ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("OnUnitActiveSec=") }
    return line.flatMap { Int($0.dropFirst("OnUnitActiveSec=".count)) }.map { .seconds($0) }
  }

  /// Writes the units and starts the timer. Removes the units if systemd fails.
  func install(_ harvest: ScheduledHarvest, every interval: Duration) throws {
    try control("is-system-running", mayFail: true)
    try write(harvest.service, to: serviceFile)
    try write(harvest.timer(every: interval), to: timerFile)
    do {
      try control("daemon-reload")
      try control("enable", "\(name).timer")
      try control("restart", "\(name).timer")
    } catch {
      for file in [timerFile, serviceFile] { try? FileManager.default.removeItem(atPath: file) }
      throw error
    }
  }

  /// Stops the timer and removes its units.
  func remove() throws {
    try? control("disable", "--now", "\(name).timer")
    for file in [timerFile, serviceFile] where FileManager.default.fileExists(atPath: file) {
      try FileManager.default.removeItem(atPath: file)
    }
    try? control("daemon-reload")
  }

  /// The next run as systemd prints it; nil if it does not say.
  var next: String? {
    let result = try? systemctl?.run(["--user", "list-timers", "--no-legend", "\(name).timer"])
    guard let result, result.status == 0 else { return nil }
    let fields = String(decoding: result.output, as: UTF8.self).split(separator: " ").prefix(4)
    return fields.count == 4 ? fields.joined(separator: " ") : nil
  }

  /// - Parameter mayFail: Accepts any answer, whatever the exit status.
  private func control(_ arguments: String..., mayFail: Bool = false) throws {
    guard let systemctl else { throw ScheduleError.noSystemd("there is no systemctl command") }
    let result = try systemctl.run(["--user"] + arguments)
    let hasAnswer = mayFail && !result.output.isEmpty && !result.output.starts(with: "offline".utf8)
    guard result.status == 0 || hasAnswer else { throw ScheduleError.noSystemd(result.reason) }
  }

  private func write(_ text: String, to path: String) throws {
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw ScheduleError.unwritable(path: path, reason: FileErrorText.of(error))
    }
  }
}
