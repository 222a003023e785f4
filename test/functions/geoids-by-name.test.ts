import { describe, expect, it } from "vitest";
import { countByPath } from "../recorded-service";
import {
  answering,
  call,
  column,
  invalidValue,
  notAvailable,
  outage,
  pass,
  playExcel,
  result,
  row,
  rowsOf,
  settled,
  start,
} from "./excel";

playExcel();

/** The geoIDs are the Census Bureau's. */
describe("=REGDATA.GEOID", () => {
  it.each([
    ["Alameda County, CA", null, "06001"],
    ["alameda county ca", null, "06001"],
    ["  Alameda   County, California ", null, "06001"],
    ["Alameda County", null, "06001"],
    ["Alameda County", "CA", "06001"],
    ["Alameda County", " california ", "06001"],
    ["Alameda County, CA", "ca", "06001"],
    ["St Louis County, MO", null, "29189"],
    ["Saint Louis County", "MN", "27137"],
    ["De Kalb County, GA", null, "13089"],
    ["County of Orange, CA", null, "06059"],
    ["Prince Georges County, MD", null, "24033"],
    ["clark county nevada", null, "32003"],
    ["California", null, "06"],
    ["06001", null, "06001"],
    [6001, null, "06001"],
    ["Alameda County, CA (06001)", "CA", "06001"],
    ["ahj:10243", null, "ahj:10243"],
  ])("of %j and state %j is %s", async (name, state, geoid) => {
    start();
    expect(await result("GEOID", name, state)).toBe(geoid);
  });

  it("takes no name whose letters differ, and says who may be meant", async () => {
    start();
    expect(await result("GEOID", "Alamedda County, CA")).toEqual(
      notAvailable(/has this name\. Did you mean Alameda County, CA \(06001\)\?$/),
    );
    expect(await result("GEOID", "Shannon County, SD")).toEqual(
      notAvailable(/Oglala Lakota County \(46102\) now\. Use 46102\.$/),
    );
    expect(await result("GEOID", "Dade County, FL")).toEqual(
      notAvailable(/Did you mean Miami-Dade County, FL \(12086\)\?$/),
    );
    expect(await result("GEOID", "De Kalb County")).toEqual(
      notAvailable(/Did you mean DeKalb County, AL \(01049\); DeKalb County, GA \(13089\)/),
    );
    expect(await result("GEOID", "Atlantis, CA")).toEqual(
      notAvailable(/No jurisdiction of your subscription has this name\. Check its spelling/),
    );
  });

  it("names three of the jurisdictions that have a name, and how many more there are", async () => {
    start();
    const several = /Several jurisdictions have this name\./;
    expect(await result("GEOID", "Baldwin County")).toEqual(
      notAvailable(/Baldwin County, AL \(01003\); Baldwin County, GA \(13009\)\. Add the state/),
    );
    expect(await result("GEOID", "Sample Hillburg, CA")).toEqual(notAvailable(several));
    expect(await result("GEOID", "Sample Hillburg, CA")).toEqual(
      notAvailable(/name\. (?:[^;]*\(\d{7,10}\); ){3}2 more\. Add/),
    );
  });

  it("is never certain about a jurisdiction in another state than the given one", async () => {
    start();
    expect(await result("GEOID", "Alameda County", "NV")).toEqual(notAvailable(/has this name/));
    expect(await result("GEOID", "Alameda County, CA", "NV")).toEqual(notAvailable(/has this name/));
    expect(await result("GEOID", "Alameda County", "Kalifornia")).toEqual(
      invalidValue(
        /"Kalifornia" is not a state, such as CA\. Write it like =REGDATA\.GEOID\("Alameda County, CA"\)/,
      ),
    );
  });

  it("of an AHJ without a geoID is its AHJ id, which other formulas take", async () => {
    start({
      key: "demo-west",
      intercept: answering(/\/ahjs$/, (data) => {
        for (const item of data.items) if (item.id === 10_243) item.geoid = null;
      }),
    });
    expect(await result("GEOID", "Alameda County, CA")).toBe("ahj:10243");
    expect(await result("AHJ", "ahj:10243")).toBe("Alameda County");
  });

  it("of the second of two AHJs with one geoID is its AHJ id: the geoID stands for the first", async () => {
    start({
      key: "demo-west",
      intercept: answering(/\/ahjs$/, (data) => {
        for (const item of data.items) if (item.geoid === "06003") item.geoid = "06001";
      }),
    });
    expect(await rowsOf("GEOID", row("Alameda County, CA", "Alpine County, CA"))).toEqual([
      ["06001", expect.stringMatching(/^ahj:\d+$/)],
    ]);
  });

  it("spills in the shape of its names, each with the state beside it, and blank where the name is", async () => {
    start();
    const names = column("Baldwin County", "", "Baldwin County", "Atlantis", 6001.5, 6001);
    expect(await rowsOf("GEOID", names, column("AL", "AL", "GA", "GA", "CA", "NV"))).toEqual([
      ["01003"],
      [""],
      ["13009"],
      [notAvailable(/has this name/)],
      [invalidValue(/6001\.5 is neither a geoID nor a name/)],
      [invalidValue(/06001 lies in CA, not in NV/)],
    ]);
    const square = [
      ["Alameda County", "Orange County"],
      [null, "Fresno County"],
    ];
    expect(await rowsOf("GEOID", square, "CA")).toEqual([
      ["06001", "06059"],
      ["", "06019"],
    ]);
    expect(await result("GEOID", square, column("CA", "NV"))).toEqual(
      invalidValue(/There are 4 names and 2 states/),
    );
  });

  it("reads the list of its state alone, once for all formulas and for the geoIDs that they use", async () => {
    const { requests } = start();
    const names = ["Alameda County, CA", "County of Orange, CA", "Fresno County, CA", "Alamedda County, CA"];
    await settled([
      ...names.map((name) => call("GEOID", name)),
      ...["06001", "06003", "06005", "06007", "06009"].map((geoid) => call("AHJ", geoid)),
    ]);
    // One request for the first page of all AHJs, two for California's pages.
    expect(countByPath(requests)).toEqual({ "GET /v1/ahjs": 3 });
    expect(requests.filter((request) => request.includes("state_code=CA"))).toHaveLength(2);
    const before = requests.length;
    expect(await result("GEOID", "Kern County, CA")).toBe("06029");
    expect(requests).toHaveLength(before);
  });

  it("costs nothing if the name is blank, or without a key", async () => {
    const { requests } = start({ key: null });
    expect(await result("GEOID", column("", null, 0, "  "))).toEqual(column("", "", "", ""));
    expect(await result("GEOID", "Alameda County, CA")).toEqual(notAvailable(/not connected/));
    expect(requests).toEqual([]);
  });

  it("searches yesterday's list while the service can't be reached, and says why if there is none", async () => {
    const service = outage();
    start({ intercept: service.intercept });
    expect(await result("GEOID", "Alameda County, CA")).toBe("06001");
    service.isDown = true;
    expect(await result("GEOID", "Clark County, NV")).toEqual(notAvailable(/can't be reached/));
    await pass(86_401_000);
    expect(await result("GEOID", "Alameda County, CA")).toBe("06001");
  });

  it("says that the list is incomplete if nobody in it has the name", async () => {
    start({
      key: "demo-west",
      intercept: answering(/\/ahjs$/, (data) => {
        data.items = data.items.filter(({ id }: { id: number }) => id !== 10_243);
      }),
    });
    expect(await result("GEOID", "Alameda County, CA")).toEqual(
      notAvailable(/counts \d jurisdictions? that it does not list/),
    );
  });

  it("takes a name that ends like a state's name as a whole, if a jurisdiction has it", async () => {
    start({
      key: "demo-west",
      intercept: answering(/\/ahjs$/, (data) => {
        for (const item of data.items) if (item.geoid === "06003") item.name = "City of Oregon";
      }),
    });
    expect(await result("GEOID", "city of oregon")).toBe("06003");
    expect(await result("GEOID", "City of Oregon", "CA")).toBe("06003");
  });
});

it("=REGDATA.GEOID of more different names than the country has jurisdictions is refused before any is looked up", async () => {
  const { requests } = start();
  const names = Array.from({ length: 100_001 }, (_, at) => [`Place ${at}`]);
  expect(await result("GEOID", names)).toEqual(
    invalidValue(/may name 100,000 different jurisdictions at most/),
  );
  expect(requests).toEqual([]);
});
