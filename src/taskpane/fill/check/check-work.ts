export { checkColumns } from "../../../workbook/imports/check/check-columns";
export { planChanges, reportedCells } from "../../../workbook/imports/refresh/changes-sheet";
export { writeSheetNoted } from "../../../workbook/work-note/noted-tables";
export { updateOver } from "../../../workbook/imports/refresh/compare-answers";
