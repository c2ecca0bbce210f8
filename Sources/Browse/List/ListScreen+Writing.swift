import Terminal

// Keys and pastes in a text field.

extension ListScreen {
  mutating func add(_ key: Key, _ field: TextField) -> [Effect] {
    var field = field
    switch key {
    case .escape: (mode, draft) = (.list, "")
    case .enter:
      guard field.trimmed.count >= Self.shortest else { return [] }
      (mode, draft) = (.list, "")
      return send(.add(field.trimmed))
    default:
      _ = field.handle(key)
      mode = .adding(field)
    }
    return []
  }

  mutating func search(_ key: Key, _ field: TextField) -> [Effect] {
    var field = field
    switch key {
    case .escape:
      mode = .list
      searchDue = nil
      return search.isEmpty ? [] : back()
    case .enter:
      let effects = beginSearch()
      mode = .list
      return effects
    case .tab: return askThere(field.trimmed)
    case .down, .up, .pageDown, .pageUp: return KeyMap.action(key).map { act($0) } ?? []
    default:
      if field.handle(key) { searchDue = now.addingTimeInterval(Self.searchPause) }
      mode = .searching(field)
    }
    return []
  }

  mutating func choose(_ key: Key, _ tag: TagField) -> [Effect] {
    var tag = tag
    switch key {
    case .escape:
      mode = .list
      return endPeek()
    case .enter:
      mode = .list
      let ended = endPeek()
      if tag.field.trimmed.isEmpty { return ended + (scope.isWhole ? [] : showAll()) }
      isChoosing = true
      return ended + show(.choose(tag.field.trimmed))
    default:
      tag.handle(key, tags)
      mode = .choosing(tag)
      peek(at: tag.field.trimmed)
    }
    return []
  }

  /// Sends the search terms to the list's server, unless they mean something else.
  mutating func askThere() -> [Effect] { list.reading.rows.isEmpty && isRead ? askThere(search) : [] }

  private mutating func askThere(_ words: String) -> [Effect] {
    guard !words.isEmpty, !scope.searcher.isEmpty else { return [] }
    mode = .list
    searchDue = nil
    search = ""
    return show(.searchThere(words))
  }

  /// Another list that the user waits for.
  private mutating func show(_ effect: Effect) -> [Effect] {
    login.isAwaited = true
    return [effect]
  }

  mutating func paste(_ text: String) {
    switch mode {
    case .adding(var field):
      if !field.insert(text) { notice = "Only the beginning of what was pasted fits: media add takes all of it." }
      mode = .adding(field)
    case .choosing(var field):
      field.insert(text)
      mode = .choosing(field)
      peek(at: field.field.trimmed)
    case .searching(var field):
      field.insert(text)
      mode = .searching(field)
      searchDue = now.addingTimeInterval(Self.searchPause)
    case .loggingIn(var page):
      page.field.insert(text)
      mode = .loggingIn(page)
    case .settings(var page):
      page.field?.insert(text)
      mode = .settings(page)
    default: break
    }
  }
}
