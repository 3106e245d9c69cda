"""What stands before the model, request by request, as policies change it.

A policy changes a block once: it is replaced by something shorter, or it is gone, and stays so. So the context of a
request is the session's blocks and the changes so far, and every count of it is a difference of two sums.
"""

import msgspec

from measure.context.session import KINDS, Request, Session


class Change(msgspec.Struct, frozen=True):
    """One block replaced by a text of `tokens`, or taken out where there is none. A summary becomes the user's."""

    position: int
    tokens: int = 0
    text: str | None = None
    summary: bool = False


class Call(msgspec.Struct, frozen=True):
    """A model call that the policy itself makes, in tokens."""

    input: int
    output: int


class Step(msgspec.Struct, frozen=True):
    """What a policy does before one request."""

    changes: tuple[Change, ...] = ()
    calls: tuple[Call, ...] = ()


NOTHING = Step()


class _Sums:
    """Sums over a growing list's beginning, where single places change: a binary indexed tree."""

    def __init__(self, places: int) -> None:
        self._tree = [0] * (places + 1)

    def add(self, place: int, amount: int) -> None:
        place += 1
        while place < len(self._tree):
            self._tree[place] += amount
            place += place & -place

    def before(self, place: int) -> int:
        total = 0
        while place:
            total += self._tree[place]
            place -= place & -place
        return total


class Context:
    """The blocks that a request is sent: those of the session before `end`, as changed.

    `first` is where its messages begin since the last compaction.
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        self.end = 0
        self.changes: dict[int, Change] = {}
        self._saved, self._gone = _Sums(len(session.blocks)), _Sums(len(session.blocks))
        self._saved_of = dict.fromkeys(KINDS, 0)
        self._saved_all = 0
        self._any_gone = False
        self.first = session.fixed

    def enter(self, request: Request) -> int:
        """Take in the blocks of the next request; the first position that changed (`end` where none did).

        Where the transcript was compacted, everything before that leaves at once.
        """
        self.end = request.end
        if request.first == self.first:
            return self.end
        changed = self.first
        for position in range(self.first, request.first):
            self.change(Change(position))
        self.first = request.first
        return changed

    def change(self, change: Change) -> int:
        """Make a change; the tokens that it saves. One that was made before is replaced."""
        position, block = change.position, self.session.blocks[change.position]
        before = self.tokens(position)
        was = self.changes.get(position)
        self.changes[position] = change
        saved = before - change.tokens
        self._saved.add(position, saved)
        self._saved_all += saved
        if change.summary or (was and was.summary):  # what was of some kind is now the user's
            self._saved_of["user" if was and was.summary else block.kind] += before
            self._saved_of["user" if change.summary else block.kind] -= change.tokens
        else:
            self._saved_of[block.kind] += saved
        gone = (change.text is None) - (was is not None and was.text is None)
        if gone:
            self._any_gone = True
            self._gone.add(position, gone)
        return saved

    @property
    def total(self) -> int:
        """Tokens of the whole request."""
        return self.session.until[self.end] - self._saved_all

    def tokens(self, position: int) -> int:
        """Tokens of one block as it stands."""
        change = self.changes.get(position)
        return self.session.blocks[position].tokens if change is None else change.tokens

    def before(self, position: int) -> int:
        """Tokens of everything before a position."""
        return self.session.until[position] - self._saved.before(position)

    def here(self, position: int) -> bool:
        """Whether the block is there at all, be it replaced."""
        change = self.changes.get(position)
        return change is None or change.text is not None

    def left(self, position: int) -> bool:
        """Whether the block itself is gone, be it that a summary stands in its place."""
        change = self.changes.get(position)
        return change is not None and (change.text is None or change.summary)

    def blocks_between(self, position: int, other: int) -> int:
        """How many blocks stand in [position, other)."""
        gone = self._gone.before(other) - self._gone.before(position) if self._any_gone else 0
        return other - position - gone

    def of_kind(self, kind: str) -> int:
        """Tokens of one kind."""
        return self.session.until_of[kind][self.end] - self._saved_of[kind]
