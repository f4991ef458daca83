"""``python -m denominator`` is the command ``denominator``."""

from denominator.cli import main

main(prog_name="denominator")
