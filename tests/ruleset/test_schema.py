"""The JSON Schema says the same as the model, checked with another program's validator."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from sniffcli.ruleset.keys import keys
from sniffcli.ruleset.library import rulesets_dir, shipped
from sniffcli.ruleset.loading import load_ruleset
from sniffcli.ruleset.schema import json_schema, schema_text

from .conftest import HEAD


def as_json(text: str | bytes) -> Any:
    """Read YAML with PyYAML alone and give it the text keys of JSON."""
    return json.loads(json.dumps(yaml.safe_load(text)))


@pytest.fixture(scope="module")
def validator() -> jsonschema.Draft202012Validator:
    schema = json_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def test_the_committed_schema_is_that_of_the_model() -> None:
    committed = (rulesets_dir() / "schema.json").read_text(encoding="utf-8")

    assert committed == schema_text(), "write it anew: sniff ruleset schema > rulesets/schema.json"


def test_every_key_is_described_in_one_sentence() -> None:
    for key in keys().values():
        assert key.description.endswith("."), key.dotted
        assert key.description[0].isupper(), key.dotted


@pytest.mark.parametrize("name", shipped())
def test_shipped_rulesets_fit_the_schema(
    validator: jsonschema.Draft202012Validator, name: str
) -> None:
    validator.validate(as_json(Path(rulesets_dir(), f"{name}.yaml").read_bytes()))


GOOD = [
    "keelhaul: {}",
    "keelhaul: {seconds: 2.5}\nclaim: {mode: declare, owner_until: {seconds: 7}}",
    "draw: null",
    "draw: {limit: null, reserve: {2: 2, 3: 1, 4: 0}}",
    "set: {remove: {3: [0-0]}}",
    "set: {remove: [0-0]}",
    "open: {first_leader: {holder_of: '6-6'}}",
    "deal: {hand: all_even}",
    "score: {award: {flat: 1}, near_target: {1: 1}}",
    "score: {near_target: none}",
    "joining: {rule: complement, wild: sum_tiles_and_double_blank, sum: 7}",
    "extra_turn: {after: [double, score]}",
    "pass: {bonus: {per_knock: 1}}",
    "match: {target: none, rounds: 3}",
]
BAD = [
    "spiner: none",
    "layout: {spinner: frist_double}",
    "layout: [spinner]",
    "draw: {limit: 0}",
    "draw: {limit: lots}",
    "draw: {reserve: {1: 0}}",
    "set: {max_pip: 1}",
    "set: {remove: 0-0}",
    "set: {remove: [0-0, 0-0]}",
    "set: {remove: [six]}",
    "open: {first_leader: {holder_of: 6}}",
    "open: {first_leader: {holder: 6-6}}",
    "deal: {hand: {}}",
    "deal: {hand: 7}",
    "tings: maybe",
    "claim: {owner_until: {seconds: 0}}",
    "keelhaul: {price: 5}",
    "match: {}",
    "match: {target: 0}",
    "score: {near_target: {0: 1}}",
    "extra_turn: {after: double}",
    "pass: {penalty: -1}",
    "id: a b",
    "sniff: 2",
]


def with_head(line: str) -> str:
    sections = {one.partition(":")[0] for one in line.splitlines()}
    kept = [one for one in HEAD.splitlines() if one.partition(":")[0] not in sections]
    return "\n".join([*kept, line]) + "\n"


@pytest.mark.parametrize("line", GOOD)
def test_schema_and_model_accept(validator: jsonschema.Draft202012Validator, line: str) -> None:
    text = with_head(line)

    validator.validate(as_json(text))
    # Contradictions between keys are more than a schema can say.
    codes = {one.code for one in load_ruleset("house.yaml", text)[1]}
    assert all(code.startswith("idle-") for code in codes)


@pytest.mark.parametrize("line", BAD)
def test_schema_and_model_refuse(validator: jsonschema.Draft202012Validator, line: str) -> None:
    text = with_head(line)

    assert not validator.is_valid(as_json(text))
    assert load_ruleset("house.yaml", text)[1]
