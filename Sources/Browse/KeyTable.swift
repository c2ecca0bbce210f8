/// The keys of the interactive list, for papers about it.
public enum KeyTable {
  /// Each key, or keys that do the same, with what it does; in the order of the list's own help.
  public static var entries: [(keys: String, words: String)] { KeyMap.entries.map { ($0.shown, $0.words) } }
}
