import FoundationEssentials
import Posts
import Storage
import Web

/// The open day: a row for each hour, with its posts as small pictures.
struct DayPart {
  let hours: DayHours
  let request: CalendarRequest

  private var almanac: LocalCalendar { LocalCalendar(zone: request.zone) }
  private var name: String { MomentText(request.zone).day(hours.day.start) }

  /// The list of the day.
  private var list: ListAddress {
    var list = request.list
    list.day = name
    return list
  }

  var html: HTML {
    let weekday = LocalCalendar.weekdays[almanac.weekday(hours.day)]
    let sum = hours.hours.reduce(0) { $0 + $1.posts.count.known }
    let (before, after) = (almanac.day(-1, after: hours.day), almanac.day(1, after: hours.day))
    return """
      <section class="day" id="day" aria-labelledby="day-name">
      <h2 id="day-name">\(weekday), \(almanac.number(hours.day)) \(almanac.month(of: hours.day))</h2>
      <p class="choices"><a href="/?\(list.query)">\(NumberText.count(sum, "post")) as a list</a>
      <a rel="prev" href="\(link(before))">Day before</a> <a rel="next" href="\(link(after))">Day after</a></p>
      <ol class="hours">\(HTML.joined(hours.hours.map(row), separator: "\n"))</ol></section>
      """
  }

  private func link(_ day: DateInterval) -> String {
    "\(request.link(day: MomentText(request.zone).day(day.start)))#day"
  }

  private func row(_ hour: DayHours.Hour) -> HTML {
    let posts = hour.posts
    guard posts.count.known > 0 else {
      return "<li class=\"none\"><span class=\"range\">\(hour.label)</span></li>"
    }
    let rest = posts.count.known - posts.posts.count
    let more: HTML =
      rest > 0 ? "<li><a class=\"shot text\" href=\"/?\(list.query)\">\(NumberText.grouped(rest)) more</a></li>" : ""
    // The newest are read; a clock runs the other way.
    let tiles = posts.posts.reversed().map { "<li>\(tile($0))</li>" as HTML }
    return """
      <li><span class="range">\(hour.label)<span class="soft">\(posts.count.words)</span></span>
      <ul class="shots">\(more)\(HTML.joined(tiles))</ul></li>
      """
  }

  private func tile(_ post: StoredPost) -> HTML {
    let address: HTML = "/post/\(post.id)?\(list.query)"
    let words = [post.title, post.author.map(\.name), String(post.caption.prefix(80))].compactMap(\.self)
      .filter { !$0.isEmpty }.joined(separator: " · ")
    let isVeiled = post.sensitive || !post.warning.isEmpty
    let time = almanac.time(post.createdAt)
    guard let picture = post.attachments.first(where: { $0.blob != nil && $0.kind != .audio && $0.kind != .file }),
      let blob = picture.blob
    else {
      let shown = isVeiled && !post.warning.isEmpty ? post.warning : words
      return "<a class=\"shot text\" href=\"\(address)\" dir=\"auto\">\(time) \(shown.prefix(60))</a>"
    }
    let veil: HTML = isVeiled ? " class=\"veiled\"" : ""
    let alt = isVeiled ? (post.warning.isEmpty ? "sensitive picture" : post.warning) : picture.alt ?? words
    return """
      <a class="shot" href="\(address)" title="\(time)"><img src="/thumb/320/\(blob.hex)" alt="\(time) \(alt)"\(veil) \
      loading="lazy" width="72" height="72"></a>
      """
  }
}
