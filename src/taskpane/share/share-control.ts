import type { Session } from "../../app";
import { createListeners } from "../../async/listeners";
import { config } from "../../config";
import { asFailure, Failure } from "../../errors";
import {
  countFrozen,
  forgetGhosts,
  type Frozen,
  type SeenFormula,
  type Unfrozen,
} from "../../workbook/cell-formulas/freeze";
import type { FrozenFormula } from "../../workbook/cell-formulas/frozen-formulas";
import { freezeNoted, unfreezeNoted } from "../../workbook/unfinished/noted-freeze";
import { createImportBook, type KeptImport } from "../../workbook/imports/saved/import-book";
import { withActive } from "../../settings/named-connections";
import { holdsOfKey, isTooShortToFind, keyForms } from "../../key-forms";
import { dataTypes, spills } from "../../workbook/sheet/excel-api";
import type { CellArea } from "../../workbook/sheet/cells/formula-search";
import { searchTexts, type TextSearch } from "../../workbook/sheet/cells/text-search";
import type { PaneApp } from "../pane-app";
import { lackingValueFor } from "../formulas/formula-control";
import { asSheetWork, isExcluded } from "../sheet-work";

/** The parts of the workbook that may change when somebody else opens it. */
export interface LiveParts {
  formulas: number;
  frozen: number;
  imports: readonly KeptImport[];
}

/** The results of the steps that prepared the workbook; each step may have failed on its own, and is null if it was not wanted. */
export interface ShareReport {
  frozen: Frozen | Failure | null;
  sources: WrittenSources | Failure | null;
  keys: KeyCheck | Failure;
}

export interface WrittenSources {
  /** Null if no value's source is known. */
  address: string | null;
  values: number;
  lacking: readonly { name: string; cells: number }[];
  unread: readonly { name: string; reason: string }[];
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

export type ShareState =
  | { status: "idle" }
  | { status: "running"; step: string; progress?: { done: number; total: number } }
  | { status: "done"; report: ShareReport }
  | { status: "unfrozen"; report: Unfrozen }
  | { status: "forgotten"; formulas: number }
  | { status: "failed"; failure: Failure };

export interface ShareSnapshot {
  state: ShareState;
  /** Undefined until they are looked for, and if they could not be read. */
  live: LiveParts | undefined;
  /** The reason why `live` could not be read. */
  unseen: Failure | undefined;
}

export interface ShareControl {
  subscribe(listener: () => void): () => void;
  getSnapshot(): ShareSnapshot;
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

/** Prepares the workbook for sharing, one step at a time, and tells the progress. */
export function createShareControl(app: PaneApp, session: Session): ShareControl {
  const { workbook } = app;
  const book = createImportBook(workbook);
  const listeners = createListeners();
  let snapshot: ShareSnapshot = { state: { status: "idle" }, live: undefined, unseen: undefined };
  let running: AbortController | undefined;
  let isOver = false;

  function show(change: Partial<ShareSnapshot>) {
    snapshot = { ...snapshot, ...change };
    listeners.tell();
  }
  const setState = (state: ShareState) => show({ state });

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

  /** Tells the result of the work even if the workbook can't be read afterwards. */
  async function run(work: (signal: AbortSignal) => Promise<ShareState>) {
    if (running) return;
    const begin = (step: string) => {
      setState({ status: "running", step });
      return (running = new AbortController()).signal;
    };
    const next = await work(begin("Preparing")).catch((thrown: unknown): ShareState => ({
      status: "failed",
      failure: asFailure(thrown),
    }));
    running = undefined;
    if (isOver) return;
    const seen = await attempt(begin(looking), readLive);
    running = undefined;
    const isSeen = !(seen instanceof Failure);
    show({ state: next, live: isSeen ? seen : undefined, unseen: isSeen ? undefined : seen });
  }

  const tell = (step: string) => (done: number, total: number) =>
    setState({ status: "running", step, progress: { done, total } });

  async function freeze(signal: AbortSignal): Promise<Frozen> {
    setState({ status: "running", step: freezing });
    return freezeNoted(app.unfinished, await findFormulas(signal), workbook, {
      signal,
      onProgress: tell(freezing),
      canSeeDataTypes: app.hasExcelApi(dataTypes),
      lackingValue: lackingValueFor(app),
    });
  }

  async function writeSources(signal: AbortSignal): Promise<WrittenSources> {
    const step = "Writing the Sources sheet";
    setState({ status: "running", step });
    // These scripts are mostly loaded already if the user has inserted a table.
    const [{ createImportTables }, { planBookSources }, { writeSheetNoted }] = await Promise.all([
      import("../../workbook/sheet/tables/table-changes"),
      import("../../workbook/imports/sources/book-sources"),
      import("../../workbook/unfinished/noted-import"),
    ]);
    const { imports } = await book.list();
    const service = session.credentials.baseUrl;
    const dependencies = { ...session, tables: createImportTables(workbook), service };
    const { plan, ...known } = await planBookSources(imports, dependencies, { signal });
    if (!plan) return { address: null, ...known };
    const { address } = await writeSheetNoted(app.unfinished, workbook, plan, "Sources", {
      signal,
      onProgress: (rows) => tell(step)(rows, plan.rows.length),
    });
    return { address, ...known };
  }

  async function checkKeys(signal: AbortSignal): Promise<KeyCheck> {
    setState({ status: "running", step: lookingForKeys });
    await app.connections.read();
    const all = withActive(app.connections.current(), session.credentials);
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
          onProgress: (cells) =>
            setState({
              status: "running",
              step: `${lookingForKeys}: ${cells.toLocaleString()} cells so far`,
            }),
        },
      ),
    );
    const tooShort = known.filter(({ forms }) => forms.length === 0).map(({ name }) => name);
    return { ...found, names: searched.map(({ name }) => name), tooShort };
  }

  const change = async (work: (signal: AbortSignal) => Promise<ShareState>) =>
    isExcluded("share") ||
    asSheetWork("share", "The workbook is being prepared to be shared.", () => run(work));

  return {
    subscribe: listeners.add,
    getSnapshot: () => snapshot,
    start() {
      isOver = false;
      void run(() => Promise.resolve({ status: "idle" }));
    },
    prepare: ({ freezes, writesSources }) =>
      void change(async (signal) => ({
        status: "done",
        report: {
          frozen: freezes ? await attempt(signal, freeze) : null,
          sources: writesSources ? await attempt(signal, writeSources) : null,
          // The check for keys is last, so that everything written before is checked, too.
          keys: await attempt(signal, checkKeys),
        },
      })),
    unfreeze: (seen) =>
      void change(async (signal) => {
        setState({ status: "running", step: unfreezing });
        const report = await unfreezeNoted(app.unfinished, "workbook", workbook, {
          signal,
          seen,
          onProgress: tell(unfreezing),
          namespace: config.namespace,
          calls: app,
        });
        return { status: "unfrozen", report };
      }),
    forget: (ghosts) =>
      void change(async () => ({
        status: "forgotten",
        formulas: await forgetGhosts(ghosts, workbook, config.namespace),
      })),
    cancel: () => running?.abort(),
    goTo: (area) =>
      void workbook
        .goToCells(area)
        .catch((thrown: unknown) => setState({ status: "failed", failure: asFailure(thrown) })),
    end() {
      isOver = true;
      running?.abort();
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
export async function attempt<Result>(
  signal: AbortSignal,
  step: (signal: AbortSignal) => Promise<Result>,
): Promise<Result | Failure> {
  try {
    if (signal.aborted) throw new Failure("cancelled");
    return await step(signal);
  } catch (thrown) {
    return asFailure(thrown);
  }
}
