/// A fault of the origin, and the requests that it affects.
public struct Trouble: Sendable {
  /// What happens instead of the right answer.
  public enum Kind: Sendable {
    /// Another status with its own fields and body.
    case status(Int, headers: [String: String] = [:], body: String = "{\"error\":\"scripted\"}")
    /// The body ends after a number of bytes, although its whole length was announced.
    case cut(after: Int)
    /// The right answer, late.
    case slow(Duration)
    /// No answer until the script no longer holds the path.
    case held
    /// An HTML page with status 200.
    case html
    /// A timeline that restarts at any cursor.
    case cursorLoop
    /// 410.
    case gone
    /// 302 to this URL or path.
    case redirect(to: String)
    /// A body of this many bytes.
    case huge(Int)
    /// The connection is closed without an answer.
    case closed
    /// A timeline without its `Link` field.
    case noLink
    /// A timeline whose `Link` leads to another host.
    case foreignLink(String)
    /// A timeline with an unreadable post at this index; its id stays.
    case badItem(at: Int)
    /// A timeline of at most this many posts, although there are more.
    case short(Int)
    /// A timeline without its posts, whose `Link` leads to the next ones; only for numeric ids.
    case empty
    /// These bytes with status 200.
    case garbage([UInt8])
  }

  let path: String
  let times: ClosedRange<Int>
  let kind: Kind

  /// Affects the n-th request (from 1) with this path prefix.
  public static func nth(_ number: Int, _ path: String, _ kind: Kind) -> Trouble {
    Trouble(path: path, times: number...number, kind: kind)
  }

  /// Affects the first requests with this path prefix.
  public static func first(_ count: Int = 1, _ path: String, _ kind: Kind) -> Trouble {
    Trouble(path: path, times: 1...max(1, count), kind: kind)
  }

  /// Affects every request with this path prefix.
  public static func every(_ path: String, _ kind: Kind) -> Trouble {
    Trouble(path: path, times: 1...Int.max, kind: kind)
  }
}
