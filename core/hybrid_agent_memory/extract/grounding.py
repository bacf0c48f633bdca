"""Where in a text, the turns before it or its speaker a name stands: what is written nowhere is not taken over."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

LONGEST_NAME = 200  # characters
SHORT_TEXT = 300  # characters; a text up to this length can stand for one of its sentences
LONGEST_SENTENCE = 1000  # characters
SHORTEST_QUOTATION = 3  # letters and digits; less could be of anywhere

_CLINGING = "\u3005-\u30ff\u3400-\u9fff\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff\u0e01-\u0eff"
"""Scripts without spaces, and Korean, whose endings cling to the word: a name may stand inside a run of them."""

_SPEAKER = frozenset(("i", "me", "my", "myself", "mine", "我", "本人"))
_OTHERS = """
    we us our ours you your yours he him his himself she her hers herself it its itself they them their theirs this that
    these those there here who whom which what someone somebody something anyone everyone
    我们 我們 咱 咱们 你 您 他 她 它 你们 他们 她们 它们 你們 他們 她們 这 那 这个 那个 这里 那里 其 该
    自己 某人 有人 大家 這 這個 那個
"""
_PRONOUNS = frozenset(_OTHERS.split())


@cache
def _letter() -> re.Pattern[str]:
    return re.compile(rf"[^\W{_CLINGING}]")


@cache
def _sentence() -> re.Pattern[str]:
    return re.compile(r"(?:[^.!?。！？\n]|[.!?](?![\s\"'”’)\]]|$))+(?:[.!?。！？]+[\"'”’)\]」』]*)?")


@cache
def _leaning() -> re.Pattern[str]:
    return re.compile(r"[我咱你您他她它其该這这那]")


@dataclass(frozen=True)
class Grounds:
    """What the names of a fact may be taken from.

    Attributes
    ----------
    text : str
    turns : tuple of str
        Earlier turns, oldest first.
    speaker : str or None
        Of the text.
    """

    text: str
    turns: tuple[str, ...] = ()
    speaker: str | None = None

    def name(self, name: object) -> str | None:
        """A name as it is written in the text, by the speaker's name or in an earlier turn; None if it is nowhere.

        First person is the speaker; any other pronoun names nobody.
        """
        wanted = _cleaned(name)
        if wanted is None:
            return None
        folded = wanted.lower()
        shouted = len(wanted) > 1 and wanted.isascii() and wanted.isupper()  # IT and US are names, I is not
        if not shouted and folded in _SPEAKER:
            return self.speaker
        if not shouted and folded in _PRONOUNS:
            return None
        if self.speaker is not None and folded == " ".join(self.speaker.split()).lower():
            return self.speaker
        return next((found[1] for text in (self.text, *reversed(self.turns)) if (found := _find(wanted, text))), None)

    def place(self, name: str) -> int | None:
        """Where in the text a name first stands; None if only the speaker or an earlier turn has it."""
        found = _find(name, self.text)
        return None if found is None else found[0]

    def sentence(self, quoted: object, *names: str) -> str | None:
        """The sentence of the text that states a fact.

        Parameters
        ----------
        quoted : object
            As the LLM quotes it.
        *names : str
            What the fact is about.

        Returns
        -------
        str or None
            The sentences that the quotation touches; where it is no quotation, the first sentence with most of the
            names, or the whole of a short text. None if the fact is not of this text: its sentence is an earlier
            turn's, or none of its names is here and no pronoun that could mean them.
        """
        wanted = quoted if isinstance(quoted, str) and sum(map(str.isalnum, quoted)) >= SHORTEST_QUOTATION else None
        if wanted is not None and (found := _find(wanted, self.text, whole=False)):
            around = self._around(found[0], found[0] + len(found[1]))
            return around if _count(around, names) or _leans(around) else None
        if wanted is not None and any(_find(wanted, turn, whole=False) for turn in self.turns):
            return None
        counts = [_count(self.text[start:end], names) for start, end in self.sentences]
        if not any(counts):
            return None
        if len(self.text.strip()) <= SHORT_TEXT and max(counts) < len(names):
            return self.text.strip()
        start, end = self.sentences[counts.index(max(counts))]
        return self.text[start:end].strip()[:LONGEST_SENTENCE]

    def together(self, *names: str) -> str | None:
        """The first sentence of the text that has all the names; None if none has."""
        stretches = (self.text[start:end].strip() for start, end in self.sentences)
        return next((one[:LONGEST_SENTENCE] for one in stretches if _count(one, names) == len(names)), None)

    @cached_property
    def sentences(self) -> list[tuple[int, int]]:
        """Start and end of each sentence of the text."""
        return list(_sentences(self.text))

    def _around(self, start: int, end: int) -> str:
        touched = [place for place in self.sentences if place[0] < end and start < place[1]]
        around = self.text[touched[0][0] : touched[-1][1]].strip() if touched else ""
        return around if 0 < len(around) <= LONGEST_SENTENCE else self.text[start:end].strip()[:LONGEST_SENTENCE]


def _count(sentence: str, names: Sequence[str]) -> int:
    return sum(_find(name, sentence) is not None for name in names)


def _leans(sentence: str) -> bool:
    """Whether a sentence has a pronoun, and so can speak of what it does not name."""
    words = set(re.findall(r"[a-z]+", sentence.lower()))
    return bool(words & (_SPEAKER | _PRONOUNS) or _leaning().search(sentence))


def _cleaned(name: object) -> str | None:
    if not isinstance(name, str) or len(name) > LONGEST_NAME:
        return None
    joined = " ".join(name.split())
    return joined if any(character.isalnum() for character in joined) else None


def _find(wanted: str, text: str, *, whole: bool = True) -> tuple[int, str] | None:
    """The first place of some words in a text and how they are written there, whatever their case and spacing.

    With `whole`, not inside a longer word: ``al`` is not in ``also``. Where the text only has it in another width
    (ＡＣＭＥ), the place is approximate.
    """
    found = _search(wanted, text, whole)
    if found is None and not (wanted.isascii() and text.isascii()):
        found = _search(_nfkc(wanted), _nfkc(text), whole)
    return found


def _search(wanted: str, text: str, whole: bool) -> tuple[int, str] | None:
    words = wanted.split()
    if not words:
        return None
    for found in re.finditer(r"\s+".join(map(re.escape, words)), text, re.IGNORECASE):
        written = found.group()
        before, behind = text[found.start() - 1 : found.start()], text[found.end() : found.end() + 1]
        if not whole or not (_join(before, written[0]) or _join(written[-1], behind)):
            return found.start(), " ".join(written.split()) if whole else written
    return None


def _join(left: str, right: str) -> bool:
    """Whether two neighbouring characters are of one word."""
    return _letter().fullmatch(left) is not None and _letter().fullmatch(right) is not None


def _nfkc(text: str) -> str:
    return unicodedata.normalize("NFKC", text)


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    for found in _sentence().finditer(text):
        if found.group().strip():
            yield found.span()
