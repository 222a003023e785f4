const months = "January February March April May June July August September October November December".split(
  " ",
);

/**
 * The day that a text certainly names (`2026-07-01`, `July 1, 2026`, `Jul. 1, 2026`, `1 July 2026`), as its midnight in UTC, with the
 * number format that shows it as written. Otherwise null: the order of day and month in figures is never guessed.
 */
export function readDay(text: string): { ms: number; numberFormat: string } | null {
  const monthFirst = text.replace(/^(\d+) (\S+) /, "$2 $1, ");
  const [, isoYear, isoMonth, isoDay, name = "", dot = "", day = isoDay, year = isoYear] =
    /^(?:(\d{4})-(\d\d)-(\d\d)|(\w+)(\.?) ([1-9]\d?), (\d{4}))$/.exec(monthFirst) ?? [];
  const month = isoMonth
    ? Number(isoMonth) - 1
    : months.findIndex((full) => name === full || name === full.slice(0, 3));
  const date = new Date(Date.UTC(Number(year), month, Number(day)));
  // A day that its month does not have, such as June 31, falls into another month.
  if (!(Number(year) > 1900 && date.getUTCMonth() === month)) return null;
  const look = (months.includes(name) ? "mmmm" : "mmm") + (dot && '"."');
  return {
    ms: date.getTime(),
    numberFormat: isoYear ? "yyyy-mm-dd" : monthFirst === text ? `${look} d, yyyy` : `d ${look} yyyy`,
  };
}
