import { expect, it } from "vitest";
import { previewRows } from "../../../../src/taskpane/fill/insert/preview-rows";
import { plainForm } from "../../../../src/workbook/sheet/layout/table-plan";
import { connected } from "../../../recorded-service";

/** A preview of three questions about the first jurisdictions, and the requests that it sent. */
async function previewed(refuse: (path: string) => Response | undefined) {
  let isRefusing = false;
  const { client, lookup, requests } = connected("demo-national", {
    intercept: (request) => (isRefusing ? refuse(new URL(request.url).pathname) : undefined),
  });
  const { ahjs } = await lookup.directory.list("NV");
  const types = (await lookup.catalogue.types()).slice(0, 3);
  isRefusing = true;
  const before = requests.length;
  const question = { kind: "matrix" as const, ahjs, types };
  const table = await previewRows(
    question,
    { client, lookup },
    plainForm,
    new AbortController().signal,
  ).catch((thrown: unknown) => thrown);
  return { table, sent: requests.slice(before) };
}

it("a preview of the first rows takes one request", async () => {
  const { table, sent } = await previewed(() => undefined);
  expect(table).toMatchObject({ rows: { length: 5 } });
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
