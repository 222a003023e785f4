import { describe, expect, it } from "vitest";
import { createApp } from "../../src/app";
import { connectionStorageKey, storedForm } from "../../src/settings/connection";
import { memoryStorage } from "../settings/memory-storage";
import { baseUrl, recordedService } from "../recorded-service";

const elsewhere = "https://elsewhere.test";

function appFor(service: string, { isFixed = true, kept = service } = {}) {
  const storage = memoryStorage({ [connectionStorageKey]: storedForm({ baseUrl: kept, key: "demo-west" }) });
  const { fetch, requests } = recordedService();
  const app = createApp({ fetch, storage, presetService: { baseUrl: service, isFixed } });
  return { app, requests, stored: () => storage.getItem(connectionStorageKey) };
}

describe("an app whose service is fixed", () => {
  it("refuses to connect to another service, and sends the key nowhere", async () => {
    const { app, requests, stored } = appFor(elsewhere);
    const before = await stored();
    await expect(app.connect(baseUrl, "demo-national")).rejects.toMatchObject({
      kind: "invalid-address",
      message: expect.stringContaining(`This add-in connects to ${elsewhere} alone.`) as string,
    });
    expect(requests).toEqual([]);
    expect(await stored()).toBe(before);
  });

  it("does not use a saved connection to another service, however its address is written", async () => {
    for (const kept of [
      baseUrl,
      `${elsewhere}.evil.test`,
      `${elsewhere}/api`,
      elsewhere.replace("https", "http"),
    ]) {
      const { app, requests } = appFor(elsewhere, { kept });
      await expect(app.session()).rejects.toMatchObject({ kind: "no-key" });
      expect(requests).toEqual([]);
    }
  });

  it("connects to its own service, and uses the connection that was saved for it", async () => {
    const { app } = appFor(baseUrl);
    expect((await app.session()).credentials).toEqual({ baseUrl, key: "demo-west" });
    await app.connect(`${baseUrl}/v1/`, "demo-national");
    expect((await app.session()).credentials).toEqual({ baseUrl, key: "demo-national" });
  });
});

it("an app whose service is only filled in connects to any", async () => {
  const { app } = appFor(elsewhere, { isFixed: false, kept: baseUrl });
  expect((await app.session()).credentials.baseUrl).toBe(baseUrl);
  await app.connect(baseUrl, "demo-national");
  expect((await app.session()).credentials.key).toBe("demo-national");
});
