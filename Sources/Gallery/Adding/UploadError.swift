import Blobs
import HTTPTypes
import MediaLibrary
import Posts

/// Why a post is not added.
enum UploadError: HTTPAnswerable, Equatable {
  /// The request is no form.
  case notAForm
  /// The form ends before its end.
  case endedEarly
  /// A file has no bytes; its name.
  case emptyFile(String)
  /// A file has too many bytes; its name.
  case largeFile(String)
  /// All of it has too many bytes.
  case tooLarge
  case tooManyFiles
  case longText
  /// A time has another form.
  case badTime(String)
  /// What the person wrote cannot be a post.
  case refused(ManualPostError)
  /// The bytes cannot be kept.
  case notKept(BlobError)

  /// The limits of one form.
  enum Limits {
    static let files = 100
    static let fileBytes = 2 << 30
    static let bytes = 8 << 30
    static let textBytes = 1 << 20
  }

  var summary: String {
    switch self {
    case .notAForm: "the request is no form with a post"
    case .endedEarly: "the upload ended before its end"
    case .emptyFile(let name): "\(name) is empty"
    case .largeFile(let name): "\(name) is larger than 2 GB"
    case .tooLarge: "the files are larger than 8 GB together"
    case .tooManyFiles: "there are more than \(Limits.files) files"
    case .longText: "the text is longer than 1 MB"
    case .badTime(let text): "\(text) is not a time"
    case .refused(let error): error.summary
    case .notKept(let error): error.summary
    }
  }

  var cure: String? {
    switch self {
    case .notAForm, .badTime: "send it with the form of the gallery"
    case .endedEarly: "try again"
    case .emptyFile: "choose another file"
    case .largeFile: "add it with \"media add TEXT --attach FILE\""
    case .tooLarge, .tooManyFiles: "make several posts of them"
    case .longText: "attach it as a file"
    case .refused(let error): error.cure
    case .notKept(let error): error.cure
    }
  }

  var exitCode: Posts.ExitCode {
    if case .notKept = self { return .storage }
    return .usage
  }

  var status: HTTPResponse.Status {
    switch self {
    case .largeFile, .tooLarge, .tooManyFiles, .longText: .contentTooLarge
    case .notKept(.full): HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage")
    case .notKept: .serviceUnavailable
    default: .badRequest
    }
  }
}
