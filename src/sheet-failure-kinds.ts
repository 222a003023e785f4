/**
 * The kinds of failure that only work on a sheet meets. Their words load with that work, so that the script for formulas is smaller.
 */
import { failureKinds, type KindOfFailure } from "./failure-kinds";

export const sheetFailureKinds = {
  "memory-full": {
    sentence: "The answers are longer than expected, too long to be held in memory at once.",
    nextStep: "Insert what is complete, then get the rest on another sheet.",
  },
  "cells-in-the-way": {
    sentence: "There are cells in the way.",
    nextStep: "Choose another place, or allow them to be overwritten.",
  },
  "no-list": {
    sentence:
      "A list is a column of geoIDs or names, or several columns that name a place together, such as City and State.",
    nextStep: "Select it, then try again.",
  },
  "sheet-refused": {
    sentence: "Excel refused this.",
    nextStep: "Try again. If Excel refuses it again, close the workbook, open it, and try once more.",
  },
  "cell-editing": {
    sentence: "A cell is being edited.",
    nextStep: "Press Enter or Esc in the sheet, then try again.",
  },
  "no-cells-selected": {
    sentence:
      "Excel can't tell which cells you mean. Several separate areas, a chart or a picture may be selected, or another workbook may be in front.",
    nextStep: "Select one block of cells, then try again.",
  },
  "no-headers": {
    sentence: "The table's header row is turned off, so its columns can't be told apart.",
    nextStep: "Turn on Header Row under Table Design, then try again.",
  },
  "sheet-hidden": {
    sentence: "The sheet is hidden.",
    nextStep: "Right-click any sheet's tab and choose Unhide, then try again.",
  },
  "tables-collide": {
    sentence:
      "Excel can't insert the rows or columns, because they would move a part of another table or of merged cells.",
    nextStep: "Unmerge those cells, or move the other table to a sheet of its own, then try again.",
  },
  "workbook-behind": {
    sentence: "Another workbook is in front.",
    nextStep: "Bring this one to the front, then try again.",
  },
  "not-permitted": {
    sentence: "Excel does not allow this here. The sheet may be protected, or the workbook read-only.",
    nextStep: "Unprotect the sheet under Review, or open the workbook for editing, then try again.",
  },
  "not-undoable": {
    sentence: "Excel refused this, because it could not be undone.",
    nextStep: "Try again.",
  },
  "too-much-at-once": {
    sentence: "This is more than Excel can handle at once.",
    nextStep: "Choose fewer cells, jurisdictions or questions, then try again.",
  },
  "other-service": {
    sentence: "This import came from a different service than the one you are connected to.",
    nextStep:
      "Nothing was sent. If that connection is yours, choose it under Settings. Otherwise ask the person who sent the workbook.",
  },
  "table-gone": {
    sentence: "The import's table is no longer in the workbook.",
    nextStep: "Import it again, or forget it.",
  },
  "dated-sheet-gone": {
    sentence: "The dated sheet is gone, or has no columns AHJ ID, Question ID and Value any more.",
    nextStep: "Choose another one.",
  },
  "cells-not-found": {
    sentence: "Some cells could not be found again.",
    nextStep:
      "Their row or column is gone, or somebody has changed its AHJ id or header. Bring it back, then try again.",
  },
} as const satisfies Record<string, KindOfFailure>;

/** All kinds of failure. */
export const allFailureKinds = { ...failureKinds, ...sheetFailureKinds };
