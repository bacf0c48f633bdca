"""The sentences of the development split: a shop for furniture with some cloud services (English and Chinese)."""

from benchmarks.support._forms import Entry, Form, Language, form, listed, paired

EN_POOLS: dict[str, tuple[Entry, ...]] = {
    "product": listed(
        "oak side table; folding desk; floor lamp; rolling cart; shoe rack; wall clock; desk fan; wine rack;"
        "coat stand; copper kettle; tool chest; bar stool; bedside shelf; picture ledge; laundry basket; paper tray;"
        "mirror cabinet; step ladder; umbrella stand; spice rack; plant bench; cushion box"
    ),
    "fault": listed(
        "a cracked foot; two screws missing; a deep scratch on top; the wrong colour; a bent hinge; water stains;"
        "no instructions at all; a broken handle; one leg too short; a sticky drawer; glue all over;"
        "a loose back panel"
    ),
    "paper": listed("customs form; signed quote; tax number; import licence; deposit receipt; colour sample"),
    "town": listed("Harlow; Dunmore; Kessing; Altburg; Pellworth; Sandvik; Morrow Bay; Tiverly"),
    "payway": listed("bank transfer; gift card; credit note; cheque"),
    "sum": listed("48 euros; 61 euros; 75 euros; 129 euros; 163 euros; 210 euros; 244 euros; 318 euros; 390 euros"),
    "carrier": listed("Northline; Quickvan; Bluepost; Ferrant; Parcelway; Tramontana; Hopper"),
    "office": listed("Bristol; Leiden; Ghent; Porto; Malmo; Trieste; Lyon; Cork; Graz; Turku"),
    "daypart": listed("early morning; late afternoon; lunch break; evening after seven; first hour on Mondays"),
    "keeper": listed("bakery next door; night porter; pharmacy downstairs; bicycle shop; caretaker; school office"),
    "material": listed("latex; wool; peanut oil; lavender; pine resin; goose down; beeswax; nickel"),
    "company": listed(
        "Corvane; Bellhaven Foods; Tarnow Optics; Mistral Bikes; Ostrava Glass; Quillon; Hexley Hotels;"
        "Parrin & Sons; Vellum Books; Nordhal Clinics; Sorrel Cafes; Ampersand Print; Driftline; Kettlewick;"
        "Loamfield; Rivenhall; Santoro Tiles; Umbra Films; Wexcombe; Yarrow Schools; Zephyrine; Abelard Law;"
        "Crispin Toys; Denholm Cars; Everly Spa; Fennimore; Grantleigh; Holloway Tea; Inverdale; Juniper Labs"
    ),
    "service": listed(
        "logistics service; gift wrapping; weekend delivery; assembly at home; extended warranty; newsletter by mail;"
        "old furniture pickup; express freight; text alerts; storage insurance; on-site training; paper invoices;"
        "loyalty card service; colour consulting; floor protection; night delivery"
    ),
    "mishap": listed("late pickup; wrong invoice; outage; broken promise; rude call; double booking"),
    "site": listed("Dover; Rotheim; Calder; Vigo; Linz; Tallow Creek; Osney"),
    "pallets": listed("4; 7; 9; 12; 15; 18; 22; 26"),
    "hours": listed("2; 3; 5; 6; 8; 10; 11"),
    "part": listed("motor; control board; left rail; rear wheel; lock; sensor; power supply; gas spring"),
    "clause": listed("late fee; exclusivity; data sharing; auto renewal; minimum volume; arbitration; cost share"),
    "n": listed("2; 3; 4; 5; 6; 8; 9"),
    "team": listed("billing; returns; warranty; spare parts; business; night"),
    "project": listed(
        "Smart Shelf; Harbour Kiosk; Paperless Desk; Green Pallet; Night Courier; Blue Atrium; Lobby Refit;"
        "Cold Room; Talking Label; Roof Garden; Silent Office; Pocket Store; Double Dock; Spare Key; Warm Floor;"
        "Glass Stair; Open Kitchen; Long Table; Second Shift; Tidy Yard; Fast Lane; Star Ceiling; Box Return;"
        "Sunday Shop; Loft Line; Yellow Door; Stack and Go; Moving Wall"
    ),
    "grievance": listed(
        "late pallets from the overseas warehouse; being billed twice for freight; the smell of the varnish;"
        "drivers who never ring the bell; three different answers to one question; hinges that squeak within a week;"
        "the endless phone menu; missing customs papers; crates left out in the rain; a quote that changed overnight;"
        "mislabelled cartons; the broken tracking page; spare parts that never show up; scratched glass panels;"
        "being passed from desk to desk; wobbly table legs; invoices in the wrong currency;"
        "the noise of the loading crew; unanswered e-mails; samples in the wrong shade; the surcharge for stairs;"
        "password resets that never arrive; a half empty container; delivery slots moved at the last minute;"
        "dented radiators; peeling laminate; the cancelled site visit; damp packaging"
    ),
    "budget": paired(
        "500k > 600k; 80,000 > 95,000; 1.2 million > 1.5 million; 45k > 52k; 300,000 > 360,000; 150k > 210k;"
        "2 million > 2.4 million; 64,000 > 70,000"
    ),
    "seats": paired("12 > 18; 25 > 40; 60 > 85; 8 > 11; 140 > 155; 30 > 36; 17 > 24"),
    "street": paired(
        "4 Mill Lane > 19 Dock Street; 71 Station Road > 8 Abbey Close; 12 Fern Row > 33 Castle Hill;"
        "5 Tanner Yard > 60 Brook Street; 27 Elm Court > 2 Quay Parade; 90 High Street > 14 Orchard Way"
    ),
    "phone": paired(
        "555-0142 > 555-0178; 555-0117 > 555-0195; 555-0163 > 555-0121; 555-0139 > 555-0184; 555-0106 > 555-0150;"
        "555-0133 > 555-0169"
    ),
    "price": paired("40 > 55; 18 > 24; 90 > 110; 12 > 15"),
}

EN_FORMS: dict[str, tuple[Form, ...]] = {
    "names": (
        form(
            "{person} asked us to send every invoice to the {office} office from now on.",
            asks=("Where do invoices for {person} go?", "Which office gets the bills of {person}?"),
        ),
        form(
            "Noted for {person}: phone calls only during the {daypart}, otherwise mail.",
            asks=("When may I ring {person}?", "What is a good time to phone {person}?"),
        ),
        form(
            "When {person} is out, the {keeper} takes the parcels in.",
            asks=("Who accepts deliveries for {person}?", "Where can the driver leave something for {person}?"),
        ),
        form(
            "Spoke with {person}, who is allergic to {material} and wants none of it in the packaging.",
            asks=("What must not be in the packaging for {person}?", "Any allergies on file for {person}?"),
        ),
        form(
            "The one who signs for {company} is {person}, nobody else may approve orders there.",
            asks=("Who signs for {company}?", "Whose approval do I need for an order from {company}?"),
        ),
    ),
    "order_numbers": (
        form(
            "Order {order}: the {product} arrived with {fault}.",
            asks=("What was wrong with {order}?", "Which defect was reported for order {order}?"),
            keeps="product",
        ),
        form(
            "I have put {order} on hold until the {paper} turns up.",
            asks=("Why is {order} not moving?", "What are we waiting for with {order}?"),
        ),
        form(
            "{person}> My parcel {order} ended up in {town} although I live nowhere near it.",
            asks=("Where did {order} end up?", "Which town was parcel {order} taken to by mistake?"),
        ),
        form(
            "Refund for {order} went out by {payway}, {sum} in total.",
            asks=("How much was refunded for {order}?", "How was the money for {order} paid back?"),
            keeps="payway",
        ),
        form(
            "{order} was shipped again on {day}, this time with {carrier}.",
            asks=("Which carrier has {order} now?", "When did we send {order} the second time?"),
        ),
    ),
    "events": (
        form(
            "{person} cancelled {service} on {day}, after the second {mishap}.",
            asks=("When did {person} cancel?", "What made {person} quit {service}?"),
            keeps="service",
        ),
        form(
            "The warehouse in {site} was flooded on {day}, {pallets} pallets of {product} stock are lost.",
            asks=(
                "How many pallets did the {site} flood cost us, the one with the {product} stock?",
                "On which day was the {product} stock in {site} under water?",
            ),
        ),
        form(
            "{person}> The {product} demo on {day} was a mess, the {part} died halfway through.",
            asks=("What broke during the {product} demo?", "When did the {product} demo go wrong?"),
        ),
        form(
            "Moved {company} over to the new billing system on {day}, it took {hours} hours.",
            asks=("When did {company} switch to the new billing?", "How long did the billing move of {company} last?"),
        ),
        form(
            "Our technician visited {person} on {day} and replaced the {part} of the {product}.",
            asks=("Which part did the technician change at {person}?", "When was the technician at {person}?"),
            keeps="product",
        ),
    ),
    "relations": (
        form(
            "{person} is in charge of the {project} project.",
            "{person} complained about {grievance}.",
            asks=(
                "What did the person in charge of {project} complain about?",
                "Is the head of {project} happy with us, and if not, why?",
            ),
        ),
        form(
            "The {project} thing sits with {person.surname} now.",
            "{person.title} gave me an earful on the phone: {grievance}, again.",
            asks=(
                "What is whoever runs {project} cross about?",
                "Did the owner of {project} ever complain, and about what?",
            ),
            indirect=True,
        ),
        form(
            "{project} is owned by {person}.",
            "{person.title} filed a complaint: {grievance}.",
            asks=(
                "Which complaint came from the owner of {project}?",
                "What trouble did the person behind {project} report to us?",
            ),
        ),
        form(
            "If anything comes up on {project}, that is {person.surname}'s baby these days.",
            "{person}> I have had it up to here with {grievance}, honestly.",
            asks=(
                "What annoys the person who looks after {project}?",
                "What has the {project} manager been unhappy with lately?",
            ),
            indirect=True,
        ),
        form(
            "The project lead for {project} is {person}.",
            "{person} was unhappy with {grievance}.",
            asks=(
                "What was the leader of {project} dissatisfied with?",
                "Does the one leading {project} have a grievance with us?",
            ),
        ),
        form(
            "Since the reshuffle {person.surname} wears the hat for {project}.",
            "Careful when you call {person.surname}, the mood is icy: {grievance}.",
            asks=(
                "Why is the contact for {project} upset with us?",
                "What went badly for the person responsible for {project}?",
            ),
            indirect=True,
        ),
        form(
            "{person} manages {project} for the client.",
            "{person} reported a problem with {grievance}.",
            asks=(
                "What problem did the manager of {project} have?",
                "What issue came up with the customer who manages {project}?",
            ),
        ),
        form(
            "{project} has landed on the desk of {person}, poor soul.",
            "You could hear {person.title} through two walls today, all because of {grievance}.",
            asks=(
                "What made the person handling {project} so angry?",
                "Whoever has {project} on their plate: what did they complain about?",
            ),
            indirect=True,
        ),
    ),
    "negation": (
        form(
            "{person} explicitly said that no {service} is needed.",
            near="{person} explicitly said that {service} is needed.",
            asks=("Which customer does not need {service}?", "Does {person} need {service}?"),
            keeps="service",
        ),
        form(
            "{person} would like {service} after all, please set it up.",
            near="{person} would not like {service} after all, please take it down.",
            asks=("Who wants {service} after all?", "Should we set up {service} for {person}?"),
            keeps="service",
        ),
        form(
            "{person}> Do not sign me up for {service}, I never wanted it.",
            near="{person}> Do sign me up for {service}, I always wanted it.",
            asks=("Who turned down {service}?", "Which customer has refused {service}?"),
            keeps="service",
        ),
        form(
            "{person} had no trouble putting the {product} together.",
            near="{person} had trouble putting the {product} together.",
            asks=("Who managed to assemble the {product} easily?", "Was the {product} hard to build for {person}?"),
            keeps="product",
        ),
        form(
            "{company} has never agreed to the {clause} clause.",
            near="{company} has now agreed to the {clause} clause.",
            asks=("Did {company} accept the {clause} clause?", "May we apply the {clause} clause to {company}?"),
            keeps="clause",
        ),
    ),
    "same_words_opposite_fact": (
        form(
            "{person}: the {product} took {n} days to arrive, far too slow.",
            near="{person}: the {product} took {n} days to arrive, very happy.",
            asks=(
                "Who was disappointed with how long the {product} took?",
                "Who complained that the {product} was late?",
            ),
            keeps="product n",
        ),
        form(
            "The {product} came within {n} days and {person} could not be happier.",
            near="The {product} came within {n} days and {person} could hardly be angrier.",
            asks=("Who was pleased with the delivery time of the {product}?", "Who liked how fast the {product} came?"),
            keeps="product n",
        ),
        form(
            "{person}> Only {n} minutes on hold for the {team} line about my {product}, and I mean that as praise.",
            near="{person}> Again {n} minutes on hold for the {team} line about my {product}, and I mean no praise.",
            asks="Who found the wait on the {team} line about a {product} short?",
            keeps="product n team",
        ),
        form(
            "{person} finds the {product} surprisingly heavy and sends it back.",
            near="{person} finds the {product} surprisingly heavy and likes the solid feel.",
            asks=("Who returned the {product} because of its weight?", "Who thought the {product} weighs too much?"),
            keeps="product",
        ),
        form(
            "{person} called {sum} for the {product} a bargain.",
            near="{person} called {sum} for the {product} a rip-off.",
            asks=("Who thought the {product} was cheap?", "Who was content with the price of the {product}?"),
            keeps="product sum",
        ),
        form(
            "The manual of the {product}: {person} got nothing out of it in {n} minutes.",
            near="The manual of the {product}: {person} got everything out of it in {n} minutes.",
            asks=(
                "Who was lost with the {product} instructions?",
                "Who did not understand the booklet of the {product}?",
            ),
            keeps="product n",
        ),
    ),
    "paraphrase": (
        form(
            "The cloud storage plan goes up from {price[0]} to {price[1]} euros in {month}.",
            near="The phone support plan goes up from {price[0]} to {price[1]} euros in {month}.",
            asks="When will keeping my files online get more expensive?",
        ),
        form(
            "Our showroom in Harlow shuts its doors for good on {later}.",
            near="Our showroom in Kessing shuts its doors for good on {later}.",
            asks="Until when can I still try sofas in person in Harlow?",
        ),
        form(
            "The wardrobe kit was packed with the wrong screws, new ones go out within {n} days.",
            near="The bed kit was packed with the wrong screws, new ones go out within {n} days.",
            asks="How soon do I get replacement hardware for the closet?",
        ),
        form(
            "The chat robot is switched off at night since {day}.",
            near="The alarm system is switched off at night since {day}.",
            asks="From what date did the automatic assistant stop replying after dark?",
        ),
        form(
            "Staff get {n}0 percent off sofas.",
            near="Students get {n}0 percent off sofas.",
            asks="What discount do employees have on couches?",
        ),
        form(
            "A child pinched a finger in the toy chest, so we pulled it from sale on {day}.",
            near="A customer cut a finger on the mirror, so we pulled it from sale on {day}.",
            asks="Which article was withdrawn because a kid got hurt?",
        ),
        form(
            "Apprentices are not allowed to drive the forklift before {later}.",
            near="Apprentices are not allowed to use the cash desk before {later}.",
            asks="When may trainees operate the lifting truck?",
        ),
        form(
            "The car park will be dug up from {later}, the pipes leak.",
            near="The front garden will be dug up from {later}, the cables are old.",
            asks="When do we lose the spaces for our vehicles because of plumbing work?",
        ),
        form(
            "We stopped taking cheques on {day}.",
            near="We stopped taking gift cards on {day}.",
            asks="Since when is paying with a bank slip no longer possible?",
        ),
        form(
            "The chairman steps down on {later}, his deputy takes the helm.",
            near="The chief cook steps down on {later}, his deputy takes the helm.",
            asks="When does the vice president become head of the board?",
        ),
        form(
            "All sofas have been made without leather since {day}.",
            near="All desks have been made without plastic since {day}.",
            asks="Which furniture is now free of animal hide?",
        ),
        form(
            "The lift in building B is stuck, mechanics come on {later}.",
            near="The printer in building B is stuck, mechanics come on {later}.",
            asks="Which day will the elevator be repaired?",
        ),
        form(
            "Anyone who bought a heater before {day} gets the money back, it may catch fire.",
            near="Anyone who bought a ladder before {day} gets the money back, it may snap.",
            asks="Which appliance was recalled with a full refund because it could burn?",
        ),
    ),
    "current_value": (
        form(
            "The budget for {project} is {budget[0]}.",
            "{project}: they raised the budget to {budget[1]}.",
            asks=("What is the budget for {project} now?", "How much money may {project} cost at present?"),
        ),
        form(
            "{project} goes live on {later}.",
            "Change of plan, {project} will only go live on {later}.",
            asks=("When does {project} go live?", "What is the current launch date of {project}?"),
        ),
        form(
            "{company} has {seats[0]} seats on the team plan.",
            "{company} is at {seats[1]} seats on the team plan after today's change.",
            asks=("How many seats does {company} have at the moment?", "What is the seat count of {company} today?"),
        ),
        form(
            "Deliveries for {company} go to {street[0]}.",
            "{company} has moved, everything goes to {street[1]} from here on.",
            asks=("What is the delivery address of {company}?", "Where does {company} receive goods these days?"),
        ),
        form(
            "You can reach {person} at {phone[0]}.",
            "{person} has another number, it is {phone[1]}.",
            asks=("What is the phone number of {person}?", "Which number do I dial for {person} now?"),
        ),
    ),
}

EN = Language(
    begins="2024-01-08",
    day="{month} {number}",
    months=listed("January; February; March; April; May; June; July; August; September; October; November; December"),
    name="{given} {surname}",
    titled="{title} {surname}",
    agents=listed("Lena; Omar; Priscilla; Jonas; Mei; Ruben"),
    given=listed(
        "Marta; Ivo; Clara; Henrik; Nadia; Paul; Tessa; Victor; Amira; Bruno; Elsa; Felix; Gita; Hugo; Irene; Joel;"
        "Karin; Leon; Mona; Niels; Olga; Pedro; Rosa; Simon"
    ),
    surnames=listed(
        "Lindholm; Lindqvist; Abara; Abaza; Petrov; Petrakis; Carling; Carlson; Moreau; Morante; Haddad; Hadley;"
        "Weber; Webster; Castell; Castillo; Novak; Nowell; Fischer; Fishman; Okafor; Okamoto; Berger; Bergson;"
        "Delaney; Delacroix; Santos; Santini; Keller; Kellner"
    ),
    owners=listed(
        "Tomas Okonjo Mr.; Ingrid Vasquez Ms.; Samir Halloran Mr.; Judith Brandt Ms.; Wei Zhang Mr.;"
        "Paola Ferrucci Ms.; Dov Rosenthal Mr.; Hanne Solberg Ms.; Kofi Mensah Mr.; Aylin Demir Ms.;"
        "Marek Zielinski Mr.; Grace Pemberton Ms.; Rajiv Banerjee Mr.; Sofia Lindgaard Ms.; Luc Thibault Mr.;"
        "Noor Rahimi Ms.; Bela Szabo Mr.; Erin Gallagher Ms.; Yusuf Karaca Mr.; Chiara Bonetti Ms.; Anton Gruber Mr.;"
        "Leila Farahani Ms.; Piet Verhoeven Mr.; Hana Kowalczyk Ms.; Emil Stoica Mr.; Ruth Ashworth Ms.;"
        "Jorge Quintana Mr.; Fiona McBride Ms."
    ),
    orders=listed("ORD-2024####; BX-#####; SKU @@-####; WH##-####"),
    pools=EN_POOLS,
    forms=EN_FORMS,
    greetings=(
        "Good morning, this is the service desk. What can I do for you?",
        "Hello, thanks for waiting. Who am I speaking to?",
        "Hi there, how can I help today?",
        "Welcome back, is it about the same matter as last time?",
        "Service desk, good afternoon.",
        "Hello and thank you for writing to us.",
        "Hi, I can see your account now. What is it about?",
        "Good evening, you caught us just before closing.",
    ),
    small_talk=(
        "Can you hear me? The line is terrible today.",
        "Sorry, I am on the train, it may drop.",
        "It took me a while to find your number.",
        "Bear with me, my screen is loading.",
        "I hope you are having a quieter day than I am.",
        "Lovely weather, at least.",
        "One moment, someone is at the door.",
        "I will keep it short.",
        "My colleague said I should talk to you directly.",
        "You were very helpful last time, by the way.",
    ),
    replies=(
        "Thank you, I have written that down.",
        "I see, let me put that into the system.",
        "Understood, I will pass it on to the right people.",
        "Got it. Is there anything else?",
        "Thanks for telling us.",
        "All right, that is on file now.",
        "I am sorry about the wait, it is noted.",
        "Okay, you will get a message when it is done.",
    ),
    closings=(
        "Great, have a nice day.",
        "That was all, thanks.",
        "Perfect, bye for now.",
        "No, nothing else. Goodbye.",
        "Thanks a lot, talk soon.",
        "Okay, I will wait for your message.",
    ),
    chatter=(
        "Coffee machine is out of order again, use the one upstairs.",
        "Who took the headset from desk four?",
        "Shift change at two, please finish your notes.",
        "Quiet morning so far, only a handful of calls.",
        "The queue is at twelve, could somebody jump in?",
        "Reminder: the fire drill is this week.",
        "I am on lunch until one.",
        "System was slow for a few minutes, fine again.",
        "Please close your open tickets before the weekend.",
        "Can someone water the plants while I am away?",
        "The new wallboard looks nice.",
        "Training moved to the small room.",
        "Happy birthday, Priscilla! Cake in the kitchen.",
        "Two people are ill, we are a bit thin today.",
        "Left the spare keys in the drawer.",
        "Nothing special to hand over from the night.",
        "{person} called and wants to be called back, did not say why.",
        "Missed call from {person}, no message left.",
        "{person} just wanted to say thank you, nothing open.",
        "Sent {person} the link to the customer portal.",
        "{person} asked when we open on Saturday, answered.",
        "Meeting about {project} is in room three at ten.",
        "Photos of {project} are in the shared folder.",
        "Someone left a box for {project} at the reception.",
        "{project}: minutes of the last call were sent round.",
        "Still no scan for {order}, I will look again tomorrow.",
        "{order} came up in the morning list, nothing to do.",
        "Printed the label for {order}.",
    ),
)

ZH_POOLS: dict[str, tuple[Entry, ...]] = {
    "product": listed(
        "橡木边几; 折叠书桌; 落地灯; 移动推车; 鞋架; 挂钟; 台式风扇; 酒架; 衣帽架; 铜水壶; 工具箱; 吧台椅; 床头搁板;"
        "相框架; 脏衣篮; 文件盘; 镜柜; 人字梯; 雨伞桶; 调料架; 花架; 收纳凳"
    ),
    "fault": listed(
        "底脚裂了; 少了两颗螺丝; 台面有一道深划痕; 颜色发错了; 合页是弯的; 有水渍; 没放说明书; 把手断了;"
        "有一条腿短一截; 抽屉拉不动; 到处是胶水; 背板松动"
    ),
    "paper": listed("报关单; 签字报价单; 税号; 进口许可证; 定金收据; 色卡样品"),
    "town": listed("临湖镇; 东溪; 柳河口; 南屏; 白石塘; 新安渡; 青杨"),
    "payway": listed("银行转账; 礼品卡; 代金券; 支票"),
    "sum": listed("48元; 61元; 75元; 129元; 163元; 210元; 244元; 318元; 390元"),
    "carrier": listed("北线快运; 蓝邮; 小蜜蜂速递; 飞兰货运; 顺路达; 山风物流; 百蹄快递"),
    "office": listed("杭州; 无锡; 珠海; 合肥; 烟台; 绵阳; 洛阳; 桂林; 泉州; 大同"),
    "daypart": listed("早上九点前; 下午四点以后; 午休时间; 晚上七点以后; 周一上午"),
    "keeper": listed("隔壁面包店; 夜班门卫; 楼下药房; 自行车行; 物业管家; 学校传达室"),
    "material": listed("乳胶; 羊毛; 花生油; 薰衣草; 松香; 鹅绒; 蜂蜡; 镍"),
    "company": listed(
        "科万; 贝岭食品; 塔诺光学; 西风单车; 奥川玻璃; 奎隆; 海克利酒店; 帕林父子; 竹简书店; 北豪诊所; 酸模咖啡;"
        "安柏印务; 漂线传媒; 水壶匠; 沃野农业; 瑞文堂; 三托瓷砖; 影幕影业; 韦科姆; 蓍草学校; 泽风; 阿贝律所;"
        "脆品玩具; 登宏汽车; 常青水疗; 芬尼摩; 格兰利; 霍洛茶业; 因谷; 杜松实验室"
    ),
    "service": listed(
        "物流服务; 礼品包装; 周末配送; 上门安装; 延长保修; 电子周刊; 旧家具回收; 特快货运; 短信提醒; 仓储保险;"
        "现场培训; 纸质发票; 积分会员卡; 配色咨询; 地板保护; 夜间配送"
    ),
    "mishap": listed("晚到取件; 开错发票; 系统宕机; 说话不算数; 态度恶劣的来电; 重复预约"),
    "site": listed("多坊; 罗田; 卡尔德; 维港; 林茨路; 牛油溪; 欧尼"),
    "pallets": listed("4; 7; 9; 12; 15; 18; 22; 26"),
    "hours": listed("2; 3; 5; 6; 8; 10; 11"),
    "part": listed("电机; 控制板; 左侧导轨; 后轮; 门锁; 感应器; 电源; 气弹簧"),
    "clause": listed("滞纳金; 独家供货; 数据共享; 自动续约; 最低采购量; 仲裁; 费用分摊"),
    "n": listed("两; 三; 四; 五; 六; 八; 九"),
    "team": listed("账务; 退货; 保修; 配件; 企业; 夜间"),
    "project": listed(
        "智能货架; 港口亭; 无纸办公桌; 绿色托盘; 夜间快递; 蓝色中庭; 大堂翻新; 冷库; 会说话的标签; 屋顶花园;"
        "静音办公室; 口袋店; 双层码头; 备用钥匙; 暖地板; 玻璃楼梯; 开放厨房; 长桌; 第二班次; 整洁庭院; 快车道;"
        "星空顶; 纸箱回收; 周日小店; 阁楼线; 黄门; 即叠即走; 移动隔墙"
    ),
    "grievance": listed(
        "海外仓的托盘迟到; 运费扣了两次; 油漆味道太大; 司机从来不按门铃; 一个问题三种答复; 合页用一周就吱吱响;"
        "没完没了的语音菜单; 报关资料丢失; 木箱被丢在雨里; 报价一夜之间变了; 纸箱标签贴错; 查件页面打不开;"
        "配件一直不到货; 玻璃面板被刮花; 被各部门推来推去; 桌腿摇晃; 发票币种不对; 装卸工太吵; 邮件没人回;"
        "样品色号不对; 爬楼费乱收; 重置密码的短信收不到; 集装箱只装了一半; 临时改送货时间; 暖气片磕瘪了; 贴皮起泡;"
        "约好的上门被取消; 包装受潮"
    ),
    "budget": paired(
        "50万 > 60万; 8万 > 9.5万; 120万 > 150万; 4.5万 > 5.2万; 30万 > 36万; 15万 > 21万; 200万 > 240万; 6.4万 > 7万"
    ),
    "seats": paired("12 > 18; 25 > 40; 60 > 85; 8 > 11; 140 > 155; 30 > 36; 17 > 24"),
    "street": paired(
        "磨坊巷4号 > 码头街19号; 车站路71号 > 寺前里8号; 蕨园12号 > 城堡坡33号; 皮匠院5号 > 小溪街60号;"
        "榆树庭27号 > 河埠道2号; 大街90号 > 果园路14号"
    ),
    "phone": paired(
        "5550142 > 5550178; 5550117 > 5550195; 5550163 > 5550121; 5550139 > 5550184; 5550106 > 5550150;"
        "5550133 > 5550169"
    ),
    "price": paired("40 > 55; 18 > 24; 90 > 110; 12 > 15"),
}

ZH_FORMS: dict[str, tuple[Form, ...]] = {
    "names": (
        form(
            "{person}要求以后所有发票都寄到{office}办公室。",
            asks=("{person}的发票寄到哪里？", "哪个办公室收{person}的账单？"),
        ),
        form(
            "备注一下{person}：只能在{daypart}打电话，其他时候发邮件。",
            asks=("什么时候可以给{person}打电话？", "联系{person}挑哪个时段合适？"),
        ),
        form(
            "{person}不在家的时候，包裹由{keeper}代收。",
            asks=("谁帮{person}收快递？", "送货员可以把{person}的东西放在哪儿？"),
        ),
        form(
            "跟{person}聊过了，对{material}过敏，包装里一点都不能有。",
            asks=("给{person}的包装里不能有什么？", "{person}有没有登记过敏的东西？"),
        ),
        form(
            "{company}那边签字的是{person}，别人都无权批单。",
            asks=("{company}由谁签字？", "{company}下的单子要找谁批准？"),
        ),
    ),
    "order_numbers": (
        form(
            "订单{order}：{product}到货时{fault}。",
            asks=("{order}出了什么毛病？", "订单{order}反映的是什么质量问题？"),
            keeps="product",
        ),
        form(
            "{order}我先挂起了，等{paper}到了再说。",
            asks=("{order}为什么一直不动？", "{order}还在等什么？"),
        ),
        form(
            "{person}> 我的包裹{order}被送到{town}去了，我根本不住那边。",
            asks=("{order}送到哪里去了？", "包裹{order}错投到了哪个地方？"),
        ),
        form(
            "{order}的退款已经通过{payway}退回，一共{sum}。",
            asks=("{order}退了多少钱？", "{order}的钱是怎么退的？"),
            keeps="payway",
        ),
        form(
            "{order}在{day}重新发出，这回走{carrier}。",
            asks=("{order}现在是哪家快递在送？", "{order}第二次是几号寄的？"),
        ),
    ),
    "events": (
        form(
            "{person}在{day}取消了{service}，因为第二次碰上{mishap}。",
            asks=("{person}是哪天取消的？", "{person}为什么不要{service}了？"),
            keeps="service",
        ),
        form(
            "{site}仓库{day}进水，{product}的库存损失了{pallets}个托盘。",
            asks=("{site}那次{product}库存进水损失了多少托盘？", "{site}的{product}库存是哪天被淹的？"),
        ),
        form(
            "{person}> {day}的{product}演示一团糟，中途{part}坏了。",
            asks=("{product}演示的时候什么东西坏了？", "{product}演示出岔子是哪一天？"),
        ),
        form(
            "{day}把{company}迁到了新的计费系统，花了{hours}个小时。",
            asks=("{company}什么时候换的新计费系统？", "{company}迁移计费用了多长时间？"),
        ),
        form(
            "师傅{day}上门给{person}的{product}换了{part}。",
            asks=("师傅给{person}换了什么零件？", "师傅哪天去的{person}家？"),
            keeps="product",
        ),
    ),
    "relations": (
        form(
            "{project}项目由{person}负责。",
            "{person}投诉了{grievance}。",
            asks=("{project}的负责人投诉过什么？", "负责{project}的那位对我们满意吗，不满意是因为什么？"),
        ),
        form(
            "{project}这事儿现在归老{person.surname}管。",
            "{person.title}在电话里把我说了一顿，又是{grievance}。",
            asks=("管{project}的人在为什么生气？", "{project}的负责人有没有抱怨过，抱怨什么？"),
            indirect=True,
        ),
        form(
            "{project}的负责人是{person}。",
            "{person.title}提交了投诉：{grievance}。",
            asks=("{project}负责人提的投诉是哪一件？", "{project}背后那位跟我们反映过什么麻烦？"),
        ),
        form(
            "以后{project}有动静，找{person.surname}工就行，都攥在那边手里。",
            "{person}> {grievance}，这种事我真是受够了。",
            asks=("盯着{project}的那位烦什么？", "{project}的对接人最近对什么不满意？"),
            indirect=True,
        ),
        form(
            "{project}的项目经理是{person}。",
            "{person}对{grievance}很不满。",
            asks=("{project}的项目经理对什么不满？", "带{project}的那位跟我们有什么过节？"),
        ),
        form(
            "部门调整以后，{project}这顶帽子扣到老{person.surname}头上了。",
            "给老{person.surname}打电话悠着点，脸色难看得很：{grievance}。",
            asks=("{project}的联系人为什么跟我们闹别扭？", "负责{project}的人碰上了什么糟心事？"),
            indirect=True,
        ),
        form(
            "客户那边{person}管理{project}。",
            "{person}反映了{grievance}的问题。",
            asks=("管理{project}的客户反映了什么问题？", "{project}的管理人出过什么状况？"),
        ),
        form(
            "{project}落到{person}桌上了，有的忙了。",
            "今天隔两堵墙都听得见{person.title}的嗓门，全是因为{grievance}。",
            asks=("接手{project}的人为什么发火？", "{project}在谁手上，那人抱怨过什么？"),
            indirect=True,
        ),
    ),
    "negation": (
        form(
            "{person}明确表示不需要{service}。",
            near="{person}明确表示需要{service}。",
            asks=("哪位客户不需要{service}？", "{person}需要{service}吗？"),
            keeps="service",
        ),
        form(
            "{person}还是想要{service}，请开通。",
            near="{person}还是不想要{service}，请关掉。",
            asks=("谁最后还是要了{service}？", "要不要给{person}开{service}？"),
            keeps="service",
        ),
        form(
            "{person}> 别给我开{service}，我从来没想要过。",
            near="{person}> 快给我开{service}，我一直都想要。",
            asks=("谁拒绝了{service}？", "哪位顾客回绝了{service}？"),
            keeps="service",
        ),
        form(
            "{person}装{product}没遇到什么困难。",
            near="{person}装{product}遇到了不少困难。",
            asks=("谁轻轻松松就把{product}装好了？", "{product}对{person}来说难装吗？"),
            keeps="product",
        ),
        form(
            "{company}一直没有同意{clause}条款。",
            near="{company}现在已经同意{clause}条款。",
            asks=("{company}接受{clause}条款了吗？", "{clause}条款能不能用在{company}身上？"),
            keeps="clause",
        ),
    ),
    "same_words_opposite_fact": (
        form(
            "{person}说{product}{n}天才到，太慢了。",
            near="{person}说{product}{n}天就到，很满意。",
            asks=("谁嫌{product}等得太久？", "谁抱怨{product}来晚了？"),
            keeps="product n",
        ),
        form(
            "{product}{n}天送到，{person}高兴得不得了。",
            near="{product}{n}天送到，{person}气得不得了。",
            asks=("谁对{product}的送货时间满意？", "谁觉得{product}来得快？"),
            keeps="product n",
        ),
        form(
            "{person}> 为{product}的事打{team}专线等了{n}分钟，这是夸你们。",
            near="{person}> 为{product}的事打{team}专线等了{n}分钟，这可不是夸你们。",
            asks="打{team}专线问{product}，谁觉得等得不久？",
            keeps="product n team",
        ),
        form(
            "{person}觉得{product}沉得出奇，要退。",
            near="{person}觉得{product}沉得出奇，很扎实。",
            asks=("谁因为太重退了{product}？", "谁嫌{product}分量大？"),
            keeps="product",
        ),
        form(
            "{product}卖{sum}，{person}直呼捡了便宜。",
            near="{product}卖{sum}，{person}直呼上了当。",
            asks=("谁觉得{product}划算？", "谁对{product}的价钱没意见？"),
            keeps="product sum",
        ),
        form(
            "{product}的说明书，{person}看了{n}分钟还是一头雾水。",
            near="{product}的说明书，{person}看了{n}分钟就一清二楚。",
            asks=("谁没看懂{product}的说明？", "{product}的安装手册把谁难住了？"),
            keeps="product n",
        ),
    ),
    "paraphrase": (
        form(
            "云存储套餐{month}要涨价，从{price[0]}元涨到{price[1]}元。",
            near="电话支持套餐{month}要涨价，从{price[0]}元涨到{price[1]}元。",
            asks="网盘那个包月什么时候调价来着？",
        ),
        form(
            "临湖镇的展厅{later}就关门不开了。",
            near="柳河口的展厅{later}就关门不开了。",
            asks="在临湖镇还能逛实体店试坐沙发到几号？",
        ),
        form(
            "衣柜套装的螺丝装错了，{n}天内补寄。",
            near="床架套装的螺丝装错了，{n}天内补寄。",
            asks="大橱的五金件多久能重新发给我？",
        ),
        form(
            "聊天机器人从{day}起夜里停用。",
            near="门口的摄像头从{day}起夜里停用。",
            asks="自动应答几时开始晚上不回话的？",
        ),
        form(
            "员工买沙发打{n}折。",
            near="学生买沙发打{n}折。",
            asks="内部职工购置长椅优惠多少？",
        ),
        form(
            "有小孩被玩具箱夹了手，{day}我们把它下架了。",
            near="有顾客被镜子划了手，{day}我们把它下架了。",
            asks="哪样东西因为儿童受伤不卖了？",
        ),
        form(
            "{later}之前学徒不许开叉车。",
            near="{later}之前学徒不许碰收银机。",
            asks="实习生啥时候能操作装卸机械？",
        ),
        form(
            "{later}起停车场要开挖，管道漏水。",
            near="{later}起前院草地要开挖，管道漏水。",
            asks="修水管占掉车位是从哪天开始？",
        ),
        form(
            "{day}起我们不收支票了。",
            near="{day}起我们不收礼品卡了。",
            asks="拿银行票据付账从何时不行的？",
        ),
        form(
            "董事长{later}卸任，副手接班。",
            near="厨师长{later}卸任，副手接班。",
            asks="公司一把手哪天换人？",
        ),
        form(
            "{day}以后的沙发都不用真皮了。",
            near="{day}以后的书桌都不用塑料了。",
            asks="什么家具改成没有牛皮的？",
        ),
        form(
            "B栋的电梯卡住了，{later}来人修。",
            near="B栋的打印机卡住了，{later}来人修。",
            asks="不用爬楼得等到哪一天？",
        ),
        form(
            "{day}之前买取暖器的全额退款，有起火危险。",
            near="{day}之前买梯子的全额退款，有断裂危险。",
            asks="哪种电器因为可能烧着而召回？",
        ),
    ),
    "current_value": (
        form(
            "{project}的预算是{budget[0]}。",
            "{project}那边说预算涨到{budget[1]}了。",
            asks=("{project}现在的预算是多少？", "{project}目前能花多少钱？"),
        ),
        form(
            "{project}定在{later}上线。",
            "计划有变，{project}改到{later}上线。",
            asks=("{project}什么时候上线？", "{project}最新的上线日期是哪天？"),
        ),
        form(
            "{company}的团队版有{seats[0]}个席位。",
            "今天调整完，{company}的团队版是{seats[1]}个席位。",
            asks=("{company}目前有多少个席位？", "{company}如今的团队版开了几个账号？"),
        ),
        form(
            "{company}的货送到{street[0]}。",
            "{company}搬家了，往后都送{street[1]}。",
            asks=("{company}的收货地址是哪里？", "现在给{company}送货送到什么地方？"),
        ),
        form(
            "{person}的电话是{phone[0]}。",
            "{person}换号了，新的是{phone[1]}。",
            asks=("{person}的电话号码是多少？", "现在打哪个号码能找到{person}？"),
        ),
    ),
}

ZH = Language(
    begins="2024-01-08",
    day="{month}{number}日",
    months=tuple(f"{number}月" for number in range(1, 13)),
    name="{surname}{given}",
    titled="{surname}{title}",
    agents=listed("小林; 阿豪; 晓雯; 大鹏; 珊珊; 国栋"),
    given=listed(
        "晓峰; 晓锋; 丽华; 立华; 志强; 志刚; 美玲; 美琳; 建军; 建君; 海燕; 海艳; 文斌; 文彬; 玉兰; 玉岚; 子涵; 梓涵;"
        "思远; 思源; 佳怡; 嘉怡; 俊杰; 俊洁"
    ),
    surnames=listed("李; 刘; 陈; 杨; 黄; 吴; 周; 徐; 孙; 朱; 何; 郭; 罗; 梁; 宋; 郑; 谢; 韩; 唐; 冯; 于; 董; 萧; 程"),
    owners=listed(
        "志远 邵 先生; 秀英 贺 女士; 国强 龚 先生; 雅琴 毛 女士; 建国 王 先生; 慧敏 施 女士; 振宇 洪 先生;"
        "春梅 严 女士; 光辉 汤 先生; 淑芬 武 女士; 天佑 康 先生; 晶晶 易 女士; 永年 向 先生; 若兰 古 女士;"
        "大勇 尚 先生; 婉清 白 女士; 学文 葛 先生; 凤霞 颜 女士; 立群 庞 先生; 小曼 柯 女士; 保华 樊 先生;"
        "冬青 岳 女士; 广平 齐 先生; 静宜 牛 女士; 世杰 章 先生; 素云 鲁 女士; 家明 倪 先生; 月娥 殷 女士"
    ),
    orders=listed("ORD-2024####; BX-#####; SKU@@-####; WH##-####"),
    pools=ZH_POOLS,
    forms=ZH_FORMS,
    greetings=(
        "早上好，这里是客服台，有什么可以帮您？",
        "您好，久等了，请问您贵姓？",
        "您好，今天想咨询什么？",
        "欢迎再次来电，还是上次那件事吗？",
        "下午好，客服中心。",
        "您好，谢谢您给我们留言。",
        "您好，您的账户我看到了，请讲。",
        "晚上好，您赶在我们下班前打来了。",
    ),
    small_talk=(
        "听得见吗？今天信号太差了。",
        "不好意思，我在高铁上，可能会断。",
        "你们这个号码我找了半天。",
        "稍等，我这边页面还在转。",
        "希望你今天没我这么忙。",
        "天气倒是不错。",
        "等一下，有人敲门。",
        "我长话短说。",
        "同事让我直接找你们。",
        "对了，上次你们帮了大忙。",
    ),
    replies=(
        "谢谢，我记下了。",
        "明白，我录进系统。",
        "好的，我转给相关同事。",
        "收到，还有别的吗？",
        "感谢您告诉我们。",
        "好，已经存档了。",
        "让您久等了，已经登记。",
        "好的，办好了给您发消息。",
    ),
    closings=(
        "好的，祝你愉快。",
        "就这些，谢谢。",
        "太好了，先这样。",
        "没别的了，再见。",
        "多谢，回头再聊。",
        "行，那我等消息。",
    ),
    chatter=(
        "咖啡机又坏了，去楼上那台。",
        "谁拿了四号桌的耳机？",
        "两点换班，请把记录写完。",
        "上午挺安静，就几个电话。",
        "排队到十二个了，谁来顶一下？",
        "提醒：这周有消防演习。",
        "我去吃饭，一点回来。",
        "系统刚才卡了几分钟，好了。",
        "周末前把没关的工单关掉。",
        "我不在的时候谁帮忙浇下花？",
        "新的大屏挺好看。",
        "培训改到小会议室。",
        "珊珊生日快乐！蛋糕在茶水间。",
        "病了两个，今天人手有点紧。",
        "备用钥匙放抽屉里了。",
        "夜班没什么要交接的。",
        "{person}来过电话让回拨，没说什么事。",
        "{person}的未接来电，没留言。",
        "{person}就是来道个谢，没有待办。",
        "把客户门户的链接发给{person}了。",
        "{person}问周六几点开门，已答复。",
        "{project}的会十点在三号会议室。",
        "{project}的照片在共享文件夹里。",
        "前台有一箱给{project}的东西。",
        "{project}：上次会议纪要发出去了。",
        "{order}还没有扫描记录，明天再看。",
        "早上的清单里有{order}，不用处理。",
        "{order}的面单打印了。",
    ),
)

LANGUAGES = {"en": EN, "zh": ZH}
