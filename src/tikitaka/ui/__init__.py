"""The live page of a match, and the terminal's scoreboard; `cli` imports what a command needs."""
