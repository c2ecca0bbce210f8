import Terminal

// What keys do in each text field of the list.

/// The text of a new post.
struct PostEntry {
  enum Outcome: Equatable {
    case edit(TextField)
    case add(String)
    /// Goes on in the form.
    case form
    case cancel
    case none
  }

  /// The minimum length of a post's text.
  static let shortest = 3

  static func outcome(of key: Key, in field: TextField) -> Outcome {
    switch key {
    case .escape: return .cancel
    case .tab: return .form
    case .enter: return field.trimmed.count >= shortest ? .add(field.trimmed) : .none
    default:
      var field = field
      _ = field.handle(key)
      return .edit(field)
    }
  }
}

/// Words or a filter, which the list shows as they are typed.
struct SearchEntry {
  enum Outcome: Equatable {
    case edit(FilterField, isChanged: Bool)
    /// Leaves the field with its filter.
    case keep
    /// Leaves the field and ends the search.
    case cancel
    /// Sends the words to the list's server.
    case askThere(String)
    /// Looks for what can complete the text.
    case complete(String)
    case act(Action)
    case none
  }

  /// - Parameter canAsk: Whether the list's server can search.
  static func outcome(of key: Key, in field: FilterField, canAsk: Bool) -> Outcome {
    switch key {
    case .escape where !field.offers.isEmpty:
      var field = field
      field.dropOffers()
      return .edit(field, isChanged: false)
    case .escape: return .cancel
    case .enter: return .keep
    case .tab where field.offers.isEmpty:
      return switch field.tab(canAsk: canAsk) {
      case .complete: .complete(field.field.text)
      case .ask: .askThere(field.field.trimmed)
      case .none: .none
      }
    case .tab, .backTab:
      var field = field
      field.walk(key == .tab ? 1 : -1)
      return .edit(field, isChanged: true)
    case .down, .up, .pageDown, .pageUp: return KeyMap.action(key).map { .act($0) } ?? .none
    default:
      var field = field
      let isChanged = field.handle(key)
      return .edit(field, isChanged: isChanged)
    }
  }
}

/// The name of another list.
struct TagEntry {
  enum Outcome: Equatable {
    case edit(TagField)
    case show(String)
    case cancel
  }

  /// - Parameter known: The tags to choose from.
  static func outcome(of key: Key, in tag: TagField, known: [String]) -> Outcome {
    switch key {
    case .escape: return .cancel
    case .enter: return .show(tag.field.trimmed)
    default:
      var tag = tag
      tag.handle(key, known)
      return .edit(tag)
    }
  }
}
