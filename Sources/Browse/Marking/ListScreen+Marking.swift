import MediaLibrary
import Terminal
import Wording

// Marks of posts: which posts keys act on, the line in which names and notes are typed, and what is told.

extension ListScreen {
  /// The posts on which a key acts: those that are selected, or the one under the cursor. A post that is read is the only
  /// one.
  var targets: [Int64] {
    if actsOnSelection { return selection.ordered(by: list.reading.rows) }
    return selectedPost.map { [$0.id] } ?? []
  }

  /// Whether a key acts on several posts.
  var actsOnSelection: Bool { !isReading && !selection.isEmpty }

  mutating func mark(_ change: ([Int64]) -> PostChange) -> [Effect] {
    let posts = targets
    guard !posts.isEmpty else {
      notice = Self.noPost
      return []
    }
    return send(change(posts))
  }

  mutating func rate(_ key: Key?) -> [Effect] {
    guard case .character(let digit)? = key, let rating = digit.wholeNumberValue else { return [] }
    return mark { .mark($0, [.rating(rating)]) }
  }

  /// Marks the post as seen and goes on. What is selected is marked only.
  mutating func see() -> [Effect] {
    if actsOnSelection { return mark { .mark($0, [.seen(true)]) } }
    let isSeen = selectedPost?.marks.seenAt != nil
    let marked = isSeen ? [] : mark { .mark($0, [.seen(true)]) }
    return marked + move(by: 1)
  }

  // MARK: Pictures alike

  /// Shows the posts of this list with a picture like that of the post under the cursor.
  mutating func findAlike() -> [Effect] {
    guard let post = selectedPost else {
      notice = Self.noPost
      return []
    }
    (calendar, mode) = (nil, .list)
    return find("\(FilterKey.like.rawValue):\(post.id)", isUnfinished: false) ?? []
  }

  /// Notes whether the selected posts show the same picture; of posts alike, whether the one under the cursor does.
  mutating func call(by key: Key?) -> [Effect] {
    let verdict: SameVerdict
    switch key {
    case .character("="): verdict = .same
    case .character("!"): verdict = .different
    default: return []
    }
    let posts = Set(targets + (targets.count == 1 ? alike : [])).sorted()
    guard posts.count > 1 else {
      notice = "Select the posts to compare with x, or find those alike with i."
      return []
    }
    return send(.call(posts, verdict))
  }

  /// The post whose pictures this list was asked for.
  private var alike: [Int64] {
    guard case .term(let term) = filter, term.key == .like else { return [] }
    return term.values.compactMap { if case .number(_, let post) = $0 { post } else { nil } }
  }

  /// What is told of marks that changed, and what undoes them.
  mutating func handle(_ posts: [Int64], _ action: MarkAction, _ changes: [Int64]) -> [Effect] {
    notice = action.words(posts.count)
    return undoStack.done(undoneBy: changes.isEmpty ? nil : .unmark(changes)).map { [.write(.change($0))] } ?? []
  }

  mutating func handle(unmarked posts: [Int64], isPart: Bool) -> [Effect] {
    notice =
      isPart
      ? posts.isEmpty ? "Not undone: it was changed again since." : Self.partly(posts.count)
      : posts.isEmpty ? "Undone." : "\(NumberText.count(posts.count, "post")) as before."
    return undoStack.done(undoneBy: nil).map { [.write(.change($0))] } ?? []
  }

  // MARK: Selecting

  mutating func select() {
    guard let post = list.selected else { return notice = Self.noPost }
    selection.toggle(post)
  }

  mutating func selectToHere() -> [Effect] {
    guard let index = list.selectedIndex else {
      notice = Self.noPost
      return []
    }
    return selection.extend(to: index, of: list.reading.rows)
  }

  /// Forgets selected posts that left the list.
  mutating func settleSelection(from old: ListReading, to new: ListReading) -> [Effect] {
    let before = selection
    defer { noteLoss(since: before) }
    return selection.settle(from: old, to: new)
  }

  mutating func take(_ posts: [Int64], _ read: MemberRead) {
    let before = selection
    selection.take(posts, read)
    noteLoss(since: before)
  }

  /// Says so if all that was selected has left the list and no key of the person did that. The next key is not taken: it
  /// would act on the post under the cursor.
  private mutating func noteLoss(since before: PostSelection) {
    guard !before.isEmpty, selection.isEmpty, selection.asked.isEmpty, !before.isUsed else { return }
    selection.clear()
    selection.isLost = true
    notice = "What you selected has left the list."
  }

  /// Whether a key that acts on posts is not taken, because it would act on others than the person means.
  mutating func refuses(_ action: Action) -> Bool {
    defer { selection.isLost = false }
    guard action.isOnSelection, !isReading, selection.isLost || !selection.asked.isEmpty else { return false }
    let why = selection.isLost ? "What you selected has left the list" : "What is selected is still being read"
    notice = "\(why): nothing was done."
    return true
  }

  // MARK: The line

  /// Opens the line in which a mark is typed.
  mutating func openMark(_ kind: MarkField.Kind) -> [Effect] {
    let posts = kind == .note ? selectedPost.map { [$0.id] } ?? [] : targets
    guard !posts.isEmpty, let marks = selectedPost?.marks ?? (actsOnSelection ? RowMarks() : nil) else {
      notice = Self.noPost
      return []
    }
    if kind == .note, !marks.hasPlainNote {
      notice = "This note has more than one line: \"media mark \(posts[0]) --note\" changes it."
      return []
    }
    let given = actsOnSelection ? [] : kind == .hidden ? hidingNames : marks.ownTags.map(\.text)
    if case .picture = mode { behindMark = behindPicture } else { behindMark = mode }
    mode = .marking(MarkField(kind, posts, given: given, text: kind == .note ? marks.note.text : ""))
    markNames = nil
    return [.ownTag, .album].contains(kind) ? [.write(.markNames)] : []
  }

  /// What hides the post under the cursor with others.
  private var hidingNames: [String] {
    guard let post = selectedPost else { return [] }
    let author = post.handle.isEmpty ? [] : ["by:\(post.handle.text)"]
    return author + post.tags.map { "tag:\($0.text)" }
  }

  mutating func mark(_ key: Key, _ field: MarkField) -> [Effect] {
    var field = field
    switch field.handle(key, markNames) {
    case .stay: mode = .marking(field)
    case .cancel: mode = behindMark
    case .ask(let name): ask(toMake: name, field)
    case .refuse:
      mode = .marking(field)
      notice = "by:HANDLE is an author, tag:NAME a tag, empty the post."
    case .write(let change):
      mode = behindMark
      return send(change)
    }
    return []
  }

  private mutating func ask(toMake name: String, _ field: MarkField) {
    notice = "There is no album \u{201C}\(name)\u{201D}. Enter makes it, Esc does not."
    mode = .marking(field)
  }

  /// Asks whether to make an album that was missing.
  mutating func askToMake(_ name: String, for posts: [Int64]) {
    var field = MarkField(.album, posts, text: name)
    field.makes = true
    guard offerAgain(field) else { return }
    ask(toMake: name, field)
  }

  /// Offers a note again that could not be stored.
  mutating func offerAgain(_ marks: [Mark], of posts: [Int64]) {
    if case .note(let text?)? = marks.first, !text.isEmpty { _ = offerAgain(MarkField(.note, posts, text: text)) }
  }

  /// Opens the line again. Returns false if the person has begun something else.
  private mutating func offerAgain(_ field: MarkField) -> Bool {
    switch mode {
    case .list, .post: break
    case .picture, .adding, .writing, .marking, .searching, .choosing, .help, .settings, .loggingIn, .calendar,
      .restoring:
      return false
    }
    (behindMark, mode) = (mode, .marking(field))
    return true
  }

  /// The names above the line.
  func drawMarkNames(_ field: MarkField, into page: inout Canvas) {
    draw(field.field, candidatesOf: field.offered(markNames), into: &page)
  }

  /// What stands before the line, and what it means.
  func label(of field: MarkField) -> (name: SafeText, hint: SafeText) {
    let name: SafeText =
      switch field.kind {
      case .ownTag: "Tag +"
      case .album: "Album"
      case .note: "Note"
      case .hidden: "Hide"
      }
    if field.kind == .hidden, field.field.field.trimmed.isEmpty {
      return (name, field.posts.count > 1 ? "\(NumberText.count(field.posts.count, "post"))" : "this post")
    }
    return (name, field.posts.count > 1 ? "for \(NumberText.count(field.posts.count, "post"))" : "")
  }

  /// The keys of the line.
  func keys(of field: MarkField) -> [(String, String)] {
    let names = field.kind == .note ? [] : [("Tab", "complete")]
    let enter =
      switch field.kind {
      case .ownTag: [("Enter", "give"), ("-name", "takes it away")]
      case .album: [("Enter", field.makes ? "make it" : "add")]
      case .note: [("Enter", field.field.field.trimmed.isEmpty ? "no note" : "keep")]
      case .hidden: [("Enter", "hide")]
      }
    return enter + names + [("Esc", "cancel")]
  }
}
