/// A command that the gallery runs for a person, and how far it has come.
struct Job: Sendable, Encodable {
  /// How far it has come.
  enum State: String, Sendable, Encodable { case waiting, running, done, failed, cancelled }

  /// Its number, which no other job of this server has.
  let id: Int
  /// What it does, for people.
  let title: String
  let kind: JobPlan.Kind
  var state = State.waiting
  /// The last line of progress.
  var progress: String?
  /// The part that is done, from 0 to 1; nil if it is unknown.
  var part: Double?
  /// What came, a line for each feed.
  var results: [String] = []
  /// What pulls that brought nothing say; it counts only if the job succeeds.
  var idle: [String] = []
  /// The feeds that it pulled, by name.
  var feeds: [String] = []
  /// What went wrong with parts of it.
  var notes: [String] = []
  /// Why it failed and what to do about it, in the command's own words.
  var failure: String?
  /// The status with which the command ended.
  var status: Int32?
  /// The server at which a login helps.
  var login: String?

  var isActive: Bool { state == .waiting || state == .running }
}

/// What a job runs.
struct JobPlan: Sendable, Hashable {
  /// What changes when it ends.
  enum Kind: String, Sendable, Encodable { case pull, fill, pictures, follow }

  let kind: Kind
  /// What it does, for people.
  let title: String
  /// The arguments of `media`, without the library and the form of its output.
  let command: MediaArguments
  /// How to follow the feeds that it pulled; nil if they are not followed.
  var follow: FollowPace?

  /// Jobs that run the same are one job.
  static func == (one: JobPlan, other: JobPlan) -> Bool {
    (one.command, one.follow?.every) == (other.command, other.follow?.every)
      && (one.follow == nil) == (other.follow == nil)
  }
  func hash(into hasher: inout Hasher) { hasher.combine(command) }
}

/// How often a followed feed is pulled.
struct FollowPace: Sendable, Hashable {
  /// An interval as people type it; nil if it adapts.
  let every: String?
}

/// The arguments of `media`. Values never become flags.
struct MediaArguments: Sendable, Hashable {
  private let name: String
  private var flags: [String] = []
  private let values: [String]

  init(_ name: String, _ values: [String] = []) { (self.name, self.values) = (name, values) }

  /// The same with a flag, and its value if it has one.
  func adding(_ flag: String, _ value: String?) -> Self { value.map { adding("\(flag)=\($0)") } ?? self }

  /// The same with a flag.
  func adding(_ flag: String) -> Self {
    var copy = self
    copy.flags.append(flag)
    return copy
  }

  /// As the program gets them.
  var all: [String] { [name] + flags + (values.isEmpty ? [] : ["--"] + values) }
}
