"""The commonest Chinese surnames with their pinyin, commonest first, so that 张先生 and Mr. Zhang can meet."""

from functools import cache
from string import ascii_lowercase

SINGLE = """
王wang 李li 张zhang 刘liu 陈chen 杨yang 黄huang 赵zhao 吴wu 周zhou 徐xu 孙sun 马ma 朱zhu 胡hu 郭guo 何he 林lin 高gao
罗luo 郑zheng 梁liang 谢xie 宋song 唐tang 许xu 邓deng 冯feng 韩han 曹cao 曾zeng 彭peng 萧xiao 肖xiao 蔡cai 潘pan 田tian
董dong 袁yuan 于yu 余yu 叶ye 蒋jiang 杜du 苏su 魏wei 程cheng 吕lu 丁ding 任ren 沈shen 姚yao 卢lu 姜jiang 崔cui 钟zhong
谭tan 陆lu 汪wang 范fan 金jin 石shi 廖liao 贾jia 夏xia 韦wei 付fu 傅fu 方fang 白bai 邹zou 孟meng 熊xiong 秦qin 邱qiu
江jiang 尹yin 薛xue 闫yan 阎yan 段duan 雷lei 侯hou 龙long 史shi 陶tao 黎li 贺he 顾gu 毛mao 郝hao 龚gong 邵shao 万wan
钱qian 严yan 覃qin 武wu 戴dai 莫mo 孔kong 向xiang 汤tang 温wen 康kang 施shi 文wen 牛niu 樊fan 葛ge 邢xing 安an 齐qi
易yi 乔qiao 伍wu 庞pang 颜yan 倪ni 庄zhuang 聂nie 章zhang 鲁lu 岳yue 翟zhai 殷yin 詹zhan 申shen 欧ou 耿geng 关guan
兰lan 焦jiao 俞yu 左zuo 柳liu 甘gan 祝zhu 包bao 宁ning 尚shang 符fu 舒shu 阮ruan 柯ke 纪ji 梅mei 童tong 凌ling 毕bi
单shan 季ji 裴pei 霍huo 涂tu 成cheng 苗miao 谷gu 盛sheng 曲qu 翁weng 冉ran 骆luo 蓝lan 路lu 游you 辛xin 靳jin 管guan
柴chai 蒙meng 鲍bao 华hua 喻yu 祁qi 蒲pu 房fang 滕teng 屈qu 饶rao 解xie 牟mou 艾ai 尤you 阳yang 穆mu 农nong 司si 卓zhuo
古gu 吉ji 缪miao 简jian 车che 连lian 芦lu 麦mai 褚chu 娄lou 窦dou 戚qi 岑cen 景jing 党dang 宫gong 费fei 卜bu 冷leng
晏yan 席xi 卫wei 米mi 柏bai 宗zong 瞿qu 桂gui 佟tong 应ying 臧zang 闵min 苟gou 邬wu 边bian 卞bian 姬ji 仇qiu 栾luan
隋sui 商shang 刁diao 沙sha 荣rong 巫wu 寇kou 桑sang 郎lang 甄zhen 丛cong 仲zhong 虞yu 敖ao 巩gong 佘she 池chi 查zha
迟chi 邝kuang 封feng 谈tan 匡kuang 鞠ju 惠hui 荆jing 胥xu 储chu 楚chu 奚xi 冼xian 蔺lin 楼lou 闻wen 厉li 屠tu
"""
"""About 240 surnames, nearly in the order of their frequency, without those that begin everyday words (项, 时, 全)."""

COMPOUND = """
欧阳ouyang 上官shangguan 司马sima 诸葛zhuge 司徒situ 夏侯xiahou 皇甫huangfu 尉迟yuchi 公孙gongsun 慕容murong 令狐linghu
长孙zhangsun 宇文yuwen 东方dongfang 南宫nangong 独孤dugu 端木duanmu 轩辕xuanyuan 呼延huyan 申屠shentu 澹台tantai
赫连helian 淳于chunyu 拓跋tuoba 完颜wanyan 西门ximen 钟离zhongli 濮阳puyang 纳兰nalan 司空sikong
"""

TRADITIONAL = (
    "張张劉刘陳陈楊杨黃黄趙赵吳吴孫孙馬马羅罗鄭郑謝谢許许鄧邓馮冯韓韩蕭萧葉叶蔣蒋蘇苏呂吕盧卢鍾钟鐘钟譚谭陸陆賈贾"
    "韋韦鄒邹龍龙賀贺顧顾龔龚萬万錢钱嚴严湯汤溫温齊齐喬乔龐庞顏颜莊庄聶聂魯鲁歐欧關关蘭兰寧宁紀纪單单塗涂駱骆藍蓝鮑鲍華华饒饶"
    "繆缪簡简車车連连麥麦婁娄竇窦黨党宮宫費费衛卫應应閔闵鄔邬邊边欒栾叢丛鞏巩遲迟鄺邝談谈儲储閻阎閆闫陽阳諸诸東东長长軒轩獨独"
    "納纳厲厉藺蔺"
)
"""Traditional characters, each followed by its simplified form."""

LATIN_VARIANTS = {"lv": "lu", "lyu": "lu"}
"""Other spellings of 吕 (lü) in passports and on keyboards."""


@cache
def _pinyin() -> dict[str, str]:
    entries = (SINGLE + COMPOUND).split()
    return {entry.rstrip(ascii_lowercase): "".join(filter(str.isascii, entry)) for entry in entries}


@cache
def _ranks() -> dict[str, int]:
    ranks: dict[str, int] = {}
    for rank, pinyin in enumerate(_pinyin().values(), 1):
        ranks.setdefault(pinyin, rank)
    return ranks


@cache
def _simplified() -> dict[int, str]:
    return {ord(old): new for old, new in zip(TRADITIONAL[::2], TRADITIONAL[1::2], strict=True)}


def simplified(name: str) -> str:
    """A name with its characters simplified, as far as surnames need it."""
    return name.translate(_simplified())


def surname_pinyin(surname: str) -> str | None:
    """The pinyin of a surname in simplified characters; None if it is not a common one."""
    return _pinyin().get(surname)


def split_surname(name: str) -> tuple[str, str, str] | None:
    """Surname in simplified characters, its pinyin, and what follows it; None if no common surname comes first.

    Examples
    --------
    >>> split_surname("張偉"), split_surname("欧阳娜"), split_surname("客服")
    (('张', 'zhang', '偉'), ('欧阳', 'ouyang', '娜'), None)
    """
    simple = simplified(name)
    for length in (2, 1):
        pinyin = _pinyin().get(simple[:length])
        if pinyin is not None:
            return simple[:length], pinyin, name[length:]
    return None


def pinyin_rank(word: str) -> int | None:
    """How common a pinyin surname is, 1 the commonest; None if it is no such surname.

    Examples
    --------
    >>> pinyin_rank("wang"), pinyin_rank("smith")
    (1, None)
    """
    return _ranks().get(LATIN_VARIANTS.get(word, word))
