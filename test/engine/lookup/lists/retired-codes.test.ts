import { describe, expect, it } from "vitest";
import { countyGeoids, isCounty } from "../../../../src/engine/lookup/directory/counties";
import { countyName } from "../../../../src/engine/lookup/lists/county-names";
import {
  mixesConnecticut,
  retiredCode,
  retiredCodes,
  retiredNamed,
  retiredSentence,
} from "../../../../src/engine/lookup/lists/retired-codes";

describe("a retired code", () => {
  it.each([
    ["46113", "Shannon County", "SD", 2015, "renamed", ["46102"]],
    ["02270", "Wade Hampton Census Area", "AK", 2015, "renamed", ["02158"]],
    ["12025", "Dade County", "FL", 1997, "renamed", ["12086"]],
    ["51515", "Bedford city", "VA", 2013, "merged", ["51019"]],
    ["51560", "Clifton Forge city", "VA", 2001, "merged", ["51005"]],
    ["51780", "South Boston city", "VA", 1995, "merged", ["51083"]],
    ["2148000", "Louisville city", "KY", 2003, "merged", ["2148006"]],
    ["02261", "Valdez-Cordova Census Area", "AK", 2019, "split", ["02063", "02066"]],
    [
      "02201",
      "Prince of Wales-Outer Ketchikan Census Area",
      "AK",
      2008,
      "split",
      ["02198", "02130", "02275"],
    ],
    ["02232", "Skagway-Hoonah-Angoon Census Area", "AK", 2007, "split", ["02230", "02105"]],
    ["02280", "Wrangell-Petersburg Census Area", "AK", 2008, "split", ["02275", "02195"]],
    ["09001", "Fairfield County", "CT", 2022, "connecticut", ["09120", "09140", "09190"]],
    ["09003", "Hartford County", "CT", 2022, "connecticut", ["09110", "09140", "09160"]],
    ["09005", "Litchfield County", "CT", 2022, "connecticut", ["09140", "09160", "09190"]],
    ["09007", "Middlesex County", "CT", 2022, "connecticut", ["09130"]],
    ["09009", "New Haven County", "CT", 2022, "connecticut", ["09140", "09170"]],
    ["09011", "New London County", "CT", 2022, "connecticut", ["09130", "09150", "09180"]],
    ["09013", "Tolland County", "CT", 2022, "connecticut", ["09110", "09150"]],
    ["09015", "Windham County", "CT", 2022, "connecticut", ["09150", "09180"]],
  ])("%s is %s, %s, until %i: %s", (geoid, name, state, year, kind, successors) => {
    const retired = retiredCode(geoid);
    expect(retired).toMatchObject({ geoid, name, state, year, kind });
    expect(retired?.successors.map((successor) => successor.geoid)).toEqual(successors);
  });

  it("there are no others", () => {
    expect(retiredCodes).toHaveLength(19);
  });

  it("is not one of today's counties, and its successors are, by the same names", () => {
    for (const { geoid, successors } of retiredCodes.filter((retired) => retired.geoid.length === 5)) {
      expect(isCounty(geoid)).toBe(true);
      expect(countyGeoids(geoid.slice(0, 2))).not.toContain(geoid);
      for (const successor of successors) {
        expect(countyGeoids(geoid.slice(0, 2))).toContain(successor.geoid);
        expect(successor.name).toBe(countyName(successor.geoid));
      }
    }
  });

  it.each(["46102", "09110", "0900300000", "30113", "09", "", "constructor"])("%s is none", (geoid) => {
    expect(retiredCode(geoid)).toBeUndefined();
  });
});

describe("a retired name", () => {
  it.each([
    ["shannon county", "SD", "46113"],
    ["Shannon County", "SD", "46113"],
    ["wade hampton census area", "AK", "02270"],
    ["dade county", "FL", "12025"],
    ["bedford city", "VA", "51515"],
    ["hartford county", "CT", "09003"],
    ["louisville city", "KY", "2148000"],
  ])("%s, %s is %s", (name, state, geoid) => {
    expect(retiredNamed(name, state)?.geoid).toBe(geoid);
  });

  it.each([
    ["shannon county", "MO"],
    ["bedford county", "VA"],
    ["shannon", "SD"],
    ["fairfield county", "OH"],
  ])("%s, %s is none", (name, state) => {
    expect(retiredNamed(name, state)).toBeUndefined();
  });
});

describe("a list mixes Connecticut's counties and planning regions", () => {
  it.each([
    [["09001", "09110"]],
    [["09190", "06001", "09015"]],
    [["0900337070", "09120"]],
    [["09003", "0911037070"]],
    [["0900337070", "0911037070"]],
  ])("%j does", (geoids) => {
    expect(mixesConnecticut(geoids)).toBe(true);
    expect(mixesConnecticut(new Set(geoids))).toBe(true);
  });

  it.each([
    [[]],
    [["09001", "09003", "0901578600"]],
    [["09110", "09190", "0915078600"]],
    // Places and the state itself belong to neither.
    [["09001", "0911030", "09"]],
    [["0900370", "09110"]],
    [["09002", "09110"]],
    [["09001", "09100", "09200", "09115"]],
    [["19001", "19110"]],
  ])("%j does not", (geoids) => {
    expect(mixesConnecticut(geoids)).toBe(false);
  });
});

describe("the sentence about a retired code", () => {
  it.each([
    [
      "46113",
      "46113 was Shannon County, SD, until 2015. It is Oglala Lakota County (46102) now.",
      "Use 46102.",
    ],
    [
      "51515",
      "51515 was Bedford city, VA, until 2013. It became part of Bedford County (51019).",
      "Use 51019.",
    ],
    [
      "2148000",
      "2148000 was Louisville city, KY, until 2003. It became part of Louisville/Jefferson County metro government (balance) (2148006).",
      "Use 2148006.",
    ],
    [
      "02261",
      "02261 was Valdez-Cordova Census Area, AK, until 2019. It was split into Chugach Census Area (02063) and Copper River Census Area (02066).",
      "Choose one of them.",
    ],
    [
      "02201",
      "02201 was Prince of Wales-Outer Ketchikan Census Area, AK, until 2008. It was split into Prince of Wales-Hyder Census Area (02198), Ketchikan Gateway Borough (02130) and Wrangell City and Borough (02275).",
      "Choose one of them.",
    ],
    [
      "09003",
      "09003 is Hartford County, CT. Since 2022, Connecticut has planning regions (09110 to 09190) in place of counties, and they don't correspond one to one.",
      "Choose the planning region yourself.",
    ],
  ])("%s", (geoid, sentence, nextStep) => {
    expect(retiredSentence(retiredCode(geoid)!)).toEqual({ sentence, nextStep });
  });
});
