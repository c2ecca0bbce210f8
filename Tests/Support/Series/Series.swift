import Foundation

/// How long a series of random rounds is: a sample in every run, the whole of it with `Scripts/test --long`.
public enum Series {
  /// The seeds of a series: the sample is the beginning of the whole.
  public static func seeds(sample: UInt64, whole: UInt64) -> Range<UInt64> {
    0..<(ProcessInfo.processInfo.environment["MEDIA_LONG"] == nil ? sample : whole)
  }
}
