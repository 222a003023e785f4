import { type ChangeReport, newsOf } from "../../../workbook/imports/refresh/change-lists";
import type { RefreshReport } from "../../../workbook/imports/refresh/plan-refresh";
import { plural } from "../../ui/labels";

type Outcome = ChangeReport & Pick<RefreshReport, "confirmed" | "unknownTypes" | "newRows">;

const unchanged = "Nothing has changed.";

/** The result of a refresh in a few words. It says that nothing has changed only if the service said so. */
export function outcomeSentence(report: Outcome): string {
  const { newRows } = report;
  const added = newRows > 0 ? [`${plural(newRows, "row")} added at the end.`] : [];
  const news = newsOf(report).map(({ count, noun, verb }) => `${plural(count, noun)} ${verb}.`);
  return [...(news.length > 0 ? news : [withoutNews(report)]), ...added].join(" ");
}

/** The result of several imports that were refreshed together, in a sentence. */
export function togetherSentence(reports: readonly Outcome[], failed: number): string {
  const counts = new Map<string, { count: number; noun: string; verb: string; imports: number }>();
  for (const report of reports)
    for (const { count, noun, verb } of newsOf(report)) {
      const before = counts.get(`${noun} ${verb}`) ?? { count: 0, noun, verb, imports: 0 };
      counts.set(`${noun} ${verb}`, { ...before, count: before.count + count, imports: before.imports + 1 });
    }
  const of = reports.length + failed;
  const refreshed =
    failed > 0
      ? `${reports.length.toLocaleString()} of ${plural(of, "import")} refreshed, ${failed.toLocaleString()} not.`
      : `${plural(of, "import")} refreshed.`;
  const news = [...counts.values()].map(
    ({ count, noun, verb, imports }) => `${plural(count, noun)} ${verb} in ${plural(imports, "import")}.`,
  );
  // One import about which something is not known leaves the sentence to the imports' own.
  const isCertain = reports.length > 0 && reports.every((report) => withoutNews(report) === unchanged);
  const nothing = isCertain ? [unchanged] : [];
  return [refreshed, ...(news.length > 0 ? news : nothing)].join(" ");
}

function withoutNews(report: Outcome): string {
  const { confirmed, notRefreshed, unknownTypes, otherEntries } = report;
  if (confirmed === 0)
    return notRefreshed.length > 0
      ? "No jurisdiction could be checked."
      : "Nothing was confirmed: the service gave no answer for this table.";
  return notRefreshed.length + unknownTypes.length + otherEntries.length > 0
    ? "Nothing has changed in what the service confirmed."
    : unchanged;
}
