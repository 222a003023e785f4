/** What a refresh needs beyond the list of imports: it comes when somebody presses the button, so that the list is there sooner. */
export { pastRefresh } from "../../workbook/imports/refresh/changes-sheet";
export { refreshToFinish } from "../../workbook/unfinished/finish-refresh";
export { refreshNoted, takeServiceValuesNoted } from "../../workbook/unfinished/noted-refresh";
