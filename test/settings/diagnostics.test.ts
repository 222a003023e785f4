import { describe, expect, it } from "vitest";
import { createApp } from "../../src/app";
import { connectionStorageKey, storedForm } from "../../src/settings/connection";
import { diagnosticFacts, diagnosticsText } from "../../src/taskpane/settings/diagnostics";
import { memoryStorage } from "./memory-storage";
import { askOne, recordedService } from "../recorded-service";

const surroundings = {
  version: "1.2.3",
  office: "Excel PC 16.0",
  userAgent: "A browser",
  language: "en-US",
  appearance: "system dark",
};

async function facts(key: string, hasExcelApi = (version: string) => Number(version.slice(2)) <= 16) {
  const baseUrl = "https://service.test/tenants/secret-tenant";
  const { fetch } = recordedService();
  const app = createApp({
    fetch: (input, init) => fetch(new Request(input, init).url.replace("/tenants/secret-tenant", ""), init),
    storage: memoryStorage({ [connectionStorageKey]: storedForm({ baseUrl, key }) }),
    hasExcelApi,
  });
  const session = await app.session();
  await askOne(session.lookup, "06001", 1003);
  return diagnosticFacts(app, session, {
    ...surroundings,
    connections: 2,
    cache: { answers: 1_234, jurisdictions: 1, oldestMs: 0, newestMs: 86_400_000, bytes: 3_450_000 },
    importDefaults: { layout: "wide", citations: "none" },
  });
}

describe("the text for support", () => {
  it("says so if a time is none, as a service or a damaged cache may claim", async () => {
    const known = await facts("demo-limited");
    const limit = { windows: [{ left: 1, resetsAtMs: 1e23 }], waitingUntilMs: NaN };
    const cache = { answers: 1, jurisdictions: 1, oldestMs: -1e20, newestMs: 0, bytes: undefined };
    const text = diagnosticsText({ ...known, limit, cache });
    expect(text).toContain("Requests left: 1 until not a time");
    expect(text).toContain("Waiting for the limit: until not a time");
    expect(text).toContain("not a time to 1970-01-01T00:00:00.000Z");
  });

  it("holds the details that help to find a fault", async () => {
    const lines = diagnosticsText(await facts("demo-limited")).split("\n");
    expect(lines).toEqual([
      "RegData for Excel: 1.2.3",
      "Office: Excel PC 16.0",
      "ExcelApi: 1.16",
      "Browser: A browser",
      "Language: en-US",
      "Appearance: system dark",
      "Service: service.test",
      "Connections kept: 2",
      expect.stringMatching(/^Requests left: 2\d until 20\d\d-\d\d-\d\dT[\d:.]+Z$/),
      "Waiting for the limit: no",
      "Kept answers: 1,234 answers of 1 jurisdiction, 1970-01-01T00:00:00.000Z to 1970-01-02T00:00:00.000Z, about 3.5 MB in all",
      // Node has no IndexedDB.
      "Keeps answers on disk: no",
      "Old answers shown: 0",
      "Uses answers for: 24 h",
      "Numbers carry their citation: no",
      "New imports: layout wide, citations none",
    ]);
  });

  it("holds no key, no part of one, no path of the address, and nothing that was asked for", async () => {
    const text = diagnosticsText(await facts("demo-national"));
    for (const secret of ["demo", "national", "onal", "tenant", "https", "06001", "1003", "Alameda"]) {
      expect(text).not.toContain(secret);
    }
  });

  it("says so if a host has no ExcelApi", async () => {
    expect(diagnosticsText(await facts("demo-national", () => false))).toContain("ExcelApi: none");
  });

  it("says which details are not known", async () => {
    const known = await facts("demo-national");
    const text = diagnosticsText({
      ...known,
      cache: null,
      limit: { windows: [], waitingUntilMs: 0 },
    });
    expect(text).toContain("Requests left: not known");
    expect(text).toContain("Waiting for the limit: until 1970-01-01T00:00:00.000Z");
    expect(text).toContain("Kept answers: can't be counted");
    expect(diagnosticsText({ ...known, cache: undefined })).toContain("Kept answers: not counted yet");
    expect(diagnosticsText({ ...known, serviceHost: null })).toContain("Service: not connected");
  });
});
