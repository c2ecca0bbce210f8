// swift-tools-version: 6.2
import PackageDescription

// Apart from the library's own package, since all of it is built for the fuzzer. Scripts/fuzz runs it.
let settings: [SwiftSetting] = [.enableUpcomingFeature("ExistentialAny"), .treatAllWarnings(as: .error)]

let package = Package(
  name: "fuzzing",
  dependencies: [
    .package(name: "media", path: "..")
  ],
  targets: [
    .target(name: "CLibFuzzer"),
    // The reader of settings is a part of the command, which nothing can import: its files are linked in here.
    .executableTarget(
      name: "Fuzz",
      dependencies: [
        "CLibFuzzer", .product(name: "FuzzTargets", package: "media"),
      ],
      swiftSettings: settings,
      // Debian's gold fails on what the sanitizer leaves in debugging information.
      linkerSettings: [.unsafeFlags(["-use-ld=lld"])]),
  ],
  swiftLanguageModes: [.v6]
)
