import Foundation
import FuzzTargets

// The fuzzer compiles the reader's files into its own module, because only a test can import a command.
#if canImport(media)
  @testable import media
#endif

extension FuzzTarget {
  /// The settings file.
  static let settings = FuzzTarget("settings", longest: 1024) { bytes in
    do throws(ConfigurationFileError) {
      let values = try SettingsFile.settings(in: Data(bytes), path: "config.toml")
      let settings = Settings(file: values, stored: [:])
      _ = (settings.refresh, settings.cache, settings.memory, settings.trash, settings.grace, settings.view)
    } catch {
      try promise("an error is one line", !error.description.contains { $0.isNewline })
    }
  }
}
