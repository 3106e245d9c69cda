r"""The language: text to syntax tree and back, by hand, as it is small and its errors matter.

    batch      := ';'* statement ( ';'+ statement )* ';'*
    statement  := name '(' [ argument ( ',' argument )* ] ')' [ '{' [ word ( ','? word )* ] '}' ]
    argument   := word [ '=' word ]
    word       := name | string
    name       := [A-Za-z0-9_] [A-Za-z0-9_./-]*
    string     := '"' characters '"'        escapes: \" \\ \n \t \r; any other pair stands for itself

White space separates words and means nothing else. An agent that writes commas in a projection, as in other
languages, is understood. Places are counted in characters: the offset from 0, line and column from 1.
"""

import re
from typing import NamedTuple, NoReturn

from measure.errors import BadInput

_TOKEN = re.compile(r'[ \t\r\n]*(?:(?P<name>[A-Za-z0-9_][A-Za-z0-9_./-]*)|(?P<mark>[(){},;=])|(?P<quote>"))')
_SPACE = re.compile(r"[ \t\r\n]*")
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_./-]*")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", '"': '"', "\\": "\\"}
_ESCAPED = {value: "\\" + key for key, value in _ESCAPES.items()}
_END = "end of input"


class QueryError(BadInput):
    """A query that cannot be parsed: what is wrong, where, what was found and what would be right."""

    def __init__(self, message: str, text: str, offset: int, got: str, expected: str) -> None:
        before = text[:offset]
        self.message = message
        self.offset = offset
        self.line = before.count("\n") + 1
        self.column = offset - before.rfind("\n")
        self.got = got
        self.expected = expected
        found = f", found {got}" if got else ""
        super().__init__(
            f"{message}{found}",
            where=f"query, offset {offset} (line {self.line}, column {self.column})",
            right=expected,
        )


class Argument(NamedTuple):
    """`value`, or `key=value`. Both are text, however they were written."""

    key: str | None
    value: str


class Statement(NamedTuple):
    """One operation. `projection` is None where there are no braces, and empty where they are."""

    operation: str
    arguments: tuple[Argument, ...] = ()
    projection: tuple[str, ...] | None = None


class _Token(NamedTuple):
    kind: str  # "name", "string", a mark, or "" at the end
    text: str
    offset: int


def parse(text: str) -> tuple[Statement, ...]:
    """The statements of a query, at least one.

    >>> parse("get(TASK-1) { id status }")
    (Statement(operation='get', arguments=(Argument(key=None, value='TASK-1'),), projection=('id', 'status')),)

    Raises:
        QueryError: the text is not a query; with the place.
    """
    return _Parser(text).batch()


def render(statements: tuple[Statement, ...]) -> str:
    """The shortest query that parses to these statements.

    >>> render((Statement("list", (Argument("status", "in review"),), ("id",)), Statement("count")))
    'list(status="in review"){id};count()'
    """
    return ";".join(map(_statement, statements))


def quoted(text: str) -> str:
    """`text` as a word: bare where it is a name, else as a string.

    >>> quoted("TASK-1"), quoted("due date")
    ('TASK-1', '"due date"')
    """
    if _NAME.fullmatch(text):
        return text
    return '"' + "".join(_ESCAPED.get(character, character) for character in text) + '"'


def _statement(one: Statement) -> str:
    arguments = ",".join(
        quoted(argument.value) if argument.key is None else f"{quoted(argument.key)}={quoted(argument.value)}"
        for argument in one.arguments
    )
    projection = "" if one.projection is None else "{" + " ".join(map(quoted, one.projection)) + "}"
    return f"{one.operation}({arguments}){projection}"


class _Parser:
    """Recursive descent over tokens; `_here` is the next token, not yet taken."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._here = self._token(0)

    def batch(self) -> tuple[Statement, ...]:
        statements = []
        while True:
            while self._here.kind == ";":
                self._take()
            if not self._here.kind:
                break
            statements.append(self._one())
            if self._here.kind not in (";", ""):
                self._fail("the statement goes on", f"';' or {_END} is needed")
        if not statements:
            self._fail("empty query", "a statement such as list() { id } is needed")
        return tuple(statements)

    def _one(self) -> Statement:
        operation = self._expect("name", "no operation", "an operation such as list is needed")
        self._expect("(", "no parentheses", "'(' is needed after the operation")
        arguments: list[Argument] = []
        while self._here.kind != ")":
            if arguments:
                self._expect(",", "the arguments go on", "',' or ')' is needed")
            arguments.append(self._argument())
        self._take()
        return Statement(operation.text, tuple(arguments), self._projection())

    def _argument(self) -> Argument:
        word = self._word("no argument", "an argument such as status=open is needed")
        if self._here.kind != "=":
            return Argument(None, word)
        self._take()
        return Argument(word, self._word("no value", "a name or a string is needed after '='"))

    def _projection(self) -> tuple[str, ...] | None:
        if self._here.kind != "{":
            return None
        self._take()
        words: list[str] = []
        while self._here.kind != "}":
            if words and self._here.kind == ",":
                self._take()
            words.append(self._word("no field", "a field, a preset or '}' is needed"))
        self._take()
        return tuple(words)

    def _word(self, message: str, expected: str) -> str:
        if self._here.kind not in ("name", "string"):
            self._fail(message, expected)
        return self._take().text

    def _expect(self, kind: str, message: str, expected: str) -> _Token:
        if self._here.kind != kind:
            self._fail(message, expected)
        return self._take()

    def _take(self) -> _Token:
        taken = self._here
        self._here = self._token(self._next)
        return taken

    def _token(self, start: int) -> _Token:
        """The token at or after `start`; sets where the one after it begins."""
        found = _TOKEN.match(self._text, start)
        if found is None:
            at = _SPACE.match(self._text, start).end()  # type: ignore[union-attr]
            self._next = at
            if at == len(self._text):
                return _Token("", _END, at)
            raise QueryError(
                "unexpected character", self._text, at, repr(self._text[at]), "other characters stand in strings only"
            )
        kind = found.lastgroup or ""
        at = found.start(kind)
        if kind == "quote":
            return self._string(at)
        self._next = found.end()
        return _Token("name" if kind == "name" else found[kind], found[kind], at)

    def _string(self, at: int) -> _Token:
        found = _STRING.match(self._text, at)
        if found is None:
            raise QueryError("a string without an end", self._text, at, "", "a closing '\"' is needed")
        self._next = found.end()
        text = [
            part[0] if part[1] is None else _ESCAPES.get(part[1], part[0])
            for part in re.finditer(r"\\(.)|[^\\]+", found[1], re.DOTALL)
        ]
        return _Token("string", "".join(text), at)

    def _fail(self, message: str, expected: str) -> NoReturn:
        here = self._here
        got = here.text if not here.kind else repr(here.text)
        raise QueryError(message, self._text, here.offset, got, expected)
