import FoundationEssentials
import Machine
import MediaLibrary
import Posts
import Terminal

/// The form of an entry: a new post made by hand, or one that is changed. Only what a person changed is written.
struct EntryForm: Sendable, Equatable {
  enum Field: Int, Sendable, CaseIterable {
    case name, start, finish, text, tags, files

    /// Its name.
    var label: SafeText {
      switch self {
      case .name: "Name"
      case .start: "Start"
      case .finish: "Finish"
      case .text: "Text"
      case .tags: "Tags"
      case .files: "Files"
      }
    }

    var isTime: Bool { self == .start || self == .finish }
  }

  /// A file of the entry: one that it has, by the attachment's number, or one to attach, by its path.
  enum File: Sendable, Equatable {
    case attached(Int64, SafeText)
    case path(String)
  }

  /// The post that is changed; nil for a new one.
  private(set) var post: ListRow?
  private(set) var focus = Field.name
  private(set) var files: [File] = []
  private var texts: [Field: TextField] = [:]
  /// The texts of the post as it was.
  private var before: [Field: String] = [:]
  /// The start to which the finish belongs.
  private var start: Date?
  private let calendar: ZoneCalendar

  /// A new entry with a text that was begun.
  init(text: String, calendar: ZoneCalendar) {
    self.calendar = calendar
    self[.name] = text
  }

  /// A new entry in a time range.
  init(_ draft: EntryDraft, calendar: ZoneCalendar) {
    self.calendar = calendar
    start = draft.start
    (self[.start], self[.finish]) = (calendar.written(draft.start), calendar.written(draft.finish))
  }

  /// A post made by hand, to be changed.
  init(_ post: ListRow, calendar: ZoneCalendar) {
    (self.post, self.calendar, start) = (post, calendar, post.createdAt)
    self[.name] = post.title.text
    self[.start] = calendar.written(post.createdAt)
    self[.finish] = post.endsAt.map(calendar.written) ?? ""
    self[.text] = post.isPlain ? post.caption.text : ""
    self[.tags] = post.tags.map(\.text).joined(separator: " ")
    files = post.pictures.map { .attached($0.number, $0.name.isEmpty ? $0.kind : $0.name) }
    before = texts.mapValues(\.text)
  }

  /// The text of a field.
  subscript(field: Field) -> String {
    get { texts[field]?.text ?? "" }
    set { texts[field] = TextField(text: newValue) }
  }

  /// The text field of a field.
  func textField(_ field: Field) -> TextField { texts[field] ?? TextField() }

  /// Whether a text is too long, or has lines, so that it is changed by a command alone.
  var isTextFixed: Bool { post?.isPlain == false }

  /// Begins anew with the post as it is now, and keeps what was written.
  mutating func rebase(on post: ListRow) { if post.id == self.post?.id { self.post = post } }

  // MARK: Keys

  enum Outcome: Equatable {
    case stay
    case save
    case cancel
    /// A path was added, which is to be checked.
    case attach(String)
  }

  mutating func handle(_ key: Key, now: Date) -> Outcome {
    switch key {
    case .escape: return .cancel
    case .enter:
      guard focus == .files, let path = addPath() else { return .save }
      return .attach(path)
    case .down, .tab: move(1)
    case .up, .backTab: move(-1)
    case .left where focus.isTime: shift(minutes: -15, now)
    case .right where focus.isTime: shift(minutes: 15, now)
    case .pageUp where focus.isTime: shift(days: -1, now)
    case .pageDown where focus.isTime: shift(days: 1, now)
    case .backspace where focus == .files && self[.files].isEmpty: _ = files.popLast()
    default:
      guard focus != .text || !isTextFixed else { break }
      var field = textField(focus)
      _ = field.handle(key)
      texts[focus] = field
    }
    return .stay
  }

  mutating func paste(_ text: String) {
    guard focus != .text || !isTextFixed else { return }
    var field = textField(focus)
    field.insert(text)
    texts[focus] = field
  }

  private mutating func addPath() -> String? {
    let path = textField(.files).trimmed
    guard !path.isEmpty else { return nil }
    files.append(.path(path))
    self[.files] = ""
    return path
  }

  /// Takes back a path that cannot be attached, into the field if nothing else is typed there.
  ///
  /// - Returns: Whether it was among the files.
  mutating func detach(_ path: String) -> Bool {
    guard let index = files.lastIndex(of: .path(path)) else { return false }
    files.remove(at: index)
    if self[.files].isEmpty { self[.files] = path }
    return true
  }

  private mutating func move(_ step: Int) {
    settle()
    let count = Field.allCases.count
    focus = Field.allCases[(focus.rawValue + step + count) % count]
  }

  // MARK: Times

  /// The moment of a time field: a day and a time, or a time of the day of the start; nil if it is none.
  func moment(_ field: Field, now: Date) -> Date? {
    let text = textField(field).trimmed
    return calendar.moment(written: text) ?? calendar.moment(writtenTime: text, onDayOf: start ?? now)
  }

  /// Moves the finish with the start, so that the entry keeps its length.
  private mutating func settle(now: Date = .distantPast) {
    guard focus == .start, let next = moment(.start, now: start ?? now) else { return }
    if let start, let finish = moment(.finish, now: start), finish > start, next != start {
      self[.finish] = calendar.written(finish.addingTimeInterval(next.timeIntervalSince(start)))
    }
    start = next
  }

  private mutating func shift(minutes: Double = 0, days: Int = 0, _ now: Date) {
    let quarter = Date(timeIntervalSince1970: (now.timeIntervalSince1970 / 900).rounded(.up) * 900)
    let known = moment(focus, now: now)
    let first = focus == .finish ? (moment(.start, now: now) ?? quarter).addingTimeInterval(3600) : quarter
    var next = known.map { $0.addingTimeInterval(minutes * 60) } ?? first
    if known != nil, days != 0 { next = calendar.moment(days, .day, after: next) ?? next }
    self[focus] = calendar.written(next)
    settle(now: now)
  }

  // MARK: What is written

  /// Why the form cannot be saved.
  enum Trouble: Error, Equatable {
    case noName, shortText, badTag, badTime(Field), endsBeforeStart

    var message: String {
      switch self {
      case .noName: "Give it a name, or a text of \(PostEntry.shortest) characters."
      case .shortText: "A text has \(PostEntry.shortest) characters at least."
      case .badTag: "A tag is one word of letters and digits."
      case .badTime(let field): "\(field.label.text): write it as 2026-11-21 14:05, or 14:05."
      case .endsBeforeStart: "The finish is not after the start."
      }
    }
  }

  /// The entry. Of a post, what was changed.
  func written(now: Date) throws(Trouble) -> EntryWrite {
    var form = self
    form.settle(now: now)
    _ = form.addPath()
    var edit = PostEdit()
    let (name, text) = (form.textField(.name).trimmed, form.textField(.text).trimmed)
    if form.isChanged(.name) { edit.title = .some(name.isEmpty ? nil : name) }
    if form.isChanged(.text), !isTextFixed { edit.caption = text }
    guard text.isEmpty || !form.isChanged(.text) || text.count >= PostEntry.shortest else { throw .shortText }
    guard !name.isEmpty || !text.isEmpty || isTextFixed || !form.files.isEmpty else { throw .noName }
    try form.setTimes(of: &edit, now: now)
    form.setTags(of: &edit)
    guard !(edit.addedTags.contains { $0.isEmpty }) else { throw .badTag }
    edit.basis = post?.editableAt
    let kept = Set(form.files.compactMap { if case .attached(let number, _) = $0 { number } else { nil } })
    edit.removed = (post?.pictures ?? []).map(\.number).filter { !kept.contains($0) }
    let paths = form.files.compactMap { if case .path(let path) = $0 { path } else { nil } }
    return EntryWrite(post: post?.id, edit: edit, files: paths)
  }

  private func isChanged(_ field: Field) -> Bool { self[field] != before[field] ?? "" }

  private func setTimes(of edit: inout PostEdit, now: Date) throws(Trouble) {
    let wanted = try time(.start, now: now)
    let finish = try time(.finish, now: now)
    if let finish, finish <= wanted ?? now { throw .endsBeforeStart }
    if isChanged(.start) { edit.start = wanted ?? now }
    if isChanged(.finish) || (edit.start != nil && post?.endsAt != nil) { edit.finish = .some(finish) }
  }

  private func time(_ field: Field, now: Date) throws(Trouble) -> Date? {
    guard !textField(field).trimmed.isEmpty else { return nil }
    guard let moment = moment(field, now: now) else { throw .badTime(field) }
    return moment
  }

  private func setTags(of edit: inout PostEdit) {
    func names(_ text: String) -> [String] {
      text.split { $0.isWhitespace || $0 == "," }.map { Feed.tagName(String($0)) }
    }
    let (old, new) = (names(before[.tags] ?? ""), names(self[.tags]))
    edit.addedTags = new.filter { !old.contains($0) }
    edit.removedTags = old.filter { !new.contains($0) }
  }
}
