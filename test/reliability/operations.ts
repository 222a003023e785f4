import { SheetFailure } from "../../src/sheet-failure";
import { config } from "../../src/config";
import { asFailure, type FailureKind } from "../../src/errors";
import { allFailureKinds } from "../../src/sheet-failure-kinds";
import type { Ahj, Collection, DataPointType } from "../../src/engine/api/schemas";
import { freezeFormulas } from "../../src/workbook/cell-formulas/freeze";
import { refreshFormulas } from "../../src/workbook/cell-formulas/refresh-formulas";
import { createImportBook } from "../../src/workbook/imports/saved/import-book";
import type { ImportOrder } from "../../src/workbook/imports/run/import-types";
import { placeImport } from "../../src/workbook/imports/run/place-import";
import { refreshImport } from "../../src/workbook/imports/refresh/refresh";
import { createImportTables } from "../../src/workbook/sheet/tables/table-changes";
import { plainForm } from "../../src/workbook/sheet/layout/table-plan";
import type { Destination } from "../../src/workbook/sheet/tables/write-table";
import { createService } from "../../reference-service/service";
import type { PlayedExcel } from "../excel/open-excel";

/** The outcome of an operation, as the user meets it. */
export interface Came {
  /** The reason why no result came. */
  failure?: { kind: FailureKind | "excel"; sentence: string };
  /** True if older answers than the user wants are shown, and said to be older. */
  isOld?: boolean;
  /** Sentences that tell the user which results are missing or wrong. */
  told?: string[];
}

export interface Operation {
  name: string;
  /** The sheet that is the operation's own place: a failure may show there. */
  place?: string;
  /** Set if the operation recalculates formulas that it brings back. */
  recalculates?: true;
  run(excel: PlayedExcel, options: RunOptions): Promise<Came>;
}

interface RunOptions {
  signal: AbortSignal;
  /** True if the user has given up no cell, and imports to a free place. */
  takesNothing?: boolean | undefined;
}

export const key = "demo-national";

/** The reference service's answer to a path, asked without the add-in. */
export async function askService<Data>(path: string): Promise<Data> {
  const request = new Request(`https://service.test${path}`, { headers: { "X-API-Key": key } });
  const { data } = (await (await createService().fetch(request)).json()) as { data: Data };
  return data;
}

const geoids = { new: ["06059", "06073", "06071"], kept: ["06001", "06013", "06037"] };
export const typeIds = [1003, 1005];

export interface Chosen {
  new: Ahj[];
  kept: Ahj[];
  types: DataPointType[];
  collection: Collection;
}

let choosing: Promise<Chosen> | undefined;

/** The user's choices before anything fails. */
export function chosen(): Promise<Chosen> {
  return (choosing ??= choose());
}

async function choose(): Promise<Chosen> {
  const ahjsOf = (ids: readonly string[]) => Promise.all(ids.map((id) => askService<Ahj>(`/v1/geoid/${id}`)));
  const { items: types } = await askService<{ items: DataPointType[] }>(
    "/v1/data-points/types?page_size=500",
  );
  const { items } = await askService<{ items: Collection[] }>("/v1/collections?page_size=500");
  return {
    new: await ahjsOf(geoids.new),
    kept: await ahjsOf(geoids.kept),
    types: types.filter(({ id }) => typeIds.includes(id)),
    collection: items.find(({ name }) => name.startsWith("Permit fees"))!,
  };
}

/** The user's own cells that an import may overwrite. */
export const givenUp = { sheet: "Given up", rows: 10, columns: 10, freeRow: 29 };
export const imported = "Codes";

const asKind = (message: string): FailureKind | "excel" =>
  (Object.keys(allFailureKinds) as FailureKind[]).find((kind) =>
    message.startsWith(allFailureKinds[kind].sentence),
  ) ?? "excel";

/** The failure with its sentence, as the screens show it. */
function failed(thrown: unknown): Came {
  const { kind, message } = asFailure(thrown);
  return { failure: { kind, sentence: message } };
}

/** The outcome that a user sees in cells which show no value. */
function cameOfCells(excel: PlayedExcel, shown: readonly string[]): Came {
  const sheets = excel.spreadsheet.sheets().map(({ name }) => `${name}!`);
  const addresses = shown.filter((address) => sheets.some((sheet) => address.startsWith(sheet)));
  const errors = addresses.flatMap((address) =>
    excel
      .cells(address)
      .flat()
      .filter(({ value }) => /^#/.test(String(value))),
  );
  const isOld = excel.app.notices().oldAnswers !== null;
  if (errors.length === 0) return { isOld };
  const sentences = addresses.flatMap((address) => messages(excel, address));
  const [sentence = errors[0]?.text ?? ""] = sentences;
  return { failure: { kind: asKind(sentence), sentence }, isOld };
}

/** The messages behind the errors of a range. */
function messages({ spreadsheet, cells }: PlayedExcel, address: string): string[] {
  const [name = "", first = ""] = address.split(/[!:]/);
  const sheet = spreadsheet.sheets().find((one) => one.name === name);
  const column = first.charCodeAt(0) - 65;
  const row = Number(first.slice(1)) - 1;
  return cells(address).flatMap((line, down) =>
    line.flatMap((_, across) => spreadsheet.errorMessage(sheet?.id ?? "", row + down, column + across) ?? []),
  );
}

async function entered(excel: PlayedExcel, address: string, formula: string, shown: string): Promise<Came> {
  excel.enter(address, [[""]]);
  excel.enter(address, [[formula]]);
  await excel.spreadsheet.idle();
  return cameOfCells(excel, [shown]);
}

async function placed(
  excel: PlayedExcel,
  order: Pick<ImportOrder, "question" | "hasSources" | "sheetName">,
  destination: Destination,
  options: RunOptions,
): Promise<Came> {
  const { workbook } = excel.app;
  try {
    const session = await excel.app.session();
    const outcome = await placeImport(
      { form: plainForm, ...order },
      destination,
      { workbook, session },
      options,
    );
    if (outcome.status === "failed") return failed(outcome.failure);
    const { report, notRemembered, address } = outcome;
    const told = report.leftOut.map(({ ahj, kind }) => `${ahj.name}: ${allFailureKinds[kind].sentence}`);
    if (address === null) told.push("The service sent nothing for this table. Nothing was written.");
    if (report.missingValues > 0) told.push("The service's list changed while it was read.");
    if (notRemembered) told.push(`The workbook does not remember this import. ${notRemembered.message}`);
    return { told, isOld: report.oldAnswers !== null };
  } catch (thrown) {
    return failed(thrown);
  }
}

async function matrix(excel: PlayedExcel, of: "new" | "kept", options: RunOptions) {
  const { types, ...ahjs } = await chosen();
  const question = { kind: "matrix" as const, ahjs: ahjs[of], types };
  const sheetId = excel.spreadsheet.sheets().find(({ name }) => name === givenUp.sheet)?.id ?? "";
  const { rows, columns, freeRow } = givenUp;
  const place = options.takesNothing
    ? { kind: "cell" as const, sheetId, row: freeRow, column: 1, mayOverwrite: null }
    : { kind: "cell" as const, sheetId, row: 1, column: 1, mayOverwrite: { rows, columns } };
  return placed(excel, { question, hasSources: false, sheetName: "Matrix" }, place, options);
}

export const operations = {
  formula: {
    name: "Formula",
    place: "Formula",
    run: (excel) => entered(excel, "Formula!A1", '=REGDATA.VALUE("06059", 1003)', "Formula!A1"),
  },
  spill: {
    name: "Spilled formula",
    place: "Spill",
    run: (excel) => entered(excel, "Spill!E1", "=REGDATA.MATRIX(A2:A4, B1:C1)", "Spill!E1:I4"),
  },
  matrix: {
    name: "Matrix import",
    run: (excel, options) => matrix(excel, "new", options),
  },
  known: {
    name: "Matrix import, asked before",
    run: (excel, options) => matrix(excel, "kept", options),
  },
  collection: {
    name: "Collection import",
    async run(excel, options) {
      const { collection, new: ahjs } = await chosen();
      const question = { kind: "collection" as const, ahjs: ahjs.slice(0, 2), collection };
      const place = { kind: "new-sheet" as const, name: "Fees" };
      return placed(excel, { question, hasSources: true, sheetName: "Fees" }, place, options);
    },
  },
  refresh: {
    name: "Refresh of an import",
    async run({ app }, options) {
      const book = createImportBook(app.workbook);
      const tables = createImportTables(app.workbook);
      try {
        const session = await app.session();
        const [kept] = (await book.list()).imports;
        if (!kept) throw new SheetFailure("table-gone");
        const { report, notRemembered } = await refreshImport(
          kept.saved,
          { tables, book, ...session },
          options,
        );
        const told = report.notRefreshed.map(
          ({ name, kind }) => `${name}: ${allFailureKinds[kind].sentence}`,
        );
        return { told: [...told, ...(notRemembered ? [notRemembered.message] : [])] };
      } catch (thrown) {
        return failed(thrown);
      }
    },
  },
  again: {
    name: "Refresh of formulas",
    place: "Formulas",
    async run(excel, { signal }) {
      const { workbook } = excel.app;
      try {
        const cells = await workbook.findFormulas("workbook", finding);
        await refreshFormulas(cells, { workbook, calls: excel.app }, signal);
        await excel.spreadsheet.idle();
        return cameOfCells(excel, ["Formulas!A1", "Formulas!E1:I4"]);
      } catch (thrown) {
        return failed(thrown);
      }
    },
  },
  freeze: {
    name: "Freeze",
    recalculates: true,
    async run({ app: { workbook } }, { signal }) {
      try {
        const cells = await workbook.findFormulas("workbook", { ...finding, signal });
        const options = { signal, onProgress() {}, canSeeDataTypes: false };
        const { left } = await freezeFormulas(cells, workbook, options);
        return { told: left.map(({ reason }) => `The report says of a formula that it ${reason}.`) };
      } catch (thrown) {
        return failed(thrown);
      }
    },
  },
} satisfies Record<string, Operation>;

const finding = { namespace: config.namespace, canSeeSpills: true };

export type OperationName = keyof typeof operations;
export const operationNames = Object.keys(operations) as OperationName[];
