"""The query layer as MCP tools: which tools there are, and what a call of one answers. Knows no SDK and no wire.

`list`, `get` and `schema` carry their arguments as MCP does, each with a type of its own; the one-tool variant is
`query`, whose single argument is the layer's language. A filter whose field is called as another argument is
(`fields`, `format`, `sort`) is left to `query`. `format` and `fields` can be left out of the contract, to price them.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from measure.errors import BadInput
from measure.mcp.contract import Operation, Parameter, Schema, json_type, tools
from measure.query import OUTPUTS, Argument, Dataset, Statement, answer, parse, text
from measure.query.operations import OPERATIONS
from measure.query.schema import described
from measure.values import Value, minified, plain

SERVED = ("list", "get", "schema")
QUERY = "query"
FIELDS, FORMAT, SORT = "fields", "format", "sort"
DEFAULT_OUTPUT = "compact"
_OWN = (FIELDS, FORMAT, SORT)
_GIVES = {"list": "records", "get": "record"}


def schema_response(dataset: Dataset, served: Iterable[str] = SERVED) -> dict[str, Any]:
    """The schema response that describes only the operations which are served."""
    return described(dataset, {name: OPERATIONS[name].description for name in served})


def hidden(dataset: Dataset) -> list[str]:
    """The fields that can be filtered by, but not over `list`, because an argument of another meaning has their name.

    Raises:
        BadInput: the identifier is among them, so that `get` could not be called.
    """
    if dataset.id in _OWN:
        raise BadInput(f"the identifier {dataset.id!r} is called as an argument is", right="name another in --settings")
    return [field for field in dataset.filterable if field in _OWN]


def told(dataset: Dataset) -> dict[str, Any]:
    """What the tool `schema` tells: a schema response without a grammar, and without what the tool list says."""
    schema = schema_response(dataset)
    return {key: value for key, value in schema.items() if key not in ("operations", "grammar")}


def operations(schema: Mapping[str, Any], without: Iterable[str] = ()) -> list[Operation]:
    """What a schema response describes, as operations of a contract; `without` names arguments to leave out.

    A response may describe `mutations` too, which say of themselves whether they are destructive and idempotent.
    """
    left_out = set(without)
    sorts = ", ".join(schema["sortable"])
    words = [*schema["fields"], *(name for name in schema["presets"] if name not in schema["fields"])]
    found = []
    for name, one in schema["operations"].items():
        parameters = [_parameter(each, sorts) for each in one["parameters"] if each["name"] not in _OWN]
        if name in _GIVES:
            what = "give these, or those of a preset" if schema["presets"] else "give these"
            parameters.append(Parameter(FIELDS, _described("array", what, items={"enum": words})))
            parameters.append(_format())
        kept = tuple(each for each in parameters if each.name not in left_out)
        found.append(Operation(name, one["description"], kept, _GIVES.get(name, "")))
    for name, one in schema.get("mutations", {}).items():
        hints = {f"{hint}Hint": one[hint] for hint in ("destructive", "idempotent")}
        found.append(
            Operation(
                name, one["description"], tuple(_parameter(each, sorts) for each in one["parameters"]), hints=hints
            )
        )
    return found


def served(dataset: Dataset, one_tool: bool = False) -> list[Schema]:
    """The tools that our server publishes: hand-written schemas, text answers, nothing that a generator adds."""
    if one_tool:
        return tools([query_operation()], dataset.types, "minimal")
    return tools(operations(schema_response(dataset)), dataset.types, "minimal")


def query_operation() -> Operation:
    """The one tool: a query in the layer's language."""
    query = Parameter("q", _described("string", "such as list(take=3) { id }; schema() says more"), required=True)
    return Operation(
        QUERY,
        "Ask the records: operation(arguments) { fields }; several are separated by ';'.",
        (query, _format()),
    )


def call(dataset: Dataset, name: str, arguments: Mapping[str, Any]) -> tuple[str, bool]:
    """What a call answers, and whether that is an error. Never raises for what a caller says."""
    offered = {tool["name"]: tool for tool in served(dataset, one_tool=name == QUERY)}
    if name not in offered:
        return f"no tool {name!r}; known: {', '.join(offered)}", True
    wrong = _wrong(offered[name]["inputSchema"], arguments)
    if wrong:
        return wrong, True
    if name == "schema":
        return minified(told(dataset)), False
    output = arguments.get(FORMAT, DEFAULT_OUTPUT)
    try:
        statements = parse(arguments["q"]) if name == QUERY else [_statement(name, arguments)]
    except BadInput as error:
        return str(error), True
    answers = [answer(statement, dataset) for statement in statements]
    return text(output, answers), any(one.error is not None for one in answers)


def _statement(name: str, arguments: Mapping[str, Any]) -> Statement:
    named = [Argument(key, plain(_whole(value))) for key, value in arguments.items() if key not in _OWN]
    named += [Argument(f"sort_{field}", direction) for field, direction in arguments.get(SORT, {}).items()]
    return Statement(name, tuple(named), tuple(arguments.get(FIELDS, ())))


def _whole(value: Value) -> Value:
    """JSON Schema takes 3.0 for an integer, and so it is one."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _wrong(schema: Schema, arguments: Mapping[str, Any]) -> str:
    """The first thing that is wrong with the arguments, in a line; empty where nothing is."""
    import jsonschema  # beside Jupyter it takes seconds to import, and a table needs it not

    known = schema["properties"]
    for key in arguments:
        if key not in known:
            return f"no argument {key!r}; known: {', '.join(known) or 'none'}"
    for error in jsonschema.Draft202012Validator(schema).iter_errors(dict(arguments)):
        place = ".".join(map(str, error.absolute_path))
        allowed = error.validator_value if isinstance(error.validator_value, list) else [error.validator_value]
        if error.validator == "required":
            return f"{', '.join(name for name in allowed if name not in arguments)} is missing"
        what = "of" if error.validator == "type" else "one of"
        return f"{place}: {minified(error.instance)} is not {what} {', '.join(map(plain, allowed))}"
    return ""


def _format() -> Parameter:
    return Parameter(FORMAT, _described("string", f"of the answer, else {DEFAULT_OUTPUT}", enum=list(OUTPUTS)))


def _parameter(one: Mapping[str, Any], sorts: str) -> Parameter:
    if one["name"] == "sort_FIELD":
        directions: Schema = {"enum": ["asc", "desc"]}
        return Parameter(SORT, _described("object", f"by any of {sorts}", additionalProperties=directions))
    values = {"enum": list(one["values"])} if one.get("values") else {}
    return Parameter(one["name"], _described(json_type(one["type"]), one["description"], **values), one["required"])


def _described(kind: Value, description: str, **more: Any) -> Schema:
    return {"type": kind, "description": description, **more}
