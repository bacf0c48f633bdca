"""Free-text labels of LLMs and of other graph makers, as our entity types and predicates."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from hybrid_agent_memory.extract import EntityType, FactKind, Mention, predicate_key
from hybrid_agent_memory.extract.phrases import without_slots
from hybrid_agent_memory.extract.predicates import NAMES, Predicate
from hybrid_agent_memory.extract.values import value_type
from hybrid_agent_memory.extract.vocabulary import Vocabulary

LONGEST_PREDICATE = 64  # characters

_TYPES: dict[EntityType, str] = {
    "person": "person people human individual user customer client employee contact character author speaker per 人物 "
    "人 人名 客户 用户 员工 联系人 作者",
    "organisation": "organisation organization org company corporation business institution team department agency "
    "bank university school government vendor supplier group 组织 公司 企业 机构 团队 部门 单位 学校 大学 供应商",
    "product": "product service software tool library application app device system component technology model brand "
    "microservice database api 产品 服务 软件 工具 系统 设备 组件 技术 品牌",
    "project": "project initiative program programme task campaign 项目 工程 任务 计划",
    "place": "place location loc gpe geo fac facility city country region state address site building warehouse 地点 "
    "位置 地方 城市 国家 地区 地址 仓库",
    "identifier": "identifier id code errorcode ticket order ordernumber sku invoice version number url email phone "
    "标识 编号 编码 代码 订单 订单号 工单 错误码 版本",
    "amount": "amount money price cost budget currency monetaryvalue 金额 价格 预算",
    "date": "date time datetime timestamp day month year deadline 日期 时间 年份 期限",
    "name": "name entity node thing unknown baseentity misc 名称 实体 节点 未知",
}


@dataclass(frozen=True, slots=True)
class Statement:
    """Subject, predicate and object as a fact holds them; the label may have had them the other way round."""

    subject: Mention
    predicate: str
    object: Mention
    kind: FactKind
    single_valued: bool = False


def entity_type(label: object) -> EntityType:
    """The entity type that a label means.

    Parameters
    ----------
    label : object
        As a model or a framework writes it: ``"Person"``, ``"ORG"``, ``"error_code"``, ``"公司"``.

    Returns
    -------
    str
        ``"name"`` for labels that say nothing (``"entity"``, ``"Node"``, blank), ``"other"`` for unknown ones.

    Examples
    --------
    >>> [entity_type(label) for label in ("Person", "ORG", "错误码", "Node", "Emotion")]
    ['person', 'organisation', 'identifier', 'name', 'other']
    """
    if not isinstance(label, str) or not label.strip():
        return "name"
    return _by_label().get(re.sub(r"[\W_]+", "", _plain(label)), "other")


def predicate_name(label: object) -> str:
    """The `predicate_key` of a label, cut to a length; empty when nothing of it can be one.

    Examples
    --------
    >>> [predicate_name(label) for label in ("WORKS_AT", "worksAt", "is part of", "负责人", "--")]
    ['works_at', 'works_at', 'is_part_of', '负责人', '']
    """
    key = predicate_key(label[: 4 * LONGEST_PREDICATE]) if isinstance(label, str) else ""
    return key[:LONGEST_PREDICATE].rstrip("_") if re.search(r"[^\W_]", key) else ""


def align(subject: Mention, label: str, other: Mention, vocabulary: Vocabulary) -> Statement | None:
    """What a labelled edge states, in the words of a vocabulary.

    Parameters
    ----------
    subject, other : Mention
        The ends of the edge.
    label : str
        A name from `predicate_name`. The name of a predicate means that predicate, which is only single-valued if the
        ends could be of its types: a budget that is "tight" supersedes no amount. One of its wordings means it if the
        ends are of its types, and may mean its inverse: ``Ann owns Atlas`` is ``Atlas owner Ann``.
    vocabulary : Vocabulary

    Returns
    -------
    Statement or None
        None if the vocabulary has no words for it.

    Examples
    --------
    >>> from hybrid_agent_memory.extract.vocabulary import DEFAULT
    >>> found = align(Mention("Ann", "person"), "owns", Mention("Atlas", "project"), DEFAULT)
    >>> found.subject.name, found.predicate, found.object.name, found.single_valued
    ('Atlas', 'owner', 'Ann', True)
    """
    bare = _bare(label)
    named = vocabulary.by_name.get(label) or vocabulary.by_name.get(bare)
    if named is not None:
        inverse = not _fits(named, subject, other) and _fits(named, other, subject)
        ends = (other, subject) if inverse else (subject, other)
        return _stated(named, *ends, single_valued=_fits(named, *ends, loosely=True))
    for predicate, inverse in _wordings(vocabulary).get(bare, ()):
        ends = (other, subject) if inverse else (subject, other)
        if _fits(predicate, *ends):
            return _stated(predicate, *ends)
    return None


def restated(subject: Mention, label: str, other: Mention, vocabulary: Vocabulary) -> Statement | None:
    """What somebody states in words of their own, who may not have said what is a person, and what a project.

    As `align`, but the name of a predicate is left as it is meant, and names of unknown type need only be possible.

    Parameters
    ----------
    subject, other : Mention
    label : str
        A name from `predicate_name`.
    vocabulary : Vocabulary

    Returns
    -------
    Statement or None
        None if the label is the name of a predicate, or the vocabulary has no words for it, or too many.

    Examples
    --------
    >>> from hybrid_agent_memory.extract.vocabulary import DEFAULT
    >>> found = restated(Mention("Ann"), "负责", Mention("Atlas"), DEFAULT)
    >>> found.subject.name, found.predicate, found.object.name
    ('Atlas', 'owner', 'Ann')
    """
    if label in vocabulary.by_name:
        return None
    if _bare(label) in vocabulary.by_name or "name" not in (subject.type, other.type):
        return align(subject, label, other, vocabulary)
    possible: dict[str, Statement] = {}
    for predicate, inverse in _wordings(vocabulary).get(_bare(label), ()):
        ends = (other, subject) if inverse else (subject, other)
        if _may_fit(predicate, *ends):
            possible.setdefault(predicate.name, _stated(predicate, *ends))
    return next(iter(possible.values())) if len(possible) == 1 else None


def meanings(label: str, vocabulary: Vocabulary) -> list[tuple[Predicate, bool]]:
    """The predicates that a label may mean, and whether its subject is their object; each once.

    Parameters
    ----------
    label : str
        A name from `predicate_name`.
    vocabulary : Vocabulary

    Examples
    --------
    >>> from hybrid_agent_memory.extract.vocabulary import DEFAULT
    >>> for label in ("owner", "负责人", "is_responsible_for", "adores"):
    ...     print([(predicate.name, inverse) for predicate, inverse in meanings(label, DEFAULT)])
    [('owner', False)]
    [('owner', False)]
    [('owner', True)]
    []
    """
    bare = _bare(label)
    named = vocabulary.by_name.get(label) or vocabulary.by_name.get(bare)
    worded = _wordings(vocabulary).get(bare, ())
    found = [*([] if named is None else [(named, False)]), *worded]
    return list({(predicate.name, inverse): (predicate, inverse) for predicate, inverse in found}.values())


def hints(vocabulary: Vocabulary) -> tuple[str, ...]:
    """The predicates of a vocabulary, each with an English clause that shows which end is which, if it has one."""
    return tuple(
        next((f"{predicate.name} ({phrase})" for phrase in predicate.phrases if _is_clause(phrase)), predicate.name)
        for predicate in vocabulary
    )


@cache
def _by_label() -> dict[str, EntityType]:
    return {word: kind for kind, words in _TYPES.items() for word in words.split()}


@lru_cache(maxsize=8)
def _wordings(vocabulary: Vocabulary) -> dict[str, list[tuple[Predicate, bool]]]:
    """The predicates of each wording, and whether it names their object first."""
    found: dict[str, list[tuple[Predicate, bool]]] = {}
    for predicate in vocabulary:
        for phrase in predicate.phrases:
            ends = re.findall("[XY]", phrase)
            found.setdefault(_bare(predicate_name(without_slots(phrase))), []).append((predicate, ends == ["Y", "X"]))
    return found


def _stated(predicate: Predicate, subject: Mention, other: Mention, *, single_valued: bool = True) -> Statement:
    return Statement(subject, predicate.name, other, predicate.kind, predicate.single_valued and single_valued)


def _fits(predicate: Predicate, subject: Mention, other: Mention, *, loosely: bool = False) -> bool:
    """Whether both ends have types that the predicate allows, or `loosely`, could have them."""
    if predicate.shape:
        objects = re.fullmatch(predicate.shape, other.name) is not None
    else:
        objects = _allows(predicate.objects, other, loosely)
    return objects and _allows(predicate.subjects, subject, loosely)


def _may_fit(predicate: Predicate, subject: Mention, other: Mention) -> bool:
    """Whether both ends could be of the types that the predicate allows; a name may be no name at all."""
    objects = [other, Mention(other.name, "other")] if other.type == "name" else [other]
    return any(_fits(predicate, subject, one, loosely=True) for one in objects)


def _allows(types: Sequence[EntityType], mention: Mention, loosely: bool) -> bool:
    looks = value_type(mention.name)
    if not types or mention.type in types or (looks != "other" and looks in types):
        return True
    return loosely and mention.type in ("name", "other") and any(kind in NAMES for kind in types)


def _is_clause(phrase: str) -> bool:
    return phrase.isascii() and sorted(re.findall(r"\b[XY]\b", phrase)) == ["X", "Y"]


def _bare(label: str) -> str:
    return re.sub(r"^(?:(?:is|are|was|were|be|been|has|have|had|a|an|the)_)+(?=.)", "", label)


def _plain(label: str) -> str:
    return unicodedata.normalize("NFKC", label).casefold()
