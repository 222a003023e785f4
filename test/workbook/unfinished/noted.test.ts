import { expect, it, vi } from "vitest";
import { asFailure } from "../../../src/errors";
import { playExcel } from "../../functions/excel";
import { type KilledOperation, killedOperations } from "../../reliability/killed/interrupted";
import { bookState } from "../../reliability/saved-state";
import { openWorld } from "../../reliability/world";

playExcel();

it.each(["a refresh of an import", "an import on a new sheet with its sources", "freezing"] as const)(
  "%s that Excel refuses at any request leaves no note, and the workbook as it was",
  async (name) => {
    vi.spyOn(Math, "random").mockReturnValue(0.5);
    const operation: KilledOperation = killedOperations[name];
    const noteless = (xml: string) => !xml.includes("urn:regdata:unfinished");
    let refused = 0;
    for (let after = 0; ; after += 1) {
      const world = await openWorld();
      const { excel, inTime } = world;
      await inTime(excel.spreadsheet.idle());
      const before = bookState(excel);
      const requests = world.workbookRequests();
      excel.fail(7000, 1, "workbook", after);
      const failure = await inTime(operation.run(excel).then(() => null, asFailure));
      if (world.workbookRequests() - requests <= after) break;
      expect(await inTime(excel.app.unfinished.list())).toEqual({ works: [], unreadable: [] });
      const parts = [...excel.document.customXmlParts.values()];
      expect(parts.every(noteless), `request ${after}`).toBe(true);
      if (
        failure?.kind === "not-permitted" &&
        world.excel.spreadsheet.tables().length === before.tables.length
      ) {
        expect(bookState(excel), `request ${after}`).toEqual(before);
        refused += 1;
      }
      excel.close();
    }
    expect(refused).toBeGreaterThan(3);
  },
);
