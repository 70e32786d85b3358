"""Reads rows by generated classes: argument 1 is the module, 2 a JSON object of the columns' names and values by class."""

import importlib.util
import json
import sys
import typing

spec = importlib.util.spec_from_file_location("database_types", sys.argv[1])
module = importlib.util.module_from_spec(spec)
sys.modules["database_types"] = module
spec.loader.exec_module(module)

with open(sys.argv[2], encoding="utf-8") as file:
    expected = json.load(file)
for name, row in expected.items():
    cls = getattr(module, name)
    read = cls.model_validate(row)
    aliases = {field.alias for field in cls.model_fields.values()}
    assert aliases == set(row), (name, aliases, set(row))
    assert read.model_dump(mode="json", by_alias=True) == row, (name, read, row)
    for operation in ("Insert", "Update"):
        written = getattr(module, name + operation, None)
        if written is not None:
            keys = typing.get_type_hints(written).keys()
            assert set(keys) <= set(row), (name, operation, keys)
print("read", len(expected))
