import Posts

/// The setting `gc-grace` is too short for a library that machines share.
///
/// In a folder, a lock holds off garbage collection while pictures are stored. Other machines do not know that lock: only the
/// grace protects bytes whose row is not written yet. A page with its pictures, or a part of a copy, may take an hour to
/// store, and the clock by which the bytes have their time may be an hour behind the database's.
struct GraceTooShort: ExplainedError, Equatable {
  /// The least grace in a library that machines share.
  static let least = Duration.seconds(7200)

  let grace: Duration

  var summary: String {
    "with gc-grace at \(Measures.text(grace)), media gc could remove pictures that another machine is storing"
  }
  var cure: String? {
    "set \(Measures.text(Self.least)) or more in a library that machines share, as by \"media settings gc-grace \(SettingKey.grace.standard)\""
  }
  var exitCode: ExitCode { .usage }
}

extension LibraryOpener {
  /// Whether garbage may be collected with this grace. A library in a folder allows any.
  ///
  /// - Throws: `GraceTooShort`.
  func expectGrace(_ grace: Duration) throws(GraceTooShort) {
    if address != nil, grace < GraceTooShort.least { throw GraceTooShort(grace: grace) }
  }
}
