"""Amounts as people write them, compared by value: 50万, 500k, 500,000 and five hundred thousand are one amount."""

import re
import unicodedata
from dataclasses import dataclass
from decimal import Decimal
from functools import cache

_LONGEST_NUMBER = 24  # digits; what is longer is a code, and Decimal would round it

_WIDE = str.maketrans({0xFF10 + n: str(n) for n in range(10)} | {"￥": "¥", "＄": "$", "．": ".", "％": "%"})


@dataclass(frozen=True, slots=True)
class Amount:
    """A number with its currency (ISO 4217 code), or without one where the text names none."""

    value: Decimal
    currency: str | None = None


@dataclass(frozen=True, slots=True)
class AmountSpan:
    """An amount and where it stands: ``text[start:end]``, currency included."""

    start: int
    end: int
    amount: Amount


_CURRENCIES = {
    "USD": "$ us$ usd us-dollar us-dollars dollar dollars buck bucks 美元 美金 美刀",
    "CNY": "¥ cny rmb yuan renminbi 元 块 块钱 人民币 元人民币",
    "EUR": "€ eur euro euros 欧元",
    "GBP": "£ gbp pound pounds quid 英镑",
    "JPY": "jpy yen 日元 日圆",
    "HKD": "hk$ hkd 港元 港币",
    "TWD": "nt$ twd 台币 新台币",
    "AUD": "a$ au$ aud 澳元",
    "CAD": "c$ ca$ cad 加元",
    "SGD": "s$ sgd 新元 新加坡元",
    "CHF": "chf franc francs 瑞士法郎",
    "INR": "₹ inr rupee rupees 卢比",
    "KRW": "₩ krw won 韩元",
    "RUB": "₽ rub rouble roubles ruble rubles 卢布",
}
_CODES = "USD|CNY|RMB|EUR|GBP|JPY|HKD|TWD|AUD|CAD|SGD|CHF|INR|KRW|RUB"
_SIGNS = r"(?:US|HK|NT|AU|CA|[ACS])?\$|[€£¥₩₹₽]"

_ENGLISH_SCALES = {
    "hundred": 10**2, "k": 10**3, "thousand": 10**3, "grand": 10**3, "lakh": 10**5, "m": 10**6, "mn": 10**6,
    "mln": 10**6, "million": 10**6, "crore": 10**7, "b": 10**9, "bn": 10**9, "billion": 10**9, "trillion": 10**12,
}  # fmt: skip
_CHINESE_DIGITS = {c: n for n, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "兩": 2}
_CHINESE_SCALES = {"十": 10, "百": 100, "千": 1000, "万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}
_SMALL_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_WORD_SCALES = "hundred thousand million billion trillion lakh crore"

_CHINESE_UNITS = (
    "个個人名位天年日号號周岁小分秒次条條家台件本张張只隻头份套吨斤克米里公千平亩字词倍股册辆艘架座户夜强度"
)
_ENGLISH_UNITS = (
    "days?|weeks?|months?|years?|hours?|hrs?|minutes?|mins?|seconds?|secs?|ms|times|people|persons?|men|women|children|users?|"
    "customers?|employees?|members?|students?|followers?|items?|pieces?|copies|pages?|words?|lines?|rows?|records?|requests?|"
    "tokens?|km|kg|cm|mm|miles?|met(?:er|re)s?|feet|ft|inch(?:es)?|tons?|tonnes?|lbs?|acres?|square|cubic|degrees?|percent|"
    "points?|votes?|seats?|steps?|calories|gb|mb|tb|kb"
)


@cache
def _currency_codes() -> dict[str, str]:
    return {name: code for code, names in _CURRENCIES.items() for name in names.split()}


@cache
def _number_words() -> dict[str, int]:
    small = {word: n for n, word in enumerate(_SMALL_WORDS.split())}
    tens = {word: 10 * n for n, word in enumerate(_TENS.split(), 2)}
    return small | tens | {word: _ENGLISH_SCALES[word] for word in _WORD_SCALES.split()}


def _after() -> str:
    names = sorted(
        (name for name in _currency_codes() if not re.fullmatch(_SIGNS, name, re.IGNORECASE)), key=len, reverse=True
    )
    latin = "|".join(name.replace("-", r"[ -]") for name in names if name.isascii())
    chinese = "|".join(name for name in names if not name.isascii() and name not in ("元", "块"))
    return (
        rf"(?P<after>(?i:[ -]?(?:{latin})(?![A-Za-z]))"
        rf"|[ ]?(?:{chinese}|元(?![旦素件老首])|块(?![\u4e00-\u9fff]))|[ ]?[€£₽₩]|\$(?!\d))"
    )


@cache
def _digits() -> re.Pattern[str]:
    grouped = r"\d{0,2}(?:,\d{3})++(?:\.\d++)?|\d?(?:,\d\d){1,4},\d{3}(?:\.\d++)?"
    spaced = r"\d{0,2}(?:[ \u00a0\u202f]\d{3})++(?:\.\d++)?(?![\d ]*\d)"
    continental = r"\d{0,2}(?:\.\d{3})++,\d\d?(?!\d)"
    chinese = r"\d*+(?:\.\d++)?[ ]?[多余几]?[十百千]?[万萬亿億](?:\d++[十百千]?[万萬])?|\d*+(?:\.\d++)?[百千]"
    words = "|".join(_WORD_SCALES.split())
    scale = (
        rf"(?:[kKmMbB](?:[nN]|ln)?|[ -]?(?i:{words}|grand|mn|mln|bn)(?:[ ](?i:{words}))?)(?![A-Za-z])|[wW](?![A-Za-z])"
    )
    return re.compile(
        rf"(?P<number>[0-9]{_fresh()}"
        rf"(?:(?P<chinese>{chinese})|(?P<grouped>{grouped})|(?P<spaced>{spaced})|(?P<continental>{continental})|\d*+(?:\.\d++)?))"
        rf"(?P<scale>{scale})?{_after()}?"
        r"(?![A-Za-z0-9_%]|[.,:/-]\d)",
        re.ASCII,
    )


def _fresh() -> str:
    """What must hold behind the first digit: no number or code goes on here."""
    code = r"(?<![A-Za-z0-9_#/.+\\][0-9])"
    joined = r"(?<![A-Za-z]-[0-9])(?<![0-9][,:'][0-9])(?<![0-9][ \u00a0\u202f][0-9])"
    return rf"(?:{code}|(?<=(?:{_CODES})[0-9])|(?<=Rs\.[0-9])){joined}"


@cache
def _before() -> re.Pattern[str]:
    return re.compile(rf"(?:{_SIGNS}|(?<![A-Za-z0-9])(?i:{_CODES}|Rs\.?)|人民币)[ ]?$")


@cache
def _numerals() -> re.Pattern[str]:
    digits = "".join(_CHINESE_DIGITS)
    scales = "".join(_CHINESE_SCALES)
    return re.compile(
        rf"(?P<number>[{digits}{scales}](?<![第几{digits}{scales}].)[{digits}{scales}]*+(?:[多余几][万萬亿億]++)?){_after()}?",
        re.ASCII,
    )


@cache
def _words() -> re.Pattern[str]:
    word = "|".join(sorted(_number_words(), key=len, reverse=True))
    more = rf"(?:(?:[ ]and)?[ -](?:{word})(?![A-Za-z])){{0,9}}"
    return re.compile(
        rf"(?<![\w-])(?P<number>(?i:(?:half[ ]an?[ ]|an?[ ])?(?:{word}){more}))(?![A-Za-z]){_after()}?", re.ASCII
    )


@cache
def _english_unit() -> re.Pattern[str]:
    return re.compile(rf"[ -]?(?:{_ENGLISH_UNITS})(?![A-Za-z])", re.IGNORECASE)


@cache
def _has_scale_word() -> re.Pattern[str]:
    return re.compile("hundred|thousand|illion|lakh|crore|dollar|bucks|euro|yuan", re.IGNORECASE)


@cache
def _has_numeral() -> re.Pattern[str]:
    return re.compile("[百千万萬亿億]|[零一二两三四五六七八九十][元块美欧英日港]")


@cache
def _wide() -> re.Pattern[str]:
    return re.compile("[０-９￥＄．％]")


def find_amounts(text: str, *, bare: bool = False) -> list[AmountSpan]:
    """The amounts in a text, in its order, not overlapping.

    A number is an amount if it has a currency, a scale (``k``, ``million``, ``万``) or thousands separators, and no
    other unit: ``30 days``, ``5万人``, ``50%`` are none.

    Parameters
    ----------
    text : str
        Any string.
    bare : bool
        Whether plain numbers such as ``3000`` count too, and ``900 pounds``, which may be a weight.

    Returns
    -------
    list of AmountSpan
        The spans are slices of `text`.

    Examples
    --------
    >>> text = "预算50万元, was $300k"
    >>> [(text[span.start : span.end], str(span.amount.value), span.amount.currency) for span in find_amounts(text)]
    [('50万元', '500000', 'CNY'), ('$300k', '300000', 'USD')]
    """
    flat = text.translate(_WIDE) if _wide().search(text) else text
    spans = [span for match in _digits().finditer(flat) if (span := _of_digits(match, bare))]
    if not flat.isascii() and (bare or _has_numeral().search(flat)):
        spans += [span for match in _numerals().finditer(flat) if (span := _of_numerals(match, bare))]
    if bare or _has_scale_word().search(flat):
        spans += [span for match in _words().finditer(flat) if (span := _of_words(match, bare))]
    return _apart(spans)


def read_amount(text: str) -> Amount | None:
    """Read a text that is an amount as a whole, with or without currency.

    Returns
    -------
    Amount or None
        None if it is anything else: a count with its unit (``30 days``), a code, a sentence.

    Examples
    --------
    >>> read_amount("1.5亿") == read_amount("150 million") == read_amount("150,000,000")
    True
    >>> read_amount("US$ 3M")
    Amount(value=Decimal('3000000'), currency='USD')
    >>> read_amount("30 days") is None
    True
    """
    if len(text) > 100:
        return None
    whole = _about().sub("", unicodedata.normalize("NFKC", text).strip())
    for span in find_amounts(whole, bare=True):
        if (span.start, span.end) == (0, len(whole)):
            return span.amount
    return None


@cache
def _about() -> re.Pattern[str]:
    return re.compile(
        r"^(?:about|around|approximately|approx\.?|roughly|ca\.|circa|大约|大概|约|~|≈) ?|左右$", re.IGNORECASE
    )


def _apart(spans: list[AmountSpan]) -> list[AmountSpan]:
    chosen: list[AmountSpan] = []
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        if not chosen or span.start >= chosen[-1].end:
            chosen.append(span)
    return chosen


def _span(match: re.Match[str], value: Decimal | None, *, clear: bool, bare: bool) -> AmountSpan | None:
    """Keep a number with a currency; one without, if it is `clear` or `bare` ones count, and no other unit follows."""
    if value is None:
        return None
    start, end = match.span()
    before = _before().search(match.string, max(0, start - 6), start)
    named = (before[0] if before else match["after"] or "").strip(" -.").lower().replace(" ", "-")
    currency = "INR" if named == "rs" else _currency_codes().get(named)
    if value < 1000 and (named == "won" or (named in ("pound", "pounds") and not bare)):
        return None  # "five won", and weights, unless an amount is what is looked for
    if currency is None and (not (clear or bare) or _unit_follows(match.string, end)):
        return None
    return AmountSpan(before.start() if before else start, end, Amount(value, currency))


def _unit_follows(text: str, end: int) -> bool:
    return text[end : end + 1] in tuple(_CHINESE_UNITS) or _english_unit().match(text, end) is not None


def _of_digits(match: re.Match[str], bare: bool) -> AmountSpan | None:
    number, scale = match["number"], (match["scale"] or "").strip(" -")
    if len(number) > _LONGEST_NUMBER:
        return None
    if scale in ("m", "b") and not (
        match["after"] or _before().search(match.string, max(0, match.start() - 6), match.start())
    ):
        return None  # metres, bytes
    if scale in ("w", "W"):
        if match.string.isascii() and match.string != match[0]:
            return None  # watts; among Chinese characters it stands for 万
        return _span(match, Decimal(number.replace(",", "")) * 10**4, clear=True, bare=bare)
    if match["chinese"]:
        value = _chinese_value(number)
    elif match["continental"]:
        value = Decimal(number.replace(".", "").replace(",", "."))
    else:
        value = Decimal(re.sub(r"[, \u00a0\u202f]", "", number))
    if value is None:
        return None
    for word in re.split(r"[ -]", scale.lower()):
        value *= _ENGLISH_SCALES.get(word, 1)
    return _span(match, value, clear=bool(match["chinese"] or match["grouped"] or scale), bare=bare)


def _of_numerals(match: re.Match[str], bare: bool) -> AmountSpan | None:
    number = match["number"]
    if number[0] in "百千万萬亿億" and not match["after"]:
        return None  # 千万别, 百科, 万一
    if len(number) > _LONGEST_NUMBER:
        return None
    clear = len(number) > 1 and number[-1] in "百千万萬亿億" and number not in ("一千", "一百", "一万")
    return _span(match, _chinese_value(number), clear=clear, bare=bare)


def _of_words(match: re.Match[str], bare: bool) -> AmountSpan | None:
    words = re.split(r"[ -]", match["number"].lower())
    clear = len(words) > 1 and any(
        word in ("thousand", "million", "billion", "trillion", "lakh", "crore") for word in words
    )
    return _span(match, _spoken_value(words), clear=clear, bare=bare)


def _spoken_value(words: list[str]) -> Decimal:
    values = _number_words()
    total: Decimal | int = 0
    section: Decimal | int = 0
    half = words[0] == "half"
    for word in words:
        number = values.get(word)
        if number is None:
            continue
        if number < 100:
            section += number
        elif number == 100:
            section = (section or 1) * 100
        else:
            total += (section or 1) * number
            section = 0
    value = Decimal(total + section)
    return value / 2 if half else value


@cache
def _chinese_part() -> re.Pattern[str]:
    return re.compile(r"\d+(?:\.\d+)?|.", re.ASCII)


def _chinese_value(text: str) -> Decimal | None:
    """Read ``50万``, ``1亿2000万``, ``三百五十万``, ``两千五``; None for a row of digits such as ``二〇二四``."""
    total: Decimal | int = 0
    section: Decimal | int = 0
    number: Decimal | None = None
    last_scale = 0
    for part in _chinese_part().findall(text):
        scale = _CHINESE_SCALES.get(part)
        if scale is None:
            if part in "多余几 ":
                continue
            if number not in (None, 0):
                return None
            number = Decimal(_CHINESE_DIGITS[part]) if part in _CHINESE_DIGITS else Decimal(part)
            last_scale = 0 if number == 0 else last_scale
            continue
        if scale < 10**4:
            section += (1 if number is None else number) * scale
        elif scale == 10**4:
            total += ((number or 0) + section or 1) * scale
            section = 0
        else:
            total = ((number or 0) + section + total or 1) * scale
            section = 0
        number, last_scale = None, scale
    if number is not None and last_scale > 10 and number < 10:
        number *= last_scale // 10
    return Decimal(total + section + (number or 0))
