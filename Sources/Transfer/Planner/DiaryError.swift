import JSONReading
import Posts

/// Why a file is no diary.
public enum DiaryError: ExplainedError, Equatable {
  /// It has typographic quotes where JSON has straight ones; the offset of the first in bytes.
  case typographicQuotes(at: Int)
  /// It is no JSON; what is wrong.
  case notJSON(JSONStream.Fault)

  /// What failed.
  public var summary: String {
    switch self {
    case .typographicQuotes(let offset):
      "the diary has typographic quotes at byte \(offset), and JSON has straight ones (\")"
    case .notJSON(.empty): "the diary is empty"
    case .notJSON(.markup): "the diary is a web page, not JSON"
    case .notJSON(.malformed(let offset)): "the diary is not JSON: byte \(offset) is out of place"
    case .notJSON(.truncated(let offset)): "the diary ends within the value that begins at byte \(offset)"
    case .notJSON(.tooLong(let offset)): "the diary's value at byte \(offset) is too long for an entry"
    }
  }

  /// What to do about it.
  public var cure: String? {
    switch self {
    case .typographicQuotes: "replace “ and ” by \" where they enclose names and values"
    case .notJSON: "give a list of entries such as {\"id\":1,\"date_start\":\"147600000\",\"name\":\"My task\"}"
    }
  }

  /// The exit status of the command.
  public var exitCode: ExitCode { .unreadable }
}
