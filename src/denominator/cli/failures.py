"""How every verb fails: in words on standard error, with an exit status, never with a traceback.

====================================  ======  =================================================
what happened                         status  what is seen
====================================  ======  =================================================
bad input, bad option, bad measure    2       a line for each thing that is wrong, on stderr
a file cannot be read or written      2       its name and the system's reason, on stderr
Ctrl-C                                130     nothing; and no half-written file (`placed`)
SIGTERM, SIGHUP                       143,    nothing; and no half-written file
                                      129
the reader of a pipe has gone away    141     nothing, as for a program that SIGPIPE ended
====================================  ======  =================================================

Status 1 is kept for gates: scored, and not good enough.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from typing import TYPE_CHECKING, Any

import click

from denominator.errors import AbsentError, DenominatorError, UsageError
from denominator.quoting import plain, short

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["BAD_INPUT", "BROKEN_PIPE", "INTERRUPTED", "Verb", "complain", "keep_inputs", "may_ask", "noticing_pipes"]

BAD_INPUT = 2
INTERRUPTED = 130
BROKEN_PIPE = 141


def keep_inputs(output: str | None, inputs: Iterable[str], option: str = "-o ") -> None:
    """Refuse to write over a file that is read, under whatever name it goes; `option` is what names the output.

    Raises:
        UsageError: the output is one of the inputs.
    """
    if output in (None, "-") or not os.path.exists(output):
        return
    for name in inputs:
        if os.path.exists(name) and os.path.isfile(name) and os.path.samefile(name, output):
            raise UsageError(f"{option}{short(output)}: is the input {short(name)} itself; write to another file")


class Verb(click.Command):
    """A command that fails as this module's table says: ``@click.command(cls=Verb)``."""

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        """Parse the arguments."""
        with _told():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the verb, and write out all of standard output while a broken pipe can still be caught.

        Where files of a data set are missing, a person at a terminal is asked whether to fetch them, and it is run
        again.
        """
        with _told():
            try:
                result = super().invoke(ctx)
            except AbsentError as error:
                if not may_ask():
                    raise
                from denominator.cli.asking import bring

                if not bring([error.dataset], [error.part]):
                    raise
                result = super().invoke(ctx)
            sys.stdout.flush()
            return result


def may_ask() -> bool:
    """Return whether a person sits at the terminal: a question would be seen, and could be answered."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def complain(error: Exception) -> None:
    """Say on standard error what was wrong, each line under the program's name."""
    for line in _message(error).split("\n"):
        click.echo(f"denominator: {plain(line)}", err=True)


@contextlib.contextmanager
def noticing_pipes() -> Iterator[None]:
    """Exit without a word where the reader of standard output has gone away; what is still buffered goes nowhere."""
    try:
        yield
    except BrokenPipeError:
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(BROKEN_PIPE) from None


@contextlib.contextmanager
def _told() -> Iterator[None]:
    """Turn what is raised inside into the table's line and exit status."""
    try:
        with noticing_pipes():
            yield
    except (DenominatorError, click.UsageError) as error:
        complain(error)
        raise SystemExit(BAD_INPUT) from None
    except KeyboardInterrupt:
        raise SystemExit(INTERRUPTED) from None
    except (OSError, MemoryError) as error:
        complain(error)
        raise SystemExit(BAD_INPUT) from None


def _message(error: Exception) -> str:
    """Return the words for an error."""
    if isinstance(error, click.UsageError):
        where = f" (see {error.ctx.command_path} --help)" if error.ctx is not None else ""
        return " ".join(map(short, error.format_message().split())) + where
    if isinstance(error, OSError) and error.strerror:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
        named = error.filename or ("standard output" if full else "")
        return f"{plain(str(named))}: {error.strerror}" if named else str(error.strerror)
    if isinstance(error, MemoryError):
        return f"not enough memory. {error}".strip()
    return str(error)
