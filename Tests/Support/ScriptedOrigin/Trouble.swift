/// Something that goes wrong at the origin, and which requests it meets.
public struct Trouble: Sendable {
  /// What happens in place of the right answer.
  public enum Kind: Sendable {
    /// Another status with fields and a body of its own.
    case status(Int, headers: [String: String] = [:], body: String = "{\"error\":\"scripted\"}")
    /// The body breaks off after so many bytes, though its whole length was announced.
    case cut(after: Int)
    /// The right answer, late.
    case slow(Duration)
    /// No answer before the script has no troubles any more.
    case held
    /// A page for people, with status 200.
    case html
    /// A timeline that begins anew whatever cursor it is given.
    case cursorLoop
    /// 410.
    case gone
    /// 302 to this URL or path.
    case redirect(to: String)
    /// A body of so many bytes.
    case huge(Int)
    /// The connection is closed without an answer.
    case closed
    /// A timeline without its `Link` field.
    case noLink
    /// A timeline whose `Link` leads to another host.
    case foreignLink(String)
    /// A timeline whose post at this place is nothing anybody can read; its id stays.
    case badItem(at: Int)
    /// A timeline of this many posts at most, though there are more.
    case short(Int)
    /// A timeline without its posts, whose `Link` leads on to them; where ids are numbers.
    case empty
    /// Any bytes with status 200.
    case garbage([UInt8])
  }

  let path: String
  let times: ClosedRange<Int>
  let kind: Kind

  /// Meets the n-th request (from 1) whose path begins so.
  public static func nth(_ number: Int, _ path: String, _ kind: Kind) -> Trouble {
    Trouble(path: path, times: number...number, kind: kind)
  }

  /// Meets the first requests whose path begins so.
  public static func first(_ count: Int = 1, _ path: String, _ kind: Kind) -> Trouble {
    Trouble(path: path, times: 1...max(1, count), kind: kind)
  }

  /// Meets every request whose path begins so.
  public static func every(_ path: String, _ kind: Kind) -> Trouble {
    Trouble(path: path, times: 1...Int.max, kind: kind)
  }
}
