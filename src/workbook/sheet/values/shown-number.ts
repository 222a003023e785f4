import { msOfSerial } from "./serial-date";

/** Whether a number format shows a day. */
export function isDateFormat(numberFormat: string): boolean {
  return /y/i.test(numberFormat.replace(/"[^"]*"|\\./g, ""));
}

/** A number as a cell of an import shows it: by the formats that imports give, any other in plain figures. */
export function shownNumber(value: number, numberFormat: string): string {
  if (isDateFormat(numberFormat)) {
    const ms = msOfSerial(value);
    return Number.isNaN(ms) ? String(value) : new Date(ms).toISOString().slice(0, 10);
  }
  const parts = /^("\$")?(#,##0|0)(?:\.(0+))?(%)?(.*)$/.exec(numberFormat);
  if (!parts) return value.toLocaleString("en-US", { maximumFractionDigits: 15 });
  const [, money, whole, places = "", percent = "", suffix = ""] = parts;
  const figures = (percent ? value * 100 : value).toLocaleString("en-US", {
    useGrouping: whole === "#,##0",
    minimumFractionDigits: places.length,
    maximumFractionDigits: places.length,
  });
  const words = suffix.replace(/\\(.)|"([^"]*)"/g, "$1$2");
  return `${money ? "$" : ""}${figures}${percent}${words}`;
}
