import { expect, it } from "vitest";
import { fullCitation } from "../../../src/taskpane/cell/full-citation";

const cited = {
  jurisdiction: "Alameda County, CA (county, 06001)",
  question: "Minimum Permit Fee",
  value: "$30",
  reference: "County Code",
  section: "77.50",
  updatedAt: "2024-04-12T23:29:01Z",
  fetchedAtMs: new Date(2026, 10, 25, 21, 7).getTime(),
  service: "api.example.com",
};

it("a full citation can be pasted into a report: who, what, where it is written, and of when, with days in one form", () => {
  expect(fullCitation(cited)).toBe(
    "Alameda County, CA (county, 06001): Minimum Permit Fee: $30. Source: County Code, 77.50 (updated Apr 12, 2024; retrieved Nov 25, 2026 from api.example.com).",
  );
});

it("a full citation says that no source is recorded, and leaves out an unknown date", () => {
  expect(fullCitation({ ...cited, reference: null, section: null, updatedAt: null })).toBe(
    "Alameda County, CA (county, 06001): Minimum Permit Fee: $30. No source recorded (retrieved Nov 25, 2026 from api.example.com).",
  );
});
