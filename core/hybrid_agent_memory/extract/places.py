"""Well-known places in English, for wordings that take other things too: one moves to Berlin, to Globex or to Sales."""

from functools import cache

_PLACES = """
Afghanistan|Albania|Algeria|Argentina|Armenia|Australia|Austria|Azerbaijan|Bahrain|Bangladesh|Belarus|Belgium|
Bolivia|Bosnia|Botswana|Brazil|Bulgaria|Cambodia|Cameroon|Canada|Chile|China|Colombia|Costa Rica|Croatia|Cuba|
Cyprus|Czechia|Czech Republic|Denmark|Ecuador|Egypt|England|Estonia|Ethiopia|Finland|France|Georgia|Germany|Ghana|
Greece|Greenland|Guatemala|Haiti|Honduras|Hungary|Iceland|India|Indonesia|Iran|Iraq|Ireland|Israel|Italy|Jamaica|
Japan|Jordan|Kazakhstan|Kenya|Kuwait|Laos|Latvia|Lebanon|Libya|Lithuania|Luxembourg|Malaysia|Malta|Mexico|Moldova|
Mongolia|Montenegro|Morocco|Mozambique|Myanmar|Namibia|Nepal|Netherlands|New Zealand|Nicaragua|Nigeria|North Korea|
Northern Ireland|Norway|Oman|Pakistan|Panama|Paraguay|Peru|Philippines|Poland|Portugal|Qatar|Romania|Russia|Rwanda|
Saudi Arabia|Scotland|Senegal|Serbia|Slovakia|Slovenia|South Africa|South Korea|Spain|Sri Lanka|Sudan|Sweden|
Switzerland|Syria|Taiwan|Tanzania|Thailand|Tunisia|Turkey|Uganda|UK|Ukraine|United Arab Emirates|United Kingdom|
United States|Uruguay|USA|US|Uzbekistan|Venezuela|Vietnam|Wales|Yemen|Zambia|Zimbabwe|Europe|Asia|Africa|
South America|North America|Latin America|Amsterdam|Antwerp|Athens|Auckland|Baghdad|Bangkok|Barcelona|Basel|Beijing|
Beirut|Belfast|Belgrade|Bergen|Berlin|Bern|Bilbao|Birmingham|Bogota|Bologna|Bonn|Bordeaux|Bratislava|Bremen|
Brisbane|Bristol|Brussels|Bucharest|Budapest|Buenos Aires|Cairo|Cambridge|Canberra|Cape Town|Cardiff|Chengdu|
Chennai|Chongqing|Cologne|Copenhagen|Cork|Delhi|Dhaka|Doha|Dortmund|Dresden|Dubai|Dublin|Durban|Dusseldorf|
Düsseldorf|Edinburgh|Eindhoven|Essen|Florence|Frankfurt|Galway|Gdansk|Geneva|Genoa|Ghent|Glasgow|Gothenburg|Granada|
Graz|Guangzhou|Haifa|Hamburg|Hangzhou|Hanoi|Hanover|Havana|Heidelberg|Helsinki|Ho Chi Minh City|Hong Kong|Hyderabad|
Innsbruck|Istanbul|Jakarta|Jerusalem|Johannesburg|Karachi|Kathmandu|Krakow|Kuala Lumpur|Kyiv|Kyoto|Lagos|Lahore|
Lausanne|Leeds|Leipzig|Lille|Lima|Linz|Lisbon|Liverpool|Ljubljana|London|Lyon|Macau|Madrid|Malaga|Malmö|Manchester|
Manila|Marseille|Melbourne|Mexico City|Milan|Minsk|Monaco|Montevideo|Montpellier|Moscow|Mumbai|Munich|Münster|
Nairobi|Nanjing|Nantes|Naples|Newcastle|Nice|Nottingham|Nuremberg|Oporto|Osaka|Oslo|Oxford|Palermo|Paris|Perth|
Porto|Prague|Pune|Reykjavik|Riga|Rio de Janeiro|Riyadh|Rome|Rotterdam|Salzburg|Santiago|Sao Paulo|São Paulo|
Sarajevo|Seoul|Seville|Shanghai|Sheffield|Shenzhen|Singapore|Sofia|Stockholm|Strasbourg|Stuttgart|Suzhou|Sydney|
Taipei|Tallinn|Tampere|Tashkent|Tbilisi|Tehran|Tel Aviv|The Hague|Tokyo|Toulouse|Tunis|Turin|Utrecht|Valencia|
Venice|Verona|Vienna|Vilnius|Warsaw|Wellington|Wroclaw|Wuhan|Xi'an|Yerevan|York|Zagreb|Zaragoza|Zurich|Zürich|
Alabama|Alaska|Alberta|Arizona|Arkansas|Atlanta|Austin|Baltimore|Boston|Brooklyn|Buffalo|Calgary|California|Chicago|
Cincinnati|Cleveland|Colorado|Columbus|Connecticut|Dallas|Delaware|Denver|Detroit|Edmonton|El Paso|Florida|
Fort Worth|Halifax|Hawaii|Honolulu|Houston|Idaho|Illinois|Indiana|Indianapolis|Iowa|Kansas|Kansas City|Kentucky|LA|
Las Vegas|London Ontario|Los Angeles|Louisiana|Louisville|Maine|Maryland|Massachusetts|Memphis|Miami|Michigan|
Milwaukee|Minneapolis|Minnesota|Mississippi|Missouri|Montana|Montreal|Nashville|Nebraska|Nevada|New Hampshire|
New Jersey|New Mexico|New Orleans|New York|New York City|NYC|North Carolina|North Dakota|Oakland|Ohio|Oklahoma|
Omaha|Ontario|Oregon|Orlando|Ottawa|Palo Alto|Pennsylvania|Philadelphia|Phoenix|Pittsburgh|Portland|Quebec|Raleigh|
Rhode Island|Sacramento|Salt Lake City|San Antonio|San Diego|San Francisco|San Jose|Seattle|South Carolina|
South Dakota|St. Louis|Tampa|Tennessee|Texas|Toronto|Tucson|Utah|Vancouver|Vermont|Virginia|Washington|
Washington DC|West Virginia|Wisconsin|Wyoming
"""


@cache
def known_places() -> frozenset[str]:
    """Countries, states and large cities, in lower case."""
    return frozenset(name.strip().lower() for name in _PLACES.split("|"))
