extension Phrases {
  static let german = Phrases(
    about: [
      .cats: [
        "Sie saß wieder auf der Mauer, als gehöre ihr die ganze Straße.",
        "Kurzes Gespräch mit dem Kater. Er hatte recht.",
      ],
      .birds: [
        "Versammlung auf der Leitung, Beginn pünktlich um fünf.", "Die ersten sind zurück – früher als letztes Jahr!",
      ],
      .sea: ["Kein Hauch auf dem Wasser, nur ein Segel.", "Bis zum letzten Licht draußen geblieben."],
      .mountains: [
        "Sechs Stunden Aufstieg für fünf Minuten Aussicht. Jederzeit wieder.",
        "Hinter jedem Grat noch einer, immer blasser.",
      ],
      .city: ["Die Stadt steht kopf im Fluss.", "Ich zähle Fenster, die noch wach sind."],
      .forest: [
        "Der Nebel kam um sieben und vergaß zu gehen.", "Es riecht nach Regen, lange bevor er da ist.",
        "Falsch abgebogen, richtig angekommen.", "In der Hütte brannte noch Licht.",
      ],
      .balloons: [
        "Sie stiegen vor dem Frühstück auf, einer nach dem anderen.", "Der gestreifte hat gewinkt. Ganz sicher.",
      ],
      .flowers: ["Die Wiese hinter der Schule, bevor sie gemäht wird.", "Auf der Tüte stand nur „bunte Mischung“."],
      .lighthouses: ["112 Stufen. Meine Knie bestätigen das.", "Bei Ebbe kann man hinüberlaufen."],
      .stars: ["Endlich klar, die dritte Nacht in Folge.", "Kalte Finger, offener Verschluss, keine Reue."],
    ],
    asides: [
      "Morgen mehr.", "Tee ist fertig.", "Größer als gedacht.", "Wer hat es noch gesehen?", "Ohne Filter, mit Glück.",
      "Handschuhe wären klug gewesen.", "Gleiche Stelle, anderes Licht.",
    ],
    alt: [
      .cats: "Eine schwarze Katze sitzt von hinten gesehen auf einer Ziegelmauer vor einer großen Scheibe am Himmel.",
      .birds: "Kleine runde Vögel sitzen auf Leitungen vor einem weiten Himmel.",
      .sea: "Ein Segelboot auf stillem Wasser.", .mountains: "Bergketten hintereinander, jede blasser als die davor.",
      .city: "Häuser mit leuchtenden Fenstern spiegeln sich im Fluss.", .forest: "Tannen im Nebel.",
      .balloons: "Gestreifte Heißluftballone über sanften Hügeln.", .flowers: "Eine Blumenwiese vor Hügeln.",
      .lighthouses: "Ein rot-weißer Leuchtturm auf einem Felsen.", .stars: "Ein leuchtendes Zelt unter Sternen.",
    ],
    tags: [
      .cats: "Katzen", .birds: "Vögel", .forest: "Waldspaziergang", .mountains: "Gebirge", .flowers: "Blumenwiese",
    ],
    warning: "Sehr helle Sonne",
    words: ["Heute ohne Kamera unterwegs. Bereue es schon.", "Was fotografiert ihr, wenn es eine Woche regnet?"]
  )
}
