import FoundationEssentials
import MediaLibrary
import Terminal

/// An event of the interactive list.
public enum ScreenEvent: Sendable, Equatable {
  /// The current time. It applies to all events that follow.
  case time(Date)
  /// The terminal's size in cells.
  case size(columns: Int, rows: Int)
  case input(InputEvent)
  /// Another list is shown. Its first reading follows.
  case scope(ListScope)
  /// The feeds of the shown list changed.
  case joined(ListScope)
  /// The list's content changed.
  case list(ListReading)
  /// The requested part of the list has been read.
  case loaded
  /// The requested pictures are stored, or failed.
  case fetched
  case pull(PullUpdate)
  case login(LoginProgress)
  /// A user action is done.
  case done(UserAction)
  /// These posts of the list are deleted and can be restored.
  case restorable([Int64])
  /// The posts that this list has, of those that were asked for.
  case members([Int64], MemberRead)
  /// The names of own tags and albums.
  case markNames(MarkNames)
  /// The earliest pending user action failed, for this reason.
  case refused(String)
  /// A failure, in a sentence that says what helps.
  case problem(String)
  /// Why the list cannot be read; valid until its next reading.
  case unreadable(String)
  /// The gaps between the list's rows, and whether a pull below all of them was interrupted.
  case gaps([ListGap], isCutShort: Bool)
  /// A file that was to be attached cannot be, for this reason.
  case unfit(path: String, reason: String)
  /// Whether a tag of a list of several feeds has posts below what is known of it, which the list of that tag pulls.
  case older(Bool)
  /// The library changed, in this process or another.
  case changed
  /// The answer to a calendar's request.
  case calendar(CalendarAnswer)
  /// The lists that stand beside the posts, by their kind.
  case side([SideEntry])
  /// The lists to choose from, as typed, the latest first.
  case tags([String])
  /// What can complete the text of a filter.
  case offers([FilterCompletion.Offer], of: String)
  /// The current settings, and the refresh interval that they set, in seconds.
  case settings([SettingRow], refresh: Double)
  /// Pictures are drawn over cells of this size; nil if none are drawn.
  case pictures(CellSize?)
  /// The result of a timeline preview.
  case previewed(TimelinePreviewResult)
  /// Another server speaks for the accounts of a list. The list there, as people type it.
  case elsewhere(String, of: ListScope)
}

/// The list that is shown.
public struct ListScope: Sendable, Equatable {
  /// Its name: `#cats`.
  public var title: String
  /// Its server: `mastodon.social`; empty if it has none.
  public var origin: String
  /// Whether it can be refreshed.
  public var canRefresh: Bool
  /// Whether older posts can be pulled; true for a single feed.
  public var canPullOlder: Bool
  /// The server that can search; empty if none can.
  public var searcher: String
  /// Whether it shows all posts of the library.
  public var isWhole: Bool

  /// Creates a scope.
  public init(
    title: String, origin: String = "", canRefresh: Bool = false, canPullOlder: Bool = false, searcher: String = "",
    isWhole: Bool = true
  ) {
    (self.title, self.origin, self.canRefresh, self.canPullOlder) = (title, origin, canRefresh, canPullOlder)
    (self.searcher, self.isWhole) = (searcher, isWhole)
  }
}

/// A user action on posts.
public enum UserAction: Sendable, Equatable {
  /// By which change. If that undid something: whether a part of it stays, which somebody changed since.
  case deleted([Int64], by: Int64? = nil, isPart: Bool = false)
  case restored([Int64], by: Int64? = nil, isPart: Bool = false)
  case added(Int64)
  /// A post was changed. What undoes it; nil if only files changed, or nothing.
  case edited(Int64, undo: EntryWrite?)
  /// Posts were marked. The numbers of the changes that undo it, the first one first.
  case marked([Int64], MarkAction, changes: [Int64])
  /// A change of marks was undone: these posts are as they were. Whether a part of it stays, which somebody changed since.
  case unmarked([Int64], isPart: Bool)
}

/// Which posts to pull.
public enum PullKind: Sendable, Equatable {
  case new, older
  /// Those missing between two rows.
  case gap(ListGap.ID)
}

/// The progress of a pull.
public enum PullUpdate: Sendable, Equatable {
  case began(PullKind)
  /// The pull waits, for this reason.
  case waits(String)
  /// A page with this many posts is stored.
  case page(posts: Int)
  /// A feed that failed the last time answers again.
  case recovered
  /// The pull ended, with the number of new posts and what stopped it. `isEnd` if the feed has no older posts. The times
  /// say when a retry makes sense: of any feed, and of the one whose failure is shown.
  case ended(PullKind, new: Int, isEnd: Bool, failure: String?, until: Date? = nil, failureUntil: Date? = nil)
}

/// A setting with its value.
public struct SettingRow: Sendable, Equatable {
  /// Its name.
  public var name: String
  /// Its value.
  public var value: String
  /// Its description.
  public var help: String
  /// Its choices; empty for free text.
  public var choices: [String]

  /// Creates a setting.
  public init(name: String, value: String, help: String, choices: [String] = []) {
    (self.name, self.value, self.help, self.choices) = (name, value, help, choices)
  }
}
