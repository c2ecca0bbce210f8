import FoundationEssentials

extension Derivatives {
  /// How derivatives are made.
  public struct Configuration: Sendable {
    /// The path of `media-picture`.
    public var program: String
    /// The environment of this process. Children get only the paths of libraries and decoders.
    public var environment: [String: String]
    /// The maximum number of children.
    public var children: Int
    /// The number of requests that may wait.
    public var capacity = 512
    /// The time limit for one blob.
    public var timeLimit = Duration.seconds(20)
    /// After this time without a request, a child is ended.
    public var idleTime = Duration.seconds(30)
    /// The folder for copies of blobs that are not files.
    public var temporary = "/tmp"

    /// A configuration. `children` is usually the number of processors.
    public init(program: String, environment: [String: String], children: Int) {
      (self.program, self.environment, self.children) = (program, environment, max(1, children))
    }
  }

  /// The clocks.
  public struct Clocks: Sendable {
    /// The time of day, for the cache.
    public var now: @Sendable () -> Date
    /// The time for limits.
    public var instant: @Sendable () -> ContinuousClock.Instant
    /// Waits.
    public var sleep: @Sendable (Duration) async throws -> Void

    /// Clocks.
    public init(
      now: @escaping @Sendable () -> Date, instant: @escaping @Sendable () -> ContinuousClock.Instant,
      sleep: @escaping @Sendable (Duration) async throws -> Void
    ) { (self.now, self.instant, self.sleep) = (now, instant, sleep) }
  }
}
