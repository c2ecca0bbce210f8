import FoundationEssentials
import Machine
import Storage
import Web
import Wording

/// The form for a post made by hand, empty, as an address fills it, or with a post that is to be changed. `add.js` sends it.
struct EntryFields {
  private let text: String
  private let title: String
  private let start: Date?
  private let finish: Date?
  private let tags: String
  private let now: Date
  /// The post that is changed; nil for a new one.
  private let post: StoredPost?

  /// An empty form, or one that the parameters of an address fill, such as an hour of the calendar.
  init(_ fields: Fields, now: Date) {
    self.now = now
    (text, title, tags) = (fields["text"] ?? "", fields["title"] ?? "", fields["tags"] ?? "")
    (start, finish) = (fields["start"].flatMap(UTC.date), fields["finish"].flatMap(UTC.date))
    post = nil
  }

  /// The form that changes a post.
  init(_ post: StoredPost, now: Date) {
    self.now = now
    (text, title, start, finish) = (post.caption, post.title ?? "", post.createdAt, post.endsAt)
    (tags, self.post) = (post.tags.joined(separator: " "), post)
  }

  var html: HTML {
    // A line break directly after the tag would not count, and a text may begin with one.
    """
    <form id="add" class="card fields"\(marks)>
    <div><label for="add-text">Text</label>
    <textarea id="add-text" name="text" rows="5" dir="auto" aria-describedby="add-rule">
    \(text)</textarea>
    <p class="soft" id="add-rule">At least 3 characters, unless there are files.</p></div>
    <div><label for="add-title">Title</label>
    <input id="add-title" name="title" dir="auto" autocomplete="off" value="\(title)"></div>
    <div class="row"><div><label for="add-start">Start</label>
    <input id="add-start" name="start" type="datetime-local"\(moment(start))>\
    \(hint)</div>
    <div><label for="add-finish">Finish</label>
    <input id="add-finish" name="finish" type="datetime-local"\(moment(finish))></div></div>
    \(zone)
    <div><label for="add-tags">Tags</label>
    <input id="add-tags" name="tags" placeholder="cats garden" value="\(tags)" dir="auto" \
    autocapitalize="none" autocomplete="off"></div>\(attached)
    <div><label for="add-files">\(post == nil ? "Files" : "Further files")</label>
    <input id="add-files" name="files" type="file" multiple>
    <ul class="chosen"></ul>
    <p class="soft">Or drop files anywhere, or paste a picture.</p></div>
    <p class="answer" role="status"></p>
    <p><button class="primary">\(post == nil ? "Add" : "Save")</button></p>
    <noscript><p class="notice bad">This form needs JavaScript. In a terminal: <code>\(command)</code>.</p></noscript>
    </form>
    """
  }

  private var hint: HTML { post == nil ? "<p class=\"soft\">Now, if empty.</p>" : "" }

  private var command: String { post.map { "media edit \($0.id)" } ?? "media add TEXT --attach FILE" }

  /// What `add.js` sends along, so that an edit of an older state is refused.
  private var marks: HTML {
    post.map { " data-post=\"\($0.id)\" data-basis=\"\(UTC.text($0.updatedAt))\"" } ?? ""
  }

  /// Shown by `add.js` if the browser's clock differs.
  private var zone: HTML {
    let shift = ZoneCalendar().offset(at: now)
    return """
      <p class="soft" data-shift="\(shift)" hidden>Times are those of the machine that serves the gallery, which is at \
      \(MomentText().zone(at: now)).</p>
      """
  }

  /// A moment as the clock here shows it, and exactly, which `add.js` sends if the person leaves it.
  private func moment(_ date: Date?) -> HTML {
    guard let date else { return "" }
    return " value=\"\(MomentText().minute(date).replacing(" ", with: "T"))\" data-moment=\"\(UTC.text(date))\""
  }

  private var attached: HTML {
    guard let post, !post.attachments.isEmpty else { return "" }
    let files = post.attachments.enumerated().map { index, file -> HTML in
      let name = file.name ?? file.alt ?? "\(file.kind.rawValue) \(index + 1)"
      return """
        <li><label><input type="checkbox" name="removed" value="\(file.id)"> Remove <bdi>\(name)</bdi></label></li>
        """
    }
    return "\n<fieldset><legend>Attached files</legend><ul class=\"attached\">\(HTML.joined(files))</ul></fieldset>"
  }
}
