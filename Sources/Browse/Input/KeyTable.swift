/// The keys of the interactive list, for documentation.
public enum KeyTable {
  /// Keys with their descriptions, in the order of the list's help.
  public static var entries: [(keys: String, help: String)] { KeyMap.entries.map { ($0.shown, $0.help) } }
}
