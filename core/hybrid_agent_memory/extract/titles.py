"""Things that have plain Chinese words for a name, such as 屋顶花园, where only the grammar of a clause tells so."""

import re
from functools import cache

from hybrid_agent_memory.extract import Mention
from hybrid_agent_memory.extract.chinese_words import AMBIGUOUS_NAMES, EDGE_WORDS, GENERIC, KIN, LONG_TITLES
from hybrid_agent_memory.extract.name_forms import ZH_GENERIC, relative
from hybrid_agent_memory.extract.scanning import one_of

_NOT_IN_TITLES = """
    总体 整体 上半年 下半年 季度 年度 月度 本月 本周 本年 全年 初步 大致 剩余 剩下 对应 相应 上述 以上 如下 下面 实际
    具体 详细 任务 工单 事情 事项 合同 活动 用户 对方 甲方 乙方 部门 同学 朋友 老板 领导 经理 主管 团队 公司 大楼 开会
    会上 确认 完毕 消息 回复 检查 发现 看来 表明 证明 显示 报告 汇报 会议 通知 听完 看完 商量 提醒 强调 特别 非常 比较
    十分 更加 最高 最低 最大 最小 平均 合计 加起来 加上 减去 扣除
"""
_KINDS = (  # of managers
    "项目|技术|产品|设计|销售|市场|财务|运营|客户|客服|采购|人事|法务|研发|行政|质量|生产|仓库|物流|数据|测试|安全|渠道|品牌|培训|门店|"
    "区域|大区|大客户|值班|副|总"
)
_NO_CHARACTERS = """
    的了在是和与跟从向对把被给让为由去说找问叫将及或且于没不也都还又就才再很太最请使得着过吗呢吧啊完后前时候里外
    我你您他她它们谁
"""


def bare_title(words: str, *, least: int = 3) -> Mention | None:
    """The thing that words name which a clause begins with: no person, nothing counted, no words of grammar in them.

    It has at least so many characters.

    Examples
    --------
    >>> bare_title("屋顶花园"), bare_title("我们团队"), bare_title("公司")
    (Mention(name='屋顶花园', type='name'), None, None)
    """
    if (
        len(words) < least
        or not _characters().fullmatch(words)
        or words in _generic()
        or relative(words)
        or _no_title().search(words)
    ):
        return None
    return Mention(words, "name")


@cache
def side_words() -> re.Pattern[str]:
    """What stands behind a name in speech and is no part of it: 星河计划那边."""
    return re.compile("(?<=[\u4e00-\u9fffA-Za-z0-9 ]{2})(?:那边|这边|那块|这块|那里|这里|方面)$")


@cache
def ambiguous_names() -> frozenset[str]:
    """Words that are the names of persons as well, where only a person can be meant."""
    return frozenset(AMBIGUOUS_NAMES.split())


@cache
def introduces() -> re.Pattern[str]:
    """What may stand before the full name of a person, or nothing: 项目经理, 我姐姐, 客户."""
    titles = one_of(LONG_TITLES)
    return re.compile(
        rf"(?:我们?的?|咱们?的?|[这那]位|(?:{_KINDS}){{1,2}}(?:{titles})|{titles}|{one_of(KIN)}|客户|用户|前台|司机|房东|(?<=的)好)*"
    )


@cache
def follows_name() -> re.Pattern[str]:
    """A title behind the full name of a person, or nothing."""
    titles = one_of(LONG_TITLES)
    return re.compile(
        rf"(?:(?:{_KINDS})?(?:{titles})|总|工|董|哥|姐|叔|导|某)?(?:本人|那边|这边)?(?:[(（][^()（），]{{1,20}}[)）])?"
    )


@cache
def _characters() -> re.Pattern[str]:
    return re.compile(r"(?=.*[\u4e00-\u9fff]{2})[\u4e00-\u9fffA-Za-z0-9·-]{2,10}")


@cache
def _generic() -> frozenset[str]:
    return ZH_GENERIC | frozenset(GENERIC.split())


@cache
def _no_title() -> re.Pattern[str]:
    counted = r"^[一二两三四五六七八九十百千万几数半多\d]+[个家位名项份笔次场批套台件年月天周季]"
    vague = "^(?:[这那该此某各每整本全新旧]|[大小老](?:项目|客户|部门|公司))"
    words = "|".join((EDGE_WORDS + _NOT_IN_TITLES).split())
    return re.compile(f"{counted}|{vague}|[{''.join(_NO_CHARACTERS.split())}]|[定改延推订设移转交]$|{words}")
