"""The JSON Schema of ruleset files, made from the model; `rulesets/schema.json` is its output."""

from __future__ import annotations

import json

from sniffcli.ruleset.keys import Key, keys
from sniffcli.ruleset.plain import plain
from sniffcli.ruleset.readers import JsonSchema


def json_schema() -> JsonSchema:
    """Return the schema of a ruleset file as a JSON document.

    It cannot say what the contradictions between keys and the parent say; `sniff ruleset check`
    can.
    """
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A ruleset for sniff",
        **_section(()),
        "required": ["sniff", "id"],
        # A ruleset without a parent must say what has no default.
        "if": {"not": {"required": ["extends"], "properties": {"extends": {"type": "string"}}}},
        "then": {
            "required": ["deal", "match"],
            "properties": {
                "deal": {"type": "object", "required": ["hand"]},
                "match": {
                    "type": "object",
                    "anyOf": [{"required": ["target"]}, {"required": ["rounds"]}],
                },
            },
        },
    }


def schema_text() -> str:
    """Return the schema as the text of `rulesets/schema.json`."""
    return json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n"


def _section(path: tuple[str, ...]) -> JsonSchema:
    below = [key for key in keys().values() if key.path[:-1] == path]
    return {
        "type": "object",
        "additionalProperties": False,
        "properties": {key.path[-1]: _key(key) for key in below},
    }


def _key(key: Key) -> JsonSchema:
    schema = _section(key.path) if key.reader is None else key.reader.schema()
    described: JsonSchema = {"description": key.description, **schema}
    if key.path in (("sniff",), ("id",)):
        return described
    if key.reader is not None and not key.required:
        described["default"] = plain(key.default)
    return _or_null(described)


def _or_null(schema: JsonSchema) -> JsonSchema:
    """Let null stand for the default."""
    if "anyOf" in schema:
        return {**schema, "anyOf": [*schema["anyOf"], {"type": "null"}]}
    if "enum" in schema:
        return {**schema, "enum": [*schema["enum"], None]}
    return {**schema, "type": [schema["type"], "null"]}
