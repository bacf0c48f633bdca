"""The sentences of the test split: a maker of bicycles and camping gear (English), of appliances and courses (Chinese).

No sentence form, question or name of the development split comes again.
"""

from benchmarks.support._forms import Entry, Form, Language, form, listed, paired

EN_POOLS: dict[str, tuple[Entry, ...]] = {
    "gear": listed(
        "cargo bike; trail tent; pannier bag; gas stove; child seat; head torch; sleeping mat; bike pump; rain cape;"
        "hydration pack; water filter; camp chair; cool box; trekking pole; hammock; bike computer; repair stand;"
        "solar panel; roof box; snow chain; kayak paddle; hiking boot"
    ),
    "defect": listed(
        "leaks at the seam; smells of petrol; rattles; will not lock; has a torn strap; is missing a valve; runs hot;"
        "came unpainted; does not charge; has a stripped thread; wobbles; squeals in the wet"
    ),
    "blocker": listed(
        "a chassis number; proof of age; the second instalment; a courier slot; the colour choice; a repair quote"
    ),
    "depot": listed("Ashgrove; Tolmin; Varde; Brannock; Sellia; Hoym; Little Marden; Oxbow"),
    "method": listed("PayFlow; store voucher; direct debit; prepaid card"),
    "fee": listed("$37; $52; $68; $83; $96; $115; $142; $177; $205"),
    "partner": listed("Rapida; Hillfreight; Oncargo; Swallow Post; Terranova; Velopack; Kite Express"),
    "language": listed("Catalan; Welsh; Finnish; Romanian; Slovene; Maltese; Basque; Icelandic"),
    "size": listed("an XS frame; the 54 frame; the 58 frame; a left-hand grip; the wide saddle; short cranks"),
    "backup": listed(
        "her sister; his neighbour Ed; the campsite office; the ranger station; a flatmate; the gym reception"
    ),
    "condition": listed("bad knees; a stiff shoulder; asthma; one weak wrist; vertigo; poor night vision"),
    "partnerfirm": listed(
        "Aldercroft; Baxter Tours; Cedarline; Dunefield; Elkhorn Lodge; Farrow Trails; Glenmoor; Hatherby; Ironpath;"
        "Jorvik Rides; Kestrel Camp; Larkspur; Mapleton; Northfold; Oakhaven; Pinebrook; Ravensworth; Saltmarsh;"
        "Thornbury Park; Upland Guides; Valecross; Westering; Yewdale; Birchwood Club; Copperhill; Drovers Inn;"
        "Eastlake; Foxglove; Greywater; Hollybank"
    ),
    "extra": listed(
        "theft cover; roadside help; engraving; winter storage; a courtesy bike; route planning; the yearly check-up;"
        "battery leasing; child training; tyre sealing; mobile repair; the photo package; luggage transfer;"
        "rental swap; frame painting; lost key cover"
    ),
    "reason": listed("price hike; moving abroad; knee operation; new job; birth of twins; lack of parking"),
    "ride": listed("Lakes; Vineyard; Moonlight; Canyon; Castle; Heather; Lighthouse; Abbey; Gorge"),
    "riders": listed("6; 9; 11; 14; 17; 23; 28; 35"),
    "weather": listed("hail; thick fog; a rockfall; black ice; a burst dam; wild boars; a wildfire"),
    "component": listed("drive belt; brake lever; hub; battery pack; display; freewheel; fork; spokes"),
    "term": listed("non-compete; buy-back; price freeze; co-branding; sole supplier; penalty; audit"),
    "weeks": listed("two; three; four; five; six; seven; eight"),
    "minutes": listed("10; 15; 20; 25; 35; 40; 50"),
    "venture": listed(
        "Riverside Rental; Summit Hut; Commuter Fleet; School Run; Beach Cruiser; Pop-up Camp; Trail Map;"
        "Winter Wheels; Night Riders; Bike Library; Festival Tents; Bridge Crossing; Island Hopper; Park and Pedal;"
        "Wild Kitchen; Valley Loop; Gravel Series; Family Basecamp; Dawn Patrol; Orchard Stay; Tandem Club;"
        "Hill Climb; Solar Shed; Lantern Walk; Refit Garage; Postal Trikes; Silent Forest; Delta Canoes;"
        "Cliff Station; Snow School; Market Square; Barefoot Path"
    ),
    "mess": listed(
        "brake pads that wore out in a month; helmets in the wrong sizes; a deposit nobody returned;"
        "tents without pegs; bookings that vanish from the calendar; flat batteries on delivery;"
        "a mechanic who did not turn up; stickers that fade in the sun; double charges for one rental;"
        "chains delivered rusty; a locked pickup station; the app logging everyone out; saddles that crack;"
        "mouldy sleeping bags; maps with closed paths; a rude guide; lamps that blind other riders;"
        "trailers with soft tyres; the helpline ringing out; a refund in instalments; poles that snap in the wind;"
        "wrong keys for the padlocks; burnt cooker plates; GPS units stuck in Finnish; loose handlebars;"
        "the missing liability papers; bells that fall off; dripping water bags; zips that jam; unlit parking racks;"
        "the parcel lockers being full; gloves shedding colour"
    ),
    "funds": paired(
        "$20k > $28k; 1.1M > 1.3M; $750,000 > $820,000; 36,000 pounds > 41,000 pounds; $90k > $130k; 2.5M > 3M;"
        "$14,500 > $16,000; 400k > 450k"
    ),
    "bikes": paired("20 > 32; 45 > 50; 110 > 125; 16 > 22; 70 > 64; 38 > 56; 90 > 84"),
    "gate": paired(
        "the north gate > the boathouse; platform 2 > platform 7; the old barn > the ticket office;"
        "the ferry landing > the petrol station; the town hall > the swimming pool; the chapel > the cable car"
    ),
    "mail": paired(
        "kit@fairmail.example > crew@fairmail.example; hq@lodge.example > desk@lodge.example;"
        "one@trail.example > two@trail.example; info@peak.example > team@peak.example;"
        "a.b@ridge.example > b.c@ridge.example; north@cove.example > south@cove.example"
    ),
    "tariff": paired("$9 > $12; $25 > $31; $60 > $72; $14 > $19"),
}

EN_FORMS: dict[str, tuple[Form, ...]] = {
    "names": (
        form(
            "Please talk {language} with {person} whenever possible.",
            asks=("Which language does {person} like to be spoken to in?", "What is {person}'s mother tongue?"),
        ),
        form(
            "Fitting done, {person} rides best with {size}.",
            asks=("What size did we settle on for {person}?", "What came out of the fitting of {person}?"),
        ),
        form(
            "In an emergency on tour we are supposed to ring {backup} for {person}.",
            asks=("Who do we call if {person} has an accident?", "Emergency contact of {person}?"),
        ),
        form(
            "Guides be warned: {person} has {condition}, plan an easier line.",
            asks=("What health issue does {person} have?", "Why does {person} need an easy route?"),
        ),
        form(
            "Met the new purchasing head at {partnerfirm}, goes by the name of {person}.",
            asks=("Who buys for {partnerfirm}?", "What is the purchasing head of {partnerfirm} called?"),
        ),
    ),
    "order_numbers": (
        form(
            "According to {order} the {gear} {defect}.",
            asks=("What is the fault in {order}?", "What did the customer say about the item in {order}?"),
            keeps="gear",
        ),
        form(
            "Cannot release {order} yet, it lacks {blocker}.",
            asks=("What is missing for {order}?", "What keeps {order} from being released?"),
        ),
        form(
            "{person}> Tracking says {order} is lying around in {depot}. Can somebody kick it loose?",
            asks=("In which depot is {order} stuck?", "Where is {order} at the moment?"),
        ),
        form(
            "Customer was charged {fee} too much under {order}, given back as {method}.",
            asks=("How big was the overcharge on {order}?", "In what way did we return the overcharge of {order}?"),
            keeps="method",
        ),
        form(
            "Handed {order} to {partner}; they collected it {day}.",
            asks=("Who transports {order}?", "When was {order} picked up?"),
        ),
    ),
    "events": (
        form(
            "{day}: membership with {extra} terminated by {person}. Reason given: {reason}.",
            asks=("Why did {person} end the membership?", "On what date did {person} terminate?"),
            keeps="extra",
        ),
        form(
            "We had to turn back on the {ride} ride of {day} because of {weather}, {riders} people on board.",
            asks=(
                "What stopped the {ride} ride that had {riders} people?",
                "Why was the {ride} ride with {riders} people broken off?",
            ),
        ),
        form(
            "{person}> Fell off on {day} when the {component} of my {gear} gave way.",
            asks=("Which part of the {gear} caused the fall?", "When did somebody crash with the {gear}?"),
        ),
        form(
            "{partnerfirm} opened its rental corner on {day}, the line was {minutes} minutes long.",
            asks=(
                "When did {partnerfirm} celebrate its opening?",
                "How long did people queue at the {partnerfirm} opening?",
            ),
        ),
        form(
            "Workshop swapped {person}'s {component} under guarantee, done {day}, {gear} is ready.",
            asks=(
                "What did the workshop exchange for {person}?",
                "When was the guarantee repair for {person} finished?",
            ),
            keeps="gear",
        ),
    ),
    "relations": (
        form(
            "Responsible for {venture}: {person}.",
            "{person} has lodged a grievance over {mess}.",
            asks=(
                "Over what has the person responsible for {venture} lodged a grievance?",
                "What did we do wrong in the eyes of the one responsible for {venture}?",
            ),
        ),
        form(
            "For anything {venture}, {person.surname} is your port of call.",
            "{person.title} was spitting feathers this morning, {mess}, would you believe it.",
            asks=(
                "Why is the go-to person of {venture} furious?",
                "What has the {venture} contact been ranting about?",
            ),
            indirect=True,
        ),
        form(
            "{person} leads the {venture} programme.",
            "We received a complaint from {person.title} regarding {mess}.",
            asks=(
                "Which complaint did the {venture} leader hand in?",
                "Did the leader of {venture} have reason to complain?",
            ),
        ),
        form(
            "They passed the {venture} baton to {person.surname} last week.",
            "{person}> Frankly I expected better than {mess}.",
            asks=(
                "What let the current head of {venture} down?",
                "Is whoever took over {venture} disappointed by something?",
            ),
            indirect=True,
        ),
        form(
            "{venture} is run by {person}.",
            "{person} criticised {mess}.",
            asks=(
                "What did the person who runs {venture} criticise?",
                "Any criticism from the people running {venture}?",
            ),
        ),
        form(
            "Word is that {venture} ends up in {person.surname}'s lap.",
            "No Christmas card from {person.surname} this year, I fear: {mess}.",
            asks=(
                "What has soured things with the {venture} boss?",
                "What mishap hit the person who is stuck with {venture}?",
            ),
            indirect=True,
        ),
        form(
            "The owner of the {venture} account is {person}.",
            "{person.title} is dissatisfied with {mess}.",
            asks=(
                "What does the {venture} account owner want to see changed?",
                "What needs fixing for the owner of the {venture} account?",
            ),
        ),
        form(
            "Good luck asking anyone but {person} about {venture}, the others just shrug.",
            "Spent half an hour calming {person.title} down. Same old story, {mess}.",
            asks=(
                "What upset the one who knows all about {venture}?",
                "Which problem bothers the main person at {venture}?",
            ),
            indirect=True,
        ),
    ),
    "negation": (
        form(
            "Asked {person} about {extra}: a clear no.",
            near="Asked {person} about {extra}: a clear yes.",
            asks=("Who is not interested in {extra}?", "Did {person} take {extra}?"),
            keeps="extra",
        ),
        form(
            "{person} wants to keep {extra} and by no means drop it.",
            near="{person} wants to drop {extra} and by no means keep it.",
            asks=("Which member is holding on to {extra}?", "Is {person} staying with {extra}?"),
            keeps="extra",
        ),
        form(
            "{person}> I ticked {extra} by accident, leave it out.",
            near="{person}> I left out {extra} by accident, tick it.",
            asks=("Who does not want {extra} in the booking?", "Whose booking should go without {extra}?"),
            keeps="extra",
        ),
        form(
            "Nobody has ever seen {person} without the {gear}.",
            near="Nobody has ever seen {person} with the {gear}.",
            asks=("Who always brings the {gear} along?", "Does {person} use the {gear}?"),
            keeps="gear",
        ),
        form(
            "{partnerfirm} struck the {term} paragraph from the contract.",
            near="{partnerfirm} left the {term} paragraph in the contract.",
            asks=(
                "Is the {term} paragraph valid for {partnerfirm}?",
                "Did {partnerfirm} sign the contract with the {term} paragraph?",
            ),
            keeps="term",
        ),
    ),
    "same_words_opposite_fact": (
        form(
            "Waiting {weeks} weeks for a {gear} is a joke, writes {person}.",
            near="Waiting {weeks} weeks for a {gear} is no problem, writes {person}.",
            asks=("Who is fed up with waiting for a {gear}?", "For whom was the {gear} delay unacceptable?"),
            keeps="gear weeks",
        ),
        form(
            "Feedback from {person} on the {gear}: {weeks} weeks of daily use and still like new.",
            near="Feedback from {person} on the {gear}: {weeks} weeks of daily use and already scrap.",
            asks=("Who says the {gear} holds up well?", "Which tester was impressed by how durable the {gear} is?"),
            keeps="gear weeks",
        ),
        form(
            "{person}> My {gear} was fixed in {minutes} minutes, I wish every shop were like this.",
            near="{person}> My {gear} was fixed in {minutes} minutes, and it looks like it. Shame on this shop.",
            asks=("Who was delighted by the quick {gear} repair?", "Who praised how the {gear} was mended?"),
            keeps="gear minutes",
        ),
        form(
            "The {gear} is much smaller than pictured, exactly the reason {person} gave it one star.",
            near="The {gear} is much smaller than pictured, exactly the reason {person} gave it five stars.",
            asks=("Who gave the {gear} a bad rating for its size?", "Who did not like the {gear} being compact?"),
            keeps="gear",
        ),
        form(
            "{fee} for renting the {gear}: {person} would pay that again any time.",
            near="{fee} for renting the {gear}: {person} would not pay that again at any time.",
            asks=("Who thought the {gear} rental was worth it?", "Who considers the {gear} rental fee fair?"),
            keeps="gear fee",
        ),
        form(
            "{person} rode {minutes} minutes with the {gear} and got off with a sore back.",
            near="{person} rode {minutes} minutes with the {gear} and got rid of a sore back.",
            asks=("To whom did the {gear} cause pain?", "Who was hurting after trying the {gear}?"),
            keeps="gear minutes",
        ),
    ),
    "paraphrase": (
        form(
            "Day passes cost {tariff[1]} instead of {tariff[0]} from {later}.",
            near="Guide books cost {tariff[1]} instead of {tariff[0]} from {later}.",
            asks="What is the new price of a ticket for 24 hours?",
        ),
        form(
            "The hut on the ridge takes no guests until {later}, bedbugs.",
            near="The cafe on the ridge takes no guests until {later}, burst pipe.",
            asks="How long is the mountain shelter closed because of insects?",
        ),
        form(
            "Kids under {minutes} kilos must not sit in the front basket.",
            near="Dogs under {minutes} kilos must not sit in the front basket.",
            asks="From which weight may children travel at the handlebar?",
        ),
        form(
            "Our e-bikes lose power in the cold, firmware fix due {later}.",
            near="Our lamps lose contact in the rain, spare clips due {later}.",
            asks="When will the software update for low temperatures arrive?",
        ),
        form(
            "Whoever recruits a friend gets {weeks} weeks free.",
            near="Whoever writes a review gets {weeks} weeks free.",
            asks="What do I earn for bringing in a new member?",
        ),
        form(
            "The founder's daughter took the reins on {day}.",
            near="The founder's driver took the dog out on {day}.",
            asks="Since when is the company managed by the next generation?",
        ),
        form(
            "Mice ate through the tents in hall C, {riders} are beyond saving.",
            near="Damp got into the boots in hall C, {riders} pairs are beyond saving.",
            asks="How many shelters were destroyed by rodents?",
        ),
        form(
            "As of {later} no cash at the kiosk.",
            near="As of {later} no dogs at the kiosk.",
            asks="When do coins and notes stop being accepted?",
        ),
        form(
            "You may bring the trailer back up to {weeks} days late for nothing.",
            near="You may bring the wetsuit back up to {weeks} days late for a fee.",
            asks="Is there a penalty for returning the towed cart after the due date?",
        ),
        form(
            "The ferry does not run on Mondays any more.",
            near="The bakery does not bake on Mondays any more.",
            asks="On which weekday can I no longer cross by boat?",
        ),
        form(
            "A drunk tourist sank {riders} canoes on {day}.",
            near="A storm sank {riders} pontoons on {day}.",
            asks="When were the boats lost because of an intoxicated visitor?",
        ),
        form(
            "The physio refuses to treat anyone without a doctor's note.",
            near="The office refuses to enrol anyone without a parent's note.",
            asks="What do I have to bring to get a massage for my injury?",
        ),
        form(
            "Lunch on tour is vegan since {day}, the butcher went bust.",
            near="Soap on tour is solid since {day}, the bottles leaked.",
            asks="Why is there no meat at midday any longer?",
        ),
        form(
            "The insurer pays at most {fee} per stolen helmet.",
            near="The insurer pays at most {fee} per broken mirror.",
            asks="What is the maximum compensation if headgear gets nicked?",
        ),
        form(
            "The summer job pays {fee} a day plus a bed.",
            near="The summer camp costs {fee} a day plus a bed.",
            asks="What wage do seasonal workers receive, and is there accommodation?",
        ),
        form(
            "Wolf tracks near camp five, nobody sleeps there until {later}.",
            near="Fallen trees near camp nine, nobody parks there until {later}.",
            asks="How long are overnight stays off limits because of a predator?",
        ),
    ),
    "current_value": (
        form(
            "They have {funds[0]} to spend on {venture}.",
            "More money for {venture}: {funds[1]} all in all.",
            asks=("How large is the {venture} fund now?", "What can be spent on {venture} as things stand?"),
        ),
        form(
            "Opening of {venture}: {later}.",
            "{venture} slips, opening is now {later}.",
            asks=("On what date does {venture} open?", "When is the latest opening date of {venture}?"),
        ),
        form(
            "{partnerfirm} rents {bikes[0]} bikes from us.",
            "Adjusted the fleet of {partnerfirm}, {bikes[1]} bikes as of today.",
            asks=("How many bikes stand at {partnerfirm} now?", "How big is the fleet of {partnerfirm} today?"),
        ),
        form(
            "Groups from {partnerfirm} meet at {gate[0]}.",
            "Not any longer where it used to be: {partnerfirm} groups gather at {gate[1]}.",
            asks=(
                "Where is the meeting point for {partnerfirm}?",
                "Where do I collect the {partnerfirm} group these days?",
            ),
        ),
        form(
            "Write to {person} at {mail[0]}.",
            "Mail to {person} bounced; the right one is {mail[1]}.",
            asks=("Under which e-mail do I find {person}?", "To which address do I write to {person} now?"),
        ),
    ),
}

EN = Language(
    begins="2023-03-06",
    day="{number} {month}",
    months=listed("Jan; Feb; March; April; May; June; July; Aug; Sept; Oct; Nov; Dec"),
    name="{given} {surname}",
    titled="{title} {surname}",
    agents=listed("Dana; Theo; Winnie; Marcus; Sunniva; Kwame"),
    given=listed(
        "Agnes; Boris; Celia; Daniel; Edith; Fabian; Greta; Harald; Isla; Jakob; Katya; Lars; Mirela; Nathan; Oona;"
        "Patrick; Quinn; Renata; Stefan; Thea; Ulla; Vera; Wanda; Xavier"
    ),
    surnames=listed(
        "Albright; Albrecht; Bianchi; Bianco; Coulter; Coulson; Dubois; Dubrow; Eklund; Eklof; Ferreira; Ferrero;"
        "Granger; Grainger; Hoffman; Hofmann; Ivanov; Ivanic; Jensen; Jansen; Kimura; Kimmel; Larsen; Larson; Meyer;"
        "Mayer; Nilsen; Nielsen; Orlov; Orlando"
    ),
    owners=listed(
        "Arturo Benedetti Mr; Bridget Callahan Mrs; Cyrus Dastur Mr; Delphine Escoffier Mrs; Edgar Fitzroy Mr;"
        "Freya Guldberg Mrs; Gustav Hedlund Mr; Helena Ibarra Mrs; Igor Jablonski Mr; Josefa Krupp Mrs;"
        "Kamil Laskaris Mr; Lorna MacAllister Mrs; Mehmet Nazim Mr; Noemi Oliveira Mrs; Oscar Prendergast Mr;"
        "Petra Quist Mrs; Rufus Rademaker Mr; Selma Stavros Mrs; Tariq Toledano Mr; Uma Upadhyay Mrs;"
        "Viggo Valdemar Mr; Willa Wainwright Mrs; Xander Xenakis Mr; Yara Yilmaz Mrs; Zoltan Zadora Mr;"
        "Alba Arroyo Mrs; Bertil Bachmann Mr; Cosima Cavendish Mrs; Dario Drummond Mr; Esther Endicott Mrs;"
        "Floris Fairweather Mr; Gwen Galbraith Mrs"
    ),
    orders=listed("R-######; TK####/@@; #####-@; PO@##.###"),
    pools=EN_POOLS,
    forms=EN_FORMS,
    greetings=(
        "Workshop hotline, you are through to a human.",
        "Thanks for holding, I am all ears.",
        "Hey, glad you got in touch.",
        "You have reached the rental team, go ahead.",
        "Right, I have opened a new ticket for you.",
        "Morning! Sorry for the music.",
        "Hi again, shall we pick up where we left off?",
        "Rental team, evening shift.",
    ),
    small_talk=(
        "Phew, finally a person.",
        "I am standing in the wind, speak up please.",
        "Give me a second, I need my glasses.",
        "My battery is at four percent, so quickly.",
        "We met at the fair last spring, remember?",
        "First of all, nice new website.",
        "Is this call recorded?",
        "I was going to write, but calling is easier.",
        "Kids are screaming in the back, sorry.",
        "Not sure you are the right one to ask.",
    ),
    replies=(
        "Cheers, that is in the ticket now.",
        "Right, leave it with me.",
        "Okay, I will let the workshop know.",
        "Thanks for being so clear.",
        "Will do, anything on top of that?",
        "Sorry you had to chase us.",
        "Fine, you should hear from us within the week.",
        "I have flagged it for the team.",
    ),
    closings=(
        "Brilliant, take care.",
        "Nothing more from me.",
        "Cheers, bye.",
        "Good, then I can get back on the bike.",
        "You too, see you on the road.",
        "Okay, over and out.",
    ),
    chatter=(
        "Compressor is noisy again, ear plugs are in the cupboard.",
        "Anyone seen the big torque wrench?",
        "Truck from the coast is running late.",
        "Slow start today, the rain keeps people home.",
        "Phones are melting, all hands please.",
        "Inventory is on Thursday evening, pizza included.",
        "Back in twenty, getting sandwiches.",
        "Booking page had a hiccup, looks fine now.",
        "Tidy up the counter before the inspector comes.",
        "The dog of the postman is asleep in bay two, let him be.",
        "We are out of printer paper.",
        "Toolbox talk moved outside.",
        "Winnie passed her exam, hooray!",
        "Two seasonal workers start on Monday.",
        "Left the van keys with the neighbour.",
        "Calm night, nothing to report.",
        "Voicemail from {person}, only wind on it.",
        "{person} dropped by for a chat and a coffee.",
        "Mailed {person} the brochure.",
        "{person} wanted to know about parking, sorted.",
        "Returned a forgotten glove to {person}.",
        "Banner for {venture} has been printed.",
        "{venture} people borrowed our ladder.",
        "Somebody from the paper asked about {venture}, gave them a leaflet.",
        "Updated the {venture} folder on the drive.",
        "{order} is on the board, all quiet.",
        "Filed the paperwork of {order}.",
        "Scanner skipped {order}, typed it in by hand.",
    ),
)

ZH_POOLS: dict[str, tuple[Entry, ...]] = {
    "gear": listed(
        "净水器; 扫地机; 空气炸锅; 加湿器; 电饭煲; 投影仪; 破壁机; 洗碗机; 电热毯; 除螨仪; 烘干机; 智能门铃;"
        "电动牙刷; 挂烫机; 冰淇淋机; 宠物喂食器; 筋膜枪; 足浴盆; 体脂秤; 油烟机; 面包机; 护眼灯"
    ),
    "defect": listed(
        "一通电就跳闸; 有股煤油味; 嗡嗡乱响; 盖子锁不上; 背带断了; 缺一个阀门; 烫得吓人; 漆都没上; 充不进电;"
        "螺纹滑了; 站不稳; 遇水就叫"
    ),
    "blocker": listed("机身编号; 年龄证明; 第二期款项; 取件时段; 颜色选项; 维修报价"),
    "depot": listed("梧桐仓; 三岔站; 沙湾点; 望江库; 云岭仓; 北桥站; 小渔港; 石榴坡"),
    "method": listed("购物券; 自动扣款返还; 预付卡; 积分"),
    "fee": listed("37块; 52块; 68块; 83块; 96块; 115块; 142块; 177块; 205块"),
    "partner": listed("燕子物流; 山货通; 快马; 风筝速运; 新土地货运; 云梭; 满帆"),
    "dialect": listed("粤语; 闽南话; 客家话; 上海话; 四川话; 东北话; 温州话; 英语"),
    "size": listed("加高底座; 静音款; 左开门款; 大容量款; 低压款; 窄边款"),
    "backup": listed("她姐姐; 邻居老艾; 小区门岗; 健身房前台; 室友; 社区医院"),
    "condition": listed("膝盖不好; 肩周炎; 哮喘; 手腕使不上劲; 恐高; 夜里看不清"),
    "partnerfirm": listed(
        "桤木湾; 百川旅行; 雪松线; 沙丘地产; 麋角山庄; 远道培训; 幽谷餐饮; 海瑟家政; 铁径健身; 约维物业; 红隼公寓;"
        "云雀幼儿园; 枫镇超市; 北折文创; 橡港酒店; 松溪养老; 渡鸦科技; 盐滩水产; 荆棘公园; 高地向导; 谷口药房;"
        "西行客栈; 紫杉影院; 白桦俱乐部; 铜山矿泉; 牧人面馆; 东湖书院; 狐尾花店; 灰水环保; 冬青银饰"
    ),
    "extra": listed(
        "防盗险; 道路救援; 刻字; 冬季寄存; 代用机; 上门清洗; 年度检测; 滤芯包年; 亲子课; 除味套餐; 流动维修; 摄影包;"
        "行李托运; 以旧换新; 喷漆改色; 钥匙补配"
    ),
    "reason": listed("涨价; 要出国; 做手术; 换工作; 生了双胞胎; 没地方放"),
    "ride": listed("湖滨; 葡萄园; 月光; 峡谷; 古堡; 石楠; 灯塔; 寺院; 山涧"),
    "riders": listed("6; 9; 11; 14; 17; 23; 28; 35"),
    "weather": listed("冰雹; 大雾; 塌方; 路面结冰; 溃坝; 野猪; 山火"),
    "component": listed("皮带; 刹车杆; 轴心; 电池组; 显示屏; 飞轮; 滤网; 喷嘴"),
    "term": listed("竞业; 回购; 锁价; 联名; 独家; 罚金; 审计"),
    "weeks": listed("两; 三; 四; 五; 六; 七; 八"),
    "minutes": listed("10; 15; 20; 25; 35; 40; 50"),
    "venture": listed(
        "河畔租赁; 峰顶小屋; 通勤车队; 校车计划; 海滩巡游; 快闪营地; 步道地图; 冬日车轮; 夜骑团; 单车图书馆;"
        "音乐节帐篷; 过桥行动; 跳岛游; 停车换乘; 野厨房; 山谷环线; 砾石系列; 亲子大本营; 晨巡; 果园民宿;"
        "双人骑俱乐部; 爬坡赛; 太阳能棚; 提灯夜行; 翻修车间; 邮政三轮; 静林; 三角洲独木舟; 崖站; 滑雪学校; 集市广场;"
        "赤脚步道"
    ),
    "mess": listed(
        "刹车片一个月就磨没了; 头盔尺码全错; 押金没人退; 帐篷缺地钉; 预约从日历里消失; 送来的电池没电;"
        "约好的师傅没露面; 贴纸一晒就褪色; 一次租用收两回钱; 链条到手就生锈; 自提点锁着门; 软件老把人踢下线;"
        "坐垫开裂; 睡袋发霉; 地图上的路早封了; 向导出言不逊; 车灯晃得对面睁不开眼; 拖车轮胎没气; 热线一直占线;"
        "退费分好几期; 支杆一吹就断; 挂锁配错钥匙; 灶盘烧糊; 导航只有芬兰文; 车把松动; 责任险单子找不着; 车铃自己掉;"
        "水袋渗漏; 拉链卡死; 停车架没有照明; 快递柜总是满的; 手套掉色"
    ),
    "funds": paired(
        "2万 > 2.8万; 110万 > 130万; 75万 > 82万; 3.6万 > 4.1万; 9万 > 13万; 250万 > 300万; 1.45万 > 1.6万;40万 > 45万"
    ),
    "bikes": paired("20 > 32; 45 > 50; 110 > 125; 16 > 22; 70 > 64; 38 > 56; 90 > 84"),
    "gate": paired(
        "北门 > 船屋; 2号站台 > 7号站台; 老谷仓 > 售票处; 轮渡口 > 加油站; 镇政府 > 游泳馆; 小教堂 > 缆车站"
    ),
    "mail": paired(
        "kit@fairmail.example > crew@fairmail.example; hq@lodge.example > desk@lodge.example;"
        "one@trail.example > two@trail.example; info@peak.example > team@peak.example;"
        "a.b@ridge.example > b.c@ridge.example; north@cove.example > south@cove.example"
    ),
    "tariff": paired("9块 > 12块; 25块 > 31块; 60块 > 72块; 14块 > 19块"),
}

ZH_FORMS: dict[str, tuple[Form, ...]] = {
    "names": (
        form(
            "碰到{person}尽量讲{dialect}。",
            asks=("跟{person}沟通用什么话？", "{person}习惯说哪种语言？"),
        ),
        form(
            "试用完了，最适合{person}的是{size}。",
            asks=("{person}试下来选哪一款？", "给{person}配的是什么款式？"),
        ),
        form(
            "万一出事，{person}那边要通知{backup}。",
            asks=("{person}的紧急联系人是谁？", "{person}出了意外找谁？"),
        ),
        form(
            "带课的注意，{person}{condition}，动作放缓。",
            asks=("{person}身体有什么问题？", "为什么{person}上课要慢一点？"),
        ),
        form(
            "见到了{partnerfirm}新来的采购主管，名叫{person}。",
            asks=("{partnerfirm}的采购是谁？", "{partnerfirm}管采购的叫什么名字？"),
        ),
    ),
    "order_numbers": (
        form(
            "单号{order}里的{gear}，客人讲{defect}。",
            asks=("{order}是什么故障？", "{order}那件东西客人怎么说？"),
            keeps="gear",
        ),
        form(
            "{order}还放不了行，差{blocker}。",
            asks=("{order}缺什么？", "卡住{order}的是什么？"),
        ),
        form(
            "{person}> 物流显示{order}趴在{depot}不动弹，谁去催一下？",
            asks=("{order}停在哪个网点？", "{order}眼下在哪儿？"),
        ),
        form(
            "{order}多收了客人{fee}，以{method}方式补回。",
            asks=("{order}多扣了多少？", "{order}多扣的是怎么补的？"),
            keeps="method",
        ),
        form(
            "{order}交给{partner}了，{day}来提的货。",
            asks=("{order}由谁承运？", "{order}什么时候提走的？"),
        ),
    ),
    "events": (
        form(
            "{day}，{person}退了带{extra}的会员，理由：{reason}。",
            asks=("{person}为什么退会？", "{person}哪天退的会员？"),
            keeps="extra",
        ),
        form(
            "{day}{ride}活动带了{riders}个人，遇上{weather}只好折返。",
            asks=("{ride}活动{riders}个人那次因为什么中断？", "{riders}人的那次{ride}活动为什么没走完？"),
        ),
        form(
            "{person}> {day}我用{gear}的时候{component}突然崩开，手都划破了。",
            asks=("{gear}伤人是哪个部件造成的？", "有人被{gear}弄伤是在哪天？"),
        ),
        form(
            "{partnerfirm}的体验角{day}开张，队排了{minutes}分钟。",
            asks=("{partnerfirm}体验角是几号开的？", "{partnerfirm}开张那天要排多久？"),
        ),
        form(
            "保修内给{person}换好了{component}，{gear}{day}可以取。",
            asks=("保修给{person}换的是哪个配件？", "{person}的保修哪天弄完的？"),
            keeps="gear",
        ),
    ),
    "relations": (
        form(
            "{venture}的责任人：{person}。",
            "{person}就{mess}提出申诉。",
            asks=("{venture}的责任人申诉的是什么？", "在{venture}责任人看来我们哪里没做好？"),
        ),
        form(
            "凡是{venture}的事，去敲{person.surname}老师的门。",
            "{person.title}一早就炸了锅，{mess}，你敢信？",
            asks=("{venture}该找的那位为什么火大？", "{venture}那边的人一直在念叨什么？"),
            indirect=True,
        ),
        form(
            "{venture}计划由{person}牵头。",
            "{person.title}的投诉内容是{mess}。",
            asks=("{venture}牵头人投诉了什么？", "牵头{venture}的人有没有理由投诉？"),
        ),
        form(
            "{venture}的接力棒上周交到{person.surname}总手里。",
            "{person}> 说实话没想到会是这样，{mess}。",
            asks=("{venture}现在的当家人为什么失望？", "接了{venture}的人对哪里不称心？"),
            indirect=True,
        ),
        form(
            "这一季由{person}主持{venture}的工作。",
            "{person}在回访里批评了{mess}。",
            asks=("主持{venture}的人批评了什么？", "{venture}主持人给过什么批评？"),
        ),
        form(
            "听说{venture}兜兜转转还是砸在{person.surname}哥头上。",
            "{person.surname}哥今年怕是不会给咱发红包了：{mess}。",
            asks=("{venture}那位当头的跟我们怎么闹僵的？", "摊上{venture}的人碰到了什么倒霉事？"),
            indirect=True,
        ),
        form(
            "{venture}这个账户属于{person}。",
            "{person.title}对{mess}有意见。",
            asks=("{venture}账户的主人对什么有意见？", "要给{venture}账户的主人解决什么？"),
        ),
        form(
            "问{venture}除了{person}谁都只会摇头。",
            "哄了{person.title}半个钟头，老一套，{mess}。",
            asks=("最懂{venture}的那位被什么惹恼了？", "{venture}的关键人物在烦哪件事？"),
            indirect=True,
        ),
    ),
    "negation": (
        form(
            "问过{person}{extra}的事，一口回绝。",
            near="问过{person}{extra}的事，一口答应。",
            asks=("谁对{extra}没兴趣？", "{person}要了{extra}没有？"),
            keeps="extra",
        ),
        form(
            "{person}要留着{extra}，绝不能停。",
            near="{person}要停掉{extra}，绝不能留。",
            asks=("哪个会员舍不得{extra}？", "{person}还用{extra}吗？"),
            keeps="extra",
        ),
        form(
            "{person}> {extra}是我手滑勾上的，拿掉。",
            near="{person}> {extra}是我手滑拿掉的，勾上。",
            asks=("谁的单子不该带{extra}？", "谁其实没打算买{extra}？"),
            keeps="extra",
        ),
        form(
            "从没见过{person}哪天不用{gear}。",
            near="从没见过{person}哪天用过{gear}。",
            asks=("谁天天离不开{gear}？", "{person}平时用{gear}吗？"),
            keeps="gear",
        ),
        form(
            "{partnerfirm}把{term}那条从合同里划掉了。",
            near="{partnerfirm}把{term}那条留在合同里了。",
            asks=("{term}那条对{partnerfirm}有效吗？", "{partnerfirm}签的合同里有没有{term}？"),
            keeps="term",
        ),
    ),
    "same_words_opposite_fact": (
        form(
            "一台{gear}等{weeks}个星期，{person}说简直是笑话。",
            near="一台{gear}等{weeks}个星期，{person}说完全没关系。",
            asks=("谁等{gear}等得不耐烦？", "{gear}的等待时间谁接受不了？"),
            keeps="gear weeks",
        ),
        form(
            "{person}反馈{gear}：天天用，{weeks}个月还跟新的一样。",
            near="{person}反馈{gear}：天天用，{weeks}个月就成了废铁。",
            asks=("谁说{gear}耐用？", "哪位试用者夸{gear}结实？"),
            keeps="gear weeks",
        ),
        form(
            "{person}> 我的{gear}{minutes}分钟就修完了，店店都这样该多好。",
            near="{person}> 我的{gear}{minutes}分钟就修完了，难怪修成这副样子，丢人。",
            asks=("谁对{gear}的快速维修很开心？", "谁表扬了修{gear}的手艺？"),
            keeps="gear minutes",
        ),
        form(
            "{gear}比图上小一圈，{person}就冲这点给了一星。",
            near="{gear}比图上小一圈，{person}就冲这点给了五星。",
            asks=("谁因为尺寸给{gear}差评？", "谁不喜欢{gear}这么迷你？"),
            keeps="gear",
        ),
        form(
            "租{gear}花了{fee}，{person}说下回还租。",
            near="租{gear}花了{fee}，{person}说没有下回。",
            asks=("谁觉得租{gear}值？", "谁认为{gear}的租金合理？"),
            keeps="gear fee",
        ),
        form(
            "{person}用{gear}按了{minutes}分钟，腰疼犯了。",
            near="{person}用{gear}按了{minutes}分钟，腰疼没了。",
            asks=("{gear}让谁身体不舒服了？", "谁试完{gear}难受？"),
            keeps="gear minutes",
        ),
    ),
    "paraphrase": (
        form(
            "{later}起日票由{tariff[0]}改为{tariff[1]}。",
            near="{later}起画册由{tariff[0]}改为{tariff[1]}。",
            asks="玩一整天的门槛费涨到多少？",
        ),
        form(
            "山脊上的小屋闹臭虫，{later}前不接客。",
            near="山脊上的咖啡馆爆水管，{later}前不接客。",
            asks="高处那个住宿点因为虫子要关多久？",
        ),
        form(
            "不满{minutes}斤的娃不能坐前筐。",
            near="不满{minutes}斤的狗不能坐前筐。",
            asks="孩子多重才可以放在车头？",
        ),
        form(
            "天冷电动车掉电，固件{later}更新。",
            near="天冷投影仪变暗，灯泡{later}更新。",
            asks="低温续航的软件补丁何时出？",
        ),
        form(
            "拉一个朋友进来免{weeks}周费用。",
            near="写一篇点评免{weeks}周费用。",
            asks="推荐新人入会有啥奖励？",
        ),
        form(
            "创始人的女儿{day}接手了公司。",
            near="创始人的司机{day}接手了菜园。",
            asks="老板换成下一代掌舵是哪日？",
        ),
        form(
            "C库的帐篷被老鼠咬了，{riders}顶没救了。",
            near="C库的靴子受了潮，{riders}双没救了。",
            asks="啮齿动物毁掉多少露营用具？",
        ),
        form(
            "小卖部{later}以后不收现金。",
            near="小卖部{later}以后不让带狗。",
            asks="纸币硬币几时开始花不出去？",
        ),
        form(
            "拖车晚还{weeks}天之内不收钱。",
            near="潜水服晚还{weeks}天之内也要收钱。",
            asks="挂在后头的斗子超期归还罚款吗？",
        ),
        form(
            "周一没有渡轮了。",
            near="周一没有面包了。",
            asks="星期几坐不了船过河？",
        ),
        form(
            "{day}有醉汉弄沉了{riders}条独木舟。",
            near="{day}有大风弄沉了{riders}条橡皮筏。",
            asks="因为喝多的人损失小艇是什么时候？",
        ),
        form(
            "没有医生的条子，理疗师不接。",
            near="没有家长的条子，教务处不收。",
            asks="做康复推拿要带什么证明？",
        ),
        form(
            "卖肉的倒闭了，{day}起团餐全素。",
            near="卖花的倒闭了，{day}起前台不摆花。",
            asks="为何出行午饭吃不到荤菜？",
        ),
        form(
            "头盔被偷保险最多赔{fee}。",
            near="镜子摔碎保险最多赔{fee}。",
            asks="安全帽失窃能拿回的上限是几何？",
        ),
        form(
            "暑期工一天{fee}，管住。",
            near="夏令营一天{fee}，管住。",
            asks="短期打工的薪水怎样，有宿舍没有？",
        ),
        form(
            "五号营地附近有狼脚印，{later}之前别过夜。",
            near="九号营地附近有倒树，{later}之前别停车。",
            asks="野兽出没的地方要禁宿到哪天？",
        ),
    ),
    "current_value": (
        form(
            "{venture}手头有{funds[0]}可用。",
            "{venture}又追加了钱，总共{funds[1]}。",
            asks=("{venture}现在的资金有多大？", "眼下{venture}可以花多少？"),
        ),
        form(
            "{venture}开业日：{later}。",
            "{venture}往后拖，{later}才开业。",
            asks=("{venture}哪天开业？", "{venture}最近说的开业日是什么时候？"),
        ),
        form(
            "{partnerfirm}向我们租了{bikes[0]}台设备。",
            "{partnerfirm}的设备数刚改过，今天算起{bikes[1]}台。",
            asks=("{partnerfirm}手上现在有多少台？", "{partnerfirm}今天的设备数是多少？"),
        ),
        form(
            "{partnerfirm}的团在{gate[0]}集合。",
            "老地方不用了，{partnerfirm}的团都在{gate[1]}碰头。",
            asks=("{partnerfirm}的集合点在哪儿？", "如今去哪里接{partnerfirm}的团？"),
        ),
        form(
            "给{person}写信用{mail[0]}。",
            "发给{person}的信被退回来，正确的是{mail[1]}。",
            asks=("{person}的邮箱是什么？", "现在写信给{person}发到哪个地址？"),
        ),
    ),
}

ZH = Language(
    begins="2023-03-06",
    day="{month}{number}号",
    months=tuple(f"{number}月" for number in range(1, 13)),
    name="{surname}{given}",
    titled="{surname}{title}",
    agents=listed("阿敏; 小卓; 晴晴; 老魏; 豆豆; 思齐"),
    given=listed(
        "明辉; 明慧; 雪芹; 雪琴; 家豪; 嘉豪; 春燕; 春艳; 伟东; 卫东; 秋菊; 秋橘; 少华; 绍华; 彩云; 采云; 宏图; 鸿图;"
        "依依; 一一; 浩然; 皓然; 若溪; 若曦"
    ),
    surnames=listed("张; 赵; 胡; 林; 高; 马; 蔡; 潘; 田; 姜; 范; 方; 石; 姚; 谭; 廖; 邹; 熊; 金; 陆; 郝; 孔; 崔; 薛"),
    owners=listed(
        "伯年 乔 先生; 春晓 苗 小姐; 德顺 安 先生; 恩慈 祁 小姐; 凤鸣 裴 先生; 桂香 阮 小姐; 鹤立 温 先生;"
        "惠兰 娄 小姐; 继光 涂 先生; 可心 焦 小姐; 良才 巴 先生; 曼丽 单 小姐; 乃文 戚 先生; 佩珊 柴 小姐;"
        "启明 车 先生; 如意 童 小姐; 世昌 欧 先生; 天娇 宫 小姐; 维汉 瞿 先生; 香凝 阎 小姐; 延寿 佟 先生;"
        "漪涟 甄 小姐; 泽民 储 先生; 芝兰 靳 小姐; 松柏 汲 先生; 杏雨 糜 小姐; 长河 井 先生; 秋水 段 小姐;"
        "大海 雷 先生; 文君 侯 小姐; 远帆 龙 先生; 紫烟 陶 小姐"
    ),
    orders=listed("R-######; TK####/@@; #####-@; PO@##.###"),
    pools=ZH_POOLS,
    forms=ZH_FORMS,
    greetings=(
        "售后热线，人工为您服务。",
        "让您久候了，您请说。",
        "嗨，很高兴您联系我们。",
        "租赁组，请讲。",
        "好，我给您新开了一张工单。",
        "早，刚才的等候音乐吵到您了吧。",
        "又是您，咱接着上回聊？",
        "租赁组晚班。",
    ),
    small_talk=(
        "哎呀，总算有真人了。",
        "我在风口上，您大点声。",
        "等我戴个眼镜。",
        "手机只剩百分之四的电，说快点。",
        "去年展会上咱们见过，记得吗？",
        "先说一句，新网站做得不错。",
        "这个通话录音吗？",
        "本来想写信，还是打电话省事。",
        "后面孩子在闹，见谅。",
        "不知道问你对不对口。",
    ),
    replies=(
        "好嘞，写进工单了。",
        "行，交给我。",
        "我去跟车间说一声。",
        "谢谢您讲得这么清楚。",
        "没问题，还要补充吗？",
        "害您追着我们跑，抱歉。",
        "可以，一周内给您回音。",
        "我给团队标红了。",
    ),
    closings=(
        "棒，保重。",
        "我这儿没了。",
        "谢啦，拜拜。",
        "行，那我继续忙去。",
        "你也是，回见。",
        "好，通话完毕。",
    ),
    chatter=(
        "空压机又吵起来了，耳塞在柜子里。",
        "谁看见大号扭力扳手了？",
        "沿海那趟货车晚点。",
        "下雨天没什么人上门。",
        "电话打爆了，都来帮把手。",
        "周四晚上盘点，管披萨。",
        "出去买三明治，二十分钟回。",
        "预约页抽了一下风，又好了。",
        "检查的要来，柜台收拾收拾。",
        "邮递员的狗在二号工位睡着了，别吵它。",
        "打印纸用光了。",
        "班前会挪到院子里开。",
        "晴晴考试过了，撒花！",
        "下周一来两个季节工。",
        "车钥匙留给隔壁了。",
        "一夜太平，无事可报。",
        "{person}的语音信箱里只有风声。",
        "{person}路过坐了会儿，喝了杯咖啡。",
        "给{person}寄了宣传册。",
        "{person}打听停车的事，搞定。",
        "把落下的手套还给{person}了。",
        "{venture}的横幅印出来了。",
        "{venture}的人借走了咱们的梯子。",
        "报社的来问{venture}，给了份传单。",
        "网盘里{venture}的文件夹更新了。",
        "{order}在看板上，一切正常。",
        "{order}的单据归档了。",
        "扫码枪漏了{order}，手敲进去的。",
    ),
)

LANGUAGES = {"en": EN, "zh": ZH}
