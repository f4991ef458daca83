"""TREC's text formats: a run has six columns, qrels have four, between blanks or tabs."""

from __future__ import annotations

import itertools
import os
from collections import deque
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from denominator.formats.parts import COLUMNS, Part, Whole
from denominator.formats.sources import BLOCK
from denominator.formats.trec_fast import fast_part

if TYPE_CHECKING:
    from concurrent.futures import Future

    from denominator.formats.sources import Content, Head
    from denominator.formats.table import Kind, Options, Table

__all__ = ["read", "sniff"]

ALONE = 1 << 23
"""Bytes up to which one thread reads a file: others cost more than they bring, above all where runs are read side by
side."""

SMALL = 1 << 14
"""Bytes below which the exact reader is as fast as importing the other."""


def sniff(head: Head, kind: Kind) -> bool:
    """Take every text: TREC is what a file is when no other format claims it."""
    return True


def read(content: Content, options: Options, *, block: int = BLOCK, small: int = SMALL) -> Table:
    """Read a run or qrels in TREC's format, `block` bytes of lines at a time, blocks up to `small` bytes exactly."""
    whole = Whole(options.kind)

    def part(lines: bytes, offset: int) -> Part:
        one = fast_part(lines, options) if len(lines) > small else None
        if one is None:
            from denominator.formats.trec_exact import exact_part  # most files are clean from end to end

            one = exact_part(lines, options, offset=offset, first=offset <= 3)
        one.octets = len(lines)
        return one

    alone = content.size is not None and content.size <= ALONE
    for number, one in enumerate(_in_order(part, content.blocks(block), 3 * content.bom, alone)):
        whole.add(one)
        if number == 0 and content.size:
            whole.expect(min(one.octets / content.size, 1.0))
    return whole.table(f"TREC {options.kind}, {len(COLUMNS[options.kind])} columns")


def _in_order(part: Callable[[bytes, int], Part], blocks: Iterator[bytes], offset: int, alone: bool) -> Iterator[Part]:
    """Read the blocks of a file on a few threads (pyarrow lets go of the interpreter) and yield them in order."""
    second = b""
    for number, lines in enumerate(blocks):
        if number and not alone:
            second = lines
            break
        yield part(lines, offset)
        offset += len(lines)
    if not second:
        return
    from concurrent.futures import ThreadPoolExecutor  # a small file does not wait for this import

    threads = min(4, os.cpu_count() or 1)
    waiting: deque[Future[Part]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        for block in itertools.chain([second], blocks):
            waiting.append(pool.submit(part, block, offset))
            offset += len(block)
            if len(waiting) > threads:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
