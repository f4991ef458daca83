"""Fetching from a stand-in server on this machine: the right file, or a clear error and nothing in its place."""

import contextlib
import hashlib
import multiprocessing
import re
import socket
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from denominator import fetching
from denominator.errors import InputError
from denominator.fetching import fetch
from denominator.fingerprints import Known

BODY = b"".join(b"%d\tQ0\tD#%d\t%d\n" % (n % 97, n, n % 2) for n in range(20_000))
WRONG = BODY[:-2] + b"7\n"
KNOWN = Known(
    hashlib.sha256(BODY).hexdigest(), len(BODY), "a file", "revision at 1", "127.0.0.1", "1" * 40, "a.tsv", False, ()
)


class Answers(BaseHTTPRequestHandler):
    """Answers by the path: what is wrong is in its name."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        """Keep quiet."""

    def do_GET(self):
        self.server.asked.append((self.path, self.headers.get("Range")))
        getattr(self, "get_" + self.path.strip("/"))()

    def send(self, body, *, status=200, length=None, **headers):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        with contextlib.suppress(ConnectionError):
            self.wfile.write(body)
        self.close_connection = True

    def ranged(self, body=BODY, until=None):
        asked = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range") or "")
        start = int(asked[1]) if asked else 0
        if start >= len(body):
            self.send(b"", status=416)
            return
        rest, length = body[start:until], len(body) - start
        if asked:
            said = f"bytes {start}-{len(body) - 1}/{len(body)}"
            self.send(rest, status=206, length=length, Content_Range=said)
        else:
            self.send(rest, length=length)

    def get_whole(self):
        self.ranged()

    def get_unranged(self):
        self.send(BODY)

    def get_breaks_once(self):
        self.ranged(until=100_000 if len(self.server.asked) == 1 else None)

    def get_always_breaks(self):
        self.ranged(until=100_000)

    def get_wrong(self):
        self.ranged(WRONG)

    def get_short(self):
        self.ranged(BODY[:-10])

    def get_endless(self):
        self.send_response(200)
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(BODY + b"more")
        self.close_connection = True

    def get_other_range(self):
        self.send(BODY[5:], status=206, Content_Range=f"bytes 5-{len(BODY) - 1}/{len(BODY)}")

    def get_missing(self):
        self.send(b"no such file", status=404)

    def get_busy(self):
        if len(self.server.asked) < 3:
            self.send(b"later", status=503)
        else:
            self.ranged()

    def get_moved(self):
        self.send(b"", status=302, Location="/whole")

    def get_circle(self):
        self.send(b"", status=302, Location="/circle")

    def get_stalls(self):
        self.send_response(200)
        self.send_header("Content-Length", str(len(BODY)))
        self.end_headers()
        self.wfile.write(BODY[:1000])
        self.wfile.flush()
        time.sleep(1)
        self.close_connection = True

    def get_slow(self):
        self.send_response(200)
        self.send_header("Content-Length", str(len(BODY)))
        self.end_headers()
        for at in range(0, len(BODY), 40_000):
            self.wfile.write(BODY[at : at + 40_000])
            self.wfile.flush()
            time.sleep(0.05)
        self.close_connection = True


@pytest.fixture
def server(monkeypatch):
    """Serve on a port of this machine; pauses are short, and no proxy is asked."""
    monkeypatch.setattr(fetching, "PAUSES", (0.01, 0.01))
    monkeypatch.setattr(fetching, "TIMEOUT", 5.0)
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    server.daemon_threads = True
    server.asked = []
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    server.address = f"http://127.0.0.1:{server.server_port}"
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def place(tmp_path):
    """Return where the file goes: a folder that is not there yet."""
    return tmp_path / "cache" / "a.tsv"


def test_a_file_comes_whole_and_nothing_else_stays(server, place):
    """The bytes are the published ones; no part is left, and the progress ends at the total."""
    told = []
    fetch(KNOWN, place, lambda done, total: told.append((done, total)), url=f"{server.address}/whole")
    assert place.read_bytes() == BODY
    assert not place.with_name("a.tsv.part").exists()
    assert told[-1] == (len(BODY), len(BODY))
    assert told == sorted(told)


def test_a_file_that_is_there_is_not_asked_for_again(server, place):
    """The second time costs no request; a damaged one is fetched anew."""
    for _ in range(2):
        fetch(KNOWN, place, url=f"{server.address}/whole")
    assert len(server.asked) == 1
    place.write_bytes(WRONG)
    fetch(KNOWN, place, url=f"{server.address}/whole")
    assert place.read_bytes() == BODY
    assert len(server.asked) == 2


def test_what_was_cut_off_goes_on_where_it_stopped(server, place):
    """A connection that breaks is tried again, and only the rest is asked for."""
    fetch(KNOWN, place, url=f"{server.address}/breaks_once")
    assert place.read_bytes() == BODY
    assert server.asked == [("/breaks_once", None), ("/breaks_once", "bytes=100000-")]


def test_a_part_of_an_earlier_process_is_gone_on_with(server, place):
    """A part that was left behind is the beginning of the next try."""
    place.parent.mkdir()
    place.with_name("a.tsv.part").write_bytes(BODY[:70_000])
    fetch(KNOWN, place, url=f"{server.address}/whole")
    assert place.read_bytes() == BODY
    assert server.asked == [("/whole", "bytes=70000-")]


@pytest.mark.parametrize("left", [BODY, BODY + b"more", b"x" * 100, b"x" * len(BODY)], ids=len)
def test_whatever_part_was_left_the_file_is_right(server, place, left):
    """A whole part is used without a request; one that is too long, or wrong, is thrown away."""
    place.parent.mkdir()
    place.with_name("a.tsv.part").write_bytes(left)
    fetch(KNOWN, place, url=f"{server.address}/whole")
    assert place.read_bytes() == BODY
    assert (not server.asked) == (left == BODY)


def test_a_server_without_ranges_sends_the_whole_again(server, place):
    """What was there is not put in front of it."""
    place.parent.mkdir()
    place.with_name("a.tsv.part").write_bytes(BODY[:70_000])
    fetch(KNOWN, place, url=f"{server.address}/unranged")
    assert place.read_bytes() == BODY


def test_a_redirect_is_followed(server, place):
    """As github.com does for raw files."""
    fetch(KNOWN, place, url=f"{server.address}/moved")
    assert place.read_bytes() == BODY
    assert [path for path, _ in server.asked] == ["/moved", "/whole"]


def test_a_slow_server_is_waited_for(server, place, monkeypatch):
    """The limit is on silence, not on the whole."""
    monkeypatch.setattr(fetching, "TIMEOUT", 0.3)
    fetch(KNOWN, place, url=f"{server.address}/slow")
    assert place.read_bytes() == BODY


def test_a_busy_server_is_asked_again(server, place):
    """A 503 may pass."""
    fetch(KNOWN, place, url=f"{server.address}/busy")
    assert place.read_bytes() == BODY
    assert len(server.asked) == 3


@pytest.mark.parametrize(
    ("answer", "said", "requests"),
    [
        ("always_breaks", "ended after", 3),
        ("wrong", "it is damaged, edited or another revision", 1),
        ("short", f"bytes, expected the {len(BODY):,} of a file, revision at 1", 1),
        ("endless", f"more than the {len(BODY):,} bytes", 1),
        ("other_range", f'expected "bytes 0-{len(BODY) - 1}/{len(BODY)}"', 1),
        ("missing", "the server answers 404 Not Found", 1),
    ],
)
@pytest.mark.parametrize("before", [None, WRONG], ids=["nothing there", "a wrong file there"])
def test_what_cannot_be_had_is_an_error_and_the_place_is_untouched(server, place, answer, said, requests, before):
    """Address, reason and place are named; no wrong byte takes the place, and what lay there still does."""
    if before is not None:
        place.parent.mkdir()
        place.write_bytes(before)
    with pytest.raises(InputError, match=re.escape(said)) as caught:
        fetch(KNOWN, place, url=f"{server.address}/{answer}")
    assert str(caught.value).startswith(f"{server.address}/{answer}: ")
    assert f"{place} was not written" in str(caught.value)
    assert (place.read_bytes() if place.exists() else None) == before
    assert len(server.asked) == requests


def test_a_wrong_ending_is_thrown_away_so_that_the_next_try_can_be_right(server, place):
    """After wrong bytes nothing of them is left to go on with."""
    with pytest.raises(InputError, match="SHA-256") as caught:
        fetch(KNOWN, place, url=f"{server.address}/wrong")
    assert "are kept" not in str(caught.value)
    assert not place.with_name("a.tsv.part").exists()
    fetch(KNOWN, place, url=f"{server.address}/whole")
    assert place.read_bytes() == BODY


def test_what_came_before_the_server_gave_up_is_kept_and_said(server, place):
    """The part stays, and a later call goes on from it."""
    with pytest.raises(InputError, match=r"tried 3 times; 100,000 of [\d,]+ bytes are kept as a\.tsv\.part"):
        fetch(KNOWN, place, url=f"{server.address}/always_breaks")
    fetch(KNOWN, place, url=f"{server.address}/whole")
    assert place.read_bytes() == BODY
    assert server.asked[-1] == ("/whole", "bytes=100000-")


def test_a_part_longer_than_what_the_server_has_is_asked_for_anew(server, place):
    """A 416 is answered by asking for the whole, which here is another file."""
    place.parent.mkdir()
    place.with_name("a.tsv.part").write_bytes(BODY[:-5])
    with pytest.raises(InputError, match="expected the"):
        fetch(KNOWN, place, url=f"{server.address}/short")
    assert not place.with_name("a.tsv.part").exists()


def test_silence_ends(server, place, monkeypatch):
    """A connection without bytes is given up, and what came is kept."""
    monkeypatch.setattr(fetching, "TIMEOUT", 0.1)
    with pytest.raises(InputError, match=r"broke off \(timed out\), tried 3 times; 1,000 of"):
        fetch(KNOWN, place, url=f"{server.address}/stalls")
    assert not place.exists()


def test_a_circle_of_redirects_ends(server, place):
    """It is an error, not a loop."""
    with pytest.raises(InputError, match="the server answers 302"):
        fetch(KNOWN, place, url=f"{server.address}/circle")


def test_without_a_network_it_is_said(place, monkeypatch):
    """No server: an error, soon, and nothing in the place."""
    monkeypatch.setattr(fetching, "PAUSES", (0.01, 0.01))
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        with pytest.raises(InputError, match="no answer"):
            fetch(KNOWN, place, url=f"http://127.0.0.1:{unused.getsockname()[1]}/whole")
    assert list(place.parent.glob("a.tsv*")) == []


def test_a_place_that_cannot_be_written_is_an_error(server, tmp_path):
    """A file stands where the folder should be."""
    (tmp_path / "cache").write_text("in the way", encoding="utf-8")
    with pytest.raises(InputError, match=r"cache.*was not written"):
        fetch(KNOWN, tmp_path / "cache" / "a.tsv", url=f"{server.address}/whole")


def test_the_address_is_the_one_of_the_table_unless_another_is_given(monkeypatch, place):
    """The pinned commit is in the address."""
    asked = []

    def opened(request, timeout):
        asked.append((request.full_url, timeout))
        raise OSError("no network")

    monkeypatch.setattr(fetching, "PAUSES", (0.0, 0.0))
    monkeypatch.setattr(fetching.urllib.request, "urlopen", opened)
    with pytest.raises(InputError):
        fetch(KNOWN, place)
    assert set(asked) == {(f"https://127.0.0.1/raw/{'1' * 40}/a.tsv", fetching.TIMEOUT)}


def test_whoever_wants_the_same_file_at_once_takes_turns(server, place):
    """Four threads start together: the file is fetched once, and right for all."""
    together = threading.Barrier(4)
    failed = []

    def one():
        together.wait()
        try:
            fetch(KNOWN, place, url=f"{server.address}/slow")
        except InputError as error:
            failed.append(error)

    threads = [threading.Thread(target=one) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert place.read_bytes() == BODY
    assert len(server.asked) == 1


def test_processes_take_turns(server, place):
    """As threads do: each finds the file right, and it was fetched once."""
    context = multiprocessing.get_context("spawn")
    url = f"{server.address}/slow"
    processes = [context.Process(target=fetch, args=(KNOWN, place), kwargs={"url": url}) for _ in range(2)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)
    assert [process.exitcode for process in processes] == [0, 0]
    assert place.read_bytes() == BODY
    assert len(server.asked) == 1
