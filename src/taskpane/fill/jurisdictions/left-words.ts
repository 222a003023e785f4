import { clockTime } from "../../../errors";
import type { Session } from "../../../app";

/** The rest of the request limit, such as “(412 left, resets 2:14 PM)”; "" if it is not known. */
export function leftWords({ left, resetsAtMs }: ReturnType<Session["limit"]>): string {
  if (left === undefined) return "";
  const resets = resetsAtMs === undefined ? "" : `, resets ${clockTime(resetsAtMs)}`;
  return `(${left.toLocaleString()} left${resets})`;
}
