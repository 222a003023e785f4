import { expect, it } from "vitest";
import { ago } from "../../../src/taskpane/refresh/ago";

const day = 86_400_000;

it.each([
  [0, "just now"],
  [-day, "just now"],
  [59_999, "just now"],
  [60_000, "1 minute ago"],
  [3 * 3_600_000 + 1, "3 hours ago"],
  [day, "yesterday"],
  [3 * day + 5, "3 days ago"],
  [70 * day, "2 months ago"],
  [800 * day, "2 years ago"],
])("%i ms is %s", (past, words) => {
  const nowMs = 1_800_000_000_000;
  expect(ago(nowMs - past, nowMs)).toBe(words);
});
