import FoundationEssentials
import JSONReading
import Machine
import Posts

// When and where a photo was taken, as its owner says. Most of the sizes that Flickr serves do not say it themselves.

extension FlickrPhoto {
  /// What an answer of a list, of `photos.getInfo` or of gallery-dl says; nil if it says nothing.
  static func said(of fields: JSONObject) -> SaidFacts? {
    SaidFacts(takenAt: takenAt(fields), position: position(fields) ?? fields.object("location").flatMap(position))
  }

  /// A day that is not known is that of posting.
  private static func takenAt(_ fields: JSONObject) -> String? {
    let dates = fields.object("dates")
    let isUnknown = fields.text("datetakenunknown") ?? dates?.text("takenunknown")
    let granularity = fields.text("datetakengranularity") ?? dates?.text("takengranularity")
    guard isUnknown != "1", let length = lengths[granularity ?? "0"],
      let text = fields.string("datetaken") ?? dates?.string("taken"), text.utf8.count == 19
    else { return nil }
    let taken = String(text.replacing(" ", with: "T").prefix(length))
    return UTC.date("\(taken)\("0001-01-01T00:00:00Z".dropFirst(length))") == nil ? nil : taken
  }

  /// How much of a date counts (https://www.flickr.com/services/api/misc.dates.html): to the second, the month, the year, and
  /// about a year.
  private static let lengths = ["0": 19, "4": 7, "6": 4, "8": 4]

  /// Of 16 levels of accuracy, 11 is a town, and what is less has no distance that anybody could ask for. A photo without a place has
  /// zeros.
  private static func position(_ fields: JSONObject) -> SaidFacts.Position? {
    func number(_ name: StaticString) -> Double? { fields.number(name) ?? fields.text(name).flatMap(Double.init) }
    guard let accuracy = number("accuracy"), accuracy >= 11, let latitude = number("latitude"),
      let longitude = number("longitude")
    else { return nil }
    return SaidFacts.Position(latitude: latitude, longitude: longitude)
  }
}
