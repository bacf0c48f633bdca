"""Given names: which only men or only women have, and the pinyin of the commonest Chinese ones."""

from functools import cache
from string import ascii_lowercase
from typing import Literal

from hybrid_agent_memory.graph.surnames import simplified, surname_pinyin

Gender = Literal["m", "f"]

_MEN = """
james john robert michael william david richard joseph thomas charles christopher daniel matthew anthony mark
donald steven paul andrew joshua kenneth kevin brian george edward ronald timothy jason jeffrey ryan jacob gary
nicholas eric jonathan stephen larry justin scott brandon benjamin samuel gregory frank alexander raymond
patrick jack dennis jerry tyler aaron adam nathan henry douglas zachary peter kyle walter ethan jeremy harold
keith christian roger noah gerald carl sean arthur lawrence bryan joe bruce albert alan juan carlos jose wayne
roy ralph eugene vincent louis bobby philip bob tom mike jim dave steve dan matt tony ben fred
"""
_WOMEN = """
mary patricia jennifer linda elizabeth barbara susan jessica sarah karen lisa nancy betty margaret sandra ashley
emily donna michelle carol amanda dorothy melissa deborah stephanie rebecca sharon laura cynthia kathleen amy
angela anna brenda pamela emma nicole helen samantha katherine christine debra rachel carolyn janet catherine
maria heather diane ruth julie olivia joyce virginia victoria lauren christina joan judith megan martha gloria
teresa ann sara frances janice abigail alice julia judy sophia grace denise doris danielle theresa diana natalie
brittany charlotte marie jane kate sue rose susanna sophie
"""
_MALE = frozenset("强刚勇虎彪雄豪")
_FEMALE = frozenset("丽麗娜芳娟婷娥妍姗媛婉妮娅莉莎艳艷霞玲菊倩薇蓉萍芬雯娇嬌婕茜")

_PINYIN = """
伟wei 芳fang 娜na 秀xiu 英ying 敏min 静jing 丽li 强qiang 磊lei 军jun 洋yang 勇yong 艳yan 杰jie 娟juan 涛tao
明ming 超chao 霞xia 平ping 刚gang 建jian 国guo 志zhi 海hai 晓xiao 小xiao 春chun 峰feng 锋feng 宇yu 鑫xin 浩hao
婷ting 雪xue 玉yu 红hong 玲ling 燕yan 鹏peng 飞fei 斌bin 波bo 辉hui 亮liang 健jian 俊jun 凯kai 博bo 旭xu 东dong
南nan 西xi 北bei 中zhong 子zi 梓zi 涵han 轩xuan 怡yi 欣xin 佳jia 嘉jia 慧hui 琳lin 琴qin 珍zhen 凤feng 莉li
萍ping 芬fen 菊ju 香xiang 月yue 云yun 天tian 立li 力li 利li 世shi 永yong 长chang 庆qing 光guang 新xin 学xue
振zhen 正zheng 兴xing 福fu 德de 忠zhong 义yi 礼li 智zhi 信xin 仁ren 虎hu 豪hao 彬bin 泽ze 瑞rui 思si 诗shi
梦meng 雨yu 晨chen 晴qing 然ran 睿rui 诺nuo 一yi 可ke 心xin 若ruo 依yi 倩qian 薇wei 蓉rong 洁jie 茜qian 颖ying
萌meng 媛yuan 瑶yao 妍yan 雯wen 楠nan 毅yi 翔xiang 晶jing 晖hui 昊hao 恒heng 松song 森sen 炜wei 威wei 维wei
为wei 君jun 钧jun 进jin 锦jin 京jing 璐lu 露lu 蕾lei 兵bing 冰bing 炳bing 生sheng 胜sheng 圣sheng 先xian 贤xian
宪xian 祥xiang 启qi 琪qi 琦qi 其qi 奇qi 清qing 青qing 诚cheng 承cheng 城cheng 元yuan 远yuan 源yuan 渊yuan 伯bo
少shao 绍shao 友you 有you 悦yue 越yue 跃yue 朝chao 昌chang 常chang 畅chang 川chuan 传chuan 存cun 达da 大da
丹dan 登deng 迪di 尔er 凡fan 帆fan 富fu 广guang 冠guan 鹤he 弘hong 宏hong 洪hong 鸿hong 虹hong 欢huan 焕huan
继ji 济ji 家jia 坚jian 娇jiao 菁jing 坤kun 良liang 灵ling 龄ling 茂mao 美mei 民min 名ming 铭ming 牧mu 培pei
佩pei 朋peng 品pin 璞pu 谦qian 乾qian 巧qiao 勤qin 秋qiu 群qun 如ru 儒ru 润run 升sheng 时shi 实shi 书shu 淑shu
树shu 双shuang 爽shuang 舜shun 顺shun 素su 泰tai 腾teng 廷ting 庭ting 彤tong 婉wan 望wang 喜xi 曦xi 希xi 锡xi
仙xian 显xian 霄xiao 潇xiao 孝xiao 笑xiao 星xing 幸xing 雄xiong 修xiu 绪xu 宣xuan 勋xun 亚ya 雅ya 言yan 炎yan
彦yan 耀yao 业ye 烨ye 宜yi 以yi 艺yi 忆yi 谊yi 益yi 逸yi 音yin 银yin 盈ying 瑛ying 咏yong 优you 佑you 瑜yu 育yu
裕yu 煜yu 愉yu 钰yu 圆yuan 韵yun 芸yun 允yun 运yun 展zhan 兆zhao 照zhao 哲zhe 贞zhen 真zhen 震zhen 政zheng
之zhi 芝zhi 知zhi 治zhi 致zhi 洲zhou 珠zhu 柱zhu 竹zhu 壮zhuang 姿zi 紫zi 祖zu
"""


@cache
def _english() -> dict[str, Gender]:
    men: dict[str, Gender] = dict.fromkeys(_MEN.split(), "m")
    women: dict[str, Gender] = dict.fromkeys(_WOMEN.split(), "f")
    return men | women


@cache
def _pinyin() -> dict[str, str]:
    return {entry.rstrip(ascii_lowercase): entry[1:] for entry in _PINYIN.split()}


def english_gender(given: str) -> Gender | None:
    """The gender of those who have an English given name in lower case, if it is one that hardly ever misleads."""
    return _english().get(given)


def han_gender(given: str) -> Gender | None:
    """The gender of those who have a Chinese given name, if its characters leave hardly any doubt."""
    female, male = not _FEMALE.isdisjoint(given), not _MALE.isdisjoint(given)
    return None if female == male else "f" if female else "m"


def given_pinyin(given: str) -> str | None:
    """The pinyin of a Chinese given name; None where a character is not among the commonest.

    Examples
    --------
    >>> given_pinyin("建国"), given_pinyin("翀")
    ('jianguo', None)
    """
    syllables = [_pinyin().get(character) or surname_pinyin(character) for character in simplified(given)]
    return None if None in syllables else "".join(filter(None, syllables))
