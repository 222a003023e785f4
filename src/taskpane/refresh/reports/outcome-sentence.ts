import type { RefreshReport } from "../../../workbook/imports/refresh/plan-refresh";
import { plural } from "../../ui/labels";

type Outcome = Pick<
  RefreshReport,
  | "changes"
  | "unsure"
  | "confirmed"
  | "notRefreshed"
  | "unknownTypes"
  | "newRows"
  | "entered"
  | "left"
  | "renamed"
>;

/** The result of a refresh in a few words. It says that nothing has changed only if the service said so. */
export function outcomeSentence(report: Outcome): string {
  const { changes, unsure, newRows, entered, left, renamed } = report;
  const added = newRows > 0 ? [`${plural(newRows, "row")} added at the end.`] : [];
  const found = [
    ...(entered.length > 0 ? [`${plural(entered.length, "jurisdiction")} entered.`] : []),
    ...(left.length > 0 ? [`${plural(left.length, "jurisdiction")} left.`] : []),
  ];
  const changed = changes.length > 0 ? [`${plural(changes.length, "value")} changed.`] : [];
  const replaced = unsure.length > 0 ? [`${plural(unsure.length, "value")} changed or edited.`] : [];
  const described = renamed.length > 0 ? [`${plural(renamed.length, "question")} described otherwise.`] : [];
  const news = [...changed, ...replaced, ...found, ...described];
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
