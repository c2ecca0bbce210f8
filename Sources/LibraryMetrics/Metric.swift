/// A number, or several with labels, that Prometheus collects.
package struct Metric: Sendable, Equatable {
  /// What may become of its values. https://prometheus.io/docs/concepts/metric_types
  package enum Kind: String, Sendable {
    /// They may fall.
    case gauge
    /// They only grow while the program runs. Its name ends with `_total`.
    case counter
    /// They tell how often something had which size.
    case histogram
  }

  /// A value with its labels.
  package struct Sample: Sendable, Equatable {
    /// What follows the name of the metric.
    let suffix: String
    let labels: [(name: String, value: String)]
    let value: Double

    package init(_ value: Double, _ labels: [(name: String, value: String)] = [], suffix: String = "") {
      (self.value, self.labels, self.suffix) = (value, labels, suffix)
    }

    package static func == (one: Self, other: Self) -> Bool {
      one.value == other.value && one.suffix == other.suffix && one.labels.elementsEqual(other.labels, by: ==)
    }
  }

  /// Its name, with the unit at its end: `media_disk_free_bytes`.
  package let name: String
  /// What it counts, in one sentence without its full stop.
  package let help: String
  package let kind: Kind
  package let samples: [Sample]

  package init(_ name: String, _ help: String, kind: Kind = .gauge, _ samples: [Sample]) {
    (self.name, self.help, self.kind, self.samples) = (name, help, kind, samples)
  }

  package init(_ name: String, _ help: String, _ value: Int) { self.init(name, help, [Sample(Double(value))]) }
}

/// The text forms of metrics.
package enum MetricsForm: String, Sendable, CaseIterable {
  /// https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format, version 0.0.4.
  case prometheus
  /// https://github.com/prometheus/OpenMetrics/blob/main/specification/OpenMetrics.md, version 1.0.0.
  case openmetrics

  /// The type of an answer over HTTP.
  package var contentType: String {
    switch self {
    case .prometheus: "text/plain; version=0.0.4; charset=utf-8"
    case .openmetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
    }
  }

  /// The form that a field `Accept` asks for.
  package init(accepted field: String?) {
    self = field?.contains("application/openmetrics-text") == true ? .openmetrics : .prometheus
  }

  /// The metrics as text. One without a sample is left out.
  package func text(of metrics: [Metric]) -> String {
    var text = ""
    for metric in metrics where !metric.samples.isEmpty {
      // In OpenMetrics the end of a counter's name is that of its samples.
      let isCut = self == .openmetrics && metric.kind == .counter && metric.name.hasSuffix("_total")
      let name = isCut ? metric.name.dropLast("_total".count) : metric.name[...]
      text += "# HELP \(name) \(Self.escaped(metric.help))\n# TYPE \(name) \(metric.kind.rawValue)\n"
      for sample in metric.samples {
        let labels = sample.labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
        text += "\(metric.name)\(sample.suffix)\(labels.isEmpty ? "" : "{\(labels)}") \(Self.number(sample.value))\n"
      }
    }
    return self == .openmetrics ? text + "# EOF\n" : text
  }

  /// Whole numbers without a fraction, which only some readers take for the same.
  private static func number(_ value: Double) -> String { Int64(exactly: value).map { "\($0)" } ?? "\(value)" }

  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n").replacing("\"", with: "\\\"")
  }
}
