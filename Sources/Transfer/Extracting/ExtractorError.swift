import FoundationEssentials
import Posts

/// Why an extractor brought nothing, or not all.
public enum ExtractorError: ExplainedError, Equatable {
  /// What an extractor says of an address that it cannot read.
  public enum Reason: Sendable, Equatable {
    /// It does not know the site.
    case unknownSite
    /// The site asks for a login.
    case needsLogin
    /// The site does not have it, or no longer.
    case gone
    /// The site refuses this program, or this country.
    case blocked
    /// It offers no files of the wanted kinds by themselves.
    case unwanted
    /// Anything else: often a page that has changed.
    case failed
  }

  /// Programs of others may not be started.
  case notAllowed(address: String)
  /// None is installed.
  case notInstalled(address: String)
  /// It ended without all of it.
  case refused(program: String, address: String, Reason, said: String?)
  /// It wrote nothing for too long.
  case silent(program: String, address: String, minutes: Int)
  /// It cannot be started.
  case notStarted(program: String, reason: String)

  /// What failed, on what, and why.
  public var summary: String {
    switch self {
    case .notAllowed(let address): "\(Feed.spoken(address)) is of no known source, and other programs may not read it"
    case .notInstalled(let address): "\(Feed.spoken(address)) is of no known source"
    case .refused(let program, let address, let reason, let said):
      Self.summary(program, Feed.spoken(address), reason, said)
    case .silent(let program, let address, let minutes):
      "\(program) wrote nothing about \(Feed.spoken(address)) for \(minutes) minutes, and was ended"
    case .notStarted(let program, let reason): "\(program) cannot be started: \(reason)"
    }
  }

  private static func summary(_ program: String, _ address: String, _ reason: Reason, _ said: String?) -> String {
    switch reason {
    case .unknownSite: "\(program) does not know the site of \(address)"
    case .needsLogin: "\(address) is shown only to those who are logged in"
    case .gone: "\(address) is not there, says \(program)"
    case .blocked: "the site refused to show \(address) to \(program)"
    case .unwanted: "\(address) offers no files of the wanted kinds by themselves"
    case .failed: "\(program) could not read \(address)\(said.map { ": \($0)" } ?? "")"
    }
  }

  /// What to do about it.
  public var cure: String? {
    switch self {
    case .notAllowed: "\"media settings extractors on\" lets gallery-dl and yt-dlp read it, if they are installed"
    case .notInstalled: "install gallery-dl or yt-dlp, which read many sites"
    case .refused(let program, _, let reason, _):
      switch reason {
      case .unknownSite: "check the address; a newer \(program) may know it"
      case .needsLogin: "set cookies for the host in config.toml, or log in as \(program) describes it"
      case .gone: nil
      case .blocked: "wait, or set cookies for the host in config.toml"
      case .unwanted: "--only names more kinds, or all"
      case .failed: "a newer \(program) may know this page"
      }
    case .silent: "try it again; what came before is stored"
    case .notStarted: "\"media doctor\" tells what is installed"
    }
  }

  /// The exit status of the command.
  public var exitCode: ExitCode {
    switch self {
    case .notAllowed, .notInstalled: .usage
    case .refused(_, _, let reason, _):
      switch reason {
      case .unknownSite: .usage
      case .needsLogin: .needsLogin
      case .gone, .unwanted: .unavailable
      case .blocked: .tryLater
      case .failed: .unreadable
      }
    case .silent: .tryLater
    case .notStarted: .unavailable
    }
  }
}
