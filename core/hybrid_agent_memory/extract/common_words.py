"""Word lists of the name finder: what a capital letter does not make a name."""

from functools import cache, lru_cache

from hybrid_agent_memory.graph.names import plain

_FUNCTION = """
    a an the this that these those i i'm i've i'll i'd me my mine myself we we're we've we'll we'd us our ours you
    you're you've you'll you'd your yours he he's he'll he'd him his she she's she'll she'd her hers it it's it'll
    its they they're they've they'll they'd them their theirs who who's whom whose what what's which when where
    where's why how how's and or but nor so yet for if then else than as because since although though while whereas
    until unless whether of in on at by to from with without within into onto over under above below between among
    through during before after about against across along around behind beside besides beyond despite down except
    inside near off out outside past per toward towards up upon via is isn't are aren't was wasn't were weren't be
    been being am do don't does doesn't did didn't done doing have haven't has hasn't had hadn't having can can't
    cannot could couldn't will won't would wouldn't shall should shouldn't may might must not no yes there there's
    here here's let let's some any each every all both either neither none other another such same own only also
    just even very too more most much many few less least several once twice again ever never always often sometimes
    now
"""

_OPENERS = """
    yesterday today tomorrow tonight hey hi hello hiya dear thanks thank thx please sorry wow whoa yeah yep yup nope nah
    ok okay oh ooh ah aw aww haha hahaha lol omg hmm hm um uh well so anyway anyways congrats congratulations welcome
    bye goodbye cheers sure absolutely definitely totally exactly indeed right alright agreed great good nice cool
    awesome amazing fantastic wonderful perfect lovely glad happy excited maybe perhaps probably possibly actually
    honestly basically finally recently lately currently originally initially eventually suddenly unfortunately
    fortunately luckily sadly hopefully obviously apparently clearly usually generally typically normally frankly
    seriously really first second third firstly secondly thirdly next then later earlier soon already meanwhile however
    therefore moreover furthermore additionally nevertheless nonetheless instead otherwise overall besides thus hence
    still yet note update edit ps fyi btw re fwd subject morning afternoon evening guys folks everyone everybody someone
    somebody anyone anybody nobody nothing something anything everything gonna wanna gotta kinda sounds looks looking
    see got need want hope keep make take get go come look try check tell ask give show send call let meet talk remember
    think know love like hate feel believe guess wonder mean say said stop start wait stay bring put using given during
    following according due despite including based prior customer met starting halfway email ping invite remind client
    vendor supplier sent moved noted spoke shipped received installed replaced forwarded printed employee colleague
    owner engineer developer assignee reporter speaking thinking regarding concerning ticket order issue bug case
    incident invoice suppose assume imagine ignore per via
"""

_COMMON = """
    able about accept access according account action active actually add added adding address admin after age agent
    agents agree air all allow almost alone along already also although always amount analysis animal another answer
    answers any apart appreciate approved area art article aside assigned attached attempt attend author available
    away baby back backup bad balance based basic beach beautiful became because become becoming bed been before
    began begin behind being believe best better big bill billing birthday bit black blue board body book books born
    both box boy brand break breaking bring brother brothers brought budget bug build building built burning bus
    business busy busier buy buying call called calling calls camping can car card care career careful case cases
    cat catch cause celebrating century challenge change changed changes changing chat check checked child children
    choose city class clean clear click client clients close closed code coffee collection color colour come comes
    coming comment comments commit common community company complete completed concert confirm confirmed connecting
    connection consider contact content contract control cooking copy correct cost costs count country couple course
    creating creative credit crew cross cup current customer customers cut dad daily dance dancing data date
    daughter day days dead deal death debugging decided decision deep delete delivery deploy deployed deployment
    description design details develop development did different digital dinner direct director disease do doctor
    document documentation dog dogs doing done door double down download dream drive driving drop each early earth
    easy eat eating education either email empty end engineer engineering english enjoy enjoyed enjoying enough
    enter environment error errors even event events ever every evidence example except exercise expect expected
    experience explain express eye eyes face fact failed failure family fans far fast father fear feature feedback
    feeling felt few field figure file files fill film final finance find finding fine finish finished fire fish fix
    fixed flight floor flowers fly focus follow food for force form former forward found free french fresh friend
    friends front full fun funny future game games garden gave general german get getting gift girl give gives
    giving go goes going gold gone government grandma grandpa gray green group growing growth guy had half hand
    hands happen happened hard has head health hear heard heart heat help helped helping here high hiking history
    hit hold home hope hoping hot hotel hour hours house how huge human husband idea ideas image imagine important
    include included including increase indoor info information inside install interesting internal internet
    interview invoice is issue issues item items its job join joined just keep keeping kept key kid kids kind
    kitchen knew knowing knowledge known lab land language large last late latest launch law lead leader learn
    learned learning least leave left legal less letter level life light lights like line link list listen listening
    little live lived lives living local location log login logs long longer look looked loss lost lot lots love
    loved loving low lunch made mail main maintenance major make makes making man management manager many map market
    marketing married match matter maybe meaning meanwhile meeting member members memory men mental message messages
    met mid middle military milk mind minor minute mission mix mobile model modern mom money month months more
    morning most mother mountain mountains mouth move moved movie moving much mum music musical my name named
    natural nature near need needed needs neither network never new news next nice night no nobody none noon normal
    north not note notes nothing notice novel now number object odd offer office official old older on once one ones
    online only open opened opening operation option options or order orders original other others out outdoor over
    owner package page paid paint painted painting paper parent parents park part party password past pay paying
    payment pending people performance period person personal pet phone photo photography pick picked picking
    picture place plan planning plans plant play playing plays please plus point police policy poor popular position
    possible post posted power present president press pretty previous price pricing print prior private prize
    problem process product production products program progress project projects prompt proud public published pull
    purchase pure push put quality question questions quick quickly quiet quite race rain raised ran rate rather
    read reading ready real reason receive received recent record red reference refund regarding region regular
    related relax release released remaining remember remote remove removed rent repeat replace reply report reports
    request requests require required research reset response rest result results return returned review rich ride
    right river road role room rule rules run running sales same save saw say saying says scheduled school science
    scientists sea search season seat second see seeing seem seems seen select self sell send sense sent series
    serious server service services set setting settings several share shared sharing she ship shipping shop
    shopping short should show showed showing side sign similar simple simply single sister site sitting size skin
    sleep slow small snow social software sold some son song soon sort sound source south space speak speaking
    special speed spent sport sports spring stack staff stage standard star started starting state status staying
    step steps stock stone store story straight street strong student students studies study stuff style such
    summary summer sun super supply support supposed sweet switch system table take taken takes taking talk talking
    target task tasks teacher team tech technical technology tell ten term test tested testing tests text thank that
    them there things think thinking third this those thought three through ticket tickets tie time times tips tired
    title to together told too took top total touch tough tour town track traffic train training transfer travel
    traveling tree trees trip true trust truth try trying turn turned twenty two type under understand understanding
    unknown unless until upgrade upload upset use used useful user users using usual value vegan version vice video
    view views visit visited visiting voice volunteering wait waiting wake walk walking wall want wanted war warm
    warning was watch watched watching water way ways we weather web website wedding week weekend weeks weird
    welcome went west what when whenever white whole why wide wife wild will win window winter wise wish wishes with
    woman women won wondering word words work worked worker workers working works world worth would write writer
    writing written wrong year years yellow yoga young younger your zero six seven eight nine four five hundred
    thousand million actor actress singer band album films songs club league player players footballer politician
    artist painter county district village township province lake island population census scholar scholars critics
    researchers residents officials voters historians vendor supplier apology urgent attention reminder agenda
    minutes deadline root resolution priority severity actual assistant tool ai bot operator caller q debug todo
    attendees attendee participants participant disk pets seeds congrats hooray yay phew ugh oops alas pottery
    therapy counseling adoption friendship kindness courage cookies recipes ingredients instructions prerequisites
    installation configuration usage background introduction conclusion references abstract methods discussion
    appendix chapter section contents overview objective objectives goals scope assumptions risks decisions topics
    topic blocked blocker blockers resolved reopened escalated impact workaround symptom symptoms mitigation
    rollback hotfix patch pipeline cluster node nodes pod pods container containers timeout latency throughput cpu
    gpu ram storage bandwidth database cache queue broker gateway proxy firewall router modem printer scanner laptop
    desktop keyboard mouse monitor screen tablet headset battery charger cable adapter accounting hr it operations
    procurement logistics warehouse inventory compliance audit tax taxes vat revenue profit margin expense expenses
    salary payroll bonus heads bought rumour rumor ignore suppose assume forget avoid apply arrange assign attach
    authorize cancel charge compare complain compute convert create decide define deliver deny depend disable
    discuss edit enable encourage ensure escalate estimate evaluate exclude execute export extend fetch filter
    finalize generate grab greet guess handle highlight hire host identify implement import inform insert inspect
    invite investigate kick load lock merge migrate mention modify notify obtain organize paste pass pause perform
    postpone prefer prepare prevent proceed produce propose protect prove provide publish query quit raise rank
    reach rebuild recall recommend reduce refer reject rely remind rename renew reopen repair rephrase reschedule
    reserve resolve respond restart restore retry revert rewrite ring roll scan schedule separate serve skip solve
    split submit subscribe subtract suggest summarize sync teach translate treat trigger unlock unsubscribe update
    validate verify warn wipe wrap ate broke came caught chose drew drove fell flew forgot grew held hurt lent meant
    rode rose sang sat shut slept spoke stood swam taught threw understood woke wore wrote apparently arguably
    barely certainly elsewhere essentially exactly forever formerly hardly hence indoors largely merely mostly
    nearby nearly nowadays occasionally partly presumably previously primarily quietly rarely recently relatively
    roughly slightly somehow somewhat somewhere surely alcohol animals apartment apple apples army audience autumn
    bags bank bath beer bike birds blood boat bottle bread breakfast bridge buses butter cake camera cars cash cells
    chairs chicken church cities clothes clouds coins companies computers concerts cookie countries courses cousins
    cows crowd cups dates deals desk diet doors drinks drugs ears eggs emails emotions energy evening exam exams
    experts facts families farmers fees fingers flavor floors flour folks forest forests fruit fuel furniture gifts
    glass glasses gods grades grass groups guests guitar habits hair hats holidays homes homework hospital hospitals
    hotels humans ice insurance investors islands jobs jokes journey juice keys kings knives lakes laws lawyers
    leaves legs lessons letters libraries lions lips luck machines magic maps marriage meals meat medicine meetings
    metal minds moments moon museums nails names nations neighbors neighbours notebooks novels nurses oceans oil
    onions opinions oranges owners pages pain pants passengers passion patience patients peace pens phones photos
    pictures pigs pilots pizza plants plastic plates poems poets pools potatoes prices pride priests prizes profits
    promises proposals queens quotes races rice rights rings rivers roads rocks roles roommates rooms roots roses
    salt sand schools screens seats secrets sheep shirts shoes shops sick signs silence skills skirts sky soap socks
    soldiers souls soup spices spiders stairs stars stations steel storms strangers streets stress sugar suits
    sunset sunrise surgery swimming taxis teachers teams teeth tennis tents tigers tools tourists towels towns toys
    trains trips trucks uncles universities values vegetables vehicles videos villages violence visitors voices
    walls wars watches waves weapons weddings wheels wind windows wine wings winners wolves wood writers yards youth
    zoos appeal approval approach bonding brainstorming capturing chilling combining crafting crushing diving
    drawing embracing exploring facing finishing fishing flying gaming gathering grabbing heading jogging juggling
    launching losing meditating mentoring networking passing performing planting posting practicing racing reaching
    reflecting rehearsing relaxing renting riding roasting rocking sailing scoring shooting skiing singing smelling
    snapping snowboarding solving spending staring streaming stretching struggling supporting surfing surrounding
    tackling teaching tracking treating unwinding winning pro premium enterprise starter trial monthly annual weekly
    yearly quarterly partial temporary permanent default custom whatever whichever whoever wherever ownership
    leadership partnership relationship membership woah woohoo crazy cherish reminds challenges bet lucky setbacks
    oof feels yum basketball football soccer baseball creativity cute hang yea awww anytime mixed bummer mmm ouch
    conversations spill horses thoughts sunflowers veggies expression gather respect contemporary success cozy chase
    tackle gotcha lemme obstacles mentors ha hah capture meal turns tons stories laughter domestic kudos woo
    allergies worries themes movies rejections tournaments brings dang turtles strength assignments everywhere means
    visual struggles injury confident difficult fantasy epic unlike throughout owned whilst amongst further
    additional worldwide typical examples reviews critical subsequent noted likewise sometime males females
    employees donations practices maximum minimum butterflies beginners legacy contrary inaugural voltage litter
    bottom reunion awards recreational principal entry champion footage estimates hitherto internationally trailer
    non aware harsh tender concern drum marker victims couples prisoners elections voting politics religion
    religious economy
"""

_CALENDAR = """
    monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun january
    february march april may june july august september october november december jan feb mar apr jun jul aug sep
    sept oct nov dec
"""

_DEMONYMS = """
    afghan african albanian algerian american andorran angolan arab arabic argentine argentinian armenian asian
    australian austrian azerbaijani bangladeshi belarusian belgian bengali bolivian bosnian brazilian british
    bulgarian burmese byzantine cambodian cameroonian canadian catalan catholic chilean chinese christian colombian
    croatian cuban cypriot czech danish dutch ecuadorian egyptian english estonian ethiopian european filipino
    finnish flemish french georgian german ghanaian greek hebrew hindi hindu hungarian icelandic indian indonesian
    iranian iraqi irish islamic israeli italian jamaican japanese jewish jordanian kenyan korean kurdish latin
    latvian lebanese libyan lithuanian malaysian maltese maori mexican mongolian moroccan muslim nepalese nigerian
    norwegian ottoman pakistani palestinian persian peruvian polish portuguese protestant punjabi roman romanian
    russian sanskrit scottish serbian serbo singaporean slovak slovene slovenian somali soviet spanish sudanese
    swedish swiss syrian taiwanese tamil telugu thai tibetan tunisian turkish ugandan ukrainian urdu uruguayan
    venezuelan vietnamese welsh yugoslav zambian zimbabwean northern southern eastern western north south east west
    northeast northwest southeast southwest victorian hispanic latino latina bavarian prussian saxon norman
    scandinavian balkan arabian caribbean qatari emirati saudi kuwaiti omani yemeni eritrean namibian rwandan
    senegalese malian moldovan kazakh uzbek
"""

_ROLES = """
    president king queen prince princess emperor empress duke duchess earl count countess baron lord lady sir dame
    pope bishop archbishop cardinal saint minister premier chancellor governor senator mayor ambassador secretary
    general colonel major captain lieutenant sergeant admiral commander chief officer director manager chairman
    chair ceo cto cfo coo vp professor doctor judge justice mr mrs ms miss dr prof mom mum dad mommy daddy grandma
    grandpa uncle aunt prime vice deputy god
"""

_CAPITALS = """
    ok tv am pm lol omg id ps nb fyi btw asap aka faq pdf url http https vs etc eta tbd tba imo imho idk diy rip bbq
    q a ii iii iv
"""
_CONNECTORS = """
    of de del della der den des di du da do dos das van von la le el al bin bint ibn y e et zu ten ter
"""
_ARTICLES = """
    the la las los le les den der
"""
_HONORIFICS = """
    mr mrs ms miss mx dr prof sir dame
"""
_ABBREVIATIONS = """
    rev fr capt sgt lt col gen cpl st jr sr mt ft inc ltd co corp no vs
"""
_COMPANY = """
    inc ltd llc gmbh ag plc corp corporation company co holdings group airlines airways motors pictures records
    studios technologies systems industries labs partners ventures entertainment
"""
_INSTITUTION = """
    university college institute academy school bank ministry department agency association society foundation
    committee council commission party orchestra hospital museum library church union league federation club army
    navy police parliament senate congress court observatory laboratory team
"""
_PLACE = """
    river street county island islands lake mountain mountains road avenue bay city town village township district
    province state valley beach park bridge airport station peninsula desert sea ocean square boulevard lane hills
    canyon
"""
_COMPETITIONS = """
    cup prize award awards festival game games final finals tournament championship championships match race league
"""
_AFTER_AND = """
    islands sons associates partners brothers company co sciences arts technology police command rescue tobago
    herzegovina barbuda nevis prejudice records trade commerce industry development education agriculture
"""
_KINDS = """
    film films song album novel book play opera musical band series show game magazine newspaper soundtrack single
    ep miniseries documentary anime manga comics comic character poem painting company ship disambiguation franchise
    actor actress bishop footballer cricketer politician singer musician composer director producer writer author
    poet painter artist journalist soldier officer mp priest judge scientist physicist chemist economist historian
    philosopher businessman lawyer engineer architect photographer model boxer wrestler golfer rower swimmer cyclist
    athlete coach baseball basketball hockey football rugby cricket player rapper dj comedian rabbi theologian
    general mathematician botanist explorer king queen prince princess duke earl filmmaker footballers empress
    emperor university village county river mountain
"""
_CUES = """
    film movie song album novel book play series show game musical poem episode single story titled called named
    entitled anime documentary films movies songs albums novels
"""
_SMALL = """
    and the a an to for on at without of upon over under
"""
_ROYALS = """
    king queen prince princess emperor empress duke duchess earl count countess baron lord lady marquess marquis
    viscount pope bishop archbishop sultan tsar
"""
_PERSON_CUES = """
    brother sister mother father wife husband son daughter friend colleague boss manager teacher actor actress
    director writer author singer composer musician painter guitarist drummer bassist vocalist producer screenwriter
    journalist footballer politician president minister senator governor mayor engineer uncle aunt cousin nephew
    niece grandmother grandfather girlfriend boyfriend fiance fiancee neighbour neighbor roommate coach lawyer
    physicist historian poet novelist filmmaker
"""
_LABELS = """
    customer client company vendor supplier tenant partner team group squad plan option scenario project phase user
    candidate site zone room warehouse store server node machine unit product module variant flat suite
    terminal block bay gate apartment
"""
_PARTITIVES = """
    photos photo pictures picture images image screenshots screenshot copies copy members member parts part owners owner
    residents citizens users fans students employees staff pages page minutes notes drafts draft details results thanks
    news word proof most some many all none both half each either neither any several much plenty lots hundreds
    thousands dozens millions samples boxes pieces budget price deadline status address cost costs rent version contact
    tenant
"""
_SECTIONS = """
    background methods method results conclusion conclusions objective objectives introduction abstract summary purpose
    aim aims findings discussion interpretation funding design setting settings participants measurements
"""
_HEADINGS = """
    starring directed produced written composer composers location locations distributed cinematography edited running
    country language languages budget genre gender occupation author director producer editor origin aliases website
    succeeded preceded predecessor successor
"""
_PROJECT_WORDS = """
    manager managers management lead leads leader leaders owner owners director coordinator sponsor team teams plan
    plans planning update updates status report budget office scope charter kickoff timeline schedule name id number
    code description overview summary goals deadline meeting notes
"""
_DOUBLE_GIVEN_NAMES = """
    daisy dale drew gene grace iris ivy jasper lily miles olive penny ruby rose robin
"""
_GIVEN_NAMES = """
    aaron abby abdul abdullah abena abigail ada adam adela adele adrian adriana agatha agnes agnieszka ahmed aidan
    aiden aiko aileen ailsa aisha aisling akiko akira alan albert alec alejandro aleksandr alessandra alessandro
    alessia alex alexander alexandra alexei alexia alexis alfonso alfred alice alina alisa alison allison alma
    alvaro amadou amal amalia amanda amara amelia amina amir amira amirah amit amy ana anastasia anders andre andrea
    andreas andrej andres andrew angela angelica angelo angus anika anil anita anja anjali anke ankit ann anna anne
    anneke annette annie annika anselm anthony antoine anton antonia antonina antonio anwar anya archie arjun arnaud
    arne arnold arthur arturo arun arvid asha ashley ashok asif astrid audrey augusto aurelia axel ayaan ayesha ayla
    ayumi aziz barbara bart bartosz bashir beata beatrice beatriz bela ben benedict benedikt benita benjamin
    bernadette bernard bernd bertha beth betty bianca bill billy birgit bjorn bob bobby bogdan boris bozena brad
    brandon brenda brendan brett brian bridget britta brittany brooke bruce bruna bruno bryan burak caleb callum
    cameron camila camille carl carla carlos carmen carol caroline carolyn caspar catherine cathy cecilia cedric
    celia celine cesar charles charlie charlotte chiara chidi chiyo chloe chris christian christina christine
    christopher cindy claire clara clarissa claude claudia claus clement clive colin connie conor conrad constance
    cora cordelia cornelia cosmin craig cristian cristiano cristina curtis cynthia cyril dagmar daisuke damian
    damien dan daniel daniela daniele danielle danny danuta daphne daria dario darius darren dave david dawid
    deborah debra declan deepa delia denise dennis derek desmond diana diane diego dieter dimitri dina dirk divya
    dmitri dolores dominic dominik dominique donal donald donatella donna doreen dorian doris dorota dorothy doug
    douglas dov duc duncan dunja dwight dylan ebba ed eddie edgar eduardo edward edwin eileen eitan ekaterina elaine
    eleanor elena eleni eli elias elif elisa elisabeth elise elizabeth ella ellen elliot elsa elsie elvira emeka emi
    emil emilia emilie emilio emily emma emmanuel emre enrique enzo eric erica erik erin ernest ernst esme esmeralda
    esperanza estelle esther ethan ethel eugene eugenia eva evan evangeline evelyn ewa fabian fabio faisal farah
    farid fatima fatma faye federica federico felicity felix femi ferdinand fernando finn fiona flavia florian
    frances francesca francesco francis francisco frank fraser fred frederick fredrik freya frida friedrich gabor
    gabriel gabriela ganesh gareth gary gemma genevieve georg george georgina gerald gerd gerhard gertrude gianluca
    gilbert gilles gina giorgio giorgos giovanni gita giulia giuseppe gloria gopal goran gordon grazia greg gregory
    greta gretchen gudrun guido guillaume guillermo gunnar gunther gustav gustavo gwen habib hadi hakan hakim hamid
    hamza hana hanna hannah hanne hans hao harald harold harriet harry haruka haruki haruto harvey hasan hassan
    heather hector hedda heidi heike heinrich heinz helen helena helga helmut hendrik henri henriette henrik
    henrique henry herbert hermann hilda hillary hiroshi hisham holly horst howard huda hugh hugo hussein hye ian
    ibrahim ida ignacio igor ilaria ilona ilse imani imran ines inga inge ingeborg ingrid ioana irena irene irina
    irma isaac isabel isabella isabelle isadora isha ismail ivan ivana ivo iwona jaap jacek jack jacob jacqueline
    jacques jadwiga jaime jake jakub james jamie jan jana jane janek janet janez janice janina jarek jared jasmin
    jasmine jason javed javier jay jean jeff jeffrey jelena jennifer jenny jens jeremy jerome jerry jesper jesse jessica
    jesus jiho jill jim jimmy jing jiri jisoo joachim joan joann joanna joao jochen joe joel johan johannes john
    johnny jon jonas jonathan jorge joris jose josef josefina joseph josephine josh joshua josie joyce jozef juan
    juana judit judith judy julia julian julie julien juliet juliette jurgen jussi justin justine kai kaito kalle
    kamal kamila kareem karel karen karim karin karina karl karla karolina kaspar kasper katarina katarzyna kate
    katherine kathleen kathrin kathryn kathy katie katrin katya kavita kaya kayla kazuo keiko keith kelly ken kenji
    kenneth kenta kerstin kevin khadija khalid kim kiran kirsten klara klaus kofi koji konrad konstantin krista
    kristen kristian kristin kristina krystyna krzysztof kumar kurt kwame kyle kyoko laila lakshmi lamar lana lance
    larissa larry lars lasse laszlo latoya laura lauren laurence lawrence layla leah leandro leif leila lena lennart
    leo leon leonard leonardo leonie leonora leopold lerato leroy leslie leticia liam lidia liesel lilian liliana
    lily lina linda ling linh linus lionel lisa lisbeth liv liviu ljubica lloyd lois lola lorenzo lothar lotte louis
    louisa louise luc luca lucas lucia luciana luciano lucy ludmila ludwig luigi luis luiza lukas luke luther lydia
    lynn mabel madeleine magda magdalena maggie magnus mahmoud maja malcolm malik mandy manfred manuel manuela mara
    marc marcel marcela marcelo marcin marco marcus marek margaret margarita margot maria mariam mariana marianne
    mariano marie marika marilyn marina mario marion marisa marisol marit mark marko marlene marta martha martin
    martina martino marvin mary maryam masako mateo mathias mathieu mathilde matilda mats matt matteo matthew
    matthias mattia maud maureen max maurice mauricio maxim maximilian maya meena meera megan mehmet mei melanie melissa
    mercedes meredith merle mia micah michael michaela michal michel michele michelle miguel mika mike mikhail mila
    milan milena milica milos mina ming minh minho mireille miriam mirko misaki mohamed mohammad mohammed mohan
    moira moises molly mona monica monika moritz muhammad muriel mustafa myriam nabil nadia nadine nadja nancy naoki
    naomi natalia natalie natalya natascha natasha nate nathalie nathan nayeli neda neha neil nerea ngozi nguyen nia
    niamh nicholas nick nicola nicolas nicole nicoletta nicolo niels nigel nikhil niklas niko nikolai nils nina
    nisha noah noam noemi noor nora norbert norma norman octavia odette oksana olaf oleg olena olga oliver olivia
    olivier omar ondrej oriol orla osama oscar oskar osman otis otto owen pablo paige paloma pamela paola paolo
    parisa pascal patrice patricia patrick patrik paul paula pauline paulo pavel pawel pedro peggy pelle penelope
    percy perla peter petr petra phil philip philippe phillip phoebe phyllis pierre piet pieter pietro pilar piotr
    polina pooja prakash pranav preeti priscilla priya quentin rachel rachid radek rafael rafaela rafiq rahul
    raimund rainer raj rajesh rajiv ralph ramesh ramiro ramon ramona rana randy rania raphael raquel rashid rasmus
    raul ravi raymond rebecca reiko reinhard renata renate rene reza rhys ricardo riccardo richa richard rick rikke
    riley rina rita robbie robert roberta roberto robin rocio roderick rodrigo roger rohan roland rolf romain ron
    ronald ronan ronja rosa rosalia rosalind rosemary rosie roxana roy rudolf rui rune ruslan russell rutger ruth
    ryan ryo saad sabina sabine sabrina sadie saeed saki sakura salim sally salma salvatore sam samantha samir
    samira samuel samuele sana sandeep sander sandra sanjay sanna santi santiago saoirse sara sarah sascha saskia
    satoko satoshi saul sauli scott sean sebastian selina selma seo serena serge sergei sergio seth shane shannon
    sharif sharon shaun shauna sheila sheryl shinji shirley shreya siddharth sidney sigrid silas silvia silvio simon
    simona simone sinead siobhan sipho sita sneha sofia sofie solveig sonia sonja sophia sophie soraya soren stacy
    stan stanley stefan stefania stefano steffen stella stephan stephanie stephen steve steven stina stuart sumaya
    sumit sunil sunita suresh susan susana susanna susanne suzanne suzuki sven sverre svetlana sybil sylvia tadeusz
    takashi takeshi talia tamara tanya tara tarek tariq tatiana tatjana ted teresa terry tessa thabo thea theo
    theodore theresa thiago thibault thierry thomas thora thorsten thuy tiago tiffany tiina till tim timo timothy
    tina tobias todd tom tomas tomasz tommy tomoko tony torben tove tracy travis trevor trisha tristan trudy tunde
    tuomas tyler ulf ulla ulrich ulrike uma umar ursula uwe valentin valentina valeria valerie vanessa vanja varun
    vasile vera verena veronica veronika vicki victor victoria viggo vijay vijaya viktor viktoria vilma vincent
    vincenzo violeta virginie vito vittoria vivek vivian vivienne vladimir vladislav volker waleed walter wanda
    wanjiru wayne wei wendell wendy werner wilbur wilfred wilhelm william wilma winston wojciech wolfgang xavier
    ximena yael yana yann yannick yara yasin yasmin yasmine yasuko yelena ying yoko yolanda yosef youssef yuki yumi
    yuri yusra yusuf yves yvonne zachary zahra zainab zara zeynep zoe zofia zola zoltan zuzana
"""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


@cache
def function_words() -> frozenset[str]:
    """Words that carry grammar, with their contractions."""
    return _words(_FUNCTION)


@cache
def openers() -> frozenset[str]:
    """Words that stand before a name at the start of a sentence without being part of it: ``Hey Mel``."""
    return _words(_OPENERS) | function_words() | calendar_words()


@cache
def common_words() -> frozenset[str]:
    """Words that are no name where only the start of the sentence explains their capital."""
    return _words(_COMMON) | openers()


@cache
def calendar_words() -> frozenset[str]:
    """Weekdays and months."""
    return _words(_CALENDAR)


@cache
def no_names() -> frozenset[str]:
    """Words whose capital is a rule of spelling and names nothing: ``Hungarian``, ``President``, ``OK``, ``Friday``."""
    return (
        _words(_DEMONYMS)
        | _words(_ROLES)
        | _words(_CAPITALS)
        | calendar_words()
        | function_words()
        | {"hey", "hi", "dear"}
    )


@cache
def roles() -> frozenset[str]:
    """Titles and offices."""
    return _words(_ROLES)


@cache
def connectors() -> frozenset[str]:
    """Words in lower case inside a name: ``of``, ``von``."""
    return _words(_CONNECTORS)


@cache
def articles() -> frozenset[str]:
    """Words that may stand between a connector and the next name: ``Bank of the West``."""
    return _words(_ARTICLES)


@cache
def honorifics() -> frozenset[str]:
    """Titles before the name of a person."""
    return _words(_HONORIFICS)


@cache
def abbreviations() -> frozenset[str]:
    """What a full stop follows without ending the sentence."""
    return _words(_ABBREVIATIONS) | honorifics()


@cache
def company_words() -> frozenset[str]:
    """Last words of companies' names."""
    return _words(_COMPANY)


@cache
def institution_words() -> frozenset[str]:
    """Words that make a name an organisation's."""
    return _words(_INSTITUTION)


@cache
def place_words() -> frozenset[str]:
    """Last words of places' names."""
    return _words(_PLACE)


@cache
def competitions() -> frozenset[str]:
    """Last words of names that ``at the`` and a place may follow."""
    return _words(_COMPETITIONS)


@cache
def after_and() -> frozenset[str]:
    """Last words of names that ``and`` may join."""
    return _words(_AFTER_AND)


@cache
def kinds_of_entities() -> frozenset[str]:
    """Last words of a note in brackets that tells a name from its namesakes: ``(2017 film)``."""
    return _words(_KINDS)


@cache
def title_cues() -> frozenset[str]:
    """Words that announce a title."""
    return _words(_CUES)


@cache
def small_title_words() -> frozenset[str]:
    """Words that titles write in lower case."""
    return _words(_SMALL)


@cache
def demonyms() -> frozenset[str]:
    """Adjectives of countries, peoples and directions."""
    return _words(_DEMONYMS)


@cache
def royals() -> frozenset[str]:
    """Titles whose holder is named by the country: ``Queen of Denmark``."""
    return _words(_ROYALS)


@cache
def person_cues() -> frozenset[str]:
    """Words before a person's name."""
    return _words(_PERSON_CUES)


@cache
def given_names() -> frozenset[str]:
    """Common first names that mean nothing else."""
    return _words(_GIVEN_NAMES)


@lru_cache(maxsize=8192)
def is_given_name(word: str) -> bool:
    """Whether a word in lower case is a given name, with its accents or without.

    Examples
    --------
    >>> is_given_name("andré"), is_given_name("bazin")
    (True, False)
    """
    return word in given_names() or plain(word) in given_names()


@cache
def double_given_names() -> frozenset[str]:
    """First names that mean something else as well, and so need a family name."""
    return _words(_DOUBLE_GIVEN_NAMES)


@cache
def labels() -> frozenset[str]:
    """Words that a letter or number turns into a name: ``Customer A``."""
    return _words(_LABELS)


@cache
def partitives() -> frozenset[str]:
    """Words before ``of`` and a name that are no part of it: ``Photos of Green Pallet``."""
    return _words(_PARTITIVES)


@cache
def sections() -> frozenset[str]:
    """Headings inside a running text: ``Background Chronic pain is…``."""
    return _words(_SECTIONS)


@cache
def headings() -> frozenset[str]:
    """Headings of tables that are read as one line: ``Starring Ann Dowd Composer Adam Taylor``."""
    return _words(_HEADINGS)


@cache
def project_words() -> frozenset[str]:
    """What ``project`` stands before without being a name: ``Project Manager``."""
    return _words(_PROJECT_WORDS)


@lru_cache(maxsize=8192)
def is_common(word: str) -> bool:
    """Whether a word in lower case is a common one or a form of one: ``directed``, ``running``.

    Examples
    --------
    >>> is_common("running"), is_common("boxes"), is_common("okafor")
    (True, True, False)
    """
    if word in common_words():
        return True
    for ending in ("ing", "ed", "es", "s", "d"):
        stem = word.removesuffix(ending)
        if stem != word and len(stem) > 2:
            doubled = stem[:-1] if stem[-1] == stem[-2] else stem
            if not common_words().isdisjoint((stem, stem + "e", doubled)):
                return True
    return False
