"""The predicates that the rule extractor knows, and the wordings by which it finds them in English and Chinese."""

from hybrid_agent_memory.extract import EntityType
from hybrid_agent_memory.extract.predicates import NAMES, Predicate

_THINGS: tuple[EntityType, ...] = ("project", "product", "organisation", "identifier", "place", "name", "other")
_WORKS: tuple[EntityType, ...] = ("project", "product", "identifier", "name", "other")
_GROUPS: tuple[EntityType, ...] = ("organisation", "project", "product", "place", "name", "other")
_KNOWN_GROUPS: tuple[EntityType, ...] = ("organisation", "project", "product", "place", "other")
_PARTIES: tuple[EntityType, ...] = ("person", "organisation", "name")
_LETTABLE: tuple[EntityType, ...] = ("place", "product", "project", "identifier", "name", "other")
_PERSON: tuple[EntityType, ...] = ("person", "name")
_EMPLOYER: tuple[EntityType, ...] = ("organisation", "name")
_PLACE: tuple[EntityType, ...] = ("place", "name")

_PAYABLE = (
    r".*\d.*|.*(?:invoice|bill|fees?|deposit|rent|instal?lment|subscription|balance|down payment)"
    r"|.*(?:款|费|账单|定金|押金|租金|发票)"
)


_NUMBER = "one|two|three|four|five|six|nine|ten|twelve|eighteen|twenty-four|thirty-six"


def _listed(phrases: str) -> tuple[str, ...]:
    return tuple(" ".join(phrase.split()) for phrase in phrases.split("|"))


_AMOUNTS = (
    Predicate(
        "budget",
        single_valued=True,
        subjects=("project", "product", "organisation", "identifier", "name", "other", "person"),
        objects=("amount",),
        phrases=_listed("""
            budget | 预算 | 预算额 | 预算金额 | X has a budget of Y | budget approved for X: Y |
            budget agreed for X: Y | budget set for X: Y |
            the budget approved for X is Y | … agreed a budget of Y for X | … approved a budget of Y for X |
            … set a budget of Y for X | X批了Y预算 | X的预算批了Y |
            X的预算给Y | X的预算给了Y | X的预算给到Y | X预算给Y
        """),
    ),
    Predicate(
        "price",
        single_valued=True,
        subjects=("product", "organisation", "project", "identifier", "name", "other"),
        objects=("amount",),
        phrases=_listed("""
            price | 价格 | 售价 | 单价 | 定价 | 报价 | 月费 | 年费 | X costs Y | X is priced at Y |
            X will rise to Y | X will cost Y | X will go up to Y | X will drop to Y | X rose to Y |
            X! rises to Y | X! goes up to Y | X! drops to Y | X! dropped to Y | X! falls to Y | X! fell to Y |
            X will rise from … to Y | X will go up from … to Y | X will drop from … to Y | X! rises from … to Y |
            X! goes up from … to Y | X! drops from … to Y | X rose from … to Y | X went up from … to Y |
            X! dropped from … to Y | X sells for Y | X is sold for Y | X is sold at Y | X goes for Y |
            X went up to Y | X now costs Y | X涨价到Y | X涨价至Y | X降价到Y | X降价至Y | X调价到Y | X调价至Y |
            X售Y | X卖Y | X每月卖Y | X每年收费Y | X每月收费Y | X收费Y | X调价为Y | X涨到Y | X降到Y
        """),
    ),
)

_TERMS = (
    Predicate(
        "rent",
        single_valued=True,
        subjects=_LETTABLE,
        objects=("amount",),
        phrases=_listed("""
            rent | X rents for Y | X is let for Y | 租金 | 房租 | 月租 | 月租金
        """),
    ),
    Predicate(
        "tenant",
        single_valued=True,
        subjects=_LETTABLE,
        objects=_PARTIES,
        phrases=_listed("""
            tenant | lessee | X is let to Y | X is rented to Y | X is leased to Y | Y rents X | 租户 | 租客 | 承租人 |
            X租给了Y | X租给Y
        """),
    ),
    Predicate(
        "licence_fee",
        single_valued=True,
        subjects=("product", "organisation", "project", "identifier", "name", "other"),
        objects=("amount",),
        phrases=_listed("""
            licence fee | license fee | licensing fee | 授权费 | 许可费 | 授权费用
        """),
    ),
    Predicate(
        "credit_limit",
        single_valued=True,
        subjects=("organisation", "person", "identifier", "name"),
        objects=("amount",),
        phrases=_listed("""
            credit limit | credit line | X has a credit limit of Y | 信用额度 | 授信额度
        """),
    ),
    Predicate(
        "contract_term",
        single_valued=True,
        subjects=("organisation", "project", "product", "identifier", "name", "person"),
        objects=("other",),
        shape=rf"(?:{_NUMBER}|\d+(?:\.\d+)?)[- ](?:months?|years?|weeks?|days?)"
        r"|[一二三四五六七八九十两\d]+(?:个月|年|周|天)",
        phrases=_listed("""
            contract term | contract length | contract period | contract duration | 合同期限 | 合同期 | 合约期
        """),
    ),
)

_RESPONSIBILITY = (
    Predicate(
        "owner",
        single_valued=True,
        subjects=_THINGS,
        objects=_PARTIES,
        phrases=_listed("""
            owner | assignee | lead | leader | head | project manager | product owner | project lead | project leader |
            project owner | team lead | team leader | person in charge | person responsible | 项目经理 | 负责人 |
            主管 | 牵头人 |
            项目负责人 | X is owned by Y | X is led by Y | X is managed by Y | X is run by Y |
            X is maintained by Y | X is headed by Y | Y owns X | Y leads X | Y manages X | Y runs X | Y heads X |
            Y maintains X | Y is responsible for X | Y is in charge of X | Y took over X | Y has taken over X |
            Y is leading X | Y is managing X | Y is running X | Y is heading X | Y looks after X |
            Y is looking after X |
            Y handles X | Y is handling X | Y oversees X | Y is overseeing X | Y supervises X | X is handled by Y |
            X is overseen by Y | X is looked after by Y | X is in the hands of Y | X sits with Y |
            X is assigned to Y |
            X was assigned to Y | X has been assigned to Y | X was taken over by Y | X has been taken over by Y |
            X was handed over to Y | X has been handed over to Y | X was handed to Y |
            responsibility for X lies with Y |
            ownership of X moved to Y | ownership of X moved over to Y | ownership of X passed to Y | Y负责X |
            Y主管X | Y牵头X | Y接手X | Y接管X | Y主持X | Y带队X | X由Y负责 | X由Y管理 | X由Y主管 | X由Y牵头 |
            X由Y接手 | X由Y接管 | X由Y主持 | X由Y维护 | X归Y负责 | X归Y管 | X交给Y负责 | X改由Y负责 | X转给Y负责 |
            X交由Y负责 | X转由Y负责 | X由Y牵头负责 | X由Y主导 |
            X移交给Y | X移交给了Y | X移交给Y负责 | X移交给了Y负责 |
            X转交给Y | X转交给了Y | X转交给Y负责 |
            X转交给了Y负责 | X交接给Y负责 | X交接给了Y负责 | X交给了Y负责 | X由Y带 |
            …把X交给Y负责 | …把X交给了Y负责 | …把X移交给Y | …把X移交给了Y | …把X转交给Y | …把X转交给了Y |
            …把X交接给Y | …把X交接给了Y | …将X移交给Y | …将X移交给了Y | …将X交给Y负责 |
            X交接给Y | X交接给了Y |
            X指派给Y | X指派给了Y | X分配给Y | X分配给了Y | Y管理X | Y分管X | Y在管X | Y掌管X | Y成为X负责人 |
            Y接替…成为X负责人 | Y接替…负责X | Y接任…负责X | Y takes over X | Y is taking over X | Y从…手里接手X |
            Y从…手上接手X | Y从…那里接手X | Y从…手中接手X | Y从…手里接过X | X改由Y接手 | X改由Y接管 | X转由Y接手
        """),
    ),
    Predicate(
        "contact",
        single_valued=True,
        subjects=(*_THINGS, "person"),
        objects=_PERSON,
        phrases=_listed("""
            contact | contact person | point of contact | main contact | Y is our contact at X | Y is my contact at X |
            Y is our contact for X | our contact at X is Y | my contact at X is Y | 联系人 | 对接人 | 接口人 | 对接同事
        """),
    ),
    Predicate(
        "reports_to",
        single_valued=True,
        subjects=_PERSON,
        objects=_PERSON,
        phrases=_listed("""
            boss | manager | supervisor | line manager | 直属上级 | 直属领导 | 顶头上司 | 直接上级 | 汇报对象 |
            领导 | X reports to Y | X reports directly to Y | Y manages X | X is managed by Y | X向Y汇报 |
            X直接向Y汇报 | X汇报给Y | X归Y管 | X向Y汇报工作
        """),
    ),
    Predicate(
        "manager",
        subjects=_KNOWN_GROUPS,
        objects=_PERSON,
        phrases=_listed("""
            manager | 经理
        """),
    ),
    Predicate(
        "account_manager",
        single_valued=True,
        subjects=_GROUPS,
        objects=_PERSON,
        phrases=_listed("""
            account manager for X: Y | the account manager for X is Y | the account manager of X is Y |
            X's account manager is Y | Y is account manager for X | Y is the account manager for X | 客户经理
        """),
    ),
    Predicate(
        "ceo",
        single_valued=True,
        subjects=_GROUPS,
        objects=_PERSON,
        phrases=_listed("""
            ceo | chief executive | chief executive officer | 首席执行官 | 总裁 | 总经理
        """),
    ),
    Predicate(
        "cto",
        single_valued=True,
        subjects=_GROUPS,
        objects=_PERSON,
        phrases=_listed("""
            cto | chief technology officer | 首席技术官 | 技术总监
        """),
    ),
    Predicate(
        "cfo",
        single_valued=True,
        subjects=_GROUPS,
        objects=_PERSON,
        phrases=_listed("""
            cfo | chief financial officer | 首席财务官 | 财务总监
        """),
    ),
    Predicate(
        "chair",
        subjects=_GROUPS,
        objects=_PERSON,
        phrases=_listed("""
            chair | chairman | chairwoman | president | 董事长 | 主席
        """),
    ),
    Predicate(
        "director",
        subjects=("organisation", "project", "product", "name", "other"),
        objects=_PERSON,
        phrases=_listed("""
            director | managing director | 导演 | 总监 | X was directed by Y | X is directed by Y |
            X is a … directed by Y | X is an … directed by Y | X, directed by Y | X was a … directed by Y |
            X is the … directed by Y | Y directed X | X由Y执导 | X由Y导演 | Y执导X | Y执导了X
        """),
    ),
    Predicate(
        "founder",
        subjects=_GROUPS,
        objects=_PARTIES,
        phrases=_listed("""
            founder | co-founder | cofounder | 创始人 | 联合创始人 | 创办人 | X was founded by Y | Y founded X |
            Y co-founded X | Y创办了X | Y创立了X | X由Y创办 | X由Y创立
        """),
    ),
)

_PEOPLE = (
    Predicate(
        "works_for",
        single_valued=True,
        subjects=_PERSON,
        objects=_EMPLOYER,
        phrases=_listed("""
            employer | 单位 | 公司 | 单位名称 | 雇主 | X works for Y | X works at Y | X is working for Y |
            X is working at Y | X is employed by Y | X is employed at Y | X work for Y | X work at Y |
            X joined Y! | X joined Y as a … | X joined Y as an … | X joined Y as the … | X started working at Y |
            X started at Y | X got hired by Y | X was hired by Y | X got a job at Y | X started a new job at Y |
            X has joined Y! | X在Y!工作 | X在Y!上班 | X在Y任职 | X就职于Y | X任职于Y | X供职于Y | X入职Y |
            X入职了Y | X加入了Y! | X跳槽到Y | X跳槽到了Y | X跳槽去Y | X跳槽去了Y
        """),
        endings=_listed("""
            X! left Y | X! has left Y | X! resigned from Y | X! has resigned from Y | X! quit Y | X! has quit Y |
            X! leaves Y | X! is leaving Y | X! will leave Y |
            X从Y离职 | X已从Y离职 | X从Y辞职 | X已从Y辞职 | X离开了Y! | X离开Y!
        """),
    ),
    Predicate(
        "works_in",
        single_valued=True,
        subjects=_PERSON,
        objects=_PLACE,
        phrases=_listed("""
            workplace | place of work | 工作地 | 工作地点 | 工作地址 | 上班地点 | 上班的地方 | X works in Y! |
            X work in Y! | X is working in Y! | X在Y工作 | X在Y上班
        """),
    ),
    Predicate(
        "lives_in",
        single_valued=True,
        subjects=_PERSON,
        objects=_PLACE,
        phrases=_listed("""
            residence | 居住地 | 住址 | 常住地 | 现居地 | X lives in Y | X live in Y | X is living in Y |
            X resides in Y | X! moved to Y! | X! has moved to Y! | X! have moved to Y! | X! relocated to Y! |
            X! is based in Y | X! moved back to Y! | X! settled in Y! | X has been living in Y |
            X have been living in Y | X住在Y | X家住Y | X家住在Y | X居住在Y | X定居在Y | X定居Y | X搬到Y! |
            X从…搬到Y! | X从…搬到了Y! | X搬到了Y! | X搬去Y! | X搬去了Y! | X搬家到Y | X搬家到了Y | X搬回Y! |
            X搬回了Y! | X现居Y | X现居住在Y | X住Y!
        """),
    ),
    Predicate(
        "email",
        single_valued=True,
        subjects=("person", "organisation", "project", "product", "name", "other"),
        objects=("identifier",),
        shape=r"[^\s@，,：:]+@[^\s@，,]+\.[A-Za-z]{2,}",
        phrases=_listed("""
            email | e-mail | email address | e-mail address | mail address | 邮箱 | 邮箱地址 | 电子邮箱 |
            电子邮件 | 邮件地址 | 电子邮件地址 | email地址 |
            you'll find X at Y | you’ll find X at Y | you can find X at Y | you can reach X at Y | reach X at Y |
            X can be reached at Y | X is reachable at Y | you can write to X at Y
        """),
    ),
    Predicate(
        "phone",
        single_valued=True,
        subjects=("person", "organisation", "place", "name", "other"),
        objects=("identifier",),
        shape=r"\+?[\d(][\d() -]{3,18}\d",
        phrases=_listed("""
            phone | phone number | mobile | mobile number | cell | cell phone | number | telephone |
            telephone number | 电话 | 电话号码 | 手机 | 手机号 | 手机号码 | 联系电话 | 联系方式 |
            号码 | 新号码 | 新号 | you can reach X on Y | you can reach X at Y | you can reach X under Y |
            reach X on Y | reach X at Y | X can be reached on Y | X can be reached at Y | X can be reached under Y |
            X has a new number: Y | X has a new number, Y | X has another number: Y | X has another number, it is Y |
            X has a new number, it is Y | X has a new phone number: Y
        """),
    ),
    Predicate(
        "address",
        single_valued=True,
        subjects=("person", "organisation", "place", "name", "other"),
        objects=("place",),
        shape=r"(?=.*\d)[^;；。]{5,80}",
        phrases=_listed("""
            address | home address | postal address | mailing address | delivery address | 地址 | 家庭地址 |
            收货地址 | 送货地址 | 通讯地址 | 联系地址 | deliveries for X go to Y | deliveries to X go to Y |
            X的货送到Y |
            X的货都送到Y | X的快递送到Y
        """),
    ),
    Predicate(
        "birthday",
        single_valued=True,
        subjects=_PERSON,
        objects=("date",),
        phrases=_listed("""
            birthday | date of birth | 生日 | 出生日期 | X was born on Y | X出生于Y | X生于Y | X born Y
        """),
    ),
    Predicate(
        "born_in",
        single_valued=True,
        subjects=_PERSON,
        objects=_PLACE,
        phrases=_listed("""
            birthplace | place of birth | 出生地 | X was born in Y | X was born at Y | X出生于Y | X生于Y |
            X出生在Y | X born in Y
        """),
    ),
    Predicate(
        "hometown",
        single_valued=True,
        subjects=_PERSON,
        objects=_PLACE,
        phrases=_listed("""
            hometown | 家乡 | 老家 | 籍贯 | X is from Y! | X comes from Y! | X am from Y! | X来自Y!
        """),
    ),
    Predicate(
        "age",
        single_valued=True,
        subjects=_PERSON,
        objects=("other",),
        shape=r"\d{1,3}\s?岁?",
        phrases=_listed("""
            age | 年龄 | 年纪 | X is Y years old | X今年Y
        """),
    ),
    Predicate(
        "height",
        single_valued=True,
        subjects=_PERSON,
        objects=("other",),
        shape=r"\d(?:\.\d{1,2})?\s?(?:m|米)|\d{2,3}\s?(?:cm|厘米|公分)|一米[一二三四五六七八九]\d?",
        phrases=_listed("""
            height | 身高
        """),
    ),
    Predicate(
        "occupation",
        single_valued=True,
        subjects=_PERSON,
        objects=("other",),
        phrases=_listed("""
            occupation | profession | job title | 职业 | 职位 | 职务 | 岗位
        """),
    ),
    Predicate(
        "education",
        single_valued=True,
        subjects=_PERSON,
        objects=("other",),
        phrases=_listed("""
            学历 | 教育背景
        """),
    ),
    Predicate(
        "hobby",
        subjects=_PERSON,
        objects=("other",),
        phrases=_listed("""
            hobby | 爱好 | 兴趣 | 兴趣爱好 | 业余爱好
        """),
    ),
    Predicate(
        "name",
        single_valued=True,
        subjects=_PERSON,
        objects=_PERSON,
        phrases=_listed("""
            name | 名字 | 姓名 | my X is called Y | Y is my X | 我X叫Y | 我的X叫Y | Y是我X | Y是我的X
        """),
    ),
    Predicate(
        "married_to",
        subjects=_PERSON,
        objects=_PERSON,
        phrases=_listed("""
            husband | wife | spouse | 丈夫 | 妻子 | 配偶 | 老公 | 老婆 | 爱人 | 太太 |
             X is married to Y | X was married to Y | X married Y |
            X got married to Y | X嫁给Y | X嫁给了Y | X娶了Y | X与Y结婚 | X和Y结婚 | X跟Y结婚 | X与Y成婚
        """),
    ),
)

_WORK = (
    Predicate(
        "deadline",
        single_valued=True,
        subjects=_WORKS,
        objects=("date",),
        phrases=_listed("""
            deadline | due date | release date | launch date | go-live date | delivery date | 截止日期 |
            截止时间 | 截止日 | 交付日期 | 交付时间 | 上线时间 | 上线日期 | 发布日期 | 到期日 | X is due on Y |
            X is due by Y | X is due Y | X goes live on Y | X will go live on Y | X will … go live on Y |
            X went live on Y | X launches on Y | X will launch on Y | X is released on Y | X will be released on Y |
            X定在Y上线 | X定于Y上线 | X将于Y上线 | X在Y上线 | X于Y上线 | X改到Y上线 | X改在Y上线 | X推迟到Y上线 |
            X延期到Y上线 | X提前到Y上线 |
            X在Y前交付 | X须在Y前交付 | X必须在Y前交付 | X必须Y前交付 | X要在Y前交付 |
            X Y前必须交付 | X Y前交付 | X必须在Y前上线 | X Y前必须上线
        """),
    ),
    Predicate(
        "status",
        single_valued=True,
        subjects=_WORKS,
        objects=("other",),
        phrases=_listed("""
            status | 状态 | 进度 | 当前状态
        """),
    ),
    Predicate(
        "version",
        single_valued=True,
        subjects=_WORKS,
        objects=("other",),
        shape=r"[vV]?\d+(?:\.\d+){0,3}\S{0,10}",
        phrases=_listed("""
            version | current version | latest version | X is at version Y | X is on version Y | X runs version Y |
            版本 | 版本号 | 当前版本 | 最新版本
        """),
    ),
    Predicate(
        "depends_on",
        subjects=_WORKS,
        objects=(*NAMES, "other"),
        phrases=_listed("""
            dependency | X depends on Y | X relies on Y | X is dependent on Y | X依赖Y | X依赖于Y | X取决于Y
        """),
    ),
    Predicate(
        "blocked_by",
        subjects=_WORKS,
        objects=(*NAMES, "other"),
        phrases=_listed("""
            X is blocked by Y | X is waiting for Y | Y is blocking X | Y blocks X | X被Y阻塞 | X被Y卡住
        """),
    ),
    Predicate(
        "uses",
        subjects=(*_WORKS, "organisation"),
        objects=NAMES,
        phrases=_listed("""
            X uses Y | X is using Y | X runs on Y | X is built on Y | X is built with Y | X使用Y | X采用Y | X基于Y |
            X用的是Y
        """),
    ),
    Predicate(
        "part_of",
        subjects=(*_THINGS, "person"),
        objects=NAMES,
        phrases=_listed("""
            X is part of Y | X is a part of Y | X belongs to Y | X is a subsidiary of Y | X is a division of Y |
            X属于Y | X隶属于Y | X隶属Y | X是Y的子公司
        """),
    ),
    Predicate(
        "located_in",
        subjects=("organisation", "place", "product", "project", "name", "other"),
        objects=_PLACE,
        phrases=_listed("""
            headquarters | head office | main office | X has its head office in Y | X has its headquarters in Y |
            location | venue | 地点 | 总部 | 所在地 | X is located in Y | X is situated in Y |
            X is headquartered in Y | X is based in Y | X is located at Y | X lies in Y! | X stands in Y! |
            X位于Y | X坐落在Y | X坐落于Y | X地处Y | X总部位于Y | X总部设在Y | X的总部位于Y | X的总部设在Y
        """),
    ),
    Predicate(
        "alias",
        subjects=NAMES,
        objects=NAMES,
        phrases=_listed("""
            alias | nickname | 别名 | 昵称 | 外号 | 小名 | 英文名 | 原名 | 本名 | 曾用名 | 又名 | 别称 |
            X is also known as Y | X is known as Y | X is also called Y | X, also known as Y |
            X, formerly known as Y | X, aka Y | X aka Y | X, better known as Y | X (aka Y) | X (also known as Y) |
            X (goes by Y) | X (now goes by Y) | X (better known as Y) |
            X（又名Y） | X（又称Y） | X（也叫Y） | X（别名Y） | X（现名Y） | X（原名Y） | X（曾用名Y） | X（人称Y） |
            X (formerly Y) | X (formerly known as Y) | X (now known as Y) | X (now called Y) | X (now Y=) |
            X, now known as Y | X, now called Y | X, now named Y | X, now Y= | X is aka Y | X is now known as Y |
            X is now called Y | X now goes by Y | X goes by Y | X goes by the name Y | X now goes by the name Y |
            contact X is now Y= | the contact X is now Y= | customer X is now Y= | the customer X is now Y= |
            … renamed from X to Y | X was renamed to Y | X was renamed Y | X was renamed as Y | X, renamed Y |
            X has been renamed to Y | X has been renamed Y | X is renamed to Y | X is renamed Y |
            X got renamed to Y | X renamed itself Y |
            X renamed itself to Y | renamed X to Y | we renamed X to Y | they renamed X to Y | X is called Y |
            changed the name of X to Y | we changed the name of X to Y | the name of X was changed to Y |
            the name of X changed to Y | X changed her name to Y | X changed his name to Y |
            X changed their name to Y |
            X changed its name to Y | X has changed her name to Y | X has changed his name to Y |
            X has changed their name to Y | X has changed its name to Y | X又名Y | X又称Y | X又叫Y | X也叫Y | X也称Y |
            X人称Y | X原名Y | X本名Y | X曾用名Y | X别名Y | X现名Y | X现名为Y | X现称Y | X现在叫Y | X现在叫做Y |
            X现在改叫Y | X现在名叫Y | X改名Y | X改名为Y | X改名叫Y | X改名成Y | X改叫Y | X更名Y | X更名为Y | X改称Y |
            X重命名为Y | X被重命名为Y | X的名字改为Y | X的名字改成Y | X的名称改为Y | X的名称变更为Y | X的名称更改为Y |
            X把名字改成Y | X把名字改为Y | …把X改名为Y | …把X更名为Y | …把X重命名为Y | …将X改名为Y | …将X更名为Y
        """),
    ),
)

_EVENTS = (
    Predicate(
        "complained_about",
        kind="event",
        subjects=_PARTIES,
        objects=(*NAMES, "other"),
        phrases=_listed("""
            X complained about Y | X has complained about Y | X filed a complaint about Y |
            X filed a complaint: Y | X filed a complaint over Y | X has filed a complaint about Y |
            X made a complaint about Y | X lodged a complaint about Y | X raised a complaint about Y |
            X was unhappy with Y | X is unhappy with Y | X was unhappy about Y | X is unhappy about Y |
            X was not happy with Y | X is not happy with Y | X was not happy about Y | X is not happy about Y |
            X was dissatisfied with Y | X is dissatisfied with Y | X was upset about Y | X is upset about Y |
            X was angry about Y | X is angry about Y | X is fed up with Y | X was annoyed by Y |
            X was annoyed about Y |
            X is annoyed about Y | X reported a problem with Y | X reported problems with Y |
            X reported an issue with Y | X reported issues with Y | X has a problem with Y | X has an issue with Y |
            X has problems with Y | X has issues with Y | X had a problem with Y | X had problems with Y |
            X is complaining about Y | X was complaining about Y | X complains about Y | X keeps complaining about Y |
            X called to complain about Y | X wrote to complain about Y | X emailed to complain about Y |
            X complained that Y~ | X has complained that Y~ | X complains that Y~ | X is complaining that Y~ |
            X filed a complaint that Y~ | X is not satisfied with Y | X was not satisfied with Y |
            X is unsatisfied with Y | X is annoyed with Y | X was annoyed with Y | X is frustrated with Y |
            X is frustrated by Y | X is frustrated about Y | X is displeased with Y | X is disappointed with Y |
            X was disappointed with Y | X来电投诉Y | X打电话投诉Y | X打电话来投诉Y |
             X打来电话投诉Y | X致电投诉Y | X来信投诉Y | X再次投诉Y | X又投诉Y |
            收到X的投诉：Y~ | 收到X投诉：Y~ | 收到X的投诉，Y~ | 收到X投诉，Y~ | 收到X关于Y的投诉 | 收到X对Y的投诉 |
            我们收到X的投诉：Y~ | 接到X的投诉：Y~ | 接到X投诉：Y~ | 接到X的投诉，Y~ | 接到X投诉，Y~ |
            X grumbled about Y | X moaned about Y | X objected to Y | X投诉Y | X投诉了Y |
            X投诉过Y | X来投诉Y | X抱怨Y | X抱怨过Y | X抱怨了Y | X反映Y | X反映了Y | X吐槽Y | X吐槽了Y |
            X提交了投诉：Y | X提交投诉：Y | X提了投诉：Y | X投诉说Y | X投诉称Y | X对Y不满 | X对Y很不满 | X对Y非常不满 |
            X对Y十分不满 | X对Y不满意 | X对Y很不满意 | X对Y有意见 | X对Y很有意见 | X对Y表示不满 | X对Y提出投诉 |
            X对Y提出了投诉 | X对Y很生气 | X因Y投诉 | X因为Y投诉 | X因Y投诉了我们 | X因为Y投诉了我们 | X就Y投诉 |
            X就Y提出投诉 | X就Y提出了投诉
        """),
    ),
    Predicate(
        "ordered",
        kind="event",
        subjects=_PARTIES,
        objects=(*NAMES, "other"),
        phrases=_listed("""
            X ordered Y | X has ordered Y | X bought Y | X has bought Y | X purchased Y | X has purchased Y |
            X placed an order for Y | X下单Y | X下单了Y | X购买了Y | X买了Y | X订购了Y | X采购了Y | X订了Y |
            X购入Y | X购入了Y
        """),
    ),
    Predicate(
        "joined",
        kind="event",
        subjects=_PARTIES,
        objects=(*NAMES, "other"),
        phrases=_listed("""
            X joined Y | X has joined Y | X加入了Y | X加入Y | X参加了Y
        """),
    ),
    Predicate(
        "visited",
        kind="event",
        subjects=_PARTIES,
        objects=(*NAMES, "other"),
        phrases=_listed("""
            X visited Y | X has visited Y | X参观了Y | X参观Y | X拜访了Y | X走访了Y
        """),
    ),
    Predicate(
        "delivered",
        kind="event",
        subjects=_PARTIES,
        objects=(*NAMES, "other"),
        phrases=_listed("""
            X delivered Y | X has delivered Y | X交付了Y | X送达了Y
        """),
    ),
    Predicate(
        "cancelled",
        kind="event",
        subjects=_PARTIES,
        objects=(*NAMES, "other"),
        phrases=_listed("""
            X cancelled Y | X canceled Y | X has cancelled Y | X has canceled Y | X取消了Y | X取消Y | X退订了Y
        """),
    ),
    Predicate(
        "confirmed",
        kind="event",
        subjects=_PARTIES,
        objects=(*NAMES, "other"),
        phrases=_listed("""
            X confirmed Y | X has confirmed Y | X确认了Y | X确认Y | X确认过Y
        """),
    ),
    Predicate(
        "paid",
        kind="event",
        subjects=_PARTIES,
        objects=("identifier", "amount", "other"),
        shape=_PAYABLE,
        phrases=_listed("""
            X paid Y | X has paid Y | X支付了Y | X支付Y | X付了Y | X付清了Y | X付款Y | X缴纳了Y
        """),
    ),
)

PREDICATES = (*_AMOUNTS, *_TERMS, *_RESPONSIBILITY, *_PEOPLE, *_WORK, *_EVENTS)
"""All of them; of two with one noun, the first has it."""
