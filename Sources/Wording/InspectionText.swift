import Storage

extension InspectionProgress {
  /// `9 of 10 files, 1 cannot be read`.
  public var text: String {
    let failed = InspectionKind.ofFiles.map { self.failed[$0] ?? 0 }.max() ?? 0
    return "\(NumberText.grouped(whole)) of \(NumberText.count(files, "file"))"
      + (failed > 0 ? ", \(NumberText.grouped(failed)) cannot be read" : "")
  }

  /// How far the reading of text in pictures came: `9 of 10 pictures`.
  public var textProgress: String {
    "\(NumberText.grouped(inspected[.text] ?? 0)) of \(NumberText.count(pictures, "picture"))"
  }

  /// `9 of 10 files by clip@0a1b, 1 cannot be read`; nil if no model looked at any.
  public var modelText: String? {
    model.map { model in
      let failed = self.failed[.model] ?? 0
      return "\(NumberText.grouped(inspected[.model] ?? 0)) of \(NumberText.count(files, "file")) by \(model)"
        + (failed > 0 ? ", \(NumberText.grouped(failed)) cannot be read" : "")
    }
  }
}
