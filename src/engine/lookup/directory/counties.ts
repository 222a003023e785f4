/**
 * The codes of the counties and their equivalents that each state has now, by the state's FIPS code (US Census Bureau). The Census Bureau
 * gave the counties odd numbers in the order of their names, so `1-133` is 1, 3, 5 and so on to 133. The gaps between two ranges are codes that
 * are no longer in use.
 */
const codesByState: Readonly<Record<string, string>> = {
  "01": "1-133",
  "02": "13 16 20 50 60 63 66 68 70 90 100 105 110 122 130 150 158 164 170 180 185 188 195 198 220 230 240 275 282 290",
  "04": "1-27 12",
  "05": "1-149",
  "06": "1-115",
  "08": "1-125 14",
  "09": "110 120 130 140 150 160 170 180 190",
  "10": "1-5",
  "11": "1",
  "12": "1-23 27-133 86",
  "13": "1-39 43-201 205-321",
  "15": "1-9",
  "16": "1-87",
  "17": "1-203",
  "18": "1-183",
  "19": "1-197",
  "20": "1-209",
  "21": "1-239",
  "22": "1-127",
  "23": "1-31",
  "24": "1-5 9-47 510",
  "25": "1-27",
  "26": "1-165",
  "27": "1-173",
  "28": "1-163",
  "29": "1-189 186 195-229 510",
  "30": "1-111",
  "31": "1-185",
  "32": "1-23 27-33 510",
  "33": "1-19",
  "34": "1-41",
  "35": "1-61 6 28",
  "36": "1-123",
  "37": "1-199",
  "38": "1-105",
  "39": "1-175",
  "40": "1-153",
  "41": "1-71",
  "42": "1-133",
  "44": "1-9",
  "45": "1-91",
  "46": "3-111 102 115-129 135-137",
  "47": "1-189",
  "48": "1-507",
  "49": "1-57",
  "50": "1-27",
  "51": "1-37 36 41-53 57-121 125-127 131-149 153-187 191-199 510 520 530 540 550 570 580 590 595 600 610 620 630 640 650 660 670 678 680 683 685 690 700 710 720 730 735 740 750 760 770 775 790 800 810 820 830 840",
  "53": "1-77",
  "54": "1-109",
  "55": "1-141 78",
  "56": "1-45",
  "60": "10 20 30 40 50",
  "66": "10",
  "69": "85 100 110 120",
  "72": "1-153 54",
  "78": "10 20 30",
};

/** The counties that lists of the last decades still have (`retiredCode` tells what became of each). */
const formerCounties = new Set(
  "02201 02232 02261 02270 02280 09001 09003 09005 09007 09009 09011 09013 09015 12025 46113 51515 51560 51780".split(
    " ",
  ),
);

/** The five-digit geoIDs of each state that has been asked for, in ascending order. */
const geoidsByState = new Map<string, ReadonlySet<string>>();

const none: ReadonlySet<string> = new Set();

/** The numbers that a part of the table means: `12`, or the odd numbers of `1-27`. */
function numbers(part: string): number[] {
  const [first, last = first] = part.split("-").map(Number) as [number, number?];
  return Array.from({ length: (last - first) / 2 + 1 }, (_, index) => first + 2 * index);
}

function ofState(fips: string): ReadonlySet<string> {
  let geoids = geoidsByState.get(fips);
  if (geoids === undefined) {
    if (!Object.hasOwn(codesByState, fips)) return none;
    const codes = codesByState[fips]!.split(" ").flatMap(numbers);
    geoids = new Set(codes.map((code) => fips + String(code).padStart(3, "0")).sort());
    geoidsByState.set(fips, geoids);
  }
  return geoids;
}

/** The five-digit geoIDs of the counties that a state has now, by the state's FIPS code, in ascending order. */
export function countyGeoids(fips: string): readonly string[] {
  return [...ofState(fips)];
}

/** True for the five-digit geoID of a county or an equivalent that exists now, or did so some years ago. */
export function isCounty(geoid: string): boolean {
  return geoid.length === 5 && (ofState(geoid.slice(0, 2)).has(geoid) || formerCounties.has(geoid));
}
