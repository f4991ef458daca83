"""SARIF 2.1.0: every log has the structure that the OASIS standard (chapter 3) requires.

`SHAPES` says of each object that we write which properties the standard knows, which it demands, and what each may
hold. A property that it does not know is refused, as its own schema does.
"""

import json
import re
from urllib.parse import unquote, urlsplit

import pytest

from denominator.audit.registry import CHECKS
from denominator.findings import Findings
from denominator.outputs.findings import Options, render

LEVEL = {"none", "note", "warning", "error"}
KIND = {"notApplicable", "pass", "fail", "review", "open", "informational"}
SEMVER = re.compile(r"\d+\.\d+\.\d+([-+.][0-9A-Za-z.+-]+)?")


def text(value):
    return isinstance(value, str) and value != ""


def is_uri_reference(value):
    """Return whether a text is a URI reference: only characters of RFC 3986, no blank, no scheme by accident."""
    if not isinstance(value, str) or not re.fullmatch(r"(?:[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=]|%[0-9A-F]{2})+", value):
        return False
    return urlsplit(value).scheme in ("", "file", "https")


def whole(least):
    return lambda value: isinstance(value, int) and not isinstance(value, bool) and value >= least


def one_of(*values):
    return lambda value: value in values


def flag(value):
    return isinstance(value, bool)


def bag(value):
    return isinstance(value, dict)


# object → (demanded properties, property → what it may hold: a test, a shape's name, or a list of a shape)
SHAPES = {
    "log": (
        {"version", "runs"},
        {"$schema": is_uri_reference, "version": one_of("2.1.0"), "runs": ["run"], "properties": bag},
    ),
    "run": (
        {"tool"},
        {
            "tool": "tool",
            "invocations": ["invocation"],
            "results": ["result"],
            "columnKind": one_of("utf16CodeUnits", "unicodeCodePoints"),
            "properties": bag,
        },
    ),
    "tool": ({"driver"}, {"driver": "component", "properties": bag}),
    "component": (
        {"name"},
        {
            "name": text,
            "version": text,
            "semanticVersion": lambda value: bool(SEMVER.fullmatch(value)),
            "informationUri": is_uri_reference,
            "rules": ["rule"],
            "properties": bag,
        },
    ),
    "rule": (
        {"id"},
        {
            "id": text,
            "name": text,
            "shortDescription": "words",
            "fullDescription": "words",
            "help": "words",
            "helpUri": is_uri_reference,
            "defaultConfiguration": "configuration",
            "properties": bag,
        },
    ),
    "words": ({"text"}, {"text": text, "markdown": text, "properties": bag}),
    "configuration": (set(), {"enabled": flag, "level": lambda value: value in LEVEL, "properties": bag}),
    "invocation": (
        {"executionSuccessful"},
        {"executionSuccessful": flag, "toolExecutionNotifications": ["notification"], "properties": bag},
    ),
    "notification": (
        {"message"},
        {"message": "message", "level": lambda value: value in LEVEL, "locations": ["location"], "properties": bag},
    ),
    "result": (
        {"message"},
        {
            "ruleId": text,
            "ruleIndex": whole(0),
            "kind": lambda value: value in KIND,
            "level": lambda value: value in LEVEL,
            "message": "message",
            "locations": ["location"],
            "occurrenceCount": whole(1),
            "partialFingerprints": bag,
            "properties": bag,
        },
    ),
    "message": ({"text"}, {"text": text, "markdown": text, "properties": bag}),
    "location": (
        set(),
        {"physicalLocation": "physical", "logicalLocations": ["logical"], "message": "message", "properties": bag},
    ),
    "physical": ({"artifactLocation"}, {"artifactLocation": "artifact", "region": "region", "properties": bag}),
    "artifact": ({"uri"}, {"uri": is_uri_reference, "uriBaseId": text, "properties": bag}),
    "region": (
        {"startLine"},
        {"startLine": whole(1), "startColumn": whole(1), "endLine": whole(1), "properties": bag},
    ),
    "logical": (set(), {"name": text, "fullyQualifiedName": text, "kind": text, "properties": bag}),
}


def faults(value, shape, where):
    """Yield what in an object is not as its shape demands."""
    demanded, known = SHAPES[shape]
    if not isinstance(value, dict):
        yield f"{where}: not an object"
        return
    yield from (f"{where}: no {name}" for name in demanded - set(value))
    for name, held in value.items():
        place = f"{where}/{name}"
        match known.get(name):
            case None:
                yield f"{place}: the standard knows no such property"
            case str() as inner:
                yield from faults(held, inner, place)
            case [inner]:
                if not isinstance(held, list):
                    yield f"{place}: not a list"
                else:
                    for number, one in enumerate(held):
                        yield from faults(one, inner, f"{place}/{number}")
            case test:
                if not test(held):
                    yield f"{place}: {held!r:.80}"


def consistency(log):
    """Yield what the standard demands across objects."""
    for run in log["runs"]:
        rules = run["tool"]["driver"].get("rules", [])
        ids = [rule["id"] for rule in rules]
        if len(set(ids)) < len(ids):
            yield "two rules with one id"
        for result in run["results"]:
            if ids[result["ruleIndex"]] != result["ruleId"]:
                yield f"ruleIndex {result['ruleIndex']} is not {result['ruleId']}"
            message = result["message"]["text"]
            for sign in re.findall(r"\{+|\}+", message):
                if len(sign) % 2:
                    yield f"a single brace would be a placeholder: {message:.80}"
            if re.search(r"(?<!\\)(\\\\)*[\[\]]", message):
                yield f"a bare bracket would be a link: {message:.80}"


def log_of(findings, **options):
    log = json.loads("".join(render(findings, "sarif", Options(**options))))
    assert [*faults(log, "log", ""), *consistency(log)] == []
    return log


def test_the_validator_finds_what_is_wrong(plain):
    """What the other tests trust does refuse: a missing, an unknown, and a wrong property, and a wrong index."""
    log = log_of(plain)
    result = log["runs"][0]["results"][0]
    del result["message"]
    result["colour"] = "red"
    result["level"] = "fatal"
    result["locations"][0]["physicalLocation"]["region"]["startLine"] = 0
    result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] = "a b"
    assert len(list(faults(log, "log", ""))) == 5


def test_results_point_at_file_and_line(plain):
    """A place is a result with file, line, level and rule; a finding about a whole file is one without a region."""
    (run,) = log_of(plain)["runs"]
    results = run["results"]
    physical = [result["locations"][0]["physicalLocation"] for result in results]
    assert [one.get("region") for one in physical] == [*({"startLine": n} for n in (1, 2, 3, 4, 5, 7)), None]
    assert [one["artifactLocation"]["uri"] for one in physical[4:]] == ["runs/a.run", "b%2Cc%3Ad.run", "a.qrels"]
    assert [(result["ruleId"], result["ruleIndex"]) for result in results[5:]] == [("D101", 0), ("D103", 1)]
    assert [result["level"] for result in results[4:]] == ["error", "warning", "note"]
    assert results[0]["properties"]["numbers"] == {"R@5": 0.5, "queries": 5}
    assert results[0]["locations"][0]["logicalLocations"][0]["fullyQualifiedName"] == "q1 d1"


def test_rules_are_the_checks_that_ran_with_their_help(plain):
    """Each rule says what it is, in text and markdown, and which level it has by itself."""
    rules = log_of(plain)["runs"][0]["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["D101", "D103", "D104"]
    assert rules[0]["name"] == "cutoff-caps-recall"
    assert rules[0]["help"]["markdown"].count("**Fix**") == 1
    assert rules[0]["defaultConfiguration"] == {"level": "note"}


def test_every_check_makes_a_rule_that_the_standard_accepts():
    """The pages of all checks fit."""
    assert len(log_of(Findings((), tuple(CHECKS)))["runs"][0]["tool"]["driver"]["rules"]) == len(CHECKS)


def test_evil_ids_are_neither_links_nor_placeholders_nor_paths(evil):
    """File names are encoded and decode to themselves; messages hold no link; runs that could not be read are told."""
    (run,) = log_of(evil)["runs"]
    assert run["invocations"][0]["executionSuccessful"] is False
    assert len(run["invocations"][0]["toolExecutionNotifications"]) == 14
    uris = [result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in run["results"]]
    assert "<script>alert(1)</script>" in {unquote(uri) for uri in uris}
    assert any("\\[link\\](http" in result["message"]["text"] for result in run["results"])
    assert any("{{0}}" in result["message"]["text"] for result in run["results"])


@pytest.mark.parametrize(
    ("source", "uri"),
    [
        ("/data/my runs/a#1.run", "file:///data/my%20runs/a%231.run"),
        ("../a%.run", "../a%25.run"),
        ("é.run", "%C3%A9.run"),
    ],
)
def test_file_names_are_uri_references(source, uri):
    """Absolute paths are file URIs, relative ones stay relative, and every other character is encoded."""
    from denominator.outputs.findings.sarif import _uri

    assert _uri(source) == uri
    assert is_uri_reference(uri)
