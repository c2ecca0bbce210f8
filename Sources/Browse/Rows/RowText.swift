import Terminal

/// The lines below a post's name: as many as title, text and tags need, up to the screen's limit.
struct RowText: Sendable, Equatable {
  /// A part of a line with one style.
  struct Part: Sendable, Equatable {
    let text: SafeText
    let style: CellStyle
  }

  /// The lines, from top to bottom.
  let lines: [[Part]]

  /// The lines of a post on a screen of that size.
  init(_ post: ListRow, _ metrics: Metrics) {
    let width = metrics.textWidth(hasPicture: !post.pictures.isEmpty)
    guard width > 0 else {
      lines = []
      return
    }
    if metrics.hasTags {
      lines = Self.title(post, width) + Self.body(post, width, most: metrics.bodyLines - (post.title.isEmpty ? 0 : 1))
    } else {
      lines = Self.single(post, width)
    }
  }

  /// Title and text on one line, for a small screen.
  private static func single(_ post: ListRow, _ width: Int) -> [[Part]] {
    let title = post.title.onOneLine.truncated(to: width)
    let left = title.isEmpty ? width : width - TextWidth.of(title) - 2
    let whole = text(of: post, most: longest)
    let body = left > 0 ? shortened(wrapped(whole, left, most: 1), left, most: 1).first ?? "" : ""
    let parts =
      [Part(text: title, style: .bold)] + (title.isEmpty || body.isEmpty ? [] : [Part(text: "  ", style: .plain)])
    let all = (parts + words(of: body)).filter { !$0.text.isEmpty }
    return all.isEmpty ? [] : [all]
  }

  private static func title(_ post: ListRow, _ width: Int) -> [[Part]] {
    post.title.isEmpty ? [] : [[Part(text: post.title.onOneLine.truncated(to: width), style: .bold)]]
  }

  /// The text, and below it the tags that it does not contain. Tags at the end of truncated text are shown as tags.
  private static func body(_ post: ListRow, _ width: Int, most: Int) -> [[Part]] {
    let whole = text(of: post, most: longest)
    let tags = HashtagText.untold(post.tags, in: whole)
    let lines = wrapped(whole, width, most: most)
    let own = post.marks.ownTags
    let room = most - (tags.isEmpty && own.isEmpty ? 0 : 1)
    if lines.count <= room { return lines.map(words) + tagLine(tags, own, width) }
    let cut = HashtagText.withoutTail(whole, of: post.tags)
    let left = HashtagText.untold(post.tags, in: cut)
    let last = left.isEmpty && own.isEmpty ? 0 : 1
    return shortened(wrapped(cut, width, most: most), width, most: most - last).map(words) + tagLine(left, own, width)
  }

  // A list never shows more.
  private static let longest = 1200

  /// Warning and text on one line.
  private static func text(of post: ListRow, most: Int) -> SafeText {
    let warning: SafeText = post.warning.isEmpty ? "" : "[\(post.warning)]"
    return [warning, post.caption.prefix(most)].filter { !$0.isEmpty }.joined(separator: " ").onOneLine
  }

  /// The first lines of a text; one more than `most` if it continues.
  private static func wrapped(_ text: SafeText, _ width: Int, most: Int) -> [SafeText] {
    if text.isEmpty { return [] }
    // A character takes at least one column: text beyond this length is not visible.
    return Array(text.prefix(width * (most + 1) + 1).wrapped(to: width).prefix(most + 1))
  }

  private static func shortened(_ lines: [SafeText], _ width: Int, most: Int) -> [SafeText] {
    guard lines.count > most, most > 0 else { return Array(lines.prefix(max(0, most))) }
    let cut = lines[most - 1].truncated(to: max(0, width - 1))
    return lines.prefix(most - 1) + [cut.text.hasSuffix("…") ? cut : cut + "…"]
  }

  /// The author's tags, and behind them the person's own, which go before where there is no room for both.
  private static func tagLine(_ tags: [SafeText], _ own: [SafeText], _ width: Int) -> [[Part]] {
    let own = own.map { "+\($0)" as SafeText }.joined(separator: " ").truncated(to: width)
    let room = own.isEmpty ? width : width - TextWidth.of(own) - 1
    let line = room > 0 ? tags.map { "#\($0)" as SafeText }.joined(separator: " ").truncated(to: room) : ""
    let space: SafeText = line.isEmpty || own.isEmpty ? "" : " "
    let parts = [
      Part(text: line, style: .accent), Part(text: space, style: .plain), Part(text: own, style: .mark),
    ].filter { !$0.text.isEmpty }
    return parts.isEmpty ? [] : [parts]
  }

  /// A line of text with coloured tags.
  private static func words(of line: SafeText) -> [Part] {
    var parts: [Part] = []
    for (number, word) in line.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
      let isTag = word.text.hasPrefix("#") && word.text.count > 1
      let space: SafeText = number == 0 ? "" : " "
      if isTag || parts.last?.style == .accent || parts.isEmpty {
        parts.append(Part(text: space, style: .plain))
        parts.append(Part(text: word, style: isTag ? .accent : .plain))
      } else {
        parts[parts.count - 1] = Part(text: parts[parts.count - 1].text + space + word, style: .plain)
      }
    }
    return parts.filter { !$0.text.isEmpty }
  }
}

extension ListRow {
  /// The lines of the post in a list, including the blank one below it.
  func height(_ metrics: Metrics) -> Int {
    let picture = pictures.isEmpty ? 0 : metrics.picture?.rows ?? 0
    return max(1 + RowText(self, metrics).lines.count, metrics.hasAvatar ? 2 : 1, picture) + metrics.rowGap
  }
}
