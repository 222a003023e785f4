import { openWorkbookFile, type WorkbookFile } from "../../xlsx/workbook-file";
import { addin } from "../addin";
import {
  connect,
  type Connected,
  connectionHelp,
  type ConnectionOptions,
  givenKey,
} from "../command-connection";
import { exitCodes } from "../command-failure";
import type { CommandIo } from "../command-io";
import { commonOptions, readOptions, serviceOptions } from "../command-options";
import { counted } from "../output/counted";
import { printableLine } from "../output/printable";
import { addKeptResults } from "../repair/kept-results";
import { mendFormulas, mendOthers, otherStuck, stuckFormulas } from "../repair/stuck-formulas";
import { editFile, type Edited, editHelp, editOptions, type FileWork } from "../workbook/edit-book";
import { readBook } from "../workbook/safe-write";
import { namespaceOf } from "../check/checking";
import type { Command } from "./command-shape";
import { forEachBook, listedLines, mustBeNamed, writtenLines } from "./each-book";

const options = {
  ...commonOptions,
  ...serviceOptions,
  ...editOptions,
  "dry-run": { type: "boolean" },
  namespace: { type: "string" },
} as const;

/** Shown to users, because no repaired file has been opened in a real Excel yet. */
const proof = "unproven in Excel";
const mostLines = 100;

/** A stuck formula, as `--json` prints it. */
interface MendedFormula {
  /** The cell's address, or another place, such as `the name Rate`. */
  cell: string;
  /** False for a name or a calculated column, which shows no value. */
  isCell: boolean;
  formula: string;
  /** The value that the cell showed; null for nothing. */
  before: string | number | boolean | null;
  /** The stored answer that the cell shows now; null if Excel calculates the cell when it opens the file. */
  kept: string | number | boolean | null;
  isSheetProtected: boolean;
}

export const repair: Command = {
  summary: `Mend formulas that are stuck at #NAME? or #BUSY! (${proof}).`,
  help: `npm run regdata -- repair BOOK.xlsx [BOOK.xlsx …]

Mends formulas of the add-in that Excel saved by a name it does not call, or with #NAME? or #BUSY! as their result: each is written
by the name under which Excel stores live functions, on protected sheets too, and the protection stays. Names and the formulas by
which tables fill their columns are mended too; check also lists what can't be mended for certain. The error gives way to the
answer that is kept in the answers folder, if there is one and its key and service are given; no request is sent. Otherwise Excel is
told to calculate the cell when it opens the file. All other cells and parts stay byte for byte.

This is ${proof}: the result has the form in which Excel saves live functions, and has not been opened in a real Excel yet.
Try Excel's own cure first: choose the add-in again under Home, Add-ins, My Add-ins.
${editHelp}
  --dry-run          Only list what would be mended.
  --namespace NAME   The namespace of the custom functions. Default: ${addin.namespace}. Others have no kept answers.${connectionHelp}

Exit code 0: nothing was stuck. 10: something was mended, or would be.`,
  async run(words, io) {
    const { values, positionals: paths } = readOptions(words, options);
    mustBeNamed(paths, values.output, "to repair");
    const namespace = namespaceOf(values.namespace);
    const kept = await keptAnswers(namespace, values, io);
    const connected = "connected" in kept ? kept.connected : null;
    const isDry = values["dry-run"] === true;
    const blank = { written: null, backup: null, proof, formulas: [] };
    return forEachBook(paths, { ...values, blank }, io, async (path) => {
      const { result: formulas, ...edited } = isDry
        ? await wouldMend(path, namespace, connected)
        : await editFile(path, values, io, (file) => mend(file, namespace, connected));
      return {
        code: formulas.length > 0 ? exitCodes.changed : exitCodes.unchanged,
        json: { ...edited, proof, formulas },
        lines: linesOf(formulas, { isDry, withoutKept: "reason" in kept ? kept.reason : null, ...edited }),
      };
    });
  },
};

/** The connection whose stored answers may be used, or a sentence that says why there are none. */
async function keptAnswers(
  namespace: string,
  values: ConnectionOptions,
  io: CommandIo,
): Promise<{ connected: Connected } | { reason: string }> {
  if (namespace !== addin.namespace.toUpperCase())
    return { reason: "Answers are kept only for RegData's formulas." };
  const hasService = (values.service ?? io.env["REGDATA_SERVICE"]) !== undefined;
  if ((await givenKey(values, io)) === null || !hasService)
    return {
      reason: `Without ${hasService ? "a key" : "a service's address"} no kept answers can be used: answers belong to one key and service.`,
    };
  const refused: typeof fetch = () => Promise.reject(new Error("repair sends no request"));
  return { connected: await connect(values, { ...io, fetch: refused }) };
}

/** Lists the formulas that would be mended, and changes nothing. */
async function wouldMend(
  path: string,
  namespace: string,
  connected: Connected | null,
): Promise<Edited<MendedFormula[]>> {
  const file = openWorkbookFile((await readBook(path)).bytes);
  const { result } = await mend(file, namespace, connected);
  return { result, written: null, backup: null };
}

async function mend(
  file: WorkbookFile,
  namespace: string,
  connected: Connected | null,
): Promise<FileWork<MendedFormula[]>> {
  const stuck = stuckFormulas(file, namespace);
  const others = otherStuck(file, namespace).filter(({ state }) => state === "misnamed");
  if (stuck.length + others.length === 0) return { result: [], hasChanged: false };
  if (connected) await addKeptResults(file, stuck, namespace, connected);
  const isOurs = namespace === addin.namespace.toUpperCase();
  mendFormulas(file, stuck, { namespace, addinId: isOurs ? addin.id : null });
  if (others.length > 0) mendOthers(file, namespace);
  const inCells = stuck.map(({ call, address, formula, kept = null }) => ({
    cell: address,
    isCell: true,
    formula: `=${formula}`,
    before: call.cachedValue,
    kept,
    isSheetProtected: call.isSheetProtected,
  }));
  const elsewhere = others.map(({ place, formula }) => ({
    ...{ cell: place, isCell: false, formula: `=${formula}` },
    ...{ before: null, kept: null, isSheetProtected: false },
  }));
  return { result: [...inCells, ...elsewhere], hasChanged: true };
}

function linesOf(
  formulas: readonly MendedFormula[],
  {
    isDry,
    withoutKept,
    ...edited
  }: Pick<Edited<unknown>, "written" | "backup"> & { isDry: boolean; withoutKept: string | null },
): string[] {
  if (formulas.length === 0) return ["No formula is stuck; the file is as it was."];
  const listed = listedLines(formulas, mostLines, (mended) => {
    const { cell, isCell, formula, before, kept, isSheetProtected } = mended;
    if (!isCell) return printableLine(`${cell} ${formula}`, 400);
    const now = kept === null ? "calculated when Excel opens the file" : `${kept} (kept answer)`;
    const where = isSheetProtected ? `${cell} (protected sheet)` : cell;
    return printableLine(`${where} ${formula}: ${before ?? "blank"} → ${now}`, 400);
  });
  return [
    `${counted(formulas.length, "stuck formula")} ${isDry ? "would be " : ""}mended (${proof}):`,
    ...listed.map((line) => `  ${line}`),
    ...(withoutKept === null ? [] : [withoutKept]),
    ...writtenLines(edited),
  ];
}
