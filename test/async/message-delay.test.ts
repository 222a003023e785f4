import { expect, it } from "vitest";
import { delay } from "../../src/async/message-delay";

it.each([0, 5])("a delay of %i ms ends, and no earlier", async (ms) => {
  const since = performance.now();
  await delay(ms);
  expect(performance.now() - since).toBeGreaterThanOrEqual(ms);
});
