import FoundationEssentials
import Machine
import Web
import Wording

extension MomentText {
  /// As markup, with the exact moment behind it.
  func html(_ moment: Date) -> HTML { html(moment, as: minute(moment)) }

  /// As markup, with an end: `2026-11-21 14:05–16:00`, or with the day of the end if that is another.
  func html(_ moment: Date, until end: Date?) -> HTML {
    guard let end else { return html(moment) }
    return day(end) == day(moment) ? "\(html(moment))–\(html(end, as: time(end)))" : "\(html(moment)) – \(html(end))"
  }

  private func html(_ moment: Date, as text: String) -> HTML {
    "<time datetime=\"\(UTC.text(moment))\" title=\"\(exact(moment))\">\(text)</time>"
  }
}
