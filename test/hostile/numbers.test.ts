import { expect, it } from "vitest";
import { column, notAvailable, playExcel, result, rowsOf, start } from "../functions/excel";

playExcel();

/** A service that lists these categories. */
function listing(items: string) {
  const pagination = '{"page":1,"page_size":500,"total":2,"total_pages":1}';
  const body = `{"response_type":"x","data":{"items":${items},"pagination":${pagination}}}`;
  return start({
    intercept: (request) => {
      if (!request.url.includes("/v1/categories")) return undefined;
      return new Response(body, { headers: { "Content-Type": "application/json" } });
    },
  });
}

it.each([
  ["numbers", '[{"id":9007199254740993,"name":"one"},{"id":9007199254740992,"name":"other"}]'],
  ["texts", '[{"id":"9007199254740993","name":"one"},{"id":"9007199254740992","name":"other"}]'],
  ["fractions", '[{"id":1.5,"name":"one"},{"id":1,"name":"other"}]'],
  ["no numbers", '[{"id":"0x1F","name":"one"},{"id":"__proto__","name":"other"}]'],
])(
  "ids that a number can't hold, as %s, are refused with a sentence, not taken for others",
  async (_, items) => {
    listing(items);
    expect(await result("CATEGORIES")).toEqual(notAvailable(/answer/));
  },
);

it("ids as texts of digits are the same as numbers", async () => {
  listing('[{"id":"0000000007","name":"one"},{"id":999999999999999,"name":"other"}]');
  expect(await rowsOf("CATEGORIES", false)).toEqual([
    [7, "one"],
    [999_999_999_999_999, "other"],
  ]);
});

it("a geoID or an AHJ id of more digits than a number holds is never another one", async () => {
  const { requests } = start();
  const ids = [
    "ahj:9007199254740993",
    "ahj:99999999999999999999",
    9_007_199_254_740_992,
    1e20,
    "1e5",
    -1,
    0.5,
  ];
  for (const outcome of (await rowsOf("AHJ", column(...ids))).flat())
    expect(outcome).toMatchObject({ message: expect.stringMatching(/geoID|jurisdiction/) as unknown });
  expect(requests.filter((request) => /\/ahjs\/9007|9007199254740992/.test(request))).toEqual([]);
});
