import FoundationEssentials
import Machine
import MediaLibrary
import Terminal

/// The interactive list as a value: events in, effects and a drawn screen out. It performs no work itself, so that keys act
/// at once, whatever the network, the disk or another process does.
public struct ListScreen: Sendable {
  /// The mode, which decides what keys do.
  enum Mode: Sendable, Equatable {
    case list
    /// A whole post, scrolled by this many lines.
    case post(Int)
    /// A full-window picture.
    case picture(PictureZoom)
    case adding(TextField)
    /// An entry is written or changed.
    case writing(EntryForm)
    /// A mark is typed.
    case marking(MarkField)
    case searching(FilterField)
    case choosing(TagField)
    case help(Int)
    case settings(SettingsScreen)
    case loggingIn(LoginScreen)
    /// The open calendar.
    case calendar
    /// Asks whether to restore these posts.
    case restoring([Int64])
  }

  var mode = Mode.list
  var scope = ListScope(title: "all posts")
  var list = RowList()
  var metrics = Metrics(columns: 80, rows: 24)
  /// The columns of the whole screen.
  private(set) var columns = 80
  var side = SideList()
  var now = Date(timeIntervalSince1970: 0)
  var pulling = PullState()
  /// The latest message about an action or a failure.
  var notice = ""
  /// A notice that stays until a key is pressed.
  var reminder: String
  /// The words or the filter, as typed; empty if none is applied.
  private(set) var search = ""
  /// What they mean.
  private(set) var filter = Filter.everything
  /// The post that was selected before the search began.
  private var selectedBeforeSearch: Int64?
  /// Whether another list was requested; the search does not apply to it.
  var isChoosing = false
  /// When the typed search begins.
  var searchDue: Date?
  var undoStack = UndoStack()
  /// The posts on which marks and deletes act; empty if they act on the post under the cursor.
  var selection = PostSelection()
  /// The names that complete a mark that is typed; nil until they are read.
  var markNames: MarkNames?
  /// The mode to which the line of a mark returns.
  var behindMark = Mode.list
  /// Text that could not be saved.
  var draft = ""
  /// The form that was saved last, until it is known to be stored.
  var sentForm: EntryForm?
  /// The mode to which the form returns.
  var behindForm = Mode.list
  /// Whether a part of the list is being read.
  var isLoading = false
  /// The number of new posts above the screen that have not been shown.
  var newAbove = 0
  /// Whether the list's first reading has arrived.
  var isRead = false
  /// Whether keys wait to be handled; then nothing slides.
  public var isHurried = false
  var settings: [SettingRow] = []
  /// The calendar, also while a post opened from it is shown.
  var calendar: CalendarScreen?
  /// The tags to choose from.
  var tags: [String] = []
  /// Why the list cannot be read; nil if it can.
  var unreadable: String?
  var pictures = PictureView()
  var fetching = Fetching()
  var login = LoginRequest()
  /// Whether a tag of the list has posts below what is known of it.
  var hasOlder = false
  /// The preview of a remote timeline while its name is typed.
  var preview = TimelinePreview()
  let dates: DateText
  /// The times of forms.
  let writing: ZoneCalendar
  let localCalendar: LocalCalendar
  private var isAnimated = true
  /// Disables sliding, whatever the settings say.
  private let isStill: Bool

  /// The delay between the last typed key and the search.
  static let searchPause = 0.25

  /// An empty screen of posts that match a filter.
  ///
  /// - Parameters:
  ///   - search: The filter as typed.
  ///   - isStill: Disables sliding, whatever the settings say.
  ///   - reminder: A notice in the status row until a key is pressed.
  public init(zone: TimeZone, search: String = "", isStill: Bool = false, reminder: String = "") {
    dates = DateText(zone: zone)
    writing = ZoneCalendar(zone)
    localCalendar = LocalCalendar(zone: zone)
    if let filter = try? Filter(parsing: search), filter != .everything {
      (self.search, self.filter) = (search, filter)
    }
    self.isStill = isStill
    self.reminder = reminder
  }

  /// Handles an event. Returns the effects to perform.
  public mutating func handle(_ event: ScreenEvent) -> [Effect] {
    switch event {
    case .time(let date): return tick(date)
    case .size(let columns, let rows):
      (self.columns, metrics) = (columns, Metrics(columns: columns, rows: rows, isGrid: metrics.isGrid))
      fit()
      return []
    case .input(let input): return handle(input)
    case .scope(let next): return arrive(at: next)
    case .list(let reading): return handle(reading)
    case .loaded:
      isLoading = false
      return []
    case .fetched: fetching.isUnderWay = false
    case .joined(let next): join(next)
    case .pull(let news): return handle(news)
    case .login(let news): return handle(news)
    case .done(let action): return handle(action)
    case .restorable(let ids): return ask(ids)
    case .members(let ids, let read): take(ids, read)
    case .markNames(let names): markNames = names
    case .problem(let message):
      notice = message
      isChoosing = false
      list.awaitNothing()
    case .refused(let message):
      notice = message
      switch undoStack.refused() {
      case .add(let text): offerAgain(text)
      case .write: offerFormAgain()
      case .mark(let posts, let marks): offerAgain(marks, of: posts)
      case .addToAlbum(let posts, let name, makes: false): askToMake(name, for: posts)
      case .delete, .restore, .toggleFavourites, .addToAlbum, .hide, .call, .unmark, nil: break
      }
    case .settings(let rows, let refresh): handle(rows, refresh)
    case .unreadable(let message): unreadable = message
    case .gaps(let gaps, let isCutShort): handle(gaps, isCutShort: isCutShort)
    case .unfit(let path, let reason): detach(path, because: reason)
    case .older(let isKnown): hasOlder = isKnown
    case .changed: return refreshCalendar() + (sideWidth > 0 ? [.side] : [])
    case .side(let entries): side.take(entries)
    case .calendar(let answer): handle(answer)
    case .tags(let known): tags = known
    case .offers(let offers, let text): take(offers, of: text)
    case .pictures(let cell): pictures.cell = cell
    case .previewed(let answer): handle(answer)
    case .elsewhere(let text, let other):
      // The user may have gone on meanwhile.
      if other == scope, case .list = mode { return choose(text) }
    }
    return []
  }

  /// When the screen next needs a clock event; nil if it needs none.
  public var nextTime: Date? {
    let frame = list.motions.isEmpty ? nil : now.addingTimeInterval(0.016)
    let second = Date(timeIntervalSince1970: now.timeIntervalSince1970.rounded(.down) + 1)
    return [frame, searchDue, preview.due, fetching.nextTry, pulling.next == nil ? now.addingTimeInterval(30) : second]
      .compactMap(\.self).min()
  }

  private var sliding: Date? { isAnimated && !isStill && !isHurried && !metrics.isGrid ? now : nil }

  // MARK: Without input

  private mutating func tick(_ date: Date) -> [Effect] {
    now = date
    list.endMotions(at: date)
    if let due = searchDue, due <= date { return beginSearch() }
    if let due = preview.due, due <= date { return beginPreview() }
    if let next = pulling.next, next <= date, scope.canRefresh, pulling.running == nil { return ask(for: .new) }
    return fetchShown()
  }

  private mutating func arrive(at next: ListScope) -> [Effect] {
    let isSame = next == scope
    if isChoosing, !isSame {
      endSearch()
      selectedBeforeSearch = nil
    }
    isChoosing = false
    let selected = list.selected
    scope = next
    list.clear()
    selection.clear()
    // A list that is sorted anew is read from its start.
    let kept = filter.order == nil ? selected : nil
    list.awaited = search.isEmpty ? selectedBeforeSearch ?? selected : kept
    if search.isEmpty { selectedBeforeSearch = nil }
    isRead = false
    isLoading = false
    newAbove = 0
    if !isSame {
      list.awaited = nil
      hasOlder = false
      pulling = PullState(pause: pulling.pause, running: pulling.running, isForeign: pulling.running != nil)
      notice = ""
      if calendar != nil { (calendar, mode) = (nil, .list) }
      fetching = Fetching(isUnderWay: fetching.isUnderWay)
      login.server = nil
    }
    // Stored posts show first. New ones follow.
    return next.canRefresh && pulling.next == nil ? ask(for: .new) : []
  }

  private mutating func handle(_ reading: ListReading) -> [Effect] {
    let (before, selected, awaited) = (list.reading, list.selected, list.awaitsBottom)
    let added = list.awaited
    let asked = settleSelection(from: before, to: reading)
    list.update(reading, metrics, animatedAt: isRead ? sliding : nil)
    if added != nil, list.awaited == nil, notice.hasPrefix(Self.added) { notice = Self.added }
    unreadable = nil
    let isShown = list.offset(RowLayout(list.reading, metrics), metrics) == 0
    newAbove = isShown ? 0 : newAbove + Self.count(ofNewer: reading, than: before)
    isRead = true
    if isReading, calendar == nil, list.selected != selected { leave(selected, for: list.selected) }
    noteProbe()
    let ids = Set(reading.rows.map(\.id))
    undoStack.settle { ids.contains($0) || calendar != nil }
    return asked + (awaited && !list.awaitsBottom ? more() + reachEnd() : more())
  }

  /// The number of posts that arrived on top of the list, not counting rows that only entered the window.
  private static func count(ofNewer reading: ListReading, than before: ListReading) -> Int {
    guard !before.hasMoreBefore, !reading.hasMoreBefore, let top = before.rows.first else { return 0 }
    return reading.rows.prefix { ($0.createdAt, $0.id) > (top.createdAt, top.id) }.count
  }

  /// Whether a whole post is shown, or is behind the help.
  var isReading: Bool {
    switch shownMode {
    case .post, .picture: true
    case .list, .adding, .writing, .marking, .searching, .choosing, .help, .settings, .loggingIn, .calendar, .restoring:
      false
    }
  }

  /// Whether a full-window picture is shown, or is behind the help.
  private var isPicture: Bool { if case .picture = shownMode { true } else { false } }

  /// The mode, or the one behind the help.
  private var shownMode: Mode { if case .help = mode { behindHelp } else { mode } }

  /// Shows the next post, from its first line, because the one being read is gone.
  mutating func leave(_ post: Int64?, for next: Int64?) {
    let isOfPost = if case .list = behindPicture { false } else { true }
    let shown = next == nil ? origin : isPicture && !isOfPost ? behindPicture : .post(0)
    if case .help = mode { behindHelp = shown } else { mode = shown }
    if let post, !undoStack.going.contains(post) { notice = "The post you read was deleted." }
  }

  /// The mode to which help returns.
  var behindHelp = Mode.list
  /// The mode to which the full-window picture returns.
  var behindPicture = Mode.list
  /// The target and time of the last click.
  private var clicked: (target: ClickTarget, at: Date)?

  private mutating func ask(_ ids: [Int64]) -> [Effect] {
    // The answer may come late: what the user has begun since takes precedence.
    guard case .list = mode else { return [] }
    if ids.isEmpty { notice = "Nothing of this list is deleted." } else { mode = .restoring(ids) }
    return []
  }

  private mutating func handle(_ rows: [SettingRow], _ refresh: Double) {
    settings = rows
    notice = ""
    if refresh != pulling.pause, let next = pulling.next {
      pulling.next = min(next, now.addingTimeInterval(refresh))
    }
    pulling.pause = refresh
    if let view = rows.first(where: { $0.name == "view" }) { show(asGrid: view.value == "grid") }
    pictures.hasAvatars = rows.first { $0.name == "avatars" }.map { $0.value == "on" } ?? pictures.hasAvatars
    if isStill { return }
    isAnimated = rows.first { $0.name == "animation" }.map { $0.value == "on" } ?? isAnimated
  }

  /// Offers text that could not be saved for another try, unless the user has begun something else.
  private mutating func offerAgain(_ text: String) {
    if case .list = mode { mode = .adding(TextField(text: text)) } else { draft = text }
  }

  /// Updates the scope after the feeds of the shown list changed.
  private mutating func join(_ next: ListScope) {
    let couldRefresh = scope.canRefresh
    scope = next
    // Whoever added the feed is pulling it now.
    if next.canRefresh, !couldRefresh, pulling.next == nil { pulling.next = now.addingTimeInterval(pulling.pause) }
  }

  // MARK: Reading more rows

  /// Reads more rows when the selection comes within two screens of the end of those read.
  mutating func more() -> [Effect] {
    guard !isLoading, let index = list.selectedIndex else { return [] }
    let margin = max(10, 2 * metrics.across * metrics.height / max(1, metrics.leastHeight))
    if list.reading.hasMoreAfter, index >= list.reading.rows.count - margin { return load(.after) }
    if list.reading.hasMoreBefore, index < margin { return load(.before) }
    return []
  }

  mutating func load(_ part: ReadEffect.ListRead) -> [Effect] {
    isLoading = true
    return [.read(.load(part))]
  }

  // MARK: Searching

  private mutating func beginSearch() -> [Effect] {
    searchDue = nil
    guard case .searching(let field) = mode else { return [] }
    return find(field.field.trimmed, isUnfinished: true) ?? []
  }

  /// Shows what a filter finds; nil if it has a mistake, which is said, and changes nothing.
  ///
  /// - Parameter isUnfinished: Whether it is still typed. Then what is not finished at its end is ignored.
  mutating func find(_ text: String, isUnfinished: Bool) -> [Effect]? {
    searchDue = nil
    do throws(FilterError) {
      let found = try Filter(parsing: text, isUnfinished: isUnfinished)
      search = found == .everything ? "" : text
      guard found != filter else { return [] }
      if filter == .everything { selectedBeforeSearch = list.selected }
      filter = found
      return [.read(.search(found))]
    } catch {
      notice = error.sentence
      return nil
    }
  }

  mutating func endSearch() { (search, filter, searchDue) = ("", .everything, nil) }

  /// Shows what can complete the text, unless somebody has typed on.
  private mutating func take(_ offers: [FilterCompletion.Offer], of text: String) {
    guard case .searching(var field) = mode, field.field.text == text else { return }
    if offers.isEmpty, let key = FilterCompletion(of: text).key {
      notice = "\(key.help) Such as \(key.example)"
    }
    field.take(offers)
    mode = .searching(field)
    if field.field.text != text { searchDue = now.addingTimeInterval(Self.searchPause) }
  }

  // MARK: Clicks

  /// Records a click. Returns whether it is a double click on the same target.
  mutating func isSecondClick(on target: ClickTarget) -> Bool {
    defer { clicked = (target, now) }
    return clicked.map { $0.target == target && now.timeIntervalSince($0.at) < Self.doubleClick } ?? false
  }

  private static let doubleClick = 0.4
}

/// The target of a double click.
enum ClickTarget: Sendable, Equatable {
  case post(Int64)
  case gap(ListGap.ID)
  /// A day of a month, or a line of a day.
  case calendar(Int)
}
