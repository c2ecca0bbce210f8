import Testing

@testable import LibraryMetrics

/// The text forms of metrics.
struct MetricTests {
  private let metrics = [
    Metric("media_posts", "Posts that are not deleted", 12),
    Metric(
      "media_feeds", "Feeds \\ by state\nand host",
      [.init(1, [("state", "well"), ("host", "a\"b\\c\nd")]), .init(0.5, [("state", "gone")])]),
    Metric("media_nothing", "Nothing", []),
  ]

  @Test func `a metric has its help, its type and its samples, with what would end a line escaped`() {
    let text = #"""
      # HELP media_posts Posts that are not deleted
      # TYPE media_posts gauge
      media_posts 12
      # HELP media_feeds Feeds \\ by state\nand host
      # TYPE media_feeds gauge
      media_feeds{state="well",host="a\"b\\c\nd"} 1
      media_feeds{state="gone"} 0.5

      """#
    #expect(MetricsForm.prometheus.text(of: metrics) == text)
    #expect(MetricsForm.openmetrics.text(of: metrics) == text + "# EOF\n")
  }

  @Test func `who asks for OpenMetrics gets it, and everybody else the older form`() {
    #expect(MetricsForm(accepted: "application/openmetrics-text;version=1.0.0,text/plain;q=0.5") == .openmetrics)
    for field in [nil, "*/*", "text/plain;version=0.0.4"] { #expect(MetricsForm(accepted: field) == .prometheus) }
  }
}
