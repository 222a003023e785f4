import { createSharedEvents, type Register } from "../shared-events";
import type { Workbook } from "../workbook";

/** Registers a listener for added tables, deleted tables and deleted sheets: Excel may send no event for the tables of a deleted sheet. */
export function createTableEvents({ run }: Pick<Workbook, "run">): Register {
  return createSharedEvents((tell) =>
    run(async (context) => {
      const { worksheets, tables } = context.workbook;
      const listener = () => {
        tell();
        return Promise.resolve();
      };
      const handlers = [
        worksheets.onDeleted.add(listener),
        tables.onAdded.add(listener),
        tables.onDeleted.add(listener),
      ];
      await context.sync();
      return () => {
        for (const handler of handlers) handler.remove();
        // If this fails, Excel goes on sending events that nobody listens to.
        context.sync().catch(() => undefined);
      };
    }),
  );
}
