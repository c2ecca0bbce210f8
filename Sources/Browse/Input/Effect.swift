import MediaLibrary
import Terminal

/// Work that the list asks for. It may block. Each case belongs to one performer, which knows no other's.
public enum Effect: Sendable, Equatable {
  case read(ReadEffect)
  case write(WriteEffect)
  case pull(PullKind)
  case fetch(PictureFetch)
  case login(LoginEffect)
  case open(OpenEffect)
  /// Previews a remote user's timeline without storing anything. Replaces the preview under way; empty text cancels it.
  case preview(String)
  /// Counts and reads the posts of time ranges. A new request cancels the answer to an earlier one.
  case calendar(CalendarRequest)
  /// Reads the lists that stand beside the posts, and counts what is unseen of them.
  case side
  case terminal(TerminalEffect)
}

/// What the list reads.
public enum ReadEffect: Sendable, Equatable {
  /// A part of the list.
  public enum ListRead: Sendable, Equatable { case before, after, top, bottom }

  case load(ListRead)
  /// Shows the posts of the list that a filter finds.
  case search(Filter)
  /// Looks for what can complete a filter that is typed.
  case complete(String)
  /// Shows another list as typed: a tag, a user, or terms for a server's search.
  case choose(String)
  /// Shows the results of the list's server for these terms.
  case searchThere(String)
  /// Reads which posts of this list can be restored.
  case countDeleted
  /// Reads which posts this list has, for what is selected. Is answered by `ScreenEvent.members`.
  case members(MemberRead)
  /// Checks whether a file can be attached, by its path as typed. Is answered only if it cannot.
  case checkFile(String)
}

/// Which posts of a list are asked for.
public enum MemberRead: Sendable, Equatable {
  case all
  /// Those from one to another, whichever comes first.
  case range(Int64, Int64)
  /// Those of these.
  case among(Set<Int64>)
}

/// What the list writes.
public enum WriteEffect: Sendable, Equatable {
  /// Is answered by `ScreenEvent.done` or `refused`, in order.
  case change(PostChange)
  /// Changes a setting.
  case set(String, String)
  /// Reads which lists can be chosen, after all that was written before.
  case tags
  /// Reads the names of own tags and albums, after all that was written before.
  case markNames
}

/// A change of posts that can be undone.
public enum PostChange: Sendable, Equatable {
  /// With the number of the change that restored them, if that is undone: what was deleted or restored again since stays.
  case delete([Int64], undoing: Int64? = nil)
  case restore([Int64], undoing: Int64? = nil)
  case add(String)
  case write(EntryWrite)
  /// Makes posts favourites; if all of them are, none any more.
  case toggleFavourites([Int64])
  case mark([Int64], [Mark])
  /// Adds posts to an album. `makes` if it may be missing, and is made then.
  case addToAlbum([Int64], String, makes: Bool)
  /// Leaves posts, and all of authors and tags, out of every list.
  case hide([Int64], [HiddenName])
  /// Notes whether posts show the same picture.
  case call([Int64], SameVerdict)
  /// Takes changes of marks back, by their numbers, the last one first.
  case unmark([Int64])
}

/// Missing pictures to fetch.
public struct PictureFetch: Sendable, Equatable {
  /// The posts.
  public var posts: [Int64]
  /// Whether failed pictures are fetched at once, not when they are due.
  public var retryFailed: Bool
  /// Whether pictures that were gone are fetched, too.
  public var gone: Bool

  /// Creates a request.
  public init(_ posts: [Int64], retryFailed: Bool, gone: Bool = false) {
    (self.posts, self.retryFailed, self.gone) = (posts, retryFailed, gone)
  }
}

/// A step of a login.
public enum LoginEffect: Sendable, Equatable {
  /// Begins the required login.
  case begin
  /// Begins the login with the keys of an app made by hand.
  case beginWith(LoginKeys)
  /// Completes the login with a pasted code.
  case finish(String)
}

/// What other programs show.
public enum OpenEffect: Sendable, Equatable {
  case page(String)
  /// Opens a blob in the user's or the system's program, under the name that its file had.
  case file(BlobID, name: String?)
}

/// What the screen's own thread does.
public enum TerminalEffect: Sendable, Equatable {
  /// Copies text through the terminal.
  case copy(SafeText)
  /// Redraws the whole screen, whatever the terminal is believed to show.
  case redraw
  case suspend
  case quit
  /// Exits as Ctrl-C does.
  case interrupt
}
