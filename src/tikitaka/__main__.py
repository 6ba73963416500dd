"""``python -m tikitaka``."""

from tikitaka.cli import main

main()
