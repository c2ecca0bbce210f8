import HTTPTypes
import MediaLibrary

/// Why a request is refused, as its sender may know.
enum RequestError: Error, Equatable {
  /// A parameter is not what it must be; the text says what it must be.
  case badParameter(String, must: String)
  /// The filter of a list cannot be read.
  case badFilter(FilterError)
  /// The filter of a list names a saved search that cannot be used.
  case badSearch(StorageError)
  /// Posts cannot be marked so.
  case badMark(MarkError)
  /// Marks are not told here.
  case privateMarks
  /// A change was undone before, or is too old.
  case nothingToUndo
  /// What a change did was changed again since.
  case changedSince
  /// A list does not have a post from which it is asked.
  case leftList
  /// No post has the number.
  case noPost(Int64)
  /// The library has no such feed.
  case noFeed(String)
  /// No blob of this name is stored.
  case noBlob
  /// A stored file has another length than the library recorded.
  case damagedBlob
  /// A file has no small picture, or no copy that may be published, with the reason as a sentence.
  case notDrawable(String)
  /// Small pictures, or copies that may be published, cannot be made at the moment, with the reason as a sentence.
  case notDrawnNow(String)
  /// A post has no answer of a server: a person made it.
  case noRawAnswer
  /// Nothing is at the address.
  case nothingHere
  /// The gallery is served for reading only.
  case readOnly
  /// The target has a form that no address of the gallery has.
  case badTarget
  /// The target is too long.
  case longTarget
  /// The body has too many bytes.
  case longBody
  /// The method is neither GET, HEAD nor POST.
  case otherMethod
  /// The request names no host, or several.
  case noHost
  /// The gallery does not go by the host's name.
  case foreignHost
  /// A write does not come from a page of the gallery.
  case foreignOrigin
  /// A write has no `X-Media` field.
  case noMediaField
  /// The browser is not signed in.
  case notSignedIn
  /// Too many tokens or passwords were guessed, and how many seconds to wait.
  case manyGuesses(Double)
  /// A share needs its password.
  case wantsPassword
  /// The token of a feed's address is wrong or was revoked.
  case wrongToken
  /// The file of sign-ins cannot be used.
  case noSignIns
  /// The library is not in its folder.
  case libraryGone
  /// Another library is in the folder.
  case otherLibrary

  var status: HTTPResponse.Status {
    switch self {
    case .badMark(.noAlbum), .badMark(.noSearch): .notFound
    case .badParameter, .badFilter, .badSearch, .badMark, .badTarget, .noHost: .badRequest
    case .noPost, .noFeed, .noBlob, .noRawAnswer, .nothingHere, .nothingToUndo, .leftList: .notFound
    case .changedSince: .conflict
    case .readOnly, .privateMarks, .foreignOrigin, .noMediaField: .forbidden
    case .longTarget: .uriTooLong
    case .longBody: .contentTooLarge
    case .otherMethod: .methodNotAllowed
    case .foreignHost: .misdirectedRequest
    case .notSignedIn, .wrongToken, .wantsPassword: .unauthorized
    case .manyGuesses: .tooManyRequests
    case .notDrawnNow, .noSignIns, .libraryGone, .otherLibrary: .serviceUnavailable
    case .damagedBlob: .internalServerError
    case .notDrawable: .unprocessableContent
    }
  }

  /// Fields of the answer.
  var headers: HTTPFields {
    switch self {
    case .otherMethod: [.allow: "GET, HEAD, POST"]
    case .manyGuesses(let wait): [.retryAfter: "\(Int(wait.rounded(.up)))"]
    case .wantsPassword: [.wwwAuthenticate: "Basic realm=\"share\", charset=\"UTF-8\""]
    default: [:]
    }
  }

  /// One sentence for the person.
  var summary: String {
    switch self {
    case .badParameter(let name, let must): "\(name) must be \(must)"
    case .badFilter(let error): error.message
    case .badSearch(let error): error.summary
    // The pages name only albums that were there.
    case .badMark(.noAlbum(let name, _)): "the album \"\(name)\" is not there any more"
    case .badMark(let error): error.description
    case .privateMarks: "marks, places and copies are told only where posts can be marked"
    case .nothingToUndo: "this change was undone before, or is too old"
    case .changedSince: "it was changed again since"
    case .leftList: "the post at the other end is not in this list any more"
    case .noPost(let id): "no post has the number \(id)"
    case .noFeed(let name): "the library has no feed \(name)"
    case .noBlob: "no file of this name is stored"
    case .damagedBlob: "the stored file is damaged"
    case .notDrawable(let sentence), .notDrawnNow(let sentence): sentence
    case .noRawAnswer: "no server's answer is stored for this post"
    case .nothingHere: "there is nothing at this address"
    case .readOnly: "this gallery is served for reading only"
    case .badTarget: "this is no address of the gallery"
    case .longTarget: "the address is too long"
    case .longBody: "the request is too large"
    case .otherMethod: "the gallery answers only GET, HEAD and POST"
    case .noHost: "the request must name one host"
    case .foreignHost: "the gallery does not go by this name"
    case .foreignOrigin: "the request does not come from a page of the gallery"
    case .noMediaField: "a change needs the field X-Media: 1"
    case .notSignedIn: "this browser is not signed in"
    case .manyGuesses(let wait): "too many guesses: try again in \(Int(wait.rounded(.up))) seconds"
    case .wantsPassword: "this page needs its password"
    case .wrongToken: "the token of this address is wrong or was revoked"
    case .noSignIns: "the file of sign-ins cannot be read or written"
    case .libraryGone: "the library is not in its folder any more"
    case .otherLibrary: "another library is in the folder now"
    }
  }

  /// What is wrong and what to do about it.
  var sentence: String { cure.map { "\(summary): \($0)" } ?? summary }

  /// What to do about it; nil if nothing helps.
  var cure: String? {
    switch self {
    case .badFilter(let error): error.cure
    case .badSearch(let error): error.cure
    case .readOnly: "start \"media serve\" without --read-only"
    case .foreignHost: "start \"media serve\" with --host and this name"
    case .notSignedIn: "open the address that \"media serve\" printed, or that \"media serve --new-address\" prints"
    case .wantsPassword: "load it again, and give the password; any user name will do"
    case .noSignIns: "\"media serve --new-address\" says why"
    case .libraryGone: "put it back, or start \"media serve\" where it is now"
    case .otherLibrary: "start \"media serve\" again to see it"
    case .damagedBlob: "run \"media check\""
    default: nil
    }
  }
}
