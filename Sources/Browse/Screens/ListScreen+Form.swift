import FoundationEssentials
import Terminal

// The form of an entry: how it is opened, what its keys do, and how it is drawn.

extension ListScreen {
  /// Opens a form over what is shown.
  mutating func openForm(_ form: EntryForm) {
    if case .adding = mode { behindForm = .list } else { behindForm = mode }
    (mode, draft) = (.writing(form), "")
  }

  /// Opens the form of the selected post.
  mutating func editSelected() {
    guard let post = selectedPost else { return }
    guard post.editableAt != nil else { return notice = "It was pulled: only posts of your own can be changed." }
    openForm(EntryForm(post, calendar: writing))
  }

  mutating func write(_ key: Key, _ form: EntryForm) -> [Effect] {
    var form = form
    switch form.handle(key, now: now) {
    case .stay: mode = .writing(form)
    case .cancel: mode = behindForm
    case .attach(let path):
      mode = .writing(form)
      return [.read(.checkFile(path))]
    case .save:
      do throws(EntryForm.Trouble) {
        let entry = try form.written(now: now)
        (mode, sentForm) = (behindForm, form)
        if entry.post != nil, entry.edit.isEmpty, entry.files.isEmpty { return [] }
        return send(.write(entry))
      } catch {
        (mode, notice) = (.writing(form), error.message)
      }
    }
    return []
  }

  /// Takes a path out of the form that cannot be attached. One that was saved meanwhile is refused by the save.
  mutating func detach(_ path: String, because reason: String) {
    guard case .writing(var form) = mode, form.detach(path) else { return }
    (mode, notice) = (.writing(form), reason)
  }

  /// Shows the form again that could not be saved, with the post as it is now. If a person has begun something else, it
  /// waits: nothing that was written is lost.
  mutating func offerFormAgain() {
    guard var form = sentForm else { return }
    switch mode {
    case .list, .calendar, .post: break
    case .adding, .writing, .marking, .searching, .choosing, .help, .settings, .loggingIn, .picture, .restoring: return
    }
    if let now = selectedPost { form.rebase(on: now) }
    sentForm = nil
    (behindForm, mode) = (mode, .writing(form))
  }
}

extension EntryForm {
  /// The keys of the moment.
  var keys: [(String, String)] {
    let times = focus.isTime ? [("← →", "15 minutes"), ("PgUp PgDn", "a day")] : []
    let add = focus == .files ? [("Enter", self[.files].isEmpty ? "save" : "attach"), ("Backspace", "detach")] : []
    return (add.isEmpty ? [("Enter", "save")] : add) + times + [("↑ ↓", "fields"), ("Esc", "cancel")]
  }

  func draw(into page: inout Canvas, now: Date, _ dates: DateText) {
    let isRoomy = page.rows >= 12
    var row = 0
    page.put(post == nil ? "A new entry" : "Change the entry", row: row, column: 2, style: .bold)
    row += isRoomy ? 2 : 1
    for field in Field.allCases {
      draw(field, row, into: &page, now: now, dates)
      row += 1
    }
    for file in files where row < page.rows {
      let text: SafeText =
        switch file {
        case .attached(_, let name): name
        case .path(let path): "+ \(SafeText(path))"
        }
      page.put(text, row: row, column: 11, width: page.columns - 12, style: .faint)
      row += 1
    }
  }

  private func draw(_ field: Field, _ row: Int, into page: inout Canvas, now: Date, _ dates: DateText) {
    guard row < page.rows else { return }
    let isFocused = field == focus
    if isFocused { page.put("▌", row: row, column: 0, style: .accent) }
    page.put(field.label, row: row, column: 2, width: 8, style: CellStyle(isFocused ? .accent : .plain, isBold: true))
    let side = hint(field, now: now, dates)
    let width = max(4, page.columns - 12)
    if isFocused {
      textField(field).draw(into: &page, row: row, column: 11, width: width)
    } else {
      page.put(SafeText(textField(field).end(columns: width)), row: row, column: 11, width: width)
    }
    let used = 11 + TextWidth.of(SafeText(self[field])) + 2
    if used + TextWidth.of(side) < page.columns { page.put(side, row: row, column: used, style: .faint) }
  }

  /// What a field means, or may hold.
  private func hint(_ field: Field, now: Date, _ dates: DateText) -> SafeText {
    if field == .text, isTextFixed { return "has several lines: media edit changes it" }
    guard field.isTime else { return field == .files && field == focus ? "a path; Enter attaches it" : "" }
    if self[field].isEmpty { return field == .start ? "now, if empty" : "none, if empty" }
    return moment(field, now: now).map { SafeText(dates.day($0, at: now)) } ?? "?"
  }
}
