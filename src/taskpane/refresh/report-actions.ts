import type { RefreshReport } from "../../workbook/imports/refresh/plan-refresh";
import type { KeptImport } from "../../workbook/imports/saved/import-book";
import type { ReportActions } from "./reports/RefreshReportView";
import type { SavedImportsControl } from "./saved-imports-control";

/** Makes the actions on the report of an import's refresh. Keep the returned object while the report is the same. */
export function reportActions(
  imports: SavedImportsControl,
  kept: KeptImport,
  report: RefreshReport,
): ReportActions {
  return {
    loadAddresses: () => imports.editedAddresses(kept, report),
    goTo: (cell) => imports.goToCell(kept, report, cell),
    follow: (renamed) => imports.followRenamed(kept, report, [renamed]),
    leave: (renamed) => imports.leaveRenamed(kept, report, renamed),
    take: (cells) => imports.takeServiceValues(kept, report, cells),
    mark: () => imports.mark(kept, report),
    unmark: () => imports.unmark(kept),
    exportChanges: () => imports.exportChanges(kept, report),
  };
}
