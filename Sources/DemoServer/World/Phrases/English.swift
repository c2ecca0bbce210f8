extension Phrases {
  static let english = Phrases(
    about: [
      .cats: [
        "She was there again tonight, watching the roofs as if she owned them.",
        "Met this one on the way home. We looked at the moon for a while.",
        "Nobody feeds him, everybody feeds him.", "The wall belongs to the cat. I only lean on it.",
        "Two of them tonight, not on speaking terms :blobcat:",
      ],
      .birds: [
        "The meeting on the wire started at five and nobody took notes.",
        "Counted eleven before they saw me. Then I counted none.", "One of them always sits apart. Same.",
        "First ones back this season!", "A small choir & one soloist.",
      ],
      .sea: [
        "Not a ripple. I could hear the other shore talking.", "The last boat of the day took its time.",
        "Sailed out for an hour, stayed until the light went.", "Salt on the lens, worth it.",
        "The harbour master says this is the quietest week of the year.",
      ],
      .mountains: [
        "Six hours up for five minutes of this. Would do it again.", "The far range showed itself at last.",
        "Every ridge a shade paler than the one before.", "Tea at the pass, clouds below us.",
        "The map said \"easy\". The map has never been here.",
      ],
      .city: [
        "Counting the windows that are still awake.", "The river keeps a second city underneath.",
        "Late shift, first quiet minute.", "From the bridge, just after the street lamps came on.",
        "New tower on the left. I miss the old gap.",
      ],
      .forest: [
        "Fog came in at seven and forgot to leave.", "You can smell the rain before it reaches the firs.",
        "Somebody left a light on in the cabin.", "Heard an owl. Did not see an owl.",
        "Took the wrong path, found the right place.",
      ],
      .balloons: [
        "They went up before breakfast, one after another.", "Wind from the west, everyone drifting to our field.",
        "The striped one waved. I am sure it waved.", "Count them before they pass the hill!",
        "My neighbour landed in a cabbage patch. Again.",
      ],
      .flowers: [
        "The meadow behind the school, before it is mown.", "Sown in April, forgotten in May, amazed in June.",
        "The bees were here first, I waited my turn.", "Every colour I own a crayon of.",
        "Found the seed packet. It said \"mixed\".",
      ],
      .lighthouses: [
        "Built 1874, painted every spring, never the same red.", "The keeper's stair has 112 steps. My knees agree.",
        "One turn every twelve seconds; I timed it with my pulse.", "Low tide, so we walked out to it.",
        "The light came on while I was changing lenses, of course.",
      ],
      .stars: [
        "Clear sky at last, three nights in a row.", "Cold hands, open shutter, no regrets.",
        "Slept in the tent, or rather did not sleep.", "The forecast promised clouds. The forecast was wrong.",
        "Woke everyone up for this. They forgave me.",
      ],
    ],
    asides: [
      "More tomorrow.", "No filter, just luck.", "Hope your day was as calm.", "The kettle is on.",
      "Who else saw this?",
      "I should have brought gloves.", "Same place as last week, other light.", "It smelled of pine & rain.",
      "Tell me yours.", "5/7 would stand there again.", "My thumb is in none of them.", "That's all. That's the post.",
    ],
    alt: [
      .cats:
        "A black cat sits on a brick wall, seen from behind, before a huge low disc in the sky and a row of roofs.",
      .birds: "Small round birds with coloured breasts sit on sagging wires; a large disc stands low in the sky.",
      .sea: "A sailing boat on still water that mirrors the sky, hills on the horizon.",
      .mountains: "Mountain ranges one behind the other, each paler than the last, firs and grass in front.",
      .city: "A skyline with lit windows, mirrored in a river.",
      .forest: "Rows of firs in mist.", .balloons: "Striped hot air balloons float over soft hills.",
      .flowers: "A meadow full of flowers with low hills behind.",
      .lighthouses: "A red and white lighthouse on a rock in calm water.",
      .stars: "A glowing tent under a sky full of stars.",
    ],
    tags: [
      .cats: "CatsOfTheFediverse", .birds: "BirdWatching", .sea: "Sailing", .mountains: "Hiking", .city: "NightWalk",
      .stars: "NightSky",
    ],
    warning: "Very bright sun",
    words: [
      "What do you photograph when it rains for a week? Asking for a wet friend.",
      "Cleaned the lens. It was not the fog.", "Found a roll of film from 2009. Wish me luck.",
      "Walking without the camera today. Already regret it.",
    ]
  )
}
