import Foundation

/// The number of rounds of a property test: a sample in every run, all of them with `Scripts/test --long`.
public enum PropertyTest {
  /// The seeds of a property test. The sample is the beginning of the whole range.
  public static func seeds(sample: UInt64, whole: UInt64) -> Range<UInt64> {
    0..<(isLong ? whole : sample)
  }

  /// How often a test repeats what only a long series finds.
  public static func repetitions(sample: Int, whole: Int) -> Range<Int> {
    0..<(isLong ? whole : sample)
  }

  /// The cases of a test that repeats itself over many: some that are spread over all and end with the last one, or all.
  public static func cases<Case>(sample: Int, of whole: [Case]) -> [Case] {
    isLong || whole.count <= sample ? whole : (1...sample).map { whole[whole.count * $0 / sample - 1] }
  }

  /// Whether `Scripts/test --long` runs.
  public static let isLong = ProcessInfo.processInfo.environment["MEDIA_LONG"] != nil
}
