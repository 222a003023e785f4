import { expect, it } from "vitest";
import { previewRows } from "../../../../src/taskpane/fill/insert/preview-rows";
import { plainForm } from "../../../../src/workbook/sheet/layout/table-plan";
import { connected } from "../../../recorded-service";

/** A preview of three questions about the first jurisdictions, and the requests that it sent. */
async function previewed(refuse: (path: string) => Response | undefined, form = plainForm) {
  let isRefusing = false;
  const { client, lookup, requests } = connected("demo-national", {
    intercept: (request) => (isRefusing ? refuse(new URL(request.url).pathname) : undefined),
  });
  const { ahjs } = await lookup.directory.list("NV");
  const types = (await lookup.catalogue.types()).slice(0, 3);
  isRefusing = true;
  const before = requests.length;
  const question = { kind: "matrix" as const, ahjs, types };
  const headers = ["Jurisdiction", ...types.map(({ name }) => name)];
  const table = await previewRows(question, { client, lookup }, form, new AbortController().signal).catch(
    (thrown: unknown) => thrown,
  );
  return { table, ahjs, headers, sent: requests.slice(before) };
}

it("a preview of the first rows has the answers beside the jurisdictions, and takes one request", async () => {
  const { table, ahjs, headers, sent } = await previewed(() => undefined);
  expect(table).toMatchObject({ headers: headers.map((name) => expect.stringContaining(name) as string) });
  const firsts = (table as { rows: string[][] }).rows.map(([who]) => who);
  expect(firsts).toEqual(ahjs.slice(0, 5).map(({ name, state_code }) => `${name}, ${state_code}`));
  expect(sent).toEqual(["POST /v1/reports/matrix"]);
});

it.each([
  [
    "refuses five jurisdictions as too many",
    () => Response.json({ detail: "too many AHJs" }, { status: 422 }),
  ],
  ["cuts the answer off", () => new Response("", { status: 504 })],
])("a preview sends one request at most, though the service %s, and says so", async (_, refuse) => {
  const { table, sent } = await previewed(refuse);
  expect(sent).toHaveLength(1);
  expect(String(table)).toMatch(
    /This takes more requests than the add-in sends by itself\. It needs \d+ or more; 1 is sent at most\. Insert the table/,
  );
});

it("a preview shows what stands in the cells without a value: nothing or, if the form wants it, a dash", async () => {
  const [blank, dashed] = await Promise.all(
    [false, true].map(async (hasDashes) => {
      const { table } = await previewed(() => undefined, { ...plainForm, hasDashes });
      return (table as { rows: string[][] }).rows.flat();
    }),
  );
  expect(blank).toContain("");
  expect(dashed).toEqual(blank!.map((text) => text || "–"));
});
