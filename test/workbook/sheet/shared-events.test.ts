import { expect, it } from "vitest";
import { createSharedEvents } from "../../../src/workbook/sheet/shared-events";

it("one registration serves all who listen to the selection, until the last has gone", async () => {
  const log: string[] = [];
  let select = () => {};
  const listen = createSharedEvents((tell) => {
    log.push("registered");
    select = tell;
    return Promise.resolve(() => void log.push("unregistered"));
  });
  const [stopOne, stopOther] = await Promise.all([
    listen(() => log.push("one")),
    listen(() => log.push("other")),
  ]);
  select();
  stopOther();
  stopOther();
  select();
  stopOne();
  expect(log).toEqual(["registered", "one", "other", "one", "unregistered"]);
  await listen(() => log.push("again"));
  expect(log.at(-1)).toBe("registered");
});

it("a registration that failed is tried again by the next who listens", async () => {
  let isRefused = true;
  const listen = createSharedEvents(() =>
    isRefused ? Promise.reject(new Error("no")) : Promise.resolve(() => {}),
  );
  await expect(listen(() => {})).rejects.toThrow("no");
  isRefused = false;
  await expect(listen(() => {})).resolves.toBeTypeOf("function");
});
