import type { RefreshReport } from "../../../../src/workbook/imports/refresh/plan-refresh";

/** The report of a refresh that has found nothing. */
export const noNews: RefreshReport = {
  atMs: Date.parse("2026-01-30T08:15:00Z"),
  ...{
    changes: [],
    edited: [],
    unsure: [],
    notRefreshed: [],
    keptAsOfMs: null,
    unknownTypes: [],
    missingColumns: [],
    renamedColumns: [],
  },
  ...{
    confirmed: 3,
    ahjs: 4,
    ownRows: 0,
    followed: [],
    otherEntries: [],
    newRows: 0,
    withoutRow: 0,
    notesLeft: 0,
  },
  ...{ entered: [], left: [], stillLeft: [], unchecked: [], renamed: [] },
  ...{ changedMeanwhile: [], keptColumns: [], replaced: [] },
  notesOfOthers: { kept: [], replaced: [] },
  read: { ids: ["AHJ ID"], keys: [] },
};
