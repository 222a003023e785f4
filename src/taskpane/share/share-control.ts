import type { KeylessSession, Session } from "../../app";
import { config } from "../../config";
import { createStore } from "zustand/vanilla";
import { asFailure, Failure } from "../../errors";
import {
  countFrozen,
  forgetGhosts,
  freezeFormulas,
  type Frozen,
  type SeenFormula,
  type Unfrozen,
  unfreezeFormulas,
} from "../../workbook/cell-formulas/freeze";
import type { FrozenFormula } from "../../workbook/cell-formulas/frozen-formulas";
import type { BookSources } from "../../workbook/imports/sources/book-sources";
import { createImportBook, type KeptImport } from "../../workbook/imports/saved/import-book";
import { withActive } from "../../settings/connection-list";
import { holdsOfKey, isTooShortToFind, keyForms } from "../../key-forms";
import { dataTypes, spills } from "../../workbook/sheet/excel-api";
import type { CellArea } from "../../workbook/sheet/cells/formula-search";
import { searchTexts, type TextSearch } from "../../workbook/sheet/cells/text-search";
import type { SheetTable } from "../../workbook/sheet/layout/table-plan";
import type { PaneApp } from "../pane-app";
import { lackingValueFor } from "../formulas/formula-control";
import type { Readable } from "../jobs/jobs";
import { createSlot, type JobTools, type SlotState } from "../jobs/slot";

/** The parts of the workbook that may change when somebody else opens it. */
export interface LiveParts {
  formulas: number;
  frozen: number;
  imports: readonly KeptImport[];
}

/** The results of the steps that prepared the workbook; each step may have failed on its own, and is null if it was not wanted. */
export interface ShareReport {
  frozen: Frozen | Failure | null;
  /** "not yet" if the sheet was not written, because a key is in the workbook or may be. */
  sources: WrittenSources | "not yet" | Failure | null;
  keys: KeyCheck | Failure;
}

export interface WrittenSources extends Omit<BookSources, "plan"> {
  /** Null if no value's source is known. */
  address: string | null;
  /** The addresses of Sources sheets that stay beside the new one. */
  earlier: readonly string[];
}

/** The places of the user's keys in the workbook. A result's `text` is an index into `names`. */
export interface KeyCheck extends TextSearch {
  /** Names of the connections whose keys were looked for; never the keys. */
  names: readonly string[];
  /** Names of the connections whose key is too short to be told from other text. */
  tooShort: readonly string[];
}

export interface ShareWishes {
  freezes: boolean;
  writesSources: boolean;
}

export type ShareResult =
  | { action: "prepare"; report: ShareReport }
  | { action: "unfreeze"; report: Unfrozen }
  | { action: "forget"; formulas: number };

export type ShareState = SlotState<ShareResult["action"], ShareResult>;

/** The parts of the workbook that still change, as they were found last. */
export interface SeenParts {
  /** Undefined until they are looked for, and if they could not be read. */
  live: LiveParts | undefined;
  /** The reason why they could not be read. */
  failure: Failure | undefined;
}

export interface ShareControl {
  seen: Readable<SeenParts>;
  /** The look for live parts that runs, or the last one. */
  look: Readable<SlotState<"look", LiveParts>>;
  work: Readable<ShareState>;
  /** Looks for live parts. */
  start(): void;
  prepare(wishes: ShareWishes): void;
  /** Brings back frozen formulas. `seen`: see unfreezeFormulas. */
  unfreeze(seen: readonly SeenFormula[]): void;
  /** Forgets frozen formulas that can't come back. */
  forget(ghosts: readonly FrozenFormula[]): void;
  cancel(): void;
  goTo(area: CellArea): void;
  /** Cancels the work when the screen is left. */
  end(): void;
}

/** Prepares the workbook for sharing, one step at a time, and tells the progress. After each work it looks for live parts. */
export function createShareControl(app: PaneApp, session: Session | KeylessSession): ShareControl {
  const { workbook } = app;
  const book = createImportBook(workbook);
  const seen = createStore<SeenParts>(() => ({ live: undefined, failure: undefined }));
  const look = createSlot<"look", LiveParts>(app.jobs);
  const work = createSlot<ShareResult["action"], ShareResult>(app.jobs);
  let isOver = false;

  const findFormulas = (signal: AbortSignal) =>
    workbook.findFormulas("workbook", {
      namespace: config.namespace,
      canSeeSpills: app.hasExcelApi(spills),
      signal,
    });

  async function readLive(signal: AbortSignal): Promise<LiveParts> {
    const formulas = await findFormulas(signal);
    const { frozen } = await countFrozen(workbook, config.namespace, signal);
    const { imports } = await book.list();
    return { formulas: formulas.length, frozen, imports: imports.filter(({ place }) => place !== null) };
  }

  async function lookAgain() {
    await look.run("look", { kind: "reads", title: looking }, ({ signal }) => readLive(signal));
    const state = look.getState();
    if (isOver || (state.status !== "done" && state.status !== "failed")) return;
    const live = state.status === "done" ? state.result : undefined;
    seen.setState({ live, failure: state.status === "failed" ? state.failure : undefined });
  }

  async function run(
    action: ShareResult["action"],
    step: (tools: JobTools) => Promise<ShareResult>,
  ): Promise<void> {
    if (look.isRunning()) return;
    await work.run(
      action,
      { kind: "workbook", title: "The workbook is being prepared to be shared.", tab: "workbook" },
      step,
    );
    if (!isOver) await lookAgain();
  }

  const tellIn =
    ({ tell }: JobTools, step: string) =>
    (done: number, total: number) =>
      tell({ step, progress: { done, total } });

  async function freeze(tools: JobTools): Promise<Frozen> {
    const { signal } = tools;
    tools.tell({ step: freezing, progress: undefined });
    const formulas = await findFormulas(signal);
    return app.unfinished.during((note) =>
      freezeFormulas(formulas, workbook, {
        signal,
        note,
        onProgress: tellIn(tools, freezing),
        canSeeDataTypes: app.hasExcelApi(dataTypes),
        lackingValue: lackingValueFor(app),
      }),
    );
  }

  async function planSources({ signal, tell }: JobTools): Promise<BookSources> {
    if (!session.credentials) throw new Failure("no-key");
    tell({ step: "Collecting the sources", progress: undefined });
    // These scripts are mostly loaded already if the user has inserted a table.
    const [{ createImportTables }, { planBookSources }] = await Promise.all([
      import("../../workbook/sheet/tables/table-changes"),
      import("../../workbook/imports/sources/book-sources"),
    ]);
    const { imports } = await book.list();
    const service = session.credentials.baseUrl;
    return planBookSources(
      imports,
      { ...session, tables: createImportTables(workbook), service },
      { signal },
    );
  }

  /** Writes the sheet unless a key was found or may be there, so that the user who prepares again gets it once. */
  async function writeSources(
    tools: JobTools,
    { plan, ...known }: BookSources,
    keys: KeyCheck | Failure,
  ): Promise<ShareReport["sources"]> {
    if (!plan) return { address: null, earlier: [], ...known };
    if (keys instanceof Failure || keys.found.length > 0) return "not yet";
    const step = "Writing the Sources sheet";
    tools.tell({ step, progress: undefined });
    const [{ createImportTables }, { writePreparedSources }] = await Promise.all([
      import("../../workbook/sheet/tables/table-changes"),
      import("../../workbook/imports/sources/prepared-sources"),
    ]);
    const written = await writePreparedSources(app.unfinished, workbook, plan, {
      tables: createImportTables(workbook),
      signal: tools.signal,
      onProgress: (rows) => tellIn(tools, step)(rows, plan.rows.length),
    });
    return { ...written, ...known };
  }

  /** Looks for keys in the workbook and in the sheet that is about to be written. */
  async function checkKeys({ signal, tell }: JobTools, plan: SheetTable | null): Promise<KeyCheck> {
    tell({ step: lookingForKeys, progress: undefined });
    await app.connections.read();
    const stored = app.connections.current();
    const all = session.credentials ? withActive(stored, session.credentials) : stored;
    // The user may have typed the key into the field for the name.
    const nameOf = (name: string) => (all.some(({ key }) => holdsOfKey(name, key)) ? "a connection" : name);
    const known = all.map(({ name, key }) => ({
      name: nameOf(name),
      forms: isTooShortToFind(key) ? [] : keyForms(key),
    }));
    const searched = known.filter(({ forms }) => forms.length > 0);
    const found = await workbook.run((context) =>
      searchTexts(
        context,
        searched.map(({ forms }) => forms),
        {
          signal,
          planned: plan?.rows.map((cells) => ({
            what: `the source of ${cells[0]?.value}, as the service sent it,`,
            contents: cells.map(({ value }) => value),
          })),
          onProgress: (cells) => tell({ step: `${lookingForKeys}: ${cells.toLocaleString()} cells so far` }),
        },
      ),
    );
    const tooShort = known.filter(({ forms }) => forms.length === 0).map(({ name }) => name);
    return { ...found, names: searched.map(({ name }) => name), tooShort };
  }

  return {
    seen,
    look,
    work,
    start() {
      isOver = false;
      if (work.isRunning()) return;
      work.dismiss();
      void lookAgain();
    },
    prepare: ({ freezes, writesSources }) =>
      void run("prepare", async (tools) => {
        const frozen = freezes ? await attempt(tools, freeze) : null;
        const planned = writesSources ? await attempt(tools, planSources) : null;
        const isPlanned = planned !== null && !(planned instanceof Failure);
        const keys = await attempt(tools, () => checkKeys(tools, isPlanned ? planned.plan : null));
        const sources = isPlanned ? await attempt(tools, () => writeSources(tools, planned, keys)) : planned;
        return { action: "prepare", report: { frozen, sources, keys } };
      }),
    unfreeze: (seen) =>
      void run("unfreeze", async (tools) => {
        tools.tell({ step: unfreezing });
        const report = await app.unfinished.during((note) =>
          unfreezeFormulas("workbook", workbook, {
            signal: tools.signal,
            note,
            seen,
            onProgress: tellIn(tools, unfreezing),
            namespace: config.namespace,
            calls: app,
          }),
        );
        return { action: "unfreeze", report };
      }),
    forget: (ghosts) =>
      void run("forget", async () => ({
        action: "forget",
        formulas: await forgetGhosts(ghosts, workbook, config.namespace),
      })),
    cancel() {
      work.cancel();
      look.cancel();
    },
    goTo: (area) => void workbook.goToCells(area).catch(work.fail),
    end() {
      isOver = true;
      work.cancel();
      look.cancel();
    },
  };
}

const looking = "Checking the workbook";
const freezing = "Freezing the formulas";
const unfreezing = "Bringing the formulas back";
const lookingForKeys = "Checking for keys";

/**
 * The result of a step, or its failure. If a step fails or is cancelled, the results of earlier steps stay. After a cancelled step no other
 * is begun.
 */
export async function attempt<Tools extends Pick<JobTools, "signal">, Result>(
  tools: Tools,
  step: (tools: Tools) => Promise<Result>,
): Promise<Result | Failure> {
  try {
    if (tools.signal.aborted) throw new Failure("cancelled");
    return await step(tools);
  } catch (thrown) {
    return asFailure(thrown);
  }
}
