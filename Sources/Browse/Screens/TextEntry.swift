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

/// Search terms, which are searched for as they are typed.
struct SearchEntry {
  enum Outcome: Equatable {
    case edit(TextField, isChanged: Bool)
    /// Leaves the field with its terms.
    case keep
    /// Leaves the field and ends the search.
    case cancel
    /// Sends the terms to the list's server.
    case askThere(String)
    case act(Action)
    case none
  }

  static func outcome(of key: Key, in field: TextField) -> Outcome {
    switch key {
    case .escape: return .cancel
    case .enter: return .keep
    case .tab: return .askThere(field.trimmed)
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
