import Terminal

// Keys and pastes in a text field.

extension ListScreen {
  mutating func add(_ key: Key, _ field: TextField) -> [Effect] {
    switch PostEntry.outcome(of: key, in: field) {
    case .edit(let field): mode = .adding(field)
    case .cancel: (mode, draft) = (.list, "")
    case .form: openForm(EntryForm(text: field.trimmed, calendar: writing))
    case .add(let text):
      (mode, draft) = (.list, "")
      return send(.add(text))
    case .none: break
    }
    return []
  }

  mutating func search(_ key: Key, _ field: FilterField) -> [Effect] {
    switch SearchEntry.outcome(of: key, in: field, canAsk: !scope.searcher.isEmpty) {
    case .edit(let field, let isChanged):
      if isChanged { searchDue = now.addingTimeInterval(Self.searchPause) }
      mode = .searching(field)
      return []
    case .keep:
      // A filter with a mistake stays in its field.
      guard let effects = find(field.field.trimmed, isUnfinished: false) else { return [] }
      mode = .list
      return effects
    case .cancel:
      mode = .list
      searchDue = nil
      return search.isEmpty ? [] : back()
    case .askThere(let text): return askThere(text)
    case .complete(let text): return [.read(.complete(text))]
    case .act(let action): return act(action)
    case .none: return []
    }
  }

  mutating func choose(_ key: Key, _ tag: TagField) -> [Effect] {
    switch TagEntry.outcome(of: key, in: tag, known: tags) {
    case .edit(let tag):
      mode = .choosing(tag)
      schedulePreview(of: tag.field.trimmed)
      return []
    case .cancel:
      mode = .list
      return endPreview()
    case .show(let text):
      mode = .list
      let elsewhere = preview.answer?.text == text ? preview.answer?.elsewhere : nil
      let ended = endPreview()
      if text.isEmpty { return ended + (scope.isWhole ? [] : showAll()) }
      return ended + choose(elsewhere ?? text)
    }
  }

  /// Shows the list of a text that a user types, or could.
  mutating func choose(_ text: String) -> [Effect] {
    isChoosing = true
    return show(.choose(text))
  }

  /// Sends the words to the list's server, unless they mean something else.
  mutating func askThere() -> [Effect] { list.reading.rows.isEmpty && isRead && canAskThere ? askThere(search) : [] }

  /// Whether a server can search for what is searched for here: it knows words alone.
  var canAskThere: Bool { !search.isEmpty && !scope.searcher.isEmpty && filter.terms.isEmpty }

  private mutating func askThere(_ text: String) -> [Effect] {
    guard !text.isEmpty, !scope.searcher.isEmpty else { return [] }
    mode = .list
    endSearch()
    return show(.searchThere(text))
  }

  /// Another list that the user waits for.
  private mutating func show(_ list: ReadEffect) -> [Effect] {
    login.isAwaited = true
    return [.read(list)]
  }

  mutating func paste(_ text: String) {
    switch mode {
    case .adding(var field):
      if !field.insert(text) { notice = "Only its beginning fits: \"media add\" takes all of it." }
      mode = .adding(field)
    case .writing(var form):
      form.paste(text)
      mode = .writing(form)
    case .marking(var field):
      field.field.insert(text)
      mode = .marking(field)
    case .choosing(var field):
      field.insert(text)
      mode = .choosing(field)
      schedulePreview(of: field.field.trimmed)
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
    // No field is open.
    case .list, .post, .picture, .help, .calendar, .restoring: break
    }
  }
}
