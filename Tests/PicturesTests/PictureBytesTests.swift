import Terminal
import Testing

@testable import Pictures

struct PictureBytesTests {
  private func isPicture(_ text: String, _ format: PictureFormat) -> Bool {
    PictureBytes.isPicture(Array(text.utf8), format)
  }

  @Test(arguments: [
    ("\u{1B}_Ga=T,f=32,s=1,v=1,c=1,r=1,m=1\u{1B}\\\u{1B}_Gm=0;AAAA\u{1B}\\", PictureFormat.kitty),
    ("\u{1B}P0;1;0q\"1;1;8;6#0;2;5;2;50#0!8~-\u{1B}\\", .sixel),
    ("\u{1B}]1337;File=inline=1;width=2;height=1;preserveAspectRatio=0:SUkq\u{7}", .iterm),
    ("\u{1B}[0m\u{1B}[38;2;1;2;3m▄▀\u{1B}[0m\n ab", .blocks), ("", .blocks),
  ])
  func `a picture in a format is accepted`(text: String, format: PictureFormat) {
    #expect(isPicture(text, format))
    for other in PictureFormat.allCases where other != format && !text.isEmpty {
      #expect(!isPicture(text, other), "\(other)")
    }
  }

  @Test(arguments: [
    ("\u{1B}]52;c;AAAA\u{7}", PictureFormat.blocks), ("\u{1B}[2J", .blocks), ("\u{1B}[6n", .blocks), ("a\rb", .blocks),
    ("\u{1B}[0mm\u{9B}2J", .blocks), ("\u{1B}", .blocks), ("\u{1B}[1", .blocks), ("\u{202E}x", .blocks),
    ("\u{1B}_Ga=T,t=f;L2V0Yw==\u{1B}\\", .kitty), ("\u{1B}_Ga=T,t=t;L2V0Yw==\u{1B}\\", .kitty),
    ("\u{1B}_Ga=d\u{1B}\\", .kitty), ("\u{1B}_Ga=T;AA\u{1B}\\x", .kitty), ("\u{1B}_Ga=T;AA", .kitty),
    ("\u{1B}Pq~\u{1B}\\\u{1B}[2J", .sixel), ("\u{1B}P$q\"p\u{1B}\\", .sixel), ("\u{1B}Pq~\u{1B}[2J\u{1B}\\", .sixel),
    ("\u{1B}]1337;File=inline=0;name=eA:AA\u{7}", .iterm), ("\u{1B}]1337;File=inline=1;:AA\u{7}\u{1B}c", .iterm),
  ])
  func `anything else that a terminal obeys is refused`(text: String, format: PictureFormat) {
    #expect(!isPicture(text, format))
  }
}
