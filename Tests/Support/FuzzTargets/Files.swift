import Blobs
import Folders
import Foundation
import Login

extension FuzzTarget {
  /// Files from other programs and people.
  static let files = [
    FuzzTarget("media", longest: 8192) { bytes in
      let header = MediaHeader(of: bytes)
      try promise("every byte is counted", header.byteCount == bytes.count)
      if let size = header.size {
        try promise("a picture has no size below zero", size.width >= 0 && size.height >= 0)
        try promise("only a known picture has a size", header.type != nil)
      }
    },
    FuzzTarget("accounts", longest: 8192) { bytes in
      let folder = try Scratch()
      let isMade = FileManager.default.createFile(
        atPath: "\(folder.path)/accounts.json", contents: Data(bytes), attributes: [.posixPermissions: 0o600])
      try promise("there is room for a file", isMade)
      let accounts = Accounts(folder: folder.path)
      do throws(AccountsError) {
        for account in try accounts.all() { try accounts.keep(account) }
        _ = try accounts.all()
      } catch {
        try promise("an error is one line", error.description.isOneLine)
      }
    },
  ]
}
