import { describe, expect, it } from "vitest";
import type { Ahj } from "../../../../src/engine/api/schemas";
import { nameMeanings } from "../../../../src/engine/lookup/search/name-meanings";
import { nationalAhjs } from "../../../nation";

/** The sample's counties and states have their real names; its cities are invented. */
const nation = (await nationalAhjs()).filter(({ type }) => type === "county" || type === "state");

/** How sure the meaning of a name is, and the geoIDs that it may stand for. */
async function meaning(name: string, state?: string, ahjs: readonly Ahj[] = nation) {
  const { candidates = [], guess = "exact" } = (await nameMeanings([name], ahjs, state)).get(name) ?? {};
  return candidates.length === 0 ? "nothing" : [guess, ...candidates.map(({ geoid }) => geoid)].join(" ");
}

let nextId = 900_000;
const ahj = (name: string, state_code: string, geoid: string, type = "city"): Ahj => ({
  ...{ id: (nextId += 1), name, state_code, geoid, type },
});

const withCities = [
  ...nation,
  ahj("Cambridge", "MA", "2511000"),
  ahj("Princeton", "NJ", "3460900"),
  ahj("Fairfax", "CA", "0623168"),
  ahj("New York city", "NY", "3651000"),
  ahj("San Francisco", "CA", "0667000"),
  ahj("Hempstead village", "NY", "3633139"),
  ahj("Hempstead town", "NY", "3605934000"),
  ahj("Alameda", "CA", "0600562"),
  ahj("Boulder", "CO", "0807850"),
  ahj("Manhattan", "KS", "2044250"),
  ahj("Washington", "MO", "2978154"),
  ahj("Oak Park village", "IL", "1754885"),
  ahj("Paradise CDP", "NV", "3254600"),
  ahj("Port Penn", "DE", "1058500"),
];
const inCities = (name: string, state?: string) => meaning(name, state, withCities);

describe("the spellings of one name are sure", () => {
  it.each([
    // An ʻokina has many signs.
    ["Hawaiʻi County, HI", "15001"],
    ["Hawai‘i County, HI", "15001"],
    ["Hawai’i County, HI", "15001"],
    ["Hawaiʼi County, HI", "15001"],
    ["Hawai`i County, HI", "15001"],
    ["Hawai'i County, HI", "15001"],
    ["Hawai´i County, Hawaii", "15001"],
    ["HAWAIʻI COUNTY, HAWAII", "15001"],
    ["Kauaʻi County, HI", "15007"],
    ["County of Kauaʻi, HI", "15007"],
    ["Prince George‘s County, MD", "24033"],
    ["Queen Anneʼs County, Maryland", "24035"],
    ["St. Mary`s County, MD", "24037"],
    ["OʼBrien County, IA", "19141"],
    ["Manuʻa District, AS", "60020"],
    // Traditional abbreviations stand for the state's name.
    ["St Louis County, Minn.", "27137"],
    ["De Kalb County, Ga.", "13089"],
    ["De Kalb County, ALA.", "01049"],
    ["Dona Ana County, N. Mex.", "35013"],
    ["Dona Ana County, N.Mex.", "35013"],
    ["Dona Ana County, N. M.", "35013"],
    ["Prince Georges County, Md.", "24033"],
    ["Mc Dowell County, W. Va.", "54047"],
    ["Mc Henry County, N Dak", "38049"],
    ["St Croix County, Wisc.", "55109"],
    ["clark county nev.", "32003"],
    ["Saint Clair County, State of Illinois", "17163"],
    ["James-City County, Commonwealth of Virginia", "51095"],
    // The country behind the state says nothing.
    ["De Kalb County, Georgia, USA", "13089"],
    ["De Kalb County, GA, United States", "13089"],
    ["De Kalb County, GA, U.S.A.", "13089"],
    ["De Kalb County, GA, US", "13089"],
    ["De Kalb County Georgia United States of America", "13089"],
    // The state stands in front, in brackets, or behind a dash.
    ["California, Orange County", "06059"],
    ["Florida, Orange County", "12095"],
    ["Texas, Harris County", "48201"],
    ["New Mexico, Dona Ana County", "35013"],
    ["Calif., Alameda County", "06001"],
    ["NORTH CAROLINA, ORANGE COUNTY", "37135"],
    ["Orange County (CA)", "06059"],
    ["Orange County [Florida]", "12095"],
    ["Orange County - California", "06059"],
    ["Orange County – Calif.", "06059"],
    ["Orange County (Fla.)", "12095"],
    ["Fairfax (city), VA", "51600"],
    ["Fairfax (county), VA", "51059"],
  ])("%s", async (name, geoid) => {
    expect(await meaning(name)).toBe(`certain ${geoid}`);
  });

  it.each([
    ["Orange County, California", "06059"],
    ["Orange County, Florida", "12095"],
    ["Orange County, Calif.", "06059"],
    ["Orange County, Fla.", "12095"],
    ["Queens County, N.Y.", "36081"],
    ["Wayne County, W.Va.", "54099"],
    ["Ponce Municipio, P.R.", "72113"],
    ["King County, Wash.", "53033"],
    ["Harris County, State of Texas", "48201"],
    ["Berks County, Commonwealth of Pennsylvania", "42011"],
  ])("%s has exactly the name", async (name, geoid) => {
    expect(await meaning(name)).toBe(`exact ${geoid}`);
  });

  it.each([
    ["CA", "06"],
    ["Calif.", "06"],
    ["TX", "48"],
    ["N.Y.", "36"],
    ["N. Mex.", "35"],
    ["Penna.", "42"],
    ["DC", "11"],
    ["D.C.", "11"],
    ["W. Va.", "54"],
    ["Commonwealth of Virginia", "51"],
    ["State of Washington", "53"],
  ])("%s is the state", async (name, geoid) => {
    expect(await meaning(name)).toBe(`certain ${geoid}`);
  });
});

describe("a name that may be something else is asked about", () => {
  it.each([
    ["ID", "perhaps 16"],
    ["Co", "perhaps 08"],
    ["Co.", "nothing"],
    ["id", "perhaps 16"],
    ["Wash", "perhaps 53"],
    // Both are in New York.
    ["New York, NY", "perhaps 36 36061"],
    ["New York, New York", "perhaps 36 36061"],
    ["Hawaii, HI", "perhaps 15 15001"],
    ["Oklahoma, Okla.", "perhaps 40 40109"],
    ["California, CA", "exact 06"],
    ["California", "exact 06"],
    ["District of Columbia", "exact 11 11001"],
  ])("%s: %s", async (name, expected) => {
    expect(await meaning(name)).toBe(expected);
  });

  it.each([
    ["CA Orange County", "06059"],
    ["CA - Orange County", "06059"],
    ["CA: Orange County", "06059"],
    ["California Orange County", "06059"],
    ["NV Clark County", "32003"],
    ["TX-Harris County", "48201"],
    ["North Carolina - Orange County", "37135"],
    ["(FL) Orange County", "12095"],
  ])("%s, as the state in front may be another word", async (name, geoid) => {
    expect(await meaning(name)).toBe(`perhaps ${geoid}`);
  });

  it("a state in front of a county, if it may be a city in a county of this name", async () => {
    expect(await meaning("Washington, Franklin County")).toBe("certain 53021");
    expect(await inCities("Washington, Franklin County")).toBe("perhaps 53021 2978154");
    expect(await inCities("Washington, King County")).toBe("certain 53033");
  });
});

describe("letters that an encoding has broken are guessed", () => {
  it.each([
    ["DoÃ±a Ana County, New Mexico", "35013"],
    ["DoÃƒÂ±a Ana County, New Mexico", "35013"],
    ["DoÃƒÂ±a Ana, NM", "35013"],
    ["Do\uFFFDa Ana County, NM", "35013"],
    ["Do\uFFFD\uFFFDa Ana County, NM", "35013"],
    ["Do?a Ana County, NM", "35013"],
    ["Do??a Ana County, NM", "35013"],
    ["Do̱a Ana County, NM", "35013"],
    ["Do̱a Ana County", "35013"],
    ["Do&ntilde;a Ana County, NM", "35013"],
    ["Do&#241;a Ana County, NM", "35013"],
    ["Do&amp;ntilde;a Ana County, NM", "35013"],
    ["Do&#xF1;a Ana County, NM", "35013"],
    ["Do–a Ana County, NM", "35013"],
    ["Do√±a Ana County, NM", "35013"],
    ["DoÒa Ana County, NM", "35013"],
    ["Do¤a Ana County, NM", "35013"],
    ["doã±a ana county, nm", "35013"],
    ["Do?a Ana Co., NM", "35013"],
    ["New Mexico, DoÃ±a Ana County", "35013"],
    ["AÃ±asco Municipio, PR", "72011"],
    ["AÃ±asco, PR", "72011"],
    ["A?asco Municipio, PR", "72011"],
    ["BayamÃ³n Municipio, Puerto Rico", "72021"],
    ["Bayam\uFFFDn, PR", "72021"],
    ["Bayam—n Municipio, PR", "72021"],
    ["LoÃ­za Municipio, PR", "72087"],
    ["LoÃza Municipio, PR", "72087"],
    ["Lo√≠za Municipio, PR", "72087"],
    ["Lo’za Municipio, PR", "72087"],
    ["MayagÃ¼ez Municipio, PR", "72097"],
    ["MayagÃƒÂ¼ez Municipio, PR", "72097"],
    ["Mayag&uuml;ez Municipality, PR", "72097"],
    ["Mayag?ez, Puerto Rico", "72097"],
    ["R?o Grande Municipio, PR", "72119"],
    ["San Sebasti\uFFFDn Municipio, PR", "72131"],
    ["PeÃ±uelas Municipio, PR", "72111"],
    ["Prince Georgeâ€™s County, MD", "24033"],
    ["Prince George?s County, MD", "24033"],
    ["Prince George&rsquo;s County, MD", "24033"],
    ["O\uFFFDBrien County, IA", "19141"],
    ["HawaiÊ»i County, HI", "15001"],
  ])("%s", async (name, geoid) => {
    expect(await meaning(name)).toBe(`perhaps ${geoid}`);
  });

  it("only if enough letters are left", async () => {
    expect(await meaning("???? County, NM")).toBe("nothing");
    expect(await meaning("D??? ???, NM")).toBe("nothing");
    expect(await meaning("?")).toBe("nothing");
    expect(await meaning("县, CA")).toBe("nothing");
    expect(await meaning("&#9999999999; County, CA")).toBe("nothing");
  });

  it("in every of thousands of names", async () => {
    const names = Array.from({ length: 2_000 }, (_, at) => `Do?a ${at} County, NM`);
    const lost = [...names, "LoÃ­za Municipio, PR", "Do?a Ana County, NM"];
    const meanings = await nameMeanings(lost, nation);
    expect(lost.slice(-2).map((name) => meanings.get(name)?.candidates[0]?.geoid)).toEqual([
      "72087",
      "35013",
    ]);
  });
});

describe("abbreviated and other kinds are guessed", () => {
  it.each([
    ["Alameda Co., CA", "06001"],
    ["Alameda Co. CA", "06001"],
    ["Alameda Co", "06001"],
    ["Alameda Cnty, Calif.", "06001"],
    ["Orange Cty, CA", "06059"],
    ["ORANGE CO FL", "12095"],
    ["Orleans Par., LA", "22071"],
    ["Orleans County, LA", "22071"],
    ["Co. of Orange, CA", "06059"],
    ["Orange, County of, CA", "06059"],
    ["St Louis Cnty, MO", "29189"],
    ["City & County of San Francisco", "06075"],
    ["City & County of San Francisco, CA", "06075"],
    ["City and County of Denver", "08031"],
    ["Denver, City and County of", "08031"],
    ["City and County of Honolulu", "15003"],
    ["Honolulu City & County, Hawaii", "15003"],
    ["Carson City (city), Nevada", "32510"],
    ["Fairfax (independent city), VA", "51600"],
    ["Norfolk independent city, Virginia", "51710"],
    ["Alexandria (Ind. City), VA", "51510"],
    ["City and Borough of Sitka, AK", "02220"],
    ["City & Borough of Juneau, Alaska", "02110"],
    ["Juneau Borough, AK", "02110"],
    ["Sitka Borough, AK", "02220"],
    ["Sitka, AK", "02220"],
    ["Añasco Municipality, PR", "72011"],
    ["Anasco Municipality, PR", "72011"],
    ["Municipio de Añasco, PR", "72011"],
    ["Municipality of Ponce, Puerto Rico", "72113"],
    ["Añasco, PR", "72011"],
    ["Petersburg Census Area, AK", "02195"],
    ["Municipality of Anchorage, AK", "02020"],
    ["Anchorage Borough, AK", "02020"],
    ["Lake & Peninsula Borough, AK", "02164"],
    ["King & Queen County, VA", "51097"],
    ["Lewis & Clark County, Mont.", "30049"],
    ["Alameda County (part), CA", "06001"],
  ])("%s", async (name, geoid) => {
    expect(await meaning(name)).toBe(`perhaps ${geoid}`);
  });

  it.each([
    ["Cambridge, Mass.", "exact 2511000"],
    ["Cambridge city, MA", "perhaps 2511000"],
    ["City of Cambridge, Mass.", "perhaps 2511000"],
    ["Town of Cambridge, MA", "perhaps 2511000"],
    ["Princeton borough, NJ", "perhaps 3460900"],
    ["Princeton boro, NJ", "perhaps 3460900"],
    ["Princeton Twp., NJ", "perhaps 3460900"],
    ["Princeton, N.J.", "exact 3460900"],
    ["Hempstead Vlg., NY", "perhaps 3633139"],
    ["Inc. Village of Hempstead, NY", "perhaps 3633139"],
    ["Hempstead, NY", "perhaps 3633139 3605934000"],
    ["Hempstead Township, NY", "perhaps 3633139 3605934000"],
    ["Oak Park, IL", "perhaps 1754885"],
    ["Oak Park vill, Ill.", "perhaps 1754885"],
    ["Paradise census designated place, NV", "perhaps 3254600"],
    ["City & County of San Francisco", "perhaps 06075 0667000"],
    ["Alameda Co., CA", "perhaps 06001"],
    ["Boulder Co.", "perhaps 08013"],
    ["Boulder Co", "perhaps 0807850 08013"],
    ["Boulder CO", "exact 0807850"],
    ["Port Penn", "exact 1058500"],
    ["St. Croix, VI", "perhaps 78010"],
    ["Manuʻa, AS", "perhaps 60020"],
    ["PORT-PENN, DE", "certain 1058500"],
  ])("%s: %s", async (name, expected) => {
    expect(await inCities(name)).toBe(expected);
  });

  it.each([
    ["La Porte County, IN", "certain 18091"],
    ["LaPorte County, IN", "exact 18091"],
    ["De Soto Parish, LA", "exact 22031"],
    ["DeSoto Parish, LA", "certain 22031"],
    ["Richmond, VA", "perhaps 51159 51760"],
    ["Fairfax, VA", "perhaps 51059 51600"],
    ["James City, VA", "perhaps 51095"],
    ["Charles City, VA", "perhaps 51036"],
    ["St. Louis city", "exact 29510"],
    ["Alameda County, NV", "nothing"],
    ["Fairfax Parish, CA", "nothing"],
    ["Nowhere Co., CA", "nothing"],
    ["Co., CA", "nothing"],
    ["County", "nothing"],
    ["County of", "nothing"],
  ])("%s stays %s", async (name, expected) => {
    expect(await meaning(name)).toBe(expected);
  });

  it("however many names there are", async () => {
    const names = Array.from({ length: 300 }, (_, at) => `Nowhere ${at} Co., CA`);
    const meanings = await nameMeanings([...names, "Alameda Co., CA"], nation);
    expect(meanings.get("Alameda Co., CA")?.candidates).toHaveLength(1);
  });
});

describe("counties have nicknames", () => {
  it.each([
    ["LA County", "06037"],
    ["LA County, CA", "06037"],
    ["L.A. County", "06037"],
    ["SF", "06075"],
    ["SLO County", "06079"],
    ["PG County, Maryland", "24033"],
    ["JeffCo, CO", "08059"],
    ["SLCo", "49035"],
  ])("%s", async (name, geoid) => {
    expect(await meaning(name)).toBe(`perhaps ${geoid}`);
  });

  it("in their own state alone", async () => {
    expect(await meaning("LA County, TX")).not.toContain("06037");
  });
});

describe("boroughs of New York and the District have other names", () => {
  it.each([
    ["Brooklyn, NY", "36047"],
    ["Brooklyn", "36047"],
    ["Brooklyn, New York, NY", "36047"],
    ["Borough of Brooklyn, New York", "36047"],
    ["Manhattan borough, NY", "36061"],
    ["Manhattan, N.Y.", "36061"],
    ["MANHATTAN NY", "36061"],
    ["Staten Island, NY", "36085"],
    ["Staten Island Boro, NY", "36085"],
    ["The Bronx, NY", "36005"],
    ["Bronx", "36005"],
    ["Queens, NY", "36081"],
    ["queens new york", "36081"],
  ])("%s", async (name, geoid) => {
    expect(await meaning(name)).toBe(`perhaps ${geoid}`);
    expect(await inCities(name.replace(/^Manhattan$/, "Manhattan, NY"))).toBe(`perhaps ${geoid} 3651000`);
  });

  it("and namesakes elsewhere", async () => {
    expect(await inCities("Manhattan")).toBe("perhaps 2044250 36061 3651000");
    expect(await inCities("Manhattan", "NY")).toBe("perhaps 2044250 36061 3651000");
    expect(await inCities("Manhattan", "KS")).toBe("exact 2044250");
    expect(await inCities("Manhattan, KS")).toBe("exact 2044250");
    expect(await inCities("New York City")).toBe("exact 3651000");
    expect(await inCities("City of New York, NY")).toBe("certain 3651000");
    expect(await inCities("NYC")).toBe("perhaps 3651000");
    expect(await meaning("Brooklyn, CT")).toBe("nothing");
  });

  it.each([
    "Washington, D.C.",
    "Washington DC",
    "Washington, DC",
    "Washington D. C.",
    "washington, district of columbia",
  ])("%s is the District", async (name) => {
    expect(await meaning(name)).toBe("perhaps 11 11001");
    const own = ahj("Washington city", "DC", "1150000");
    expect(await meaning(name, undefined, [...nation, own])).toBe("perhaps 1150000 11 11001");
  });
});

describe("a county between place and state", () => {
  const clark = ahj("Clark County", "OH", "39023", "county");
  const inClark = ahj("Springfield", "OH", "3902374118");
  const places = [
    clark,
    inClark,
    ahj("Springfield", "OH", "3904974120"),
    ahj("Springfield township", "OH", "3902374121"),
    ahj("Summit County", "OH", "39153", "county"),
    ahj("Franklin County", "OH", "39049", "county"),
  ];
  const unplaced = ahj("Springfield", "OH", "3974118");

  it("decides between namesakes, and is sure if one alone has the name there", async () => {
    const names = ["Springfield, Clark County, OH", "SPRINGFIELD, County of Clark, Ohio"];
    for (const name of names) expect(await meaning(name, undefined, places)).toBe("certain 3902374118");
    expect(await meaning("Springfield Twp., Clark Co., OH", undefined, places)).toBe("perhaps 3902374121");
    for (const name of ["Springfield, Clark, OH", "Springfield, Clark County"])
      expect(await meaning(name, undefined, places)).toBe("perhaps 3902374118 3902374121");
  });

  it("is not sure while another may lie there", async () => {
    expect(await meaning("Springfield, Clark County, OH", undefined, [...places, unplaced])).toBe(
      "perhaps 3902374118 3902374121 3974118",
    );
    expect(await meaning("Springfield, Summit County, OH", undefined, [...places, unplaced])).toBe(
      "perhaps 3974118",
    );
    expect(await meaning("Springfield, Clark County, OH", undefined, [clark, unplaced])).toBe(
      "perhaps 3974118",
    );
  });

  it("offers the namesakes elsewhere if none lies there, and nothing if there is no such county", async () => {
    expect(await meaning("Springfield, Summit County, OH", undefined, places)).toBe(
      "perhaps 3902374118 3904974120 3902374121",
    );
    expect(await meaning("Springfield, Nowhere County, OH", undefined, places)).toBe("nothing");
    expect(await meaning("Oakland, Alameda County, CA", undefined, nation)).toBe("nothing");
  });
});
