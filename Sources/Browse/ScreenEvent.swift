import Foundation
import MediaLibrary
import Terminal

/// What happens to a list on the screen.
public enum ScreenEvent: Sendable, Equatable {
  /// The clock shows this. Everything that follows happens then.
  case time(Date)
  /// The terminal has so many cells.
  case size(columns: Int, rows: Int)
  case input(InputEvent)
  /// Another list is shown from now on: its first reading follows.
  case place(ListPlace)
  /// The list that is shown is fed by other feeds than before.
  case joined(ListPlace)
  /// The list holds this now.
  case list(ListReading)
  /// The part of the list that was asked for is there.
  case looked
  /// The pictures that were asked for are there, or cannot be had.
  case fetched
  case pull(PullNews)
  case login(LoginNews)
  /// What a person asked for is done.
  case done(Deed)
  /// These posts of the list are deleted and could come back.
  case restorable([Int64])
  /// The earliest deed without an answer could not be done, for this reason.
  case refused(String)
  /// What could not be done, in a sentence with what helps.
  case problem(String)
  /// Why the list cannot be read; that ends with its next reading.
  case unreadable(String)
  /// What is missing of the list between its rows, and whether a pull of what is below all of them was cut short.
  case gaps([ListGap], isCutShort: Bool)
  /// The library has changed, whoever changed it.
  case changed
  /// What a calendar asked for.
  case calendar([CalendarReading])
  /// The lists that can be chosen, as people write them, those that were looked at last first.
  case tags([String])
  /// The settings as they are now, and the time between two refreshes that they set, in seconds.
  case settings([SettingRow], refresh: Double)
  /// Pictures are drawn over cells of this size from now on; nil where none are.
  case pictures(CellSize?)
  /// What came of a look at a remote user's timeline.
  case peeked(PeekAnswer)
}

/// Which list is shown.
public struct ListPlace: Sendable, Equatable {
  /// What people call it: `#cats`.
  public var title: String
  /// Where it comes from: `mastodon.social`; empty where it comes from nowhere.
  public var origin: String
  /// Whether it can be refreshed.
  public var canRefresh: Bool
  /// Whether older posts can be pulled: it is one feed.
  public var canPullOlder: Bool
  /// The server that can be asked for words; empty where none can.
  public var searcher: String
  /// Whether it shows all posts of the library.
  public var isWhole: Bool

  /// A place from its parts.
  public init(
    title: String, origin: String = "", canRefresh: Bool = false, canPullOlder: Bool = false, searcher: String = "",
    isWhole: Bool = true
  ) {
    (self.title, self.origin, self.canRefresh, self.canPullOlder) = (title, origin, canRefresh, canPullOlder)
    (self.searcher, self.isWhole) = (searcher, isWhole)
  }
}

/// What a person did to posts.
public enum Deed: Sendable, Equatable {
  case deleted([Int64])
  case restored([Int64])
  case added(Int64)
}

/// Which posts a pull is to bring.
public enum PullKind: Sendable, Equatable {
  case new, older
  /// Those that are missing between two rows.
  case gap(ListGap.ID)
}

/// What becomes of a pull.
public enum PullNews: Sendable, Equatable {
  case began(PullKind)
  /// It waits, for this reason.
  case waits(String)
  /// A page is stored, with so many posts.
  case page(posts: Int)
  /// A feed that failed the last time answers again.
  case recovered
  /// It is over: so many posts are new; `isEnd` where the feed has no older ones; what stopped it, and until when there is
  /// no use in another try: of any feed, and of the one whose failure is told.
  case ended(PullKind, new: Int, isEnd: Bool, failure: String?, until: Date? = nil, failureUntil: Date? = nil)
}

/// A setting with its value.
public struct SettingRow: Sendable, Equatable {
  /// Its name.
  public var name: String
  /// Its value.
  public var value: String
  /// What it decides.
  public var words: String
  /// What it can be; empty where it is written.
  public var choices: [String]

  /// A setting from its parts.
  public init(name: String, value: String, words: String, choices: [String] = []) {
    (self.name, self.value, self.words, self.choices) = (name, value, words, choices)
  }
}

/// What a list wants done, by somebody who may wait.
public enum Effect: Sendable, Equatable {
  /// Which part of the list is to be read.
  public enum Look: Sendable, Equatable { case before, after, top, bottom }

  case delete([Int64])
  case restore([Int64])
  case add(String)
  /// Asks which posts of this list could come back.
  case countDeleted
  case look(Look)
  /// Shows the posts with these words; without words all.
  case search(String)
  /// Shows another list, as a person writes it: a tag, a user, or words that a server is to search for.
  case choose(String)
  /// Looks at a remote user's timeline without keeping anything of it, in place of the look that is under way; without
  /// words at none.
  case peek(String)
  /// Shows what the list's server finds for these words.
  case searchThere(String)
  /// Begins a log-in where one is wanted.
  case logIn
  /// Begins it with the keys of an app that a person made.
  case logInWith(LoginKeys)
  /// Ends it with what a person pasted.
  case finishLogIn(String)
  case pull(PullKind)
  /// Asks how many posts stretches of time hold, and which. Who asked something else before wants no answer to that.
  case calendar(CalendarAsk)
  /// Asks which lists can be chosen.
  case tags
  case open(String)
  /// Opens kept bytes in the program that the system, or the person, has for them.
  case openFile(BlobID)
  /// Has the terminal copy a text.
  case copy(Inert)
  /// Fetches the pictures of these posts that are not here: those that failed whenever they are due or at once, and where
  /// a person asks for it also those that were gone.
  case fetch([Int64], retryFailed: Bool, gone: Bool = false)
  case set(String, String)
  /// Writes the whole screen anew, whatever the terminal is believed to show.
  case redraw
  case suspend
  case quit
  /// Ends as Ctrl-C does.
  case interrupt
}
