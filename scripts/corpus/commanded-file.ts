/**
 * Puts an import and formulas of ours into a user's workbook, and runs the command on it: `refresh`, `freeze`, `unfreeze`, `repair`, `check`
 * and `diff`, and places a template, each on the result of the one before, by the functions that the command line calls. After each, all that
 * was the user's must be as it was.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { connect, type Connected } from "../../command/command-connection";
import { CommandFailure } from "../../command/command-failure";
import type { CommandIo } from "../../command/command-io";
import { failureOf } from "../../command/failure-exit";
import { questionsOf } from "../../command/imports/named-questions";
import { jurisdictionsOf, wordsOf } from "../../command/imports/where";
import { runCommand } from "../../command/run-command";
import { editBook } from "../../command/workbook/edit-book";
import type { BookInNode } from "../../command/workbook/excel-in-node";
import { createService } from "../../reference-service/service";
import { Failure } from "../../src/errors";
import type { ImportQuestion } from "../../src/workbook/imports/run/import-types";
import { placeImport } from "../../src/workbook/imports/run/place-import";
import { plainForm } from "../../src/workbook/sheet/layout/table-plan";
import { placeTemplate } from "../../src/workbook/templates/place-template";
import type { PlannedSheet } from "../../src/workbook/templates/sheet-draft";
import { fillTemplate, templates } from "../../src/workbook/templates/templates";
import {
  type CellChange,
  cellReference,
  openWorkbookFile,
  type SheetFile,
  WorkbookFileError,
} from "../../xlsx/workbook-file";
import type { Swept } from "./swept-file";
import { harmTo, keptOf, type Ours } from "./unharmed";

const baseUrl = "https://service.test";
const key = "demo-national";
const limits = { minute: 1e9, hour: 1e9, day: 1e9 };
const questions = ["1056", "1057", "1003"];

/** A formula of ours as a file may have it, and whether the command calls it stuck. */
interface Written {
  text: string;
  value: string | number;
  isStuck: boolean;
}

const live = (text: string, value: string | number): Written => ({ text, value, isStuck: false });
const stuck = (text: string, value = "#NAME?"): Written => ({ text, value, isStuck: true });

const formulas: readonly Written[] = [
  live('_xldudf_REGDATA_VALUE("06001",1003)', "2022 CEC"),
  live('IF(1=1,_xldudf_REGDATA_VALUE("06001",1056)*2,0)', 60),
  live('_xldudf_REGDATA_CITATION("06001",1056)', "Ord. 1"),
  stuck('REGDATA.VALUE("06001",1003)'),
  stuck('regdata.value("06001",1003)&""'),
  stuck('_xldudf_REGDATA_VALUE("06001",1003)', "#BUSY!"),
  stuck('[1]!_xldudf_REGDATA_VALUE("06001",1003)'),
  stuck('_xll.REGDATA.VALUE("06001",1056)'),
  stuck('RegData.xla!_xldudf_REGDATA_VALUE("06001",1056)'),
];

/** The connection and the content that all files get. */
interface Sharing {
  folder: string;
  connected: Connected;
  question: ImportQuestion;
  plan: PlannedSheet;
  services: Record<"before" | "after", typeof fetch>;
}

let sharing: Promise<Sharing> | undefined;

async function begin(): Promise<Sharing> {
  const folder = mkdtempSync(join(tmpdir(), "commanded-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const serviceOf = (month: "before" | "after"): typeof fetch => {
    const service = createService({ month, limits });
    return async (input, init) => service.fetch(new Request(input, init));
  };
  const services = { before: serviceOf("before"), after: serviceOf("after") };
  const connected = await connect({ answers: "none" }, ioWith(folder, services.before).io);
  const { session } = connected;
  const types = await questionsOf(questions, session, {});
  const { ahjs } = await jurisdictionsOf(await wordsOf(["RI"]), session, {});
  const [chosen] = templates.filter(({ id }) => id === "scorecard");
  if (!chosen) throw new Error("There is no such template.");
  const { plan } = fillTemplate(chosen, ahjs.slice(0, 3), {
    types: await session.lookup.catalogue.types(),
    nameOf: ({ geoid }) => geoid ?? "",
  });
  return { ...{ folder, connected, plan, services }, question: { kind: "matrix", ahjs, types } };
}

function ioWith(folder: string, service: typeof fetch) {
  const printed: string[] = [];
  const told: string[] = [];
  const io: CommandIo = {
    env: { REGDATA_SERVICE: baseUrl, REGDATA_KEY: key },
    fetch: service,
    print: (text) => void printed.push(text),
    printBytes() {},
    tell: (text) => void told.push(text),
    isTerminal: false,
    askUnseen: () => Promise.resolve(null),
    answersFolder: join(folder, "answers"),
    signal: new AbortController().signal,
  };
  return { io, printed, told };
}

/** Something is wrong with what the command made of the file. */
class Fault extends Error {}
/** The command refuses the file, in a sentence. */
class Refusal extends Error {}

/** Runs the commands on a workbook. `ms` is the time that the slowest one took. */
export async function commandedFile(bytes: Uint8Array, name: string): Promise<Swept> {
  const shared = await (sharing ??= begin());
  const path = join(shared.folder, `book${extname(name)}`);
  let ms = 0;
  let step = "reading";
  try {
    const timed = async <Result>(work: () => Promise<Result>): Promise<Result> => {
      const startMs = performance.now();
      try {
        return await work();
      } finally {
        ms = Math.max(ms, performance.now() - startMs);
      }
    };
    const kept = keptOf(bytes);
    const run = createRun(path, shared, timed);
    for (const [title, work] of run.steps) {
      step = title;
      await work(bytes);
      const harm = harmTo(kept, readFileSync(path), run.ours);
      if (harm !== undefined) throw new Fault(harm);
    }
    return { outcome: "right", says: "", ms, changed: readFileSync(path) };
  } catch (thrown) {
    const isRefusal =
      thrown instanceof Refusal ||
      thrown instanceof WorkbookFileError ||
      thrown instanceof Failure ||
      thrown instanceof CommandFailure;
    if (isRefusal) return { outcome: "refused", says: `${step}: ${failureSentence(thrown)}`, ms };
    const says = thrown instanceof Fault ? thrown.message : `it crashed: ${String((thrown as Error).stack)}`;
    return { outcome: "wrong", says: `${step}: ${says}`, ms };
  } finally {
    rmSync(path, { force: true });
  }
}

const failureSentence = (thrown: unknown) =>
  thrown instanceof Refusal ? thrown.message : failureOf(thrown).sentence;

type Timed = <Result>(work: () => Promise<Result>) => Promise<Result>;

function createRun(path: string, { folder, connected, question, plan, services }: Sharing, timed: Timed) {
  const ours: Ours & { sheets: Set<string>; firstRows: Map<string, number> } = {
    sheets: new Set(),
    firstRows: new Map(),
  };
  /** Our formulas by place, as they are to stand in the file. */
  const places = new Map<string, Written>();
  const isLocked = (place: string) => lockedSheets.has(place.slice(0, place.lastIndexOf("!")));
  let lockedSheets = new Set<string>();

  const command = async (words: readonly string[], expected: number, month: "before" | "after" = "after") => {
    const { io, printed, told } = ioWith(folder, services[month]);
    const code = await timed(() => runCommand(words, io));
    const said = [...printed, ...told].join("\n");
    if (code === 3 || code === 4) throw new Refusal(said);
    if (code !== expected) throw new Fault(`it ended with ${code} and not with ${expected}: ${said}`);
    return JSON.parse(printed.join("")) as Record<string, unknown>;
  };
  const bookOf = (said: Record<string, unknown>) => (said["books"] as Record<string, unknown>[])[0] ?? {};

  const cellsNow = () => {
    const cells = new Map<string, { formula: string | undefined; value: unknown }>();
    for (const sheet of openWorkbookFile(readFileSync(path)).sheets)
      for (const { row, column, formula, value } of sheet.cells())
        cells.set(`${sheet.name}!${cellReference(row, column)}`, { formula: formula?.text, value });
    return cells;
  };
  const mustStand = (formulaOf: (written: Written, place: string) => string | undefined) => {
    const cells = cellsNow();
    for (const [place, written] of places) {
      const wanted = formulaOf(written, place);
      const found = cells.get(place)?.formula;
      if (wanted !== found) throw new Fault(`our formula at ${place} is ${found} and not ${wanted}`);
    }
  };

  const put = (sheet: SheetFile, row: number) => {
    sheet.setCells(
      formulas.map(({ text, value }, column): CellChange => {
        places.set(`${sheet.name}!${cellReference(row, column)}`, formulas[column]!);
        return { row, column, formula: { text }, value, isError: String(value).startsWith("#") };
      }),
    );
  };

  /** Does work of the pane that adds sheets, which are ours from then on. */
  const addSheets = async (service: typeof fetch, work: (book: BookInNode) => Promise<void>) => {
    const before = sheetNames(path);
    await timed(() =>
      editBook(path, connected.app, { "no-backup": true }, ioWith(folder, service).io, async (book) => {
        await work(book);
        return { result: null, changed: book.contents() };
      }),
    );
    for (const name of sheetNames(path)) if (!before.includes(name)) ours.sheets.add(name);
  };

  const steps: [title: string, work: (bytes: Uint8Array) => Promise<void>][] = [
    [
      "formulas",
      async (bytes) => {
        const file = openWorkbookFile(bytes);
        const [first] = file.sheets;
        if (!first) throw new Refusal("It has no worksheet.");
        lockedSheets = new Set(file.sheets.filter(({ isProtected }) => isProtected).map(({ name }) => name));
        const below = rowBelow(first);
        if (below < 1_048_570) {
          ours.firstRows.set(first.name, below);
          put(first, below + 1);
        }
        const name = freeName([...file.sheets.map((sheet) => sheet.name), ...file.otherSheets], "Ours");
        ours.sheets.add(name);
        const hidden = file.addSheet(name);
        put(hidden, 0);
        file.setVisibility(hidden, "hidden");
        writeFileSync(path, file.save());
      },
    ],
    [
      "import",
      async () => {
        await addSheets(services.before, async (book) => {
          const name = freeName(sheetNames(path), "Fees of RI");
          const placed = await placeImport(
            { question, form: plainForm, hasSources: false, sheetName: name },
            { kind: "new-sheet", name },
            { workbook: book.app.workbook, session: connected.session },
            {},
          );
          if (placed.status === "failed") throw placed.failure;
          if (placed.notRemembered) throw placed.notRemembered;
          if (book.problems.length > 0) throw new Fault(book.problems.join(" "));
        });
        mustStand(({ text }) => text);
      },
    ],
    [
      "refresh",
      async () => {
        const { imports } = bookOf(await command(["refresh", path, "--json", "--no-backup"], 10));
        const [done] = imports as { failure: string | null; changed: number }[];
        if (!done || done.failure !== null || done.changed === 0)
          throw new Fault(`the import was not refreshed: ${JSON.stringify(done)}`);
        mustStand(({ text }) => text);
      },
    ],
    [
      "freeze",
      async () => {
        await command(["freeze", path, "--json", "--no-backup"], 10);
        mustStand((written, place) => (written.isStuck || isLocked(place) ? written.text : undefined));
      },
    ],
    [
      "unfreeze",
      async () => {
        await command(["unfreeze", path, "--json", "--no-backup"], 10);
        mustStand(({ text }) => text);
        const cells = cellsNow();
        for (const [place, { value }] of places)
          if (cells.get(place)?.value !== value)
            throw new Fault(`our cell ${place} shows ${String(cells.get(place)?.value)} and not ${value}`);
      },
    ],
    [
      "repair",
      async () => {
        const { formulas: mended } = bookOf(await command(["repair", path, "--json", "--no-backup"], 10));
        const found = (mended as { cell: string }[]).length;
        const wanted = [...places.values()].filter(({ isStuck }) => isStuck).length;
        if (found !== wanted) throw new Fault(`${found} formulas were mended and not ${wanted}`);
        mustStand(({ text }) =>
          text
            .replace(/\[1\]!|RegData\.xla!|_xll\./g, "")
            .replace(/\bregdata\.value/i, "_xldudf_REGDATA_VALUE"),
        );
      },
    ],
    [
      "check",
      async () => {
        const { io, printed, told } = ioWith(folder, services.after);
        const code = await timed(() => runCommand(["check", path, "--json"], io));
        if (code !== 0 && code !== 10) throw new Refusal(told.join("\n"));
        const { problems } = bookOf(JSON.parse(printed.join("")) as Record<string, unknown>);
        const wrong = (problems as { kind: string; place: string }[]).find(({ kind }) =>
          ["key", "stuck", "frozen", "stale", "table-gone", "services", "unreadable"].includes(kind),
        );
        if (wrong) throw new Fault(`check finds ${JSON.stringify(wrong)}`);
      },
    ],
    [
      "template",
      async () => {
        await addSheets(services.after, async (book) => {
          await placeTemplate(book.app.workbook, plan);
        });
      },
    ],
    [
      "diff",
      async (bytes) => {
        const original = `${path}.before${extname(path)}`;
        writeFileSync(original, bytes);
        try {
          const said = await command(["diff", original, path, "--json"], 10);
          const { sheets, imports, cells } = said as {
            sheets: Record<"came" | "went", string[]>;
            imports: Record<"came" | "went", string[]>;
            cells: { cell: string }[];
          };
          if (sheets.went.length > 0 || sheets.came.length !== ours.sheets.size)
            throw new Fault(`diff tells of the sheets ${JSON.stringify(sheets)}`);
          if (imports.came.length !== 1 || imports.went.length > 0)
            throw new Fault(`diff tells of the imports ${JSON.stringify(imports)}`);
          const below = [...ours.firstRows.values()][0];
          const other = cells.find(({ cell }) => Number(/\d+$/.exec(cell)?.[0]) - 1 < (below ?? Infinity));
          if (other) throw new Fault(`diff tells of ${JSON.stringify(other)}`);
        } finally {
          rmSync(original, { force: true });
        }
      },
    ],
  ];
  return { ours, steps };
}

function sheetNames(path: string): string[] {
  const file = openWorkbookFile(readFileSync(path));
  return [...file.sheets.map(({ name }) => name), ...file.otherSheets];
}

function freeName(taken: readonly string[], wanted: string): string {
  const lower = new Set(taken.map((name) => name.toLowerCase()));
  let name = wanted;
  for (let number = 2; lower.has(name.toLowerCase()); number += 1) name = `${wanted} ${number}`;
  return name;
}

/** The first row below all that a sheet holds. */
function rowBelow(sheet: SheetFile): number {
  let below = 0;
  for (const { row, formula } of sheet.cells())
    below = Math.max(below, row + 1, formula?.area ? formula.area.row + formula.area.rows : 0);
  for (const { row, rows } of [...sheet.merged, ...sheet.tables.map(({ ref }) => ref)])
    below = Math.max(below, row + rows);
  return below;
}
