import { createSharedEvents, type Register } from "../shared-events";
import type { Workbook } from "../workbook";

/** Tells when a table was added, or deleted alone or with its sheet: Excel need not tell of the tables of a deleted sheet. */
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
        // Should Excel go on telling, nobody listens.
        context.sync().catch(() => undefined);
      };
    }),
  );
}
