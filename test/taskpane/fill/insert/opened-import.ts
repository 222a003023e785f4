import type { Session } from "../../../../src/app";
import type { Ahj, DataPointType } from "../../../../src/engine/api/schemas";
import {
  createImportControl,
  type ImportControl,
  type InsertOrder,
  type ImportState,
} from "../../../../src/taskpane/fill/insert/import-control";
import { plainForm } from "../../../../src/workbook/sheet/layout/table-plan";
import { createImportBook } from "../../../../src/workbook/imports/saved/import-book";
import { lossesOf } from "../../../../src/workbook/imports/saved/losses";
import { createImportTables } from "../../../../src/workbook/sheet/tables/table-changes";
import { inTime } from "../../../excel/in-time";
import { type ExcelOptions, openExcel, type PlayedExcel } from "../../../excel/open-excel";

/** An opened workbook, the control of its imports, and an order for two questions about three counties. */
export interface OpenedImport {
  excel: PlayedExcel;
  session: Session;
  control: ImportControl;
  ahjs: Ahj[];
  types: DataPointType[];
  order(changes?: Partial<InsertOrder>): InsertOrder;
  state(): ImportState;
  /** Waits until the control shows this status, and gives the state. Fails if the import rests in another one. */
  reaches<Status extends ImportState["status"]>(status: Status): Promise<StateOf<Status>>;
  /** Does so until the control, or another one, shows a state that fits, too. */
  shows<Status extends ImportState["status"]>(
    status: Status,
    fits: (state: StateOf<Status>) => boolean,
    of?: ImportControl,
  ): Promise<StateOf<Status>>;
  /** Requests for answers, from the first. */
  answersAsked(): string[];
  /** The import in the workbook, as the pane reads it when the user chooses to replace it. */
  toReplace(): Promise<NonNullable<InsertOrder["replaces"]>>;
}

export type StateOf<Status extends ImportState["status"]> = Extract<ImportState, { status: Status }>;

/** Opens a workbook with the control of its imports. For tests with `playExcel()`. */
export async function openImport(options?: ExcelOptions): Promise<OpenedImport> {
  const excel = openExcel(options);
  const session = await inTime(excel.app.session());
  const control = createImportControl(excel.app, session);
  const state = () => control.getState();
  const types = (await inTime(session.lookup.catalogue.types())).filter(({ id }) =>
    [1003, 1056].includes(id),
  );
  const found = await inTime(session.lookup.directory.resolve(["06001", "06037", "06059"]));
  const ahjs = [...found.values()].filter((each): each is Ahj => "id" in each);
  const shows: OpenedImport["shows"] = (status, fits, of = control) =>
    inTime(
      new Promise((resolve, reject) => {
        const look = () => {
          const now = of.getState();
          const isWanted = now.status === status && fits(now as StateOf<typeof status>);
          if (!isWanted && now.status === "running") return;
          stop();
          if (isWanted) resolve(now as StateOf<typeof status>);
          else reject(new Error(`The import is ${now.status} instead of ${status}.`));
        };
        const stop = of.subscribe(look);
        look();
      }),
    );
  return {
    ...{ excel, session, control, ahjs, types, state, shows },
    order: (changes = {}) => ({
      ...{
        question: { kind: "matrix", ahjs, types },
        form: plainForm,
        hasSources: false,
        sheetName: "Codes",
      },
      ...{ size: { rows: 4, columns: 7 }, parts: 1, unmatched: [], ...changes },
    }),
    reaches: (status) => shows(status, () => true),
    async toReplace() {
      const { workbook } = excel.app;
      const [kept] = (await inTime(createImportBook(workbook).list())).imports;
      const losses = await inTime(lossesOf(kept!.saved, { workbook, tables: createImportTables(workbook) }));
      return { kept: kept!, ...losses };
    },
    answersAsked: () => excel.requests.filter((request) => request.includes("matrix")),
  };
}
