import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { openWorkbookFile } from "../../../xlsx/workbook-file";
import { createPlayer, playFolder, published, type Ran } from "../played-io";

const permitFee = 1056;
let folder: string;
let run: (words: readonly string[]) => Promise<Ran>;
beforeEach(async () => {
  folder = await playFolder();
  run = createPlayer(folder);
});
const find = (condition: string, ...words: string[]) =>
  run(["find", "--where", "NV", "--if", condition, ...words]);

/** The ids of Nevada's AHJs whose fee is published as one amount of at most this many dollars. */
async function atMost(dollars: number): Promise<number[]> {
  const { out } = await find("1003 has a value", "--json", "--any", "--if", "1003 has no value");
  const ids = (JSON.parse(out) as { found: { ahj_id: number }[] }).found.map(({ ahj_id }) => ahj_id);
  const answers = await published(ids, [permitFee]);
  return ids.filter((id) => {
    const [, digits] =
      /^(?:\$|USD )?([\d,]+(?:\.\d+)?)$/.exec(answers.get(id)?.[permitFee]?.value ?? "") ?? [];
    return digits !== undefined && Number(digits.replaceAll(",", "")) <= dollars;
  });
}

describe("find", () => {
  it("prints three groups with the reasons of the third, and writes the jurisdictions that are found", async () => {
    const output = join(folder, "found.xlsx");
    const { code, out } = await find("1056 at most 60", "-o", output);
    expect(code).toBe(10);
    const [, all, yes, no, unknown] =
      /^Of (\d+) jurisdictions: (\d+) yes, (\d+) no, (\d+) not known\.\n/.exec(out) ?? [];
    expect(Number(yes) + Number(no) + Number(unknown)).toBe(Number(all));
    expect(Number(no)).toBeGreaterThan(0);
    expect(out).toMatch(/\d+ jurisdictions. No value is recorded for Minimum Permit Fee\.\n +Carson/);
    const [sheet] = openWorkbookFile(await readFile(output)).sheets;
    const ids = [...(sheet?.cells() ?? [])].filter(
      ({ row, column }) => row > 0 && column === idColumn(sheet),
    );
    expect(ids.map(({ value }) => value)).toHaveLength(Number(yes));
    expect(ids.map(({ value }) => value)).toEqual(expect.arrayContaining(await atMost(60)));
  });

  it("takes names of questions, signs and several conditions", async () => {
    const counts = async (...words: string[]) => {
      const { out } = await run(["find", "--where", "NV", "--json", ...words]);
      const { yes, no, "not-known": unknown } = JSON.parse(out) as Record<string, number>;
      return [yes, no, unknown];
    };
    const byId = await counts("--if", "1056 at most 60");
    expect(await counts("--if", "minimum permit fee<=60")).toEqual(byId);
    expect(await counts("--if", "1056<60")).toEqual(await counts("--if", "1056 under $60"));
    expect(await counts("--if", "1056>60")).toEqual(await counts("--if", "1056 more than 60"));
    const [yes = 0, no = 0] = byId as number[];
    expect(await counts("--if", "1056 <= 60", "--if", "1056 >= 60")).toEqual(
      await counts("--if", "1056 is 60"),
    );
    const either = await counts("--any", "--if", "1056 <= 60", "--if", "1056 >= 60");
    expect(either[0]).toBeGreaterThanOrEqual(yes + no);
  });

  it("looks among one kind of jurisdictions, and remembers which", async () => {
    const output = join(folder, "counties.xlsx");
    const words = ["find", "--where", "nevada", "counties", "--if", "1056 has a value"];
    expect((await run(words)).out).toMatch(/^Of 17 jurisdictions: /);
    await run([...words, "-o", output]);
    const { customXmlParts } = openWorkbookFile(await readFile(output));
    expect(customXmlParts.some(({ xml }) => /"kinds":\["county"\]/.test(xml.replaceAll("&quot;", '"')))).toBe(
      true,
    );
  });

  it("remembers the find, so that a refresh asks it again", async () => {
    const output = join(folder, "found.xlsx");
    await find("1056 at most 60", "-o", output);
    const { code, out } = await run(["refresh", output]);
    expect([code, out]).toEqual([0, expect.stringContaining("0 values changed")]);
    const { customXmlParts } = openWorkbookFile(await readFile(output));
    expect(customXmlParts.some(({ xml }) => xml.includes("at-most") && xml.includes("NV"))).toBe(true);
  });

  it("lists the jurisdictions that are found if no file is named", async () => {
    const { code, out } = await run(["find", "--where", "06001", "--if", "1056 has a value"]);
    expect([code, out]).toEqual([
      0,
      "Of 1 jurisdiction: 1 yes, 0 no, 0 not known.\n\nFound:\n  Alameda County, CA (county, 06001)\n",
    ]);
  });

  it("writes nothing if nobody is found", async () => {
    const output = join(folder, "found.xlsx");
    const { code, out } = await find("1056 at most 0", "-o", output);
    expect([code, out]).toEqual([0, expect.stringContaining("Nothing was written.")]);
    await expect(access(output)).rejects.toThrow("ENOENT");
  });

  it("says how many requests it needs before it sends more than twenty", async () => {
    const { told, requests } = await run([
      "find",
      "--where",
      "all",
      "--if",
      "1056 was updated after 2026-01-01",
    ]);
    const needed = [...told.matchAll(/The command needs (\d+) requests or more\./g)].map(([, count]) =>
      Number(count),
    );
    expect(needed[0]).toBeGreaterThan(20);
    expect(Math.max(...needed)).toBeLessThanOrEqual(requests.length);
    expect((await find("1056 at most 60")).told).toBe("");
  });

  it.each([
    ["1056 at most cheap", "can't be used"],
    ["1056 roughly 300", "begins with no operator"],
    ["1056", "The operator is missing"],
    ["1056 at most", '"at most" needs a value'],
    ["1024 at most 3", "does not fit"],
    ["Moon fee at most 3", "begins with no question"],
    ["permit review time at most 10", "Perhaps Residential Permit Review Time (1030)"],
  ])("refuses the condition %j, and says why", async (condition, why) => {
    const { code, told } = await find(condition);
    expect([code, told]).toEqual([2, expect.stringContaining(why)]);
    expect(told).toContain(`--if "${condition}"`);
  });

  it("fails if answers can't be had, since a jurisdiction that was not asked would pass for one that is not found", async () => {
    const intercept = ({ url }: Request) =>
      url.includes("/v1/reports/matrix") ? new Response("", { status: 500 }) : undefined;
    const words = ["find", "--where", "NV", "--if", "1056 at most 60", "-o", join(folder, "found.xlsx")];
    expect((await createPlayer(folder, { intercept })(words)).code).toBe(3);
    await expect(access(join(folder, "found.xlsx"))).rejects.toThrow("ENOENT");
  });
});

function idColumn(sheet: ReturnType<typeof openWorkbookFile>["sheets"][number] | undefined): number {
  return [...(sheet?.cells() ?? [])].find(({ row, value }) => row === 0 && value === "AHJ ID")?.column ?? -1;
}
