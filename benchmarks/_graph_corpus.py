"""Made-up episodes of any number, the same every time: messages for the rules, and extractions ready to be stored."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import product
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from hybrid_agent_memory.extract import EntityType, Extraction, Mention, Triple

SEED = 20241105
DIMENSION = 384
MENTIONS = 10  # of one chunk
HUBS = 3  # entities that half of all chunks mention
SHARE_OF_HUB = 0.5
FACTS_OF_HUB = 0.2
OFTEN = 1.1  # exponent of Zipf's law for entities that are no hubs
START = datetime(2024, 1, 1, tzinfo=UTC)

FIRST = """
    James Mary Robert Patricia Michael Jennifer David Linda William Susan Thomas Karen Daniel Nancy Anthony Emily
    Mark Laura Paul Olivia Andrew Julia Kevin Rachel Brian Hannah George Sophia Edward Grace Ryan Chloe Jacob Nora
    Eric Lucy Adam Ella Peter Irene Carlos Ingrid Omar Priya Hiroshi Fatima Pierre Elena
"""
LAST = """
    Smith Johnson Brown Jones Garcia Miller Davis Wilson Anderson Taylor Moore Jackson Martin Thompson White Harris
    Clark Lewis Robinson Walker Young Allen King Wright Scott Torres Nguyen Hill Flores Green Adams Nelson Baker Hall
    Rivera Campbell Mitchell Carter Roberts Gomez Phillips Evans Turner Parker Collins Edwards Stewart Morris Murphy
    Cook Rogers Morgan Peterson Cooper Reed Bailey Bell Kelly Howard Ward Watson Brooks Bennett Gray Hughes Price
"""
SURNAMES = (
    "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘"
    "杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文"
)
GIVEN = "伟芳娜敏静丽强磊军洋勇艳杰娟涛明超秀霞平刚桂英华玉兰文斌宇浩然欣怡子涵梓轩佳琪思远博雅志鹏晓东建国海燕雪梅"

ENGLISH = (
    "{p} is responsible for {j}.",
    "{j}'s budget is {a}k. {p} approved it yesterday.",
    "{p} reports to {q}.",
    "{p} complained about {o} again; order {i} has not arrived.",
    "The status of {j} is delayed because {o} did not deliver {i}.",
    "{p} works at {o} and moved to Berlin last month.",
    "Can {p} call {q} about {j} before Friday?",
    "{o} acquired {r} for {a} million dollars.",
    "Deployment of {j} failed with ERR_0x{h} on node-{n}, {p} is looking into it.",
    "{p} prefers tea. {q} likes coffee, as always.",
    "Meeting with {o} about {j} went well, {p} will send the notes to {q}.",
)
CHINESE = (
    "{p}负责{j}。",
    "{j}的预算是{a}万，{q}昨天批准了。",
    "{p}向{q}汇报。",
    "{p}又投诉了，订单{i}还没有到。",
    "{j}因为供应商没有交付{i}而延期了。",
    "{p}在{o}工作，上个月搬到了上海。",
    "{p}能不能在周五之前给{q}打电话谈谈{j}？",
    "{o}以{a}万元收购了{r}。",
    "{j}部署失败，错误码ERR_0x{h}，{p}正在看。",
    "{p}喜欢喝茶，{q}更喜欢咖啡。",
)


@dataclass(frozen=True, slots=True)
class Message:
    text: str
    time: datetime


class RandomVectors:
    """A random unit vector per text, so that the dense leg is real and no model is timed."""

    name = "random vectors"

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return np.stack([_vector(text) for text in texts])  # type: ignore[return-value]  # a list would be slower

    def embed_query(self, text: str) -> list[float]:
        return _vector(text)  # type: ignore[return-value]


def _vector(text: str) -> NDArray[np.float32]:
    made = np.random.default_rng(crc32(text.encode())).standard_normal(DIMENSION, dtype=np.float32)
    return np.asarray(made / np.linalg.norm(made), np.float32)


# -- messages ---------------------------------------------------------------------------------------------------------


def messages(count: int, *, seed: int = 0) -> Iterator[Message]:
    """One to two sentences, English and Chinese in turn; names come back as they do among people who work together."""
    rng = np.random.default_rng([SEED, seed])
    for at in range(count):
        chinese = bool(at % 2)
        forms = CHINESE if chinese else ENGLISH
        form = forms[int(rng.integers(len(forms)))]
        yield Message(form.format(**_fillings(rng, chinese, at)), START + timedelta(minutes=at))


def _fillings(rng: np.random.Generator, chinese: bool, at: int) -> dict[str, object]:
    person, project, company = (_chinese if chinese else _english)()
    # Of all there are, a namespace of n episodes has met about √n, some of them often.
    seen = int(20 + 8 * np.sqrt(at))
    drawn = (seen * rng.random(5) ** 2).astype(int).tolist()
    return {
        "p": person[drawn[0] % len(person)],
        "q": person[drawn[1] % len(person)],
        "j": project[drawn[2] % len(project)],
        "o": company[drawn[3] % len(company)],
        "r": company[drawn[4] % len(company)],
        "a": int(rng.integers(2, 900)),
        "i": f"ORD-2024{int(rng.integers(1, 100_000)):05d}",
        "h": f"{int(rng.integers(1, 60_000)):04X}",
        "n": int(rng.integers(1, 40)),
    }


Names = tuple[list[str], list[str], list[str]]


@cache
def _english() -> Names:
    people = [f"{first} {last}" for last, first in product(LAST.split(), FIRST.split())]
    projects = [f"Project {word}" for word in _words()]
    companies = [f"{word} {kind}" for word in _words()[::-1] for kind in ("Systems", "Labs", "Inc")]
    return _shuffled(people), projects, _shuffled(companies)


@cache
def _chinese() -> Names:
    people = [a + b for a, b in product(SURNAMES, GIVEN)] + [a + b + c for a, b, c in product(SURNAMES, GIVEN, GIVEN)]
    words = ["".join(pair) for pair in product("天星云海山龙凤金银玉虎鹰", "河辰帆岳峰渊翼桥石泉林野")]
    projects = [f"{a}{b}项目" for a, b in product(words, ["", "二期", "三期", "升级", "迁移"])]
    companies = [f"{word}{kind}公司" for word in words for kind in ("科技", "贸易", "物流", "电子")]
    return _shuffled(people), _shuffled(projects), _shuffled(companies)


@cache
def _words() -> list[str]:
    syllables = [consonant + vowel for consonant, vowel in product("bdfgklmnprtvz", "aeiou")]
    return _shuffled(["".join(parts).capitalize() for parts in product(syllables, syllables, "lnrsx")])


def _shuffled(values: list[str]) -> list[str]:
    order = np.random.default_rng(SEED).permutation(len(values))
    return [values[at] for at in order.tolist()]


# -- a graph ----------------------------------------------------------------------------------------------------------

TYPES: tuple[EntityType, ...] = ("person", "project", "organisation", "product", "identifier", "place", "name")
PREDICATES = (  # and whether a subject has one at a time
    ("works_on", False),
    ("depends_on", False),
    ("owner", True),
    ("status", True),
    ("complained_about", False),
    ("uses", False),
)


def graph_episodes(count: int) -> Iterator[dict[str, object]]:
    """Episodes with one fact and `MENTIONS` mentions each, extracted already; ids are ``e0``, ``e1``…"""
    rng = np.random.default_rng([SEED, 1])
    hubs = hub_names()
    pool = _pool(max(100, count // 2))
    for at in range(count):
        drawn = _zipf(rng, len(pool), MENTIONS)
        said = [pool[place] for place in dict.fromkeys(drawn)]
        said = [hub for hub in hubs if rng.random() < SHARE_OF_HUB] + said[: MENTIONS - 1]
        predicate, single = PREDICATES[int(rng.integers(len(PREDICATES)))]
        ends = said[-2:] if rng.random() >= FACTS_OF_HUB else [said[-1], hubs[at % HUBS]]
        sentence = f"{ends[0].name} {predicate.replace('_', ' ')} {ends[1].name} since week {at % 53}."
        triple = Triple(ends[0], predicate, ends[1], sentence, single_valued=single)
        others = ", ".join(mention.name for mention in said[:-2])
        yield {
            "id": f"e{at}",
            "text": f"{sentence} Also talked about {others}.",
            "time": START + timedelta(minutes=at),
            "extraction": Extraction(tuple(dict.fromkeys([*said, *ends])), (triple,)),
        }


def hub_names() -> list[Mention]:
    return [Mention(f"Northwind {word}", "organisation") for word in ("Group", "Trading", "Europe")[:HUBS]]


def graph_questions(count: int, episodes: int) -> list[str]:
    """Half name one or two entities, a quarter a hub as well, and a quarter name nothing."""
    rng = np.random.default_rng([SEED, 2])
    pool, hubs = _pool(max(100, episodes // 2)), hub_names()
    made = []
    for at in range(count):
        one, two = (pool[place].name for place in _zipf(rng, len(pool), 2))
        week = int(rng.integers(53))
        made.append(
            (
                f"Who is the owner of {one} since week {week}?",
                f"What do {one} and {two} depend on in week {week}?",
                f"Does {one} work on anything of {hubs[at % HUBS].name} since week {week}?",
                f"what was talked about since week {week}, and what is the status of that?",
            )[at % 4]
        )
    return made


@cache
def _pool(size: int) -> list[Mention]:
    """Entities, the often mentioned ones first; as many people share a surname as there are people."""
    people, projects, companies = _english()
    chinese = _chinese()[0]
    made: list[Mention] = []
    for at in range(size):
        kind = TYPES[at % len(TYPES)]
        number = at // len(TYPES)
        name = {
            "person": (people if number % 2 else chinese)[number % len(people)],
            "project": projects[number % len(projects)],
            "organisation": f"{companies[number % len(companies)]}",
            "product": f"{_words()[number % len(_words())]}{number}",
            "identifier": f"ORD-{number:07d}",
            "place": f"{_words()[number % len(_words())]} Valley",
            "name": f"{_words()[(7 * number) % len(_words())]} {_words()[number % len(_words())]}",
        }[kind]
        made.append(Mention(name, kind))
    return list(dict.fromkeys(made))


def _zipf(rng: np.random.Generator, size: int, count: int) -> list[int]:
    """Places in a list of `size`, the first ones most often."""
    low = 1.0
    high = float(size + 1) ** (1 - OFTEN)
    drawn = (low + rng.random(count) * (high - low)) ** (1 / (1 - OFTEN))
    places: list[int] = np.minimum(drawn.astype(np.int64) - 1, size - 1).tolist()
    return places
