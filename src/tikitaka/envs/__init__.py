"""Learning environments over the loop; their room, still empty."""
