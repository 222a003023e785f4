import { afterAll, afterEach, expect, it } from "vitest";
import type { CellValue } from "../../../workbench/spreadsheet";
import { expectScreenHolds } from "../layout/screen-rule";
import { closeBrowser, openWorkbench, type Workbench } from "../open-workbench";
import { openJurisdictions } from "../pane-steps";

let workbench: Workbench;
afterEach(() => workbench.close());
afterAll(closeBrowser);

const shownScreen = () => workbench.pane.getByRole("tabpanel");
const glance = () => shownScreen().getByRole("region", { name: "The list at a glance" });
const shows = (text: string | RegExp) => shownScreen().getByText(text).first().waitFor();
const button = (name: string | RegExp) => shownScreen().getByRole("button", { name });

async function paste(text: string) {
  await openJurisdictions(workbench);
  await button("Paste a list").click();
  await shownScreen().getByRole("textbox", { name: "Names or geoIDs, one per line" }).fill(text);
  await button("Add the list").click();
}

interface Case {
  what: string;
  text: string;
  cells: CellValue[][];
  /** The summary of the list, and other texts that must be seen. */
  seen: string[];
  chosen: number;
  /** True if the directory is read. */
  hasNames?: boolean;
}

const cases: Case[] = [
  {
    what: "the codes of states and counties in two columns",
    text: "STATEFP\tCOUNTYFP\n06\t001\n06\t037",
    cells: [
      ["STATEFP", "COUNTYFP"],
      [6, 1],
      [6, 37],
    ],
    seen: ["2 entries: 2 corrected.", "2 codes joined from their parts, such as"],
    chosen: 2,
  },
  {
    what: "a table of data.census.gov, with two rows of headings",
    text: 'GEO_ID,NAME,B01001_001E\nGeography,Geographic Area Name,Estimate!!Total\n0500000US06001,"Alameda County, California",1643700',
    cells: [
      ["GEO_ID", "NAME", "B01001_001E"],
      ["Geography", "Geographic Area Name", "Estimate!!Total"],
      ["0500000US06001", "Alameda County, California", 1643700],
    ],
    seen: ["1 entry: 1 corrected.", "1 prefix cut, such as 0500000US06001 → 06001"],
    chosen: 1,
  },
  {
    what: "names of counties and states in two columns",
    text: "Orange County\tCalifornia\nOrange County\tFlorida",
    cells: [
      ["Orange County", "California"],
      ["Orange County", "Florida"],
    ],
    seen: ["2 entries: 2 as given.", "2 names found"],
    chosen: 2,
    hasNames: true,
  },
  {
    what: "codes of other areas, and one of a county",
    text: "8600000US36001\n9700000US5103000\n01001020100\n06001",
    cells: [["8600000US36001"], ["9700000US5103000"], [1001020100], ["'06001"]],
    seen: ["4 entries: 1 as given, 3 not understood.", "Codes of other areas: 3"],
    chosen: 1,
  },
  {
    what: "ZIP codes under their heading",
    text: "ZIP Code\n10001\n48001\n36001",
    cells: [["ZIP Code"], [10001], [48001], [36001]],
    seen: ["3 entries: 3 not understood.", "ZIP codes: 3"],
    chosen: 0,
  },
  {
    what: "codes in other spellings, and one that Excel shortened",
    text: '="06001"\nfips:06037\n6003.0\n3.4E+09\n48-201',
    cells: [['\'="06001"'], ["'fips:06037"], ["'6003.0"], ["'3.4E+09"], ["'48-201"]],
    seen: ["5 entries: 4 corrected, 1 not understood.", "Shortened by Excel: 1"],
    chosen: 4,
  },
];

/** The pages of the list of jurisdictions that were read: a few tell which geoIDs there are, all of them are needed for names. */
const directoryReads = () => workbench.requests.filter((request) => request.startsWith("GET /v1/ahjs"));

async function expectSeen({ seen, chosen, hasNames = false }: Case) {
  for (const text of seen) await shows(text);
  if (chosen > 0) await shows(`${chosen} jurisdiction${chosen === 1 ? "" : "s"} chosen`);
  expect(directoryReads().length > 20, "reads the whole directory").toBe(hasNames);
}

it.each(cases)("$what are understood when they are pasted", async (each) => {
  workbench = await openWorkbench({ key: "demo-national" });
  workbench.requests.length = 0;
  await paste(each.text);
  await expectSeen(each);
  if (process.env.SHOTS)
    await workbench.page.screenshot({ path: `${process.env.SHOTS}/${each.chosen}${each.text.length}.png` });
  await expectScreenHolds(workbench.page);
});

it.each(cases)("$what are understood when they are selected", async (each) => {
  workbench = await openWorkbench({ key: "demo-national" });
  await workbench.setFormulas("B2", each.cells);
  const [first] = each.cells;
  await workbench.select(`B2:${String.fromCharCode(65 + (first?.length ?? 0))}${1 + each.cells.length}`);
  workbench.requests.length = 0;
  await button("Use selected cells").click();
  await expectSeen(each);
});

it("a kind of correction is left out and taken again, and a county is taken in place of its tract", async () => {
  workbench = await openWorkbench({ key: "demo-national" });
  await paste("6003\n6005\n48201\n01001020100");
  await shows("2 leading zeros put back, such as 6003 → 06003");
  await shows("3 jurisdictions chosen");
  await glance().getByText("2 leading zeros put back").click();
  await button("Leave these 2 out").click();
  await shows("1 jurisdiction chosen");
  await glance().getByText("Left out: 2 leading zeros put back").waitFor();
  await button("Take these 2 again").click();
  await shows("3 jurisdictions chosen");
  await shows("It is the code of a census tract of Autauga County, AL.");
  await button("Use 01001 for 01001020100").click();
  await shows("4 jurisdictions chosen");
  await shows("1 code replaced by your choice, such as 01001020100 → 01001");
  await expectScreenHolds(workbench.page);
});

it("a code that has gone is told with its successor, which a button takes", async () => {
  workbench = await openWorkbench({ key: "demo-national" });
  await paste("46113\n02270\n02280\n06001");
  await shows(/46113 was Shannon County, SD, until 2015\. It is Oglala Lakota County \(46102\) now\./);
  await button("Use 46102 for 46113").click();
  await shows("2 jurisdictions chosen");
  await shows(/02280 was Wrangell-Petersburg Census Area, AK, until 2008\. It was split into/);
  await button("Use 02275 for 02280").waitFor();
});

it("guessed names are shown together, and taken together", async () => {
  workbench = await openWorkbench({ key: "demo-national" });
  await paste("Alameda Co., CA\nHarris Cnty, TX\nTravis County, TX\nSaint Louis County, MO");
  await shows("4 entries: 1 as given, 1 corrected, 2 to decide about.");
  await button("Add all 2 suggestions").waitFor();
  await expectScreenHolds(workbench.page);
  await button("Add all 2 suggestions").click();
  await shows("4 jurisdictions chosen");
  await shows("2 guessed names, such as Alameda Co., CA → 06001");
});
