import { expect, it, vi } from "vitest";
import { createUrgency, urgencyOf } from "../../../src/engine/transport/urgency";

it("a piece of work that becomes urgent says so once, to listeners that still want to know", () => {
  const urgency = createUrgency(false);
  const [told, gone, late] = [vi.fn(() => urgency.isUrgent()), vi.fn(), vi.fn()];
  urgency.onRaise(told);
  urgency.onRaise(told);
  urgency.onRaise(gone)();
  expect(urgency.isUrgent()).toBe(false);
  urgency.raise();
  expect(told.mock.results).toEqual(Array(2).fill({ type: "return", value: true }));
  urgency.onRaise(late);
  urgency.raise();
  expect(urgency.isUrgent()).toBe(true);
  expect(told).toHaveBeenCalledTimes(2);
  expect(gone).not.toHaveBeenCalled();
  expect(late).not.toHaveBeenCalled();
});

it("a piece of work is as urgent as it was said to be, by default not urgent", () => {
  const urgency = createUrgency(false);
  expect(urgencyOf(urgency)).toBe(urgency);
  expect([urgencyOf(true), urgencyOf(false), urgencyOf()].map((one) => one.isUrgent())).toEqual([
    true,
    false,
    false,
  ]);
});
