import { expect, it } from "vitest";
import { readParts } from "../../../../src/workbook/sheet/parts/saved-parts";
import { loadable } from "../played-sheet";

/** A workbook whose custom XML parts Excel gives, except for the part `large`. */
function play(parts: Record<string, string>) {
  let isRefused = false;
  const items = Object.entries(parts).map(([id, xml]) => ({
    id,
    getXml() {
      isRefused ||= id === "large";
      return { value: xml };
    },
  }));
  return {
    workbook: { customXmlParts: { getByNamespace: () => loadable({ items }) } },
    sync() {
      const thrown = isRefused ? new Error("Excel says no.") : null;
      isRefused = false;
      return thrown ? Promise.reject(thrown) : Promise.resolve();
    },
  } as unknown as Excel.RequestContext;
}

it("parts of a workbook are read even if Excel refuses one of them", async () => {
  expect(await readParts(play({ large: "x", small: "<a/>" }), "urn:any")).toEqual([
    { id: "large", xml: "" },
    { id: "small", xml: "<a/>" },
  ]);
});

it("reading the parts of a workbook fails if Excel gives none of them", async () => {
  await expect(readParts(play({ large: "x" }), "urn:any")).rejects.toThrow("Excel says no.");
});
