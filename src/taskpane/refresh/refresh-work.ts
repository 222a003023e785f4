/** The code that only a refresh needs. It is loaded when the user presses the button, so that the list of imports appears sooner. */
export { importToFinish, refreshToFinish } from "../../workbook/unfinished/finish-refresh";
export { beginRefresh } from "../../workbook/imports/refresh/refresh";
export { takeServiceValues } from "../../workbook/imports/refresh/take-service-values";
