// swift-tools-version: 6.2
import PackageDescription

// Separate from the library's package, because all of it is built for the fuzzer. Scripts/fuzz runs it.
let settings: [SwiftSetting] = [.enableUpcomingFeature("ExistentialAny"), .treatAllWarnings(as: .error)]

let package = Package(
  name: "fuzzing",
  dependencies: [
    .package(name: "media", path: "..")
  ],
  targets: [
    .target(name: "CLibFuzzer"),
    // The reader of settings is part of the command, which cannot be imported, so its files are linked here.
    .executableTarget(
      name: "Fuzz",
      dependencies: [
        "CLibFuzzer", .product(name: "FuzzTargets", package: "media"),
      ],
      sources: [
        "main.swift", "FuzzedTarget.swift", "SettingsTarget.swift", "OutputError.swift", "String+Trimming.swift",
        "Configuration/Measures.swift",
        "Configuration/SettingKey.swift", "Configuration/Settings.swift", "Configuration/SettingsFile.swift",
        "Configuration/SettingsLine.swift", "Configuration/Spelling.swift",
      ],
      swiftSettings: settings,
      // Debian's gold fails on the sanitizer's debugging information.
      linkerSettings: [.unsafeFlags(["-use-ld=lld"])]),
  ],
  swiftLanguageModes: [.v6]
)
