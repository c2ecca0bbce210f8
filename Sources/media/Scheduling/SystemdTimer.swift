import FoundationEssentials
import Glibc
import Machine

/// A user timer of systemd and the service that it starts.
///
/// The package's units, where they run this program, harvest the person's usual library. Any other library or program gets
/// units of its own with the same content. What differs stands in a drop-in in both cases: a whole unit of the person would
/// hide the package's after an upgrade.
struct SystemdTimer {
  let name: String
  private let isPackaged: Bool
  private let folder: String
  private let systemctl: Program?

  init(_ harvest: ScheduledHarvest, _ environment: [String: String]) {
    let isPackaged = harvest.isOfUsualLibrary && Self.packagedProgram(environment) == harvest.program
    self.init(name: isPackaged ? Self.packagedName : Self.ownName(harvest), isPackaged: isPackaged, environment)
  }

  private init(name: String, isPackaged: Bool, _ environment: [String: String]) {
    (self.name, self.isPackaged) = (name, isPackaged)
    let home = environment["HOME"] ?? ""
    let configuration = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "\(home)/.config"
    folder = "\(configuration)/systemd/user"
    systemctl = Program("systemctl", environment)
  }

  private static let packagedName = "media-harvest"
  private static func ownName(_ harvest: ScheduledHarvest) -> String { "\(packagedName)-\(harvest.name)" }

  /// The program that the package's service runs; nil without a package. The folders are those of systemd.unit(5).
  private static func packagedProgram(_ environment: [String: String]) -> String? {
    let data = environment["XDG_DATA_DIRS"] ?? "/usr/local/share:/usr/share"
    let folders = data.split(separator: ":").map(String.init) + ["/usr/local/lib", "/usr/lib"]
    let paths = folders.map { "\($0)/systemd/user/\(packagedName).service" }
    guard let path = paths.first(where: FileManager.default.fileExists) else { return nil }
    return value(of: "ExecStart", in: path)?.split(separator: " ").first.map(String.init)
  }

  /// The last value of a setting in a unit's file; nil if there is none.
  private static func value(of setting: String, in path: String) -> Substring? {
    let text = FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
    return text.split(separator: "\n").last { $0.hasPrefix("\(setting)=") }?.dropFirst(setting.count + 1)
  }

  private func unit(_ kind: String) -> String { "\(folder)/\(name).\(kind)" }
  private func dropIn(_ kind: String) -> String { "\(unit(kind)).d/schedule.conf" }

  /// Whether its files exist. Those of an earlier version had no drop-in, and somebody may have enabled the package's timer by
  /// systemctl alone.
  var isInstalled: Bool {
    [dropIn("timer"), isPackaged ? "\(folder)/timers.target.wants/\(name).timer" : unit("timer")]
      .contains(where: FileManager.default.fileExists)
  }

  /// The interval in the timer's file, in seconds.
  var interval: Duration? {
    let files = [dropIn("timer"), unit("timer")]
    return files.lazy.compactMap { Self.value(of: "OnUnitActiveSec", in: $0) }.first.flatMap { Int($0) }
      .map { .seconds($0) }
  }

  /// Writes the units and starts the timer. Removes the units if systemd fails.
  func install(_ harvest: ScheduledHarvest, every interval: Duration, _ environment: [String: String]) throws {
    try control("is-system-running", mayFail: true)
    let former = Self(name: Self.ownName(harvest), isPackaged: false, environment)
    if isPackaged, former.isInstalled { try former.remove() }
    if !isPackaged {
      try write(PackageResources.media_harvest_service, to: unit("service"))
      try write(PackageResources.media_harvest_timer, to: unit("timer"))
    }
    try write(Array(harvest.serviceDropIn.utf8), to: dropIn("service"))
    try write(Array(harvest.timerDropIn(every: interval).utf8), to: dropIn("timer"))
    do {
      try control("daemon-reload")
      try control("enable", "\(name).timer")
      try control("restart", "\(name).timer")
    } catch {
      try? removeFiles()
      throw error
    }
  }

  /// Stops the timer and removes its units.
  func remove() throws {
    try? control("disable", "--now", "\(name).timer")
    try removeFiles()
    try? control("daemon-reload")
  }

  private func removeFiles() throws {
    for kind in ["timer", "service"] {
      for path in [dropIn(kind)] + (isPackaged ? [] : [unit(kind)]) where FileManager.default.fileExists(atPath: path) {
        try FileManager.default.removeItem(atPath: path)
      }
      // It stays if it holds drop-ins of the person.
      rmdir("\(unit(kind)).d")
    }
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

  private func write(_ bytes: [UInt8], to path: String) throws {
    do {
      try FileManager.default.createDirectory(atPath: PathText.parent(of: path), withIntermediateDirectories: true)
      try Data(bytes).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw ScheduleError.unwritable(path: path, reason: FileErrorText.of(error))
    }
  }
}
