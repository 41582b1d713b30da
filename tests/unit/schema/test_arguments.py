import inspect
import math
import re
import subprocess
import sys
from collections import OrderedDict
from enum import IntEnum

import pytest

from tm.errors import ConfigError, Location
from tm.schema import arguments
from tm.schema.arguments import check_arguments, compiled_schema

AT = Location("tenants/demo/tools/order.yaml", 5, 9)
DRAFT_07 = "http://json-schema.org/draft-07/schema#"


def obj(**properties):
    return {"type": "object", "properties": properties}


def told(schema, args):
    return {d.path: d.message for d in check_arguments(schema, args).failures}


ORDER = {
    **obj(
        customer_id={"type": "string"},
        quantity={"type": "integer", "minimum": 1},
        shipping={"type": "string", "enum": ["standard", "express", "pickup"]},
        note={"type": "string", "maxLength": 20},
    ),
    "required": ["customer_id", "quantity"],
}


def test_arguments_that_fit_come_back_as_a_copy():
    args = {"customer_id": "K-1", "quantity": 2}
    checked = check_arguments(ORDER, args)
    assert checked.args == args
    assert checked.args is not args
    assert checked.failures == ()


def test_all_failures_are_told_at_once_with_path_and_nearest_names():
    failures = told(ORDER, {"custmer_id": "K-1", "quantity": 0, "shipping": "exprss", "note": 5})
    assert failures == {
        "custmer_id": "unknown argument 'custmer_id'; did you mean 'customer_id'?",
        "quantity": "must be at least 1; got 0",
        "shipping": 'must be one of "standard", "express", "pickup"; got "exprss";'
        " did you mean 'express'?",
        "note": "must be a string; got 5",
        "customer_id": "'customer_id' is missing; it is required: it must be a string;"
        " 'custmer_id' was given instead",
    }


@pytest.mark.parametrize(
    ("kind", "value", "message"),
    [
        ("integer", "5", 'must be an integer; got the string "5"'),
        ("integer", True, "must be an integer; got true"),
        ("integer", 1.5, "must be an integer; got 1.5"),
        ("number", "1", 'must be a number; got the string "1"'),
        ("boolean", 1, "must be true or false; got 1"),
        ("string", 1067, "must be a string; got 1067"),
        ("null", "", 'must be null; got the string ""'),
        ("array", {}, "must be a list; got {}"),
        ("object", [], "must be an object; got []"),
        (["integer", "null"], "x", 'must be an integer or null; got the string "x"'),
    ],
)
def test_nothing_is_coerced(kind, value, message):
    assert told(obj(x={"type": kind}), {"x": value}) == {"x": message}


def test_a_number_without_fraction_is_an_integer_and_keeps_its_form():
    checked = check_arguments(obj(x={"type": "integer"}), {"x": 1.0})
    assert checked.failures == ()
    assert isinstance(checked.args["x"], float)


class TestClosed:
    def test_an_argument_without_properties_is_refused(self):
        assert told({}, {"x": 1}) == {"x": "unknown argument 'x'; none are allowed here"}

    def test_known_names_are_listed_where_none_is_near(self):
        assert told(obj(a={}, b={}), {"x": 1}) == {"x": "unknown argument 'x'; known are a, b"}

    @pytest.mark.parametrize(
        "schema",
        [
            {"allOf": [obj(a={})]},
            {"anyOf": [obj(a={}), {}]},
            {"oneOf": [obj(a={})]},
            {"$ref": "#/$defs/P", "$defs": {"P": obj(a={})}},
            {"if": {"required": ["b"]}, "then": obj(a={}), "else": {}},
            {"if": {"required": ["a"]}, "else": obj(a={})},
            {"dependentSchemas": {"a": obj(a={})}},
            {"allOf": [{"$ref": "#/$defs/P"}], "$defs": {"P": {"anyOf": [obj(a={})]}}},
            {"$ref": "#/x-parts/0", "x-parts": [obj(a={})]},
            {"$ref": "#P", "$defs": {"P": {"$anchor": "P", **obj(a={})}}},
            {
                "$schema": DRAFT_07,
                "allOf": [{"$ref": "#P"}],
                "definitions": {"x": {"$id": "#P", **obj(a={})}},
            },
        ],
    )
    def test_names_of_branches_and_references_count(self, schema):
        assert told(schema, {"a": 1}) == {}
        assert list(told(schema, {"zzz": 1})) == ["zzz"]

    @pytest.mark.parametrize(
        "extra",
        [
            {"additionalProperties": True},
            {"additionalProperties": {}},
            {"unevaluatedProperties": True},
            {"allOf": [{"additionalProperties": True}]},
        ],
    )
    def test_a_schema_that_says_so_is_open(self, extra):
        assert told({**obj(a={}), **extra}, {"zzz": 1}) == {}

    def test_what_a_dynamic_reference_names_is_left_to_the_schema(self):
        schema = {
            "allOf": [{"$dynamicRef": "#P"}],
            "$defs": {"P": {"$dynamicAnchor": "P", **obj(a={})}},
        }
        assert told(schema, {"a": 1}) == {}

    def test_what_a_reference_by_id_names_is_left_to_the_schema(self):
        schema = {"$ref": "urn:p", "$defs": {"P": {"$id": "urn:p", **obj(a={"type": "string"})}}}
        assert told(schema, {"a": 1}) == {"a": "must be a string; got 1"}

    def test_the_schemas_own_false_is_told_in_the_same_words(self):
        schema = {**obj(city={}), "additionalProperties": False}
        assert told(schema, {"ctiy": 1}) == {
            "ctiy": "unknown argument 'ctiy'; did you mean 'city'?"
        }

    def test_pattern_properties_name_arguments(self):
        schema = {**obj(a={}), "patternProperties": {"^x-": {"type": "string"}}}
        assert told(schema, {"x-1": "y"}) == {}
        assert told(schema, {"x-1": 1}) == {"x-1": "must be a string; got 1"}
        assert list(told(schema, {"y": 1})) == ["y"]

    def test_objects_below_are_open(self):
        assert told(obj(a=obj(b={})), {"a": {"zzz": 1}}) == {}


class TestDefaults:
    def filled(self, schema, args):
        checked = check_arguments(schema, args)
        assert checked.failures == ()
        return checked.args

    def test_a_default_is_filled_in_before_required_is_checked(self):
        schema = {**obj(page={"type": "integer", "default": 1}), "required": ["page"]}
        assert self.filled(schema, {}) == {"page": 1}

    def test_a_given_null_is_not_replaced(self):
        assert self.filled(obj(a={"default": 1}), {"a": None}) == {"a": None}

    def test_defaults_are_copies(self):
        schema = obj(a={"default": {"list": []}})
        self.filled(schema, {})["a"]["list"].append(1)
        assert self.filled(schema, {}) == {"a": {"list": []}}

    def test_present_objects_and_items_get_theirs(self):
        line = obj(qty={"default": 1})
        schema = obj(ship=obj(country={"default": "DE"}), lines={"type": "array", "items": line})
        assert self.filled(schema, {}) == {}
        assert self.filled(schema, {"ship": {}, "lines": [{}, {"qty": 2}]}) == {
            "ship": {"country": "DE"},
            "lines": [{"qty": 1}, {"qty": 2}],
        }

    def test_a_default_object_gets_its_own_defaults(self):
        schema = obj(ship={"default": {}, **obj(country={"default": "DE"})})
        assert self.filled(schema, {}) == {"ship": {"country": "DE"}}

    def test_a_default_that_holds_itself_ends(self):
        assert self.filled(obj(a={"$ref": "#", "default": {}}), {}) == {"a": {}}

    def test_references_and_all_of_bring_defaults_but_branches_do_not(self):
        schema = {
            "allOf": [obj(a={"default": 1})],
            "anyOf": [obj(b={"default": 2}), {}],
            **obj(c={"$ref": "#/$defs/c"}, d={"allOf": [{"$ref": "#/$defs/c"}]}),
            "$defs": {"c": {"default": 3}},
        }
        assert self.filled(schema, {}) == {"c": 3, "d": 3, "a": 1}

    def test_the_arguments_given_are_not_changed(self):
        given = {"ship": {}}
        self.filled(obj(ship=obj(country={"default": "DE"})), given)
        assert given == {"ship": {}}

    def test_a_default_that_breaks_its_schema_is_told(self):
        schema = obj(limit={"type": "integer", "default": "100"})
        assert told(schema, {}) == {"limit": 'must be an integer; got the string "100"'}

    def test_a_property_called_default_is_no_default(self):
        assert self.filled(obj(default={"type": "string"}), {}) == {}

    def test_odd_places_are_passed_over(self):
        assert self.filled(
            obj(a=True, b={"default": 1}, c={"type": "array"}), {"a": {}, "c": [{}]}
        ) == {
            "a": {},
            "b": 1,
            "c": [{}],
        }


class TestWhatIsNoJson:
    @pytest.mark.parametrize(
        ("value", "path", "message"),
        [
            (math.nan, "a.0", "is nan, which is no JSON number"),
            (math.inf, "a.0", "is inf, which is no JSON number"),
            pytest.param(10**5000, "a.0", "is a number of more than 4,000 digits", id="huge"),
            ((1, 2), "a.0", "is no JSON value but a Python tuple"),
            ({1: 2}, "a.0", "has the key 1, which is no text"),
        ],
    )
    def test_it_is_a_failure_with_its_path(self, value, path, message):
        assert told(obj(a={}), {"a": [value]}) == {path: message}

    def test_data_nested_too_deep_is_a_failure(self):
        deep = {}
        for _ in range(3000):
            deep = {"a": deep}
        assert told(obj(a={"$ref": "#"}), deep) == {
            "a.a.a": "is nested too deep: at most 100 levels"
        }

    def test_a_circle_is_a_failure(self):
        loop = []
        loop.append(loop)
        assert told(obj(a={}), {"a": loop}) == {"a.0.0": "is nested too deep: at most 100 levels"}

    def test_subclasses_count_as_their_base(self):
        level = IntEnum("Level", {"HIGH": 3})
        checked = check_arguments(
            obj(a={"type": "integer"}, b={}), {"a": level.HIGH, "b": OrderedDict(x=[level.HIGH])}
        )
        assert checked.args == {"a": 3, "b": {"x": [3]}}
        assert type(checked.args["a"]) is int
        assert type(checked.args["b"]) is dict

    @pytest.mark.parametrize("args", [[], "x", None, 5])
    def test_arguments_must_be_an_object(self, args):
        assert list(told(obj(), args)) == [""]

    def test_arguments_that_are_no_json_at_all_are_shown_in_words(self):
        assert told(obj(), object()) == {
            "": "arguments must be an object; got what is no JSON value but a Python object"
        }


class TestUnusableSchemas:
    @pytest.mark.parametrize(
        ("schema", "code", "words"),
        [
            ([], "TM103", "must be a JSON Schema of type object"),
            (True, "TM103", "must be a JSON Schema of type object"),
            ({"type": "array"}, "TM103", "must be of type object; it says 'array'"),
            ({"$schema": "http://127.0.0.1/meta"}, "TM103", "which tm does not know"),
            ({"$schema": 5}, "TM103", "which tm does not know"),
            ({"$ref": "#"}, "TM103", "$ref '#' leads back to itself"),
            ({"allOf": [{"$ref": "#"}]}, "TM103", "leads back to itself"),
            (
                obj(a={"$ref": "#/properties/b"}, b={"$ref": "#/properties/a"}),
                "TM103",
                "leads back",
            ),
            ({"dependentSchemas": {"a": {"$ref": "#"}}}, "TM103", "leads back to itself"),
            ({"not": {"$ref": "#"}}, "TM103", "leads back to itself"),
            (
                obj(a={"$ref": "file:///etc/hostname"}),
                "TM103",
                "'file:///etc/hostname' leads to no",
            ),
            (
                obj(a={"$ref": "http://example.com/x"}),
                "TM103",
                "'http://example.com/x' leads to no",
            ),
            (obj(a={"$ref": "#/$defs/x"}), "TM103", "'#/$defs/x' leads to no schema"),
            (obj(a={"$ref": "#/type"}), "TM103", "'#/type' leads to no schema"),
            (obj(a={"$ref": "#x"}), "TM103", "'#x' leads to no schema"),
            (obj(a={"$ref": "http://[x"}), "TM103", "leads to no schema"),
            (obj(a={"$ref": 5}), "TM103", "properties.a.$ref must be of type string; it is 5"),
            (
                obj(a={"type": "text"}),
                "TM103",
                'properties.a.type is "text", which is no JSON type',
            ),
            (obj(a={"type": "strng"}), "TM103", "did you mean 'string'?"),
            (obj(a={"minLength": "3"}), "TM103", "minLength must be of type integer"),
            (obj(a={"minLength": -1}), "TM103", "is no valid JSON Schema: -1 breaks 'minimum'"),
            (obj(a=[1]), "TM103", "properties.a must be of type object or boolean; it is [1]"),
            ({"required": "a"}, "TM103", "required must be of type array"),
            (obj(a={"const": 10**5000}), "TM103", "properties.a.const is a number of more than"),
            (obj(a={"minimum": math.inf}), "TM103", "no JSON number"),
            ({1: 2}, "TM103", "the schema has the key 1"),
            (obj(a={"pattern": "("}), "TM119", "the pattern ( does not compile"),
            (obj(a={"pattern": r"\p{L}+"}), "TM119", "does not compile: bad escape"),
            (obj(a={"pattern": "(?<y>x)"}), "TM119", "does not compile"),
            (obj(a={"pattern": "^(a|a)*$"}), "TM119", "exponential time"),
            ({"patternProperties": {"^(x+x+)+y": {}}}, "TM119", "exponential time"),
            ({"patternProperties": {"(": {}}}, "TM119", "does not compile"),
        ],
    )
    def test_it_is_a_config_error_with_its_place(self, schema, code, words):
        with pytest.raises(ConfigError, match=re.escape(words)) as raised:
            check_arguments(schema, {}, at=AT)
        assert raised.value.code == code
        assert raised.value.at == AT

    def test_one_nested_too_deep(self):
        schema = {}
        for _ in range(400):
            schema = obj(a=schema)
        with pytest.raises(ConfigError, match="nested too deep") as raised:
            check_arguments(schema, {})
        assert raised.value.code == "TM103"

    def test_one_that_the_stack_can_not_hold(self):
        schema = {"type": "string"}
        for _ in range(90):
            schema = {"not": schema}
        deep = obj(a=schema)

        def call(frames):
            return call(frames - 1) if frames else check_arguments(deep, {})

        with pytest.raises(ConfigError, match="nested too deep"):
            call(sys.getrecursionlimit() - len(inspect.stack()) - 270)

    def test_an_embedded_schema_of_an_unknown_dialect(self):
        inner = {"$id": "urn:x", "$schema": "urn:mine", "type": "string"}
        with pytest.raises(ConfigError, match="urn:mine"):
            check_arguments(obj(a=inner), {})

    def test_the_hint_says_what_to_do(self):
        with pytest.raises(ConfigError) as raised:
            check_arguments(obj(a={"$ref": "https://example.com/a"}), {})
        assert raised.value.hint.startswith("Nothing outside the schema is read.")

    def test_the_error_comes_again_at_the_next_call(self):
        schema = {"$ref": "#"}
        for _ in range(2):
            with pytest.raises(ConfigError):
                check_arguments(schema, {})


class TestSchemas:
    @pytest.mark.parametrize(
        "name",
        [
            DRAFT_07,
            DRAFT_07[:-1],
            DRAFT_07.replace("http", "https"),
            "https://json-schema.org/draft-07/schema",
        ],
    )
    def test_draft_07_keeps_its_meaning(self, name):
        point = {
            "type": "array",
            "items": [{"type": "number"}, {"type": "number", "maximum": 90}],
            "additionalItems": False,
        }
        schema = {
            "$schema": name,
            **obj(p={"$ref": "#/definitions/point"}),
            "definitions": {"point": point},
        }
        assert told(schema, {"p": [10.0, 53.5]}) == {}
        assert told(schema, {"p": [10.0, 53.5, 7]}) == {"p": "must have at most 2 items; got 3"}
        assert told(schema, {"p": [9.4, "north"]}) == {
            "p.1": 'must be a number; got the string "north"'
        }

    def test_draft_07_ignores_what_stands_beside_a_reference(self):
        schema = {
            "$schema": DRAFT_07,
            **obj(a={"$ref": "#/definitions/s", "maxLength": 1}),
            "definitions": {"s": {"type": "string"}},
        }
        assert told(schema, {"a": "long"}) == {}

    def test_2020_12_may_be_named(self):
        schema = {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            **obj(a={"type": "string"}),
        }
        assert told(schema, {"a": "x"}) == {}

    def test_a_root_reference_works(self):
        schema = {
            "$ref": "#/$defs/P",
            "$defs": {"P": {**obj(a={"type": "string"}), "required": ["a"]}},
        }
        assert told(schema, {"a": "x"}) == {}
        assert list(told(schema, {})) == ["a"]

    def test_a_property_called_ref_is_a_property(self):
        assert told(obj(**{"$ref": {"type": "string"}}), {"$ref": "x"}) == {}

    def test_a_nullable_object_is_an_object(self):
        assert told({"type": ["object", "null"], "properties": {"a": {}}}, {"a": 1}) == {}

    def test_recursive_schemas_are_fine(self):
        tree = obj(name={"type": "string"}, below={"type": "array", "items": {"$ref": "#"}})
        assert told(tree, {"below": [{"name": "x", "below": [{"name": "y"}]}]}) == {}
        assert list(told(tree, {"below": [{"below": [{"name": 5}]}]})) == ["below.0.below.0.name"]

    def test_a_recursive_schema_takes_data_of_ninety_levels(self):
        deep = {}
        for _ in range(90):
            deep = {"a": deep}
        assert told({**obj(a={"$ref": "#"}), "$id": "urn:slow"}, deep) == {}

    def test_data_too_deep_for_the_validator_is_a_failure(self):
        step = {"allOf": [{"allOf": [{"allOf": [{"allOf": [{"$ref": "#"}]}]}]}]}
        deep = {}
        for _ in range(95):
            deep = {"a": deep}
        failures = told({**obj(a=step), "required": ["b"], "$id": "urn:deep"}, deep)
        assert failures == {"": "is nested too deep to be checked against its schema"}

    def test_equal_decimals_count_as_multiples(self):
        assert told(obj(x={"multipleOf": 0.01}), {"x": 0.07}) == {}
        assert told(obj(x={"multipleOf": 0.01}), {"x": 0.075}) == {
            "x": "must be a multiple of 0.01; got 0.075"
        }

    def test_a_pattern_ends_at_the_very_end(self):
        assert told(obj(x={"pattern": "^[0-9]+$"}), {"x": "5\n"}) == {
            "x": 'must match the pattern ^[0-9]+$; got "5\\n"'
        }

    def test_thousands_of_unique_objects_are_no_trouble(self):
        rows = [{"id": n} for n in range(5000)]
        schema = obj(rows={"uniqueItems": True})
        assert told(schema, {"rows": rows}) == {}
        assert told(schema, {"rows": [*rows, {"id": 7}]}) == {
            "rows": 'must not hold anything twice; items 7 and 5000 are both {"id": 7}'
        }

    def test_embedded_draft_07_resources_are_checked_as_part_of_the_whole(self):
        inner = {"$id": "urn:x", "$schema": DRAFT_07, "type": "string"}
        assert told(obj(a=inner), {"a": 5}) == {"a": "must be a string; got 5"}


class TestKept:
    def test_a_schema_is_compiled_once(self):
        schema = obj(a={})
        assert compiled_schema(schema) is compiled_schema(schema)

    def test_one_of_the_same_text_is_the_same(self):
        assert compiled_schema(obj(a={})) is compiled_schema(obj(a={}))

    def test_an_equal_one_of_another_text_is_another(self):
        one, other = obj(a={"const": True}), obj(a={"const": 1})
        assert one == other
        assert compiled_schema(one) is not compiled_schema(other)

    def test_the_number_kept_is_bounded(self):
        schemas = [obj(a={"maximum": n}) for n in range(arguments._KEPT + 10)]
        for schema in schemas:
            compiled_schema(schema)
        assert len(arguments._compiled) <= arguments._KEPT


def test_an_ordinary_call_imports_nothing_heavy():
    code = (
        "import sys\n"
        "from tm.schema.arguments import check_arguments\n"
        f"schema = {ORDER | {'allOf': [{'not': {'required': ['x']}}]}!r}\n"
        "checked = check_arguments(schema, {'customer_id': 'K', 'quantity': 1})\n"
        "assert not checked.failures\n"
        "heavy = {'jsonschema', 'referencing', 'idna', 'jmespath', 'tm.schema.ambiguity'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
