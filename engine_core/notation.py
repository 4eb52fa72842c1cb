"""Notation and sentences of moves, driven by a table of forms for each game.

Notation is for programs and files: each move has one canonical text. The parser ignores letter case, extra blanks and
the order of interchangeable items; any other difference is another move or an error. Sentences are for people, in the
language of the `Words` that they are made with.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Final

from engine_core.errors import MalformedMove
from engine_core.game import Move
from engine_core.words import Words

MAX_TEXT_LENGTH: Final = 200
"""Longest text in characters. The longest notation has 60; the rest is room for blanks."""
MAX_HEAD_WORDS: Final = 2
"""Most words of the head that identifies a form, as in `play_card fog`."""


class Tokens:
    """Tokenizer: the words of a text in lower case, with the position of the next one."""

    def __init__(self, text: str) -> None:
        """Raises `MalformedMove` for a text that is too long or not ASCII."""
        if len(text) > MAX_TEXT_LENGTH:
            raise MalformedMove(text[:MAX_TEXT_LENGTH], "it is too long")
        if not text.isascii():
            raise MalformedMove(text, "it has letters that no notation has")
        self.text: Final = text
        self.words: Final = text.lower().replace(":", " ").split()
        self.position = 0

    def next_token(self) -> str:
        """Read the next word. Raises `MalformedMove` at the end."""
        if self.is_at_end():
            raise MalformedMove(self.text, "it ends too early")
        self.position += 1
        return self.words[self.position - 1]

    def accept(self, word: str) -> bool:
        """Read the next word if it is `word`. Returns whether it was."""
        if self.is_at_end() or self.words[self.position] != word:
            return False
        self.position += 1
        return True

    def is_at_end(self) -> bool:
        """Whether no word is left to read."""
        return self.position == len(self.words)

    def name_index(self, names: list[str], what: str) -> int:
        """Read the next word. Returns its index in `names` (lower case). Raises `MalformedMove`."""
        word = self.next_token()
        if word not in names:
            raise MalformedMove(self.text, f"{word!r} is not {what}")
        return names.index(word)

    def check_end(self, canonical: str) -> None:
        """Raise `MalformedMove` if more words follow, or if the colon is not where the canonical text has it."""
        if not self.is_at_end():
            raise MalformedMove(self.text, "it goes on after the move")
        if _token_counts_by_colon(self.text) != _token_counts_by_colon(canonical):
            raise MalformedMove(self.text, f"it is written {canonical!r}")


def _token_counts_by_colon(text: str) -> list[int]:
    """The number of words before, between and after colons."""
    return [len(part.split()) for part in text.split(":")]


class Argument(ABC):
    """How one argument of a move's constructor is written as words, and read back."""

    @abstractmethod
    def write(self, argument: int) -> str:
        """The argument as one or more words, separated by single blanks."""

    @abstractmethod
    def read(self, tokens: Tokens) -> int:
        """Parse the next words as the argument. Raises `MalformedMove`."""

    def name(self, argument: int, words: Words) -> str:
        """The argument as it stands in a sentence."""
        return self.write(argument)


class OneOf(Argument):
    """An argument written as a name from a list: its index, counted from `first`. `what` is for "… is not {what}".

    Sentences have its name of the kind `kind` (`Words.one`), or as it is written if it has no kind.
    """

    def __init__(self, names: list[str], what: str, first: int = 0, kind: str = "") -> None:
        self.names: Final = names
        self.what: Final = what
        self.first: Final = first
        self._lowercase_names: Final = [name.lower() for name in names]
        self.kind: Final = kind

    def write(self, argument: int) -> str:
        return self.names[argument - self.first]

    def read(self, tokens: Tokens) -> int:
        return tokens.name_index(self._lowercase_names, self.what) + self.first

    def name(self, argument: int, words: Words) -> str:
        written = self.write(argument)
        return words.one(self.kind, written.replace("-", "_").lower()) if self.kind else written


def number_argument(first: int, last: int, what: str) -> OneOf:
    """An argument written as a whole number from `first` to `last`."""
    return OneOf([str(number) for number in range(first, last + 1)], f"{what} from {first} to {last}", first)


class SeatArgument(OneOf):
    """A seat: its number from 0; in sentences its player (`Words.player`)."""

    def __init__(self, seats: int) -> None:
        super().__init__([str(seat) for seat in range(seats)], f"a seat from 0 to {seats - 1}")

    def name(self, argument: int, words: Words) -> str:
        return words.player(argument)


class Form:
    """How the moves of one class are written: a template such as `attack {}: {}`, and the types of its arguments.

    The template begins with the head: at most `MAX_HEAD_WORDS` words that identify the form among those of its game.
    """

    def __init__(self, template: str, *arguments: Argument) -> None:
        self.template: Final = template
        self.arguments: Final = arguments
        self.head: Final = tuple(template.partition("{")[0].replace(":", " ").split())

    def write(self, arguments: tuple[int, ...]) -> str:
        """The notation of the move with these arguments of its constructor."""
        return self.template.format(*[self.arguments[place].write(value) for place, value in enumerate(arguments)])

    def read(self, tokens: Tokens) -> list[int]:
        """The arguments of the move, from the words after the head. Raises `MalformedMove`."""
        return [place.read(tokens) for place in self.arguments]

    def sentence(self, key: str, arguments: tuple[int, ...], words: Words) -> str:
        """The sentence of the move with these arguments; `key` is the name of the move's class, as in `end_turn`."""
        names = [self.arguments[place].name(value, words) for place, value in enumerate(arguments)]
        return words.sentence(key, *names)


def sentence_key(move: type[Move]) -> str:
    """The key of the sentence for a class of moves: `end_turn` for `EndTurn`."""
    return "".join([f"_{letter.lower()}" if letter.isupper() else letter for letter in move.__name__]).lstrip("_")


class Notation:
    """The notation and the sentences of all moves of a game, by the class of the move."""

    def __init__(self, game: str, forms: dict[type[Move], Form]) -> None:
        self.game: Final = game
        self.forms: Final = forms
        self._by_head: Final = {form.head: (kind, form) for kind, form in forms.items()}

    def write(self, move: Move) -> str:
        """The text of a move. Raises `TypeError` for a move of another game."""
        return self._form_of_move(move).write(move.arguments)

    def sentence(self, move: Move, words: Words) -> str:
        """A move as a sentence for people. Raises `TypeError` for a move of another game."""
        return self._form_of_move(move).sentence(sentence_key(type(move)), move.arguments, words)

    def _form_of_move(self, move: Move) -> Form:
        form = self.forms.get(type(move))
        if form is None:
            raise TypeError(f"{type(move).__name__} is not a move of {self.game}")
        return form

    def parse(self, text: str) -> Move:
        """The move of a text. Raises `MalformedMove`."""
        tokens = Tokens(text)
        kind, form = self._form_of(tokens)
        move = kind(*form.read(tokens))
        tokens.check_end(self.write(move))
        return move

    def _form_of(self, tokens: Tokens) -> tuple[type[Move], Form]:
        """The form whose head the text begins with, the longest first; the head is read."""
        for length in range(MAX_HEAD_WORDS, -1, -1):
            found = self._by_head.get(tuple(tokens.words[:length]))
            if found is not None:
                tokens.position = len(found[1].head)
                return found
        raise MalformedMove(tokens.text, f"{tokens.next_token()!r} is not a kind of move")
