import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { utcMs } from "../../../src/engine/api/utc-time";

// A time zone other than UTC shows whether a text without a zone was read as UTC or as local time.
beforeAll(() => void vi.stubEnv("TZ", "America/Los_Angeles"));
afterAll(() => void vi.unstubAllEnvs());

const noonMs = Date.UTC(2026, 2, 1, 12);
const secondMs = 1_000;
const hourMs = 3_600_000;

describe("a timestamp of the service", () => {
  it("is tested in a time zone other than UTC", () => {
    expect(new Date(noonMs).getTimezoneOffset()).toBe(480);
  });

  it.each([
    ["2026-03-01", noonMs - 12 * hourMs],
    [" 2026-03-01 ", noonMs - 12 * hourMs],
    ["2024-02-29", Date.UTC(2024, 1, 29)],
    ["2026-03-01T12:00", noonMs],
    ["2026-03-01 12:00", noonMs],
    ["2026-03-01t12:00z", noonMs],
    ["2026-03-01T12:00:01", noonMs + secondMs],
    ["2026-03-01T12:00:01Z", noonMs + secondMs],
    ["2026-03-01T12:00:01.5Z", noonMs + 1.5 * secondMs],
    ["2026-03-01T12:00:01.25", noonMs + 1.25 * secondMs],
    ["2026-03-01T12:00:01.123456+00:00", noonMs + 1_123],
    ["2026-03-01T12:00+02:00", noonMs - 2 * hourMs],
    ["2026-03-01 12:00:00 +02:00", noonMs - 2 * hourMs],
    ["2026-03-01T23:30:00-05:30", noonMs + 17 * hourMs],
  ])("%j is %i ms since 1970", (text, ms) => {
    expect(utcMs(text)).toBe(ms);
  });

  it.each([
    "2026-02-29",
    "2026-02-30",
    "2026-02-30T12:00:00Z",
    "2026-04-31",
    "2026-13-01",
    "2026-00-10",
    "2026-01-00",
  ])("%j names a day that does not exist", (text) => {
    expect(utcMs(text)).toBeNaN();
  });

  it.each([
    "",
    " ",
    "soon",
    "46082",
    "2026",
    "2026-03",
    "2026-3-1",
    "20260301",
    "3/1/2026",
    "March 1, 2026",
    "2026-03-01T",
    "2026-03-01Z",
    "2026-03-01T12",
    "2026-03-01T25:00",
    "2026-03-01T12:60",
    "2026-03-01T12:00:00.",
    "2026-03-01T12:00:00+2",
    "2026-03-01T12:00:00 PST",
    "on 2026-03-01",
  ])("%j is no timestamp", (text) => {
    expect(utcMs(text)).toBeNaN();
  });
});
