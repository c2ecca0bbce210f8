import FoundationEssentials
import Storage
import Web
import Wording

/// The state of the library: what is followed, what is complete, what harvests did, and the space that it takes.
struct StatusPage {
  private let reading: StatusReading
  private let isReadOnly: Bool

  init(_ reading: StatusReading, isReadOnly: Bool = false) { (self.reading, self.isReadOnly) = (reading, isReadOnly) }

  var html: HTML {
    PageFrame.html(
      "Status", .status, scripts: ["pages.js"], styles: ["insights.css"],
      """
      <main class="page status" data-live="60"><h1>Status</h1>\(tiles)\(overdue)\(notices)\(waiting)\(FollowTable(reading: reading).html)
      \(CoveragePart(reading: reading).html)\(RunTimeline(reading: reading).html)\(SpacePart(space: reading.space).html)
      <p><a href="/doctor">What keeps the library from working?</a> Looks at files, feeds, logins and servers, for some
      seconds.</p><p><a href="/feeds">Lists as feeds</a>: addresses for programs that read feeds.</p></main>
      """)
  }

  // MARK: The summary

  private var tiles: HTML {
    let space = (reading.space.store ?? 0) + reading.space.blobs + reading.space.thumbnails
    let free = reading.space.disk.map { ", \(NumberText.bytes(Int($0.free))) free" } ?? ""
    let failing = reading.failing.count
    let tiles: [(HTML, HTML)] = [
      ("Next refresh", next),
      (
        "Followed feeds",
        "\(NumberText.grouped(reading.follows.count))\(failing == 0 ? "" : ", <span class=\"bad\">\(failing) failing</span>" as HTML)"
      ),
      ("Known gaps", "\(NumberText.grouped(reading.gapCount))"),
      (
        "Looked at",
        "\([reading.inspection.text, isReadOnly ? nil : reading.inspection.modelText].compactMap(\.self).joined(separator: "; "))"
      ),
      ("Text read", reading.readsText ? "\(reading.inspection.textProgress)" : "off"),
      ("Space", "\(NumberText.bytes(space))<span class=\"soft\">\(free)</span>"),
    ]
    let parts = tiles.map { "<div><dt>\($0.0)</dt><dd>\($0.1)</dd></div>" as HTML }
    return "<dl class=\"summary\">\(HTML.joined(parts))</dl>"
  }

  private var next: HTML {
    guard let next = reading.next, let due = next.schedule.dueAt else { return "none" }
    return "\(Countdown.html(due, at: reading.now)) <span class=\"soft\"><bdi>\(reading.label(next.feed))</bdi></span>"
  }

  private var overdue: HTML {
    guard let due = reading.next?.schedule.dueAt else { return "" }
    return OverdueNote(due: due, reading: reading, isReadOnly: isReadOnly).html
  }

  private var waiting: HTML {
    guard !reading.waiting.isEmpty else { return "" }
    let items = reading.waiting.map { "<li>\($0.text(NumberText.count($0.count, "change")))</li>" as HTML }
    return "<section class=\"card notices\"><h2>Copies</h2><ul>\(HTML.joined(items))</ul></section>"
  }

  private var notices: HTML {
    guard !reading.notices.isEmpty else { return "" }
    let times = MomentText(reading.zone)
    let items = reading.notices.map { notice -> HTML in
      "<li><span dir=\"auto\">\(notice.notice.message)</span> <span class=\"soft\">\(times.html(notice.at))</span></li>"
    }
    return "<section class=\"card notices\"><h2>Notices</h2><ul>\(HTML.joined(items))</ul></section>"
  }
}
