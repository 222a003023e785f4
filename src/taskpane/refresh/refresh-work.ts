/** The code that only a refresh needs. It is loaded when the user presses the button, so that the list of imports appears sooner. */
export { pastRefresh } from "../../workbook/imports/refresh/changes-sheet";
export { refreshToFinish } from "../../workbook/unfinished/finish-refresh";
export { refreshNoted, takeServiceValuesNoted } from "../../workbook/unfinished/noted-refresh";
