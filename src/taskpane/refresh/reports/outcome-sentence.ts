import { type ChangeReport, newsOf } from "../../../workbook/imports/refresh/change-lists";
import type { RefreshReport } from "../../../workbook/imports/refresh/plan-refresh";
import { plural } from "../../ui/labels";

type Outcome = ChangeReport & Pick<RefreshReport, "confirmed" | "unknownTypes" | "newRows">;

/** The result of a refresh in a few words. It says that nothing has changed only if the service said so. */
export function outcomeSentence(report: Outcome): string {
  const { newRows } = report;
  const added = newRows > 0 ? [`${plural(newRows, "row")} added at the end.`] : [];
  const news = newsOf(report).map(({ count, noun, verb }) => `${plural(count, noun)} ${verb}.`);
  return [...(news.length > 0 ? news : [withoutNews(report)]), ...added].join(" ");
}

function withoutNews(report: Outcome): string {
  const { confirmed, notRefreshed, unknownTypes } = report;
  if (confirmed === 0)
    return notRefreshed.length > 0
      ? "No jurisdiction could be checked."
      : "Nothing was confirmed: the service gave no answer for this table.";
  return notRefreshed.length + unknownTypes.length > 0
    ? "Nothing has changed in what the service confirmed."
    : "Nothing has changed.";
}
