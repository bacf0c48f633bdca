"""Text to index terms: words, identifiers whole and in parts, Chinese, Japanese and Korean by character pairs.

A text is normalised (NFKC), cut into runs, and each run gives terms that depend on nothing but the run. The same
function serves records and queries, so a term found in both means the same thing in both.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from itertools import pairwise

from hybrid_agent_memory.errors import InvalidInputError, shown

DEFAULT_TOKENIZER_NAME = "hybrid/1"
"""The name of `tokenize` in an index; changes whenever any text would give other terms."""

LONGEST_TERM = 200
"""Characters of a term that are kept; only encoded blobs are longer."""

_CACHED_RUN = 64  # longer runs hardly ever come twice and would keep whole documents alive in the cache

_UNSPACED = (  # scripts written without spaces (and Korean, whose endings cling to the word)
    "\u0e01-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff"  # Thai, Lao, Burmese, Khmer; Hangul letters
    "\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3131-\u318e\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff"
)
_MARKS = (  # vowel signs and accents that belong to the letter before them; `\w` leaves them out
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed"
    "\u0711-\u074a\u07a6-\u07b0\u0900-\u0963\u0970-\u0dff"
)
_HAN = "\u4e00-\u9fff"
_CURRENCY = "$€£¥₩₹"

_FUNCTION_WORDS = """
    a about above after again against all also am an and any are as at be because been before being below between both
    but by can cannot could did do does doing done down during each either else ever every few for from further had has
    have having he her here hers herself him himself his how however http https i if in into is it its itself just let
    many may me might more most much must my myself neither no nor not of off on once only or other our ours ourselves
    out over own quite rather s same shall she should so some such t than that the their theirs them themselves then
    there these they this those though through thus to too under until up upon us very was we were what whatever when
    where whether which while who whom whose why will with within would www yet you your yours yourself yourselves
    aint arent cant couldnt didnt doesnt dont hadnt hasnt havent isnt mustnt neednt shant shouldnt wasnt werent wont
    wouldnt im ive youre youve theyre theyve
"""
_STOP_WORDS = frozenset(_FUNCTION_WORDS.split())

_PARTICLES = frozenset("的了吗嗎呢吧啊呀哦嗯嘛啦么麼着")
_FUNCTION_CHARACTERS = _PARTICLES | frozenset(
    "我你您他她它们們这這那是在和与與跟就都也还還又很被把让讓给給"
    "有不个個对對要能可以为為到说說去来來过過得什怎"
    "のはがをにでともへ은는이가을를에의도와과로"
)
_REAL_WORDS = "目的 标的 的确 的士 了解 了结 了断 明了 着急 着手 着火 着装 着重 着眼 着陆 着落 着色 沉着 执着 衣着 附着"
_PARTICLE_WORDS = frozenset(_REAL_WORDS.split())


def _run_pattern(letters: str, marks: str) -> re.Pattern[str]:
    word = f"(?:[{letters}]++[{marks}]*+)++" if marks else f"[{letters}]++"
    joint = r"(?:://|::|_++|:?\\++|[-.@/&+#':])"
    return re.compile(
        rf"[A-Za-z][A-Za-z0-9+.-]{{1,15}}+://[^\s<>\"'`{{}}|^{_UNSPACED}、。，；]++"
        rf"|(?<![-A-Za-z0-9_.,])[{_CURRENCY}]?\d{{1,3}}(?:,\d{{3}})++(?:\.\d++)?+[kKmMbB%]?+(?!,?[A-Za-z0-9_])"
        rf"|(?:(?<![{letters}.])\.(?=[A-Za-z])|[{_CURRENCY}](?=\d))?{word}(?:{joint}{word})*+(?:[+#]{{1,2}}+(?![{letters}])|%)?+"
        rf"|[{_UNSPACED}]++"
    )


@cache
def _ascii_run() -> re.Pattern[str]:
    return _run_pattern("A-Za-z0-9", "")


@cache
def _any_run() -> re.Pattern[str]:
    return _run_pattern(rf"^\W_{_UNSPACED}", _MARKS)


@cache
def _unspaced() -> re.Pattern[str]:
    return re.compile(f"[{_UNSPACED}]")


_COUNTED = re.compile(rf"(?<![A-Za-z0-9_.,/-])[{_CURRENCY}]?\d[\d,.]{{0,19}}+[{_HAN}]")
_LONG_MARKS = re.compile(r"([^\w\s]{256})")
_DASHES = str.maketrans("\u2010\u2011\u2012\u2013\u2212\u2019\u02bc，", "-----'' ")

_URL_TAIL = ".,;:!?)]/&="
_NUMBER = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
_AMOUNT = re.compile(rf"[{_CURRENCY}]?({_NUMBER.pattern})(?:%|[kKmMbB]|)")
_SPLITS = tuple(re.compile(p) for p in (r"[/\\:?&=@;,~%!()\[\]]+|'", r"\.", "_+", "-", r"[+#]+(?=[^\W_])"))
_VERSION = re.compile(r"[vV]\d+(?:\.\d+)+")
_LETTERS_DIGITS = re.compile(r"[^\W\d_]+|\d+")
_ENDING = re.compile(r"'(?:s|ll|d|re|ve|m)$", re.IGNORECASE)
_INFLECTED = re.compile("(?:s|ed|ing)$")
_HEX = re.compile(r"0x([0-9a-f]+)", re.IGNORECASE)
_HUMP = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_ASCII_WORD = re.compile("[a-z]{3,40}")


def tokenize(text: str) -> list[str]:
    """Cut a text into index terms; the default tokenizer, for records and queries alike.

    Case and width do not matter. An identifier gives itself and its parts, so that an exact code wins and a part still
    finds it; common English words are dropped unless nothing else is there, other plain English words are stemmed;
    scripts without spaces give single characters and pairs. Any string is accepted; the empty list means that there is
    nothing to search for.

    Parameters
    ----------
    text : str

    Returns
    -------
    list of str
        Terms in text order, repeated as often as they occur.

    Examples
    --------
    >>> tokenize("Where is ORD-20241105?")
    ['ord-20241105', 'ord', '20241105']
    >>> tokenize("订单ＯＲＤ－２０２４１１０５")
    ['订', '订单', '单', 'ord-20241105', 'ord', '20241105']
    >>> tokenize("getUserId was called")
    ['getuserid', 'get', 'user', 'id', 'call']
    """
    text = _normal(text)
    runs = _runs(text)
    terms = [term for run in runs for term in _terms_of(run, False)]
    if not terms:
        return [term for run in runs for term in _terms_of(run, True)]
    if not text.isascii():
        terms.extend(_COUNTED.findall(text))
    return terms


def identifiers(text: str) -> list[str]:
    """Name the codes in a text: what must match to the letter, such as ``ERR_0x9941``, ``v1.2.3`` or ``getUserId``.

    Letters with digits or separators, dotted and hexadecimal codes, snake_case, camelCase, addresses, and runs of four
    digits or more. Years, dates, times of day, amounts, ordinals, and plain hyphenated words are not codes.

    Parameters
    ----------
    text : str

    Returns
    -------
    list of str
        Each once, in text order and in the form `tokenize` gives it.

    Examples
    --------
    >>> identifiers("JIRA-10 in 2024: getUserId() failed 3 times with ERR_0x9941.")
    ['jira-10', 'getuserid', 'err_0x9941']
    """
    found = (code for run in _runs(_normal(text)) if not _unspaced().match(run) for code in _codes(run))
    return list(dict.fromkeys(found))


def tokenizer_name(tokenizer: Callable[[str], list[str]]) -> str:
    """Name a tokenizer for the index: its `name` if that is a string, else where it was defined.

    Returns
    -------
    str

    Examples
    --------
    >>> tokenizer_name(tokenize)
    'hybrid/1'
    >>> tokenizer_name(str.split)
    'builtins.str.split'
    """
    if tokenizer is tokenize:
        return DEFAULT_TOKENIZER_NAME
    name = getattr(tokenizer, "name", None)
    if isinstance(name, str):
        return name
    described = tokenizer if hasattr(tokenizer, "__qualname__") else type(tokenizer)
    module = getattr(described, "__module__", None) or "builtins"
    return f"{module}.{described.__qualname__}"


def _normal(text: str) -> str:
    if text.isascii():
        return text
    text = _LONG_MARKS.sub(r"\1 ", text)  # composing one long row of accents takes quadratic time
    return unicodedata.normalize("NFKC", text.translate(_DASHES)).translate(_DASHES)


def _runs(text: str) -> list[str]:
    return (_ascii_run() if text.isascii() else _any_run()).findall(text)


def _terms_of(run: str, everything: bool) -> tuple[str, ...]:
    return _cached_terms(run, everything) if len(run) <= _CACHED_RUN else _terms(run, everything)


def _terms(run: str, everything: bool) -> tuple[str, ...]:
    """Terms of one run; `everything` also gives function words, for a text that has nothing else."""
    if _unspaced().match(run):
        return tuple(_all_grams(run) if everything else _grams(run))
    if "://" in run:
        return tuple(_url_terms(run, everything))
    return tuple(_piece_terms(run, 0, everything))


_cached_terms = lru_cache(maxsize=1 << 16)(_terms)


def _all_grams(run: str) -> Iterator[str]:
    """Single characters, so that a query of one finds them, and the pairs that carry the meaning."""
    for first, second in pairwise(run):
        yield first
        yield first + second
    yield run[-1]


def _grams(run: str) -> Iterator[str]:
    """Leave out characters without meaning of their own, and pairs across a particle: they are no words."""
    for gram in _all_grams(run):
        if len(gram) == 1:
            if gram not in _FUNCTION_CHARACTERS:
                yield gram
        elif _PARTICLES.isdisjoint(gram) or gram in _PARTICLE_WORDS:
            yield gram


def _url_terms(run: str, everything: bool) -> Iterator[str]:
    url = run.rstrip(_URL_TAIL)
    yield _fold(url)
    yield from _piece_terms(url.partition("://")[2], 0, everything)


def _piece_terms(piece: str, level: int, everything: bool) -> Iterator[str]:
    """Yield a compound itself, then what is between its separators, the strongest separators first."""
    amount = _AMOUNT.fullmatch(piece)
    if amount:
        yield from dict.fromkeys((_fold(piece), _fold(amount[1].replace(",", ""))))
        return
    if "'" in piece and piece.replace("'", "").isalpha():
        yield from _apostrophe_terms(piece, everything)
        return
    if _VERSION.fullmatch(piece):
        yield _fold(piece)
        yield from _piece_terms(piece[1:], level, everything)
        return
    for depth in range(level, len(_SPLITS)):
        inner = [part for part in _SPLITS[depth].split(piece) if part]
        if len(inner) > 1:
            yield _fold(piece)
            for part in inner:
                yield from _piece_terms(part, depth + 1, everything)
            return
    yield from _atom_terms(piece, everything)


def _apostrophe_terms(word: str, everything: bool) -> Iterator[str]:
    """Terms of ``Ann's``, ``don't``, ``we'll``, ``O'Brien``: without the ending, or both joined and in parts."""
    base = _ENDING.sub("", word)
    joined = base.replace("'", "")
    yield from _word_terms(joined.lower(), everything)
    if joined != base and _fold(joined) not in _STOP_WORDS:
        for part in base.split("'"):
            if len(part) > 1:
                yield from _word_terms(part, everything)


def _atom_terms(atom: str, everything: bool) -> Iterator[str]:
    """Terms of a piece without separators inside: a word, a number, or letters and digits run together."""
    bare = atom.strip(f".+#{_CURRENCY}")
    if bare != atom:
        yield _fold(atom)
        if len(bare) <= 1:
            return
    if bare.isalpha() or not bare.isascii():
        yield from _word_terms(bare, everything)
        return
    yield _fold(bare)
    hexadecimal = _HEX.fullmatch(bare)
    inner = [hexadecimal[1]] if hexadecimal else _LETTERS_DIGITS.findall(bare)
    if hexadecimal or len(inner) == 2:  # more changes of kind than one are a hash, and its parts are noise
        for part in inner:
            if len(part) > 1:
                yield from _word_terms(part, everything)


def _word_terms(word: str, everything: bool) -> Iterator[str]:
    """Terms of a plain word: its stem; with accents also without; with humps also unstemmed and its humps."""
    folded = _fold(word)
    if folded in _STOP_WORDS and not everything:
        return
    humps = _humps(word)
    if len(humps) < 2:
        yield _stem(folded)
        plain = _without_accents(folded)
        if plain != folded:
            yield _stem(plain)
        return
    yield folded
    if _stem(folded) != folded and not (_is_camel(word) and _INFLECTED.search(folded)):
        yield _stem(folded)  # as written without humps; but the stem of getUserIds would be another code, getUserId
    for hump in map(_fold, humps):
        if len(hump) > 1 and hump not in _STOP_WORDS:
            yield _stem(hump)


def _humps(word: str) -> list[str]:
    if not word.isascii() or word.islower() or word.isupper() or word[1:].islower():
        return []
    return _HUMP.findall(word)


def _fold(piece: str) -> str:
    piece = piece[:LONGEST_TERM]
    return piece.lower() if piece.isascii() else unicodedata.normalize("NFKC", piece.casefold())


def _without_accents(folded: str) -> str:
    """Take accents off Latin letters; words of other scripts stay as they are."""
    if folded.isascii():
        return folded
    letters = "".join(c for c in unicodedata.normalize("NFD", folded) if not unicodedata.combining(c))
    return letters if letters.isascii() else folded


def _stem(word: str) -> str:
    return _cached_stem(word) if _ASCII_WORD.fullmatch(word) else word


@lru_cache(maxsize=1 << 16)
def _cached_stem(word: str) -> str:
    return _stemmer()(word)


@cache
def _stemmer() -> Callable[[str], str]:
    """Load the pure Python stemmer: the compiled one may follow other rules, and an index outlives its environment."""
    from snowballstemmer.english_stemmer import EnglishStemmer

    def stem(word: str) -> str:
        return str(EnglishStemmer().stemWord(word))  # a new one each time: a stemmer holds the word it works on

    return stem


_YEAR = re.compile(r"(?:19|20)\d\d")
_QUANTITY = re.compile(r"\d{1,3}[a-z]{1,3}|\d{1,3}(?:-[a-z]{2,})+|(?:19|20)?\d0s")


def _codes(run: str) -> Iterator[str]:
    if "://" in run:
        url = run.rstrip(_URL_TAIL)
        yield _fold(url)
        run = url.partition("://")[2]
    if _AMOUNT.fullmatch(run) and not run.isdigit():
        return
    pieces = [piece for piece in _SPLITS[0].split(run) if piece]
    codes = [piece for piece in pieces if _is_code(piece)]
    if len(pieces) > 1 and (("@" in run and "." in run) or "::" in run or (codes and re.search(r"[/\\]", run))):
        yield _fold(run)
    yield from map(_fold, codes)


def _is_code(piece: str) -> bool:
    bare = piece.strip(".%'")
    if not bare:
        return False
    if piece[0] == "." and bare.isalpha():
        return True
    lowered = bare.lower()
    if bare.isdigit():
        return len(bare) >= 4 and not _YEAR.fullmatch(bare)
    if _QUANTITY.fullmatch(lowered) or _AMOUNT.fullmatch(bare):
        return False
    if not any(character.isdigit() for character in bare):
        return "_" in bare or bare[-1] in "+#" or _is_camel(bare) or _is_dotted(bare)
    if any(character.isalpha() for character in bare):
        return True
    return _is_digit_code(bare)


def _is_digit_code(bare: str) -> bool:
    groups = re.split(r"\D+", bare)
    if all(len(group) <= 2 or _YEAR.fullmatch(group) for group in groups) and "." not in bare:
        return False
    return bare.count(".") >= 2 or sum(map(len, groups)) >= 7


def _is_camel(word: str) -> bool:
    humps = _humps(word)
    if len(humps) < 2 or "".join(humps) != word:
        return False
    return len(humps) > 2 or (len(humps[0]) > 1 if word[0].islower() else min(map(len, humps)) >= 4)


def _is_dotted(piece: str) -> bool:
    parts = piece.split(".")
    return len(parts) > 1 and all(len(part) > 1 for part in parts) and not (parts[0].islower() and parts[-1].istitle())


def cut(tokenizer: Callable[[str], list[str]], text: str) -> list[str]:
    """The terms that a tokenizer gives for a text, checked before anything depends on them.

    Raises
    ------
    InvalidInputError
        If it gives something else than a list of strings.
    """
    terms = tokenizer(text)
    if not isinstance(terms, list) or not set(map(type, terms)) <= {str}:
        raise InvalidInputError(f"the tokenizer gave {shown(terms)} for {shown(text)}: expected a list of strings")
    return terms
