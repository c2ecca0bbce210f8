import FoundationEssentials
import Terminal

// Handles keys, mouse and pastes, depending on the mode.

extension ListScreen {
  mutating func handle(_ input: InputEvent) -> [Effect] {
    // Typing does not wait for a sliding row.
    if case .key = input, !list.motions.isEmpty, isHurried { list.endMotions() }
    switch input {
    case .key(let key):
      reminder = ""
      return handle(key)
    case .mouse(let mouse): return handle(mouse)
    case .paste(let text):
      paste(text)
      return []
    case .focus: return []
    }
  }

  private mutating func handle(_ key: Key) -> [Effect] {
    if key == .control("c") { return [.terminal(.interrupt)] }
    if key == .control("z") { return [.terminal(.suspend)] }
    if key == .control("l") { return [.terminal(.redraw)] }
    if !keepsNotice { notice = "" }
    switch mode {
    case .list where side.hasFocus: return handleSideKey(key)
    case .list: return KeyMap.action(key).map { act($0, by: key) } ?? []
    case .marking(let field): return mark(key, field)
    case .post(let line): return read(key, line)
    case .picture(let zoom): return handlePictureKey(key, at: zoom)
    case .adding(let field): return add(key, field)
    case .writing(let form): return write(key, form)
    case .searching(let field): return search(key, field)
    case .choosing(let field): return choose(key, field)
    case .calendar: return calendar(key)
    case .help(let line): help(key, line)
    case .settings(var page):
      let effects = page.handle(key, settings)
      mode = effects == nil ? .list : .settings(page)
      return (effects ?? []).map { .write($0) }
    case .loggingIn(let page): return logIn(key, page)
    case .restoring(let ids):
      mode = .list
      return key == .character("y") ? send(.restore(ids)) : []
    }
    return []
  }

  /// Whether a message stays for a key that does nothing. Elsewhere it is about what was shown before the key.
  private var keepsNotice: Bool {
    switch mode {
    case .list, .help, .loggingIn: true
    case .post, .picture, .adding, .writing, .marking, .searching, .choosing, .settings, .calendar, .restoring: false
    }
  }

  // MARK: The list

  /// - Parameter key: The key that asked for it.
  mutating func act(_ action: Action, by key: Key? = nil) -> [Effect] {
    notice = ""
    if refuses(action) { return [] }
    switch action {
    case .down: return step(1)
    case .up: return step(-1)
    case .left: return step(aside: -1)
    case .right: return step(aside: 1)
    case .pageDown: return turnPage(1)
    case .pageUp: return turnPage(-1)
    case .top: return goToTop()
    case .bottom: return goToBottom()
    case .delete: return delete()
    case .undo: return undo()
    case .read:
      if list.row == nil { return askThere() }
      mode = .post(0)
    case .openPage: return openPage()
    case .openPicture: openPicture()
    case .openFile: return openFile()
    case .copyLink: return copyLink()
    case .add: mode = .adding(TextField(text: draft))
    case .edit: editSelected()
    case .favourite: return mark { .toggleFavourites($0) }
    case .rate: return rate(key)
    case .ownTag: return openMark(.ownTag)
    case .album: return openMark(.album)
    case .note: return openMark(.note)
    case .hide: return openMark(.hidden)
    case .seen: return see()
    case .alike: return findAlike()
    case .call: return call(by: key)
    case .select: select()
    case .selectTo: return selectToHere()
    case .selectAll: return selection.ask(.all)
    case .search: mode = .searching(FilterField(text: search))
    case .choose:
      mode = .choosing(TagField())
      return [.write(.tags)]
    case .side: return openSide()
    case .back: return back()
    case .refresh: return refresh()
    case .fill: return fillNearest()
    case .logIn: return beginLogin()
    case .calendar: return openCalendar()
    case .restore: return [.read(.countDeleted)]
    case .view: return changeView()
    case .settings: mode = .settings(SettingsScreen())
    case .help: openHelp()
    case .suspend: return [.terminal(.suspend)]
    case .quit: return [.terminal(.quit)]
    }
    return []
  }

  /// Moves the selection by a screen.
  private mutating func turnPage(_ direction: Int) -> [Effect] {
    guard !metrics.isGrid, let index = list.selectedIndex else {
      return step(direction * max(1, metrics.height / max(1, metrics.postHeight)), keepingScreenLine: true)
    }
    let row = RowLayout(list.reading, metrics).row(direction * metrics.height, from: index)
    return move(by: row - index, keepingScreenLine: true)
  }

  mutating func move(by rows: Int, keepingScreenLine: Bool = false) -> [Effect] {
    list.awaitNothing()
    list.move(by: rows, keepingScreenLine: keepingScreenLine, metrics)
    if list.offset(RowLayout(list.reading, metrics), metrics) == 0 { newAbove = 0 }
    return more() + (rows > 0 ? reachEnd() : [])
  }

  private mutating func goToTop() -> [Effect] {
    newAbove = 0
    list.awaitNothing()
    guard list.reading.hasMoreBefore else {
      list.select(0, metrics)
      return []
    }
    list.awaitsTop = true
    return load(.top)
  }

  private mutating func goToBottom() -> [Effect] {
    guard list.reading.hasMoreAfter else { return move(by: list.reading.rows.count) }
    list.awaitNothing()
    list.awaitsBottom = true
    return load(.bottom)
  }

  private mutating func refresh() -> [Effect] {
    fetchAgain()
    guard scope.canRefresh else {
      notice = "Nothing feeds this list: t shows a tag that can be pulled."
      return []
    }
    return ask(for: .new)
  }

  /// What is said of a key for a post where there is none.
  static let noPost = "No post is selected."

  mutating func openPage() -> [Effect] {
    guard selectedPost != nil else {
      notice = Self.noPost
      return []
    }
    guard let url = selectedPost?.url else {
      notice = "This post has no page."
      return []
    }
    notice = url.text
    return [.open(.page(url.text))]
  }

  /// Removes one filter: first the search, then the tag, user or feed.
  mutating func back() -> [Effect] {
    notice = ""
    guard selection.isEmpty, selection.asked.isEmpty else {
      selection.clear()
      return []
    }
    guard search.isEmpty else {
      endSearch()
      return [.read(.search(.everything))]
    }
    return scope.isWhole ? [] : showAll()
  }

  /// Shows all posts of the library.
  mutating func showAll() -> [Effect] {
    isChoosing = true
    return [.read(.choose(""))]
  }

  // MARK: The mouse

  private mutating func handle(_ whole: Mouse) -> [Effect] {
    var mouse = whole
    mouse.column -= sideWidth
    if case .list = mode, mouse.act == .press, mouse.column < 0 { return clickSide(atLine: mouse.row - metrics.top) }
    switch mode {
    case .calendar: return calendar(mouse)
    case .post, .help, .settings, .picture: return mouse.act.wheel.map { handle($0 > 0 ? .down : .up) } ?? []
    case .searching: return mouse.act.wheel.map { step($0) } ?? []
    case .list:
      if mouse.act == .press { return click(mouse) }
      return mouse.act.wheel.map { step($0) } ?? []
    // What is being typed or answered stays in sight.
    case .adding, .writing, .marking, .choosing, .loggingIn, .restoring: return []
    }
  }

  private mutating func click(_ mouse: Mouse) -> [Effect] {
    let line = mouse.row - metrics.top
    guard (0..<metrics.height).contains(line) else { return [] }
    let layout = RowLayout(list.reading, metrics)
    let target = line + list.offset(layout, metrics)
    if let gap = layout.gap(atLine: target) { return click(gap: list.reading.breaks[gap].gap) }
    let column = metrics.isGrid ? mouse.column / max(1, metrics.cellWidth) : 0
    guard let index = layout.row(atLine: target, column: column) else { return [] }
    let isSecond = isSecondClick(on: .post(list.reading.rows[index].id))
    list.awaitNothing()
    list.select(index, metrics)
    if isSecond { mode = .post(0) }
    return more()
  }
}

extension Mouse.Act {
  /// The direction of the wheel: 1 is down; nil if another button acts.
  fileprivate var wheel: Int? {
    switch self {
    case .wheelDown: 1
    case .wheelUp: -1
    case .press, .release: nil
    }
  }
}
