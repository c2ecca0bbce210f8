import Foundation
import Testing

@testable import media

@Suite struct `where things lie` {
  private func paths(_ environment: [String: String], library: String? = nil) throws -> LibraryPaths {
    try LibraryPaths(environment: environment, library: library, currentFolder: "/work")
  }

  @Test func `by default everything is below the home folder`() throws {
    let paths = try paths(["HOME": "/home/ann"])
    #expect(paths.library == "/home/ann/.local/share/media")
    #expect(paths.configuration == "/home/ann/.config/media")
    #expect(paths.settingsFile == "/home/ann/.config/media/config.toml")
  }

  @Test func `XDG folders move each its own`() throws {
    let paths = try paths(["HOME": "/home/ann", "XDG_DATA_HOME": "/data", "XDG_CONFIG_HOME": "/conf/"])
    #expect(paths.library == "/data/media")
    #expect(paths.configuration == "/conf/media")
  }

  @Test func `a relative or empty XDG folder is ignored`() throws {
    let paths = try paths(["HOME": "/home/ann", "XDG_DATA_HOME": "data", "XDG_CONFIG_HOME": ""])
    #expect(paths.library == "/home/ann/.local/share/media")
    #expect(paths.configuration == "/home/ann/.config/media")
  }

  @Test func `MEDIA_HOME alone moves everything`() throws {
    let paths = try paths(["HOME": "/home/ann", "MEDIA_HOME": "/m", "XDG_CONFIG_HOME": "/conf"])
    #expect(paths.library == "/m")
    #expect(paths.configuration == "/m/config")
  }

  @Test func `settings that run a program count only in the person's own folder`() throws {
    for environment in [
      ["HOME": "/h"], ["HOME": "/h", "XDG_CONFIG_HOME": "/x"],
      ["HOME": "/h", "MEDIA_HOME": "/m", "MEDIA_CONFIG": "/c"],
    ] {
      let paths = try paths(environment)
      #expect(paths.commands == paths.configuration && !paths.isInLibrary)
      #expect(paths.variables.map(\.name) == ["MEDIA_CONFIG"])
    }
    let home = ["HOME": "/h", "MEDIA_HOME": "/m"]
    #expect(try paths(home).commands == "/h/.config/media" && paths(home).isInLibrary)
    #expect(try paths(home.merging(["XDG_CONFIG_HOME": "/x"]) { $1 }).commands == "/x/media")
    #expect(try paths(["MEDIA_HOME": "/m"]).commands == nil && paths(["MEDIA_HOME": "/m"]).isInLibrary)
  }

  @Test func `a configuration in the library runs nothing, though MEDIA_CONFIG names it`() throws {
    // As crontabs of earlier versions do.
    let paths = try paths(["HOME": "/h", "MEDIA_CONFIG": "/m/config"], library: "/m")
    #expect(paths.configuration == "/m/config" && paths.isInLibrary && paths.commands == "/h/.config/media")
    #expect(paths.variables.map(\.name) == ["MEDIA_CONFIG", "XDG_CONFIG_HOME"])
    for named in ["/m", "/m/", "/m/config/../x", "~/../m/config"] {
      #expect(try self.paths(["HOME": "/h", "MEDIA_HOME": "/m", "MEDIA_CONFIG": named]).isInLibrary, "\(named)")
    }
    for named in ["/media", "/n/m", "/m/../n"] {
      #expect(try !self.paths(["HOME": "/h", "MEDIA_HOME": "/m", "MEDIA_CONFIG": named]).isInLibrary, "\(named)")
    }
    // The user's own folder stays theirs wherever the library lies.
    #expect(try !self.paths(["HOME": "/h", "MEDIA_CONFIG": "/h/.config/media"], library: "/h").isInLibrary)
  }

  @Test func `a link into the library lies in the library`() throws {
    let folder = NSTemporaryDirectory() + "places-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(atPath: "\(folder)/library/config", withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder)/link", withDestinationPath: "\(folder)/library/config")
    #expect(try paths(["HOME": "/h", "MEDIA_CONFIG": "\(folder)/link"], library: "\(folder)/library").isInLibrary)
  }

  @Test func `another process finds the same folders by what it is given`() throws {
    for environment in [
      ["HOME": "/h"], ["HOME": "/h", "MEDIA_HOME": "/m"], ["HOME": "/h", "MEDIA_HOME": "/m", "XDG_CONFIG_HOME": "/x/"],
      ["HOME": "/h", "MEDIA_CONFIG": "/c"], ["MEDIA_HOME": "/m"], ["HOME": "/h", "MEDIA_CONFIG": "/l/config"],
      ["MEDIA_CONFIG": "/l/config"],
    ] {
      let first = try paths(environment, library: "/l")
      let given = Dictionary(uniqueKeysWithValues: first.variables.map { ($0.name, $0.value) })
      #expect(try paths(given, library: "/l") == first, "\(environment)")
    }
  }

  @Test func `MEDIA_CONFIG moves the configuration alone`() throws {
    #expect(try paths(["HOME": "/h", "MEDIA_CONFIG": "/c"]).library == "/h/.local/share/media")
    let both = try paths(["MEDIA_HOME": "/m", "MEDIA_CONFIG": "/c"])
    #expect(both.library == "/m")
    #expect(both.configuration == "/c")
  }

  @Test func `the command line's folder moves the library and not the configuration`() throws {
    let paths = try paths(["HOME": "/h", "MEDIA_HOME": "/m"], library: "/l/")
    #expect(paths.library == "/l")
    #expect(paths.configuration == "/m/config")
  }

  @Test func `MEDIA_LIBRARY moves the library as the command line does, and gives way to it`() throws {
    let environment = ["HOME": "/h", "MEDIA_HOME": "/m", "MEDIA_LIBRARY": "/l"]
    #expect(try paths(environment).library == "/l" && paths(environment).configuration == "/m/config")
    #expect(try paths(environment, library: "/k").library == "/k")
    #expect(try paths(["HOME": "/h", "MEDIA_LIBRARY": "postgresql://h/d"]).address?.text == "postgresql://h/d")
    #expect(try paths(["HOME": "/h", "MEDIA_LIBRARY": ""]).library == "/h/.local/share/media")
  }

  @Test func `relative folders begin where the command was run, a tilde at the home`() throws {
    let paths = try paths(["HOME": "/h", "MEDIA_CONFIG": "conf"], library: "~/pictures")
    #expect(paths.library == "/h/pictures")
    #expect(paths.configuration == "/work/conf")
  }

  @Test func `without a home folder it says which variable to set`() throws {
    let error = #expect(throws: LibraryPathsError.self) { try paths([:]) }
    #expect(
      error?.description
        == "no folder is known for the library and the settings, since HOME is not set: set HOME or MEDIA_HOME"
    )
    #expect(error?.exitCode == .configuration)
    #expect(LibraryPathsError.noOwnFolder.cure?.contains("HOME, XDG_CONFIG_HOME or MEDIA_CONFIG") == true)
    #expect(try paths(["MEDIA_HOME": "/m"]).configuration == "/m/config")
    #expect(try paths(["HOME": "/"]).library == "/.local/share/media")
  }
}
