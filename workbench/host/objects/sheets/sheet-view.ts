import { HostError } from "../../host-error";
import { colorOf } from "../range-format";
import { kept, truth, type Family } from "../object-model";
import { findSheet, mustBeInFront, rangeAt } from "../range-object";

/** The looks of a sheet beside its cells. */
export const sheetViewFamily: Family<"Worksheet" | "WorksheetFreezePanes"> = {
  Worksheet({ sheetId }, model) {
    const tabColor = kept<string>(model, sheetId, "TabColor", {
      // "Use an empty-string to set an "auto" color" (Worksheet.tabColor in @types/office-js).
      read: (value) => (value === "" ? "" : colorOf(value)),
      initial: "",
    });
    const flag = (name: string) => kept(model, sheetId, name, { read: truth, initial: true });
    return {
      properties: {
        // "If the worksheet is invisible, the value will be null" (Worksheet.tabColor in @types/office-js).
        TabColor: { ...tabColor, get: () => (findSheet(model, sheetId)?.isHidden ? null : tabColor.get()) },
        // Office.js sets them by the names that they had before they could be read.
        ...{ ShowGridlines: flag("ShowGridlines"), Gridlines: flag("ShowGridlines") },
        ...{ ShowHeadings: flag("ShowHeadings"), Headings: flag("ShowHeadings") },
      },
    };
  },

  WorksheetFreezePanes: ({ sheetId }, model) => ({
    objects: {
      GetLocationOrNullObject() {
        mustBeInFront(model, "WorksheetFreezePanes.GetLocation");
        const { rows, columns } = model.spreadsheet.frozen(sheetId);
        if (rows + columns === 0) return null;
        return rangeAt(sheetId, { row: 0, column: 0, rows: rows || 1_048_576, columns: columns || 16_384 });
      },
      GetLocation() {
        const { rows, columns } = model.spreadsheet.frozen(sheetId);
        if (rows + columns === 0) throw new HostError("ItemNotFound", "nothing is frozen");
        return rangeAt(sheetId, { row: 0, column: 0, rows: rows || 1_048_576, columns: columns || 16_384 });
      },
    },
  }),
};
