import Foundation

extension ScriptedPost {
  /// Seconds since 1970 as servers write a date: RFC 3339, UTC, milliseconds.
  public static func time(_ seconds: Int) -> String {
    let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    return Date(timeIntervalSince1970: TimeInterval(seconds)).formatted(format)
  }

  /// A date with microseconds, as `X-RateLimit-Reset` is written.
  static func microseconds(_ date: Date) -> String {
    String(time(Int(date.timeIntervalSince1970)).dropLast(1)) + "123Z"
  }
}
