// Holds nothing. To build this target builds `media` and the programs that it starts, beside one another.
