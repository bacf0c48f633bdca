"""Mentions: names, identifiers, amounts and dates of a text, whole and typed, in text order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybrid_agent_memory.extract.mentions import MOST_MENTIONS, find_mentions

ANY_TEXT = st.text(st.characters(), max_size=80)
WORDS = (
    'The Hey Alice Bob of the and & Mr. Dr. Acme Inc. University , . : ; " “ ” 《 》 ( ) 张 先生 王总 说 我 表哥 项目 '
    "公司 是 的 ORD-77 v1.2 $5k 50万 2024-10-12 yesterday 昨天 \n Project 's ’s I NASA é Ö \ud800 \0"
)
PIECES = st.lists(st.sampled_from(WORDS.split(" ")), max_size=14)
NAME_LIKE = PIECES.map(" ".join) | PIECES.map("".join)


def _found(text: str, **given: str) -> list[tuple[str, str]]:
    return [(mention.name, mention.type) for mention in find_mentions(text, **given)]


def _names(text: str) -> list[str]:
    return [mention.name for mention in find_mentions(text) if mention.type not in ("date", "amount")]


@pytest.mark.parametrize(
    ("text", "mentions"),
    [
        (
            "Mr. Zhang of Acme Ltd ordered ORD-77 for $300k; ask Dr. Smith at the University of São Paulo about "
            "ERR_0x9941.",
            [
                ("Mr. Zhang", "person"),
                ("Acme Ltd", "organisation"),
                ("ORD-77", "identifier"),
                ("$300k", "amount"),
                ("Dr. Smith", "person"),
                ("University of São Paulo", "organisation"),
                ("ERR_0x9941", "identifier"),
            ],
        ),
        (
            "Ticket #48213: invoices of Globex Corporation fail since 3 March 2024 in v1.7.2 at /var/log/billing.",
            [
                ("48213", "identifier"),
                ("Globex Corporation", "organisation"),
                ("3 March 2024", "date"),
                ("v1.7.2", "identifier"),
                ("/var/log/billing", "identifier"),
            ],
        ),
        (
            "Project Falcon's budget was raised from 500k to 600k by Alice.",
            [("Project Falcon", "project"), ("500k", "amount"), ("600k", "amount"), ("Alice", "person")],
        ),
        (
            "Melanie: Hey Caroline! My sister went to the LGBTQ group in Berlin yesterday.",
            [
                ("Melanie", "person"),
                ("Caroline", "person"),
                ("sister", "person"),
                ("LGBTQ", "name"),
                ("Berlin", "place"),
                ("yesterday", "date"),
            ],
        ),
        (
            "张先生上个月投诉过顺丰物流，前天下单了一个智能货架项目，预算50万以内，希望下周五之前收到方案。",
            [
                ("张先生", "person"),
                ("上个月", "date"),
                ("顺丰物流", "organisation"),
                ("前天", "date"),
                ("智能货架项目", "project"),
                ("50万", "amount"),
                ("下周五", "date"),
            ],
        ),
        (
            "由李雷负责，联系人：王小明，同事王芳说老王和小李去了北京大学。我叫欧阳娜娜，我表哥在杭州云山科技有限公司。",
            [
                ("李雷", "person"),
                ("王小明", "person"),
                ("王芳", "person"),
                ("老王", "person"),
                ("小李", "person"),
                ("北京大学", "organisation"),
                ("欧阳娜娜", "person"),
                ("表哥", "person"),
                ("杭州云山科技有限公司", "organisation"),
            ],
        ),
        (
            "订单ORD-20241105的状态：Bart在读《三体》，王总和陈工讨论云存储套餐。",
            [
                ("ORD-20241105", "identifier"),
                ("Bart", "person"),
                ("三体", "product"),
                ("王总", "person"),
                ("陈工", "person"),
                ("云存储套餐", "project"),
            ],
        ),
        (
            "call +44 20 7946 0958 or mail jane.doe@example.com about payment-gateway and getUserId()",
            [
                ("+44 20 7946 0958", "identifier"),
                ("jane.doe@example.com", "identifier"),
                ("payment-gateway", "identifier"),
                ("getUserId", "identifier"),
            ],
        ),
    ],
)
def test_chat_tickets_and_notes_are_read(text: str, mentions: list[tuple[str, str]]) -> None:
    assert _found(text) == mentions


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Which film is older, Winter Harbour or A Song For The Moon?", ["Winter Harbour", "A Song For The Moon"]),
        ("Who directed What Will You Do When It Rains?", ["What Will You Do When It Rains"]),
        ("Who wrote the film The Orchard (2017 Film)?", ["The Orchard (2017 Film)"]),
        ("Where did Peter Hale (Bishop)'s father die?", ["Peter Hale (Bishop)"]),
        ("Who is the father of William, Duke of Carinthia?", ["William, Duke of Carinthia"]),
        ("In The Lighthouse, who plays Anna Berg's brother?", ["The Lighthouse", "Anna Berg"]),
        ("I saw the film Fox and the Heron with Tom", ["Fox and the Heron", "Tom"]),
        ("We read Back to the Shore", ["Back to the Shore"]),
        (
            "the Andaman and Nicobar Islands, Procter & Gamble, the Bank of the West",
            ["Andaman and Nicobar Islands", "Procter & Gamble", "Bank of the West"],
        ),
        (
            "J.R.R. Tolkien, J. K. Rowling and Ludwig van Beethoven's Ninth Symphony",
            ["J.R.R. Tolkien", "J. K. Rowling", "Ludwig van Beethoven", "Ninth Symphony"],
        ),
        (
            "The CEO of Microsoft and the Queen of Denmark met William the Conqueror",
            ["Microsoft", "Queen of Denmark", "William the Conqueror"],
        ),
        ("Apollo 11, iPhone 15 Pro and Kubernetes 1.29", ["Apollo 11", "iPhone 15 Pro", "Kubernetes"]),
        ('He calls it "Brave New Harbour" and "really nice"', ["Brave New Harbour"]),
        ("Émile Zola and Gösta Ek met Chiang Hsiao-wen's father", ["Émile Zola", "Gösta Ek", "Chiang Hsiao-wen"]),
    ],
)  # fmt: skip
def test_titles_and_long_names_come_out_whole(text: str, names: list[str]) -> None:
    assert _names(text) == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Pál Gábor: Pál Gábor was a Hungarian film director.", ["Pál Gábor", "Pál Gábor"]),
        (
            "The Mill (2013 film): The Mill is a film. We like The Mill.",
            ["The Mill (2013 film)", "The Mill", "The Mill"],
        ),
        ("La Luna rossa: La Luna rossa is by Anna Rossi.", ["La Luna rossa", "La Luna rossa", "Anna Rossi"]),
        ("Rise: The Last Day: Rise: The Last Day is a film.", ["Rise: The Last Day", "Rise: The Last Day"]),
        ("Fog: The Last Day: Ann Lee saw it.", ["Fog: The Last Day", "Ann Lee"]),
        ("Come: Come is a film.", ["Come", "Come"]),
        ("2017 Harbour Cup Final: it rained", ["2017 Harbour Cup Final"]),
        ("List of lakes in Norway: they are deep", ["List of lakes in Norway"]),
        ("Note: the door is open", []),
        ("Here is the plan: we go", []),
        ("https://a.org/x: broken", ["https://a.org/x"]),
    ],
)
def test_a_short_title_before_the_first_colon_is_a_name(text: str, names: list[str]) -> None:
    assert _names(text) == names


def test_whoever_speaks_is_a_person() -> None:
    assert _found("Falcon: I am here") == [("Falcon", "person")]
    assert _found("Unit 7b: done", speaker="Unit 7b") == [("Unit 7b", "person")]
    assert _found("Loft Line: minutes were sent. We met.") == [("Loft Line", "name")]
    assert _found("Chidi Eze: my desk is here") == [("Chidi Eze", "person")]
    assert _found("Lisa: 你好\nOmar: 好") == [("Lisa", "person"), ("Omar", "person")]


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "\0", "\ud800", "we met and talked about it", "What? Please! Thanks.",
        "Hey there. Looking forward to it!",
        "Unfortunately, the room was dark. Ownership matters. Bought milk",
        "The Hungarian president", "I'm OK, I think",
        "MONDAY MEETING CANCELLED", "我们今天很开心。", "高峰期的安全是什么", "江南的白云", "这家公司的项目",
        "主要内容是安排时间", "他总是这样", "施工作业，成功了", "每次路过都很高兴",
        "非常开心，特别开心", "遮得严严实实", "教务主任助理", "他特别爱听音乐会", "充满童真",
    ],
)  # fmt: skip
def test_a_capital_or_a_surname_alone_makes_no_name(text: str) -> None:
    assert [mention for mention in find_mentions(text) if mention.type != "date"] == []


def test_a_sentence_begins_with_a_name_only_if_the_word_is_none_of_ours() -> None:
    assert _names("Radiohead played. Yesterday Kenji left. Music helps. Then Sophie came") == [
        "Radiohead",
        "Kenji",
        "Sophie",
    ]
    assert _names("Globex called. I like globex") == []


def test_spans_are_cut_from_the_text_as_written() -> None:
    text = "订单ＯＲＤ－５：José’s"
    assert [(m.start, m.end, m.name) for m in find_mentions(text)] == [(2, 7, "ＯＲＤ－５"), (8, 12, "José")]


@given(st.one_of(ANY_TEXT, NAME_LIKE), st.sampled_from([None, "Alice", "王总", ""]))
def test_mentions_are_slices_in_order_without_overlap(text: str, speaker: str | None) -> None:
    mentions = find_mentions(text, speaker=speaker)
    ends = [0, *(mention.end for mention in mentions)]
    assert all(end <= m.start < m.end <= len(text) for end, m in zip(ends, mentions, strict=False))
    assert all(mention.name == text[mention.start : mention.end] for mention in mentions)
    assert find_mentions(text, speaker=speaker) == mentions


@pytest.mark.parametrize(
    "piece",
    [
        "Mr. ", '"A" ', "A of ", "A (b) ", "A: ", "Aa ", "张先生", "公司", "我叫", "《", "1年", "项目", "1,", "ERR_1 ",
        "/a.b", "\u0301", "İ", "in 2 days and ", "+1 23 ", "a-api-", "X-", "周", "二十", "one hundred and ",
    ],
)  # fmt: skip
def test_hostile_repetition_is_contained(piece: str) -> None:
    assert len(find_mentions(piece * (30_000 // len(piece)))) <= MOST_MENTIONS


def test_of_a_crowd_the_first_are_kept() -> None:
    crowd = [f"Zed{chr(97 + n % 26)}{chr(97 + n // 26)}o" for n in range(600)]
    assert _names("we saw " + ", ".join(crowd)) == crowd[:MOST_MENTIONS]


@pytest.mark.parametrize(
    ("text", "mentions"),
    [
        (
            "Customer B's order is late. Customer A and client 7 called for Team B.",
            [
                ("Customer B", "organisation"),
                ("Customer A", "organisation"),
                ("client 7", "organisation"),
                ("Team B", "name"),
            ],
        ),
        (
            "Plan C. Company X and the customer I met chose Project D",
            [("Plan C", "name"), ("Company X", "organisation"), ("Project D", "project")],
        ),
        ("Client 12 days before", []),
        (
            "客户A和客户甲不同，A客户找甲方，团队B选方案A比方案B好，项目C延期",
            [
                ("客户A", "organisation"),
                ("客户甲", "organisation"),
                ("A客户", "organisation"),
                ("甲方", "organisation"),
                ("团队B", "name"),
                ("方案A", "name"),
                ("方案B", "name"),
                ("项目C", "project"),
            ],
        ),
        ("客户3家，客户20人，甲方向", []),
    ],
)
def test_a_label_and_a_letter_or_number_are_one_name(text: str, mentions: list[tuple[str, str]]) -> None:
    assert [found for found in _found(text) if found[1] not in ("date", "amount")] == mentions


@pytest.mark.parametrize(
    ("text", "mentions"),
    [
        ("Ada Okafor met Lena Brandt", [("Ada Okafor", "person"), ("Lena Brandt", "person")]),
        ("Ruby Loftus likes the Ruby Room", [("Ruby Loftus", "person"), ("Ruby Room", "name")]),
        ("Peter Hale (bishop) was there", [("Peter Hale (bishop)", "name")]),
        ("Ada Okafor came. Okafor left Stafford.",
         [("Ada Okafor", "person"), ("Okafor", "person"), ("Stafford", "name")]),
        ("Henry of Kent went to Kent", [("Henry of Kent", "person"), ("Kent", "name")]),
        ("Ibrahim ibn al-Hakim and Sumaya bint Hassan",
         [("Ibrahim ibn al-Hakim", "person"), ("Sumaya bint Hassan", "person")]),
        ("Project Manager Ada Cole and the project Atlas", [("Manager Ada Cole", "person"), ("Atlas", "project")]),
        ("the Atlas project, Atlas项目", [("Atlas", "project"), ("Atlas项目", "project")]),
        ("我家用西门子的洗衣机", [("西门子", "organisation")]),
        ("双层码头项目上线，双层码头很好", [("双层码头项目", "project"), ("双层码头", "name")]),
        ("新计费系统上线，我录进系统，帮她收快递，这回走百蹄快递",
         [("计费系统", "project"), ("百蹄快递", "organisation")]),
    ],
)  # fmt: skip
def test_persons_and_projects_are_told_from_other_names(text: str, mentions: list[tuple[str, str]]) -> None:
    assert _found(text) == mentions


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Photos of Green Pallet are here. Sent Ivo Keller the link. Moved Umbra Films.",
         ["Green Pallet", "Ivo Keller", "Umbra Films"]),
        ("Background Chronic pain is common; Methods, Women, Directed by Ann; we kept on Running", ["Ann"]),
        ("the city and the City met", []),
        ("with Tom Hanks, Meg Ryan and Bill Pullman", ["Tom Hanks", "Meg Ryan", "Bill Pullman"]),
        ("we saw Starring Elisabeth Moss Joseph Fiennes Max Minghella Composer Adam Taylor",
         ["Elisabeth Moss", "Joseph Fiennes", "Max Minghella", "Adam Taylor"]),
        ("with Pam Shriver 19 Margaret Court 18 Gigi Hill", ["Pam Shriver", "Margaret Court 18 Gigi Hill"]),
        ("the Fisher Cup at the Tampa Arena, the Navy and the Eighth Army",
         ["Fisher Cup", "Tampa Arena", "Navy", "Eighth Army"]),
    ],
)  # fmt: skip
def test_what_stands_beside_a_name_is_no_part_of_it(text: str, names: list[str]) -> None:
    assert _names(text) == names


@pytest.mark.parametrize("text", ["薛总要求改合同。", "薛总会来。", "薛总在开会。", "薛总是我们的客户。"])
def test_behind_a_mere_surname_a_title_is_one_whatever_follows(text: str) -> None:
    assert [mention.name for mention in find_mentions(text)] == ["薛总"]
