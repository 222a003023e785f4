import { describe, expect, it } from "vitest";
import { createService } from "../../reference-service/service";
import { baseUrl, countByPath } from "../recorded-service";
import {
  call,
  column,
  invalidValue,
  notAvailable,
  outage,
  playExcel,
  preview,
  readable,
  result,
  row,
  rowsOf,
  type Sent,
  settled,
  start,
} from "./excel";

playExcel();

const [fee, code, permit, reviewShare, effective] = [1057, 1003, 1019, 1051, 1013];

interface Listed {
  id: number;
  name: string;
  state_code: string;
  geoid: string | null;
}

interface Published {
  ahj: Listed;
  data_point_type: { id: number };
  value: string | null;
  updated_at: string;
}

/** All pages of one of the service's lists, asked for by hand. */
async function pagesOf<Item>(path: string, query: Record<string, string>): Promise<Item[]> {
  const service = createService();
  const items: Item[] = [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const url = new URL(path, baseUrl);
    url.search = new URLSearchParams({ ...query, page: String(page), page_size: "500" }).toString();
    const answer = await service.fetch(new Request(url, { headers: { "X-API-Key": "demo-national" } }));
    const { data } = (await answer.json()) as { data: Sent };
    items.push(...(data.items as Item[]));
    pages = data.pagination.total_pages as number;
  }
  return items;
}

/** What the service has published to some questions in a state, by AHJ and question. */
async function publishedIn(state: string, questions: readonly number[]) {
  const ahjs = await pagesOf<Listed>("/v1/ahjs", { state_code: state });
  const answers = new Map<string, Published>();
  for (let at = 0; at < ahjs.length; at += 100) {
    const ids = ahjs.slice(at, at + 100).map(({ id }) => id);
    const query = { ahj_ids: ids.join(), data_point_type_ids: questions.join() };
    for (const answer of await pagesOf<Published>("/v1/data-points", query))
      answers.set(`${answer.ahj.id} ${answer.data_point_type.id}`, answer);
  }
  return { ahjs, answer: (ahjId: number, question: number) => answers.get(`${ahjId} ${question}`) };
}

/** The least and the most that a fee may be, by the forms that the guide to finds lists; null for any other text. */
function dollarsIn(text: string): [least: number, most: number] | null {
  const amount = String.raw`(?:\$|USD )?(\d{1,3}(?:,\d{3})+|\d+)(\.\d\d?)?`;
  const [, bound, whole = "", cents = "", whole2 = "", cents2 = ""] =
    new RegExp(`^(Minimum )?${amount}(?: - ${amount})?$`).exec(text) ?? [];
  if (whole === "") return null;
  const figure = (dollars: string, rest: string) => Number(dollars.replaceAll(",", "") + rest);
  const least = figure(whole, cents);
  return [least, bound ? Infinity : whole2 === "" ? least : figure(whole2, cents2)];
}

const yesOrNo: Readonly<Record<string, boolean>> = {
  ...{ true: true, yes: true, y: true, required: true },
  ...{ false: false, no: false, n: false, "not required": false },
};

/** Whether a fee is certainly at most so many dollars; undefined where that is not known. */
function isAtMost(limit: number, text: string): boolean | undefined {
  const [least = NaN, most = NaN] = dollarsIn(text) ?? [];
  return most <= limit ? true : least > limit ? false : undefined;
}

const byName = (one: Listed, other: Listed) => one.name.localeCompare(other.name, "en") || one.id - other.id;

/** What a formula calls each: two with one geoID can't both be called by it. */
function formulaName({ id, geoid }: Listed, all: readonly Listed[]): string {
  const lowest = Math.min(...all.filter((ahj) => ahj.geoid === geoid).map((ahj) => ahj.id));
  return geoid !== null && lowest === id ? geoid : `ahj:${id}`;
}

const cheap = [fee, "at most", 100];
const needed = ["Building Permit Required for Rooftop Solar", "is", true];

describe("=REGDATA.FIND", () => {
  it.each(["NV", "CA", "WY"])(
    "lists those in %s whose answers certainly meet the conditions, as a plain computation from the service's pages does",
    async (state) => {
      const { ahjs, answer } = await publishedIn(state, [fee, permit]);
      const text = (ahj: Listed, question: number) => answer(ahj.id, question)?.value ?? "";
      const verdicts = ahjs.map((ahj) => {
        const each = [isAtMost(100, text(ahj, fee)), yesOrNo[text(ahj, permit).toLowerCase()]];
        return each.includes(false) ? "no" : each.includes(undefined) ? "not known" : "yes";
      });
      const found = ahjs.filter((_, place) => verdicts[place] === "yes").sort(byName);
      const notKnown = verdicts.filter((verdict) => verdict === "not known").length;
      expect(Math.min(found.length, notKnown)).toBeGreaterThan(0);

      const { requests } = start();
      const conditions = [cheap, [0, null, ""], needed];
      const [header, ...rows] = await rowsOf("FIND", state.toLowerCase(), conditions);
      expect(header).toEqual([`Found ${found.length} (${notKnown} not known)`, "State", "geoID"]);
      expect(rows).toEqual(found.map((ahj) => [ahj.name, state, formulaName(ahj, ahjs)]));
      expect(countByPath(requests)).toEqual({
        "GET /v1/ahjs": 1 + Math.ceil(ahjs.length / 500),
        "GET /v1/data-points/types": 1,
        "POST /v1/data-points/matrix": 1,
      });
    },
  );
});
