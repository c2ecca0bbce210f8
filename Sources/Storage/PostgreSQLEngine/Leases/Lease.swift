/// What a worker holds for a while, in place of a kernel lock: workers of other machines see it, and it ends by itself.
public struct Lease: Sendable, Hashable {
  /// What is held.
  public let name: String
  /// Rises whenever the lease is taken. Whoever holds a lower number has lost it.
  public let fence: Int64
}

/// A lease that somebody holds.
public struct LeaseHolder: Sendable, Hashable {
  /// The machine and the process: `newton, process 4711`.
  public let name: String
  /// For how many seconds it holds the lease, by the server's clock.
  public let seconds: Int
}
