import { expect, it } from "vitest";
import {
  coverageName,
  coverageWords,
  keptCoverage,
  learnCoverage,
} from "../../../src/taskpane/connect/coverage";
import { inTime } from "../../excel/in-time";
import { openExcel } from "../../excel/open-excel";
import { playExcel } from "../../functions/excel";

playExcel();

it("names the states of a small subscription, and keeps them with the key's data", async () => {
  const excel = openExcel({ key: "demo-west" });
  const session = await inTime(excel.app.session());
  const { data } = await inTime(session.client.listAhjs({ page: 1, page_size: 1 }));
  excel.requests.length = 0;
  const coverage = await inTime(learnCoverage(session, data.pagination.total));
  expect(coverage).toEqual({
    jurisdictions: data.pagination.total,
    states: ["AZ", "CA", "NV", "OR", "WA"],
  });
  expect(excel.requests.length).toBe(Math.ceil(data.pagination.total / 500));
  // The list serves whatever needs it next.
  await inTime(session.lookup.directory.load());
  expect(excel.requests.length).toBe(Math.ceil(data.pagination.total / 500));
  expect(await keptCoverage(session.documents)).toBe(coverageWords(coverage));
  await inTime(excel.app.forget());
  expect(await keptCoverage(session.documents)).toBeUndefined();
  excel.close();
});

it("sends no request for a large subscription", async () => {
  const excel = openExcel();
  const session = await inTime(excel.app.session());
  expect(await learnCoverage(session, 32_632)).toEqual({ jurisdictions: 32_632, states: undefined });
  expect(excel.requests).toEqual([]);
  excel.close();
});

it("names up to eight states, and counts more", () => {
  expect(coverageWords({ jurisdictions: 1_370, states: ["AZ", "CA", "NV"] })).toBe(
    "1,370 jurisdictions in AZ, CA and NV",
  );
  expect(coverageWords({ jurisdictions: 1, states: ["CA"] })).toBe("1 jurisdiction in CA");
  expect(coverageWords({ jurisdictions: 9, states: [..."ABCDEFGHI"] })).toBe("9 jurisdictions in 9 states");
  expect(coverageWords({ jurisdictions: 5, states: undefined })).toBe("5 jurisdictions");
});

it("gives a connection a short name, if the states are known", async () => {
  expect(await coverageName({ jurisdictions: 540, states: ["CA"] })).toBe("California");
  expect(await coverageName({ jurisdictions: 700, states: ["CA", "NV"] })).toBe("California and Nevada");
  expect(await coverageName({ jurisdictions: 1_400, states: ["AZ", "CA", "NV"] })).toBe("3 states");
  expect(await coverageName({ jurisdictions: 1, states: ["CA"] })).toBe("1 jurisdiction in CA");
  expect(await coverageName({ jurisdictions: 32_632 })).toBeUndefined();
});
