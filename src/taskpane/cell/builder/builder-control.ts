import { createStore } from "zustand/vanilla";
import { config } from "../../../config";
import type { Lookup } from "../../../engine/lookup/lookup";
import { asFailure, Failure } from "../../../errors";
import type { SelectedArea } from "../../../workbook/sheet/cells/selected-area";
import { spillObstacle } from "../../../workbook/sheet/cells/spill-obstacle";
import type { Workbook } from "../../../workbook/sheet/workbook";
import type { Jobs, Readable } from "../../jobs/jobs";
import { createSlot, type SlotState } from "../../jobs/slot";
import { createLatest } from "../../latest";
import { followSelection } from "../follow-selection";
import { createWriteControl, type FormulaTarget, type WriteControl } from "../write-control";
import { argumentKey } from "./argument-kinds";
import { type DraftLabels, readLabels } from "./argument-labels";
import {
  addressFrom,
  draftOf,
  type FormulaDraft,
  formulaOf,
  leastSize,
  missingSentence,
  movedTo,
  pointsAt,
  withArgument,
} from "./formula-draft";
import { type FormulaPreview, previewFormula } from "./formula-preview";
import type { KnownFunction } from "./known-functions";

const { namespace } = config;

/** The cell that a formula goes into, and the formula that is there; "" if there is none. */
export interface BuilderStart {
  target: FormulaTarget;
  formula: string;
}

/** The user is selecting cells for an argument or for the formula itself. Nothing is taken until `take`. */
export interface Pointing {
  /** An argument's key; null for the cell that the formula goes into. */
  at: string | null;
  /** The selected address with its sheet's name; undefined until it is read. */
  address: string | undefined;
  /** A sentence that says why this selection can't be taken; null if it can. */
  refusal: string | null;
}

export interface BuilderState {
  draft: FormulaDraft;
  /** The function that the formula calls. */
  known: KnownFunction;
  formula: string;
  target: FormulaTarget;
  pointing: Pointing | null;
  /** A sentence that says why the formula can't be inserted yet; null if it can. */
  notYet: string | null;
  labels: DraftLabels;
  /** Undefined until it is looked up. */
  preview: FormulaPreview | undefined;
  /** A sentence that says why the result has no room at its cell; null if it has. */
  obstacle: string | null;
  failure: Failure | undefined;
}

export interface BuilderControl extends Readable<BuilderState> {
  /** The request for the first answer. */
  asks: Readable<SlotState<FormulaDraft, FormulaPreview>>;
  writing: WriteControl;
  /** True if `insert` replaces the formula that the builder was opened on. */
  isReplacing(): boolean;
  /** Looks up what is known of the formula at the start. */
  start(): void;
  chooseFunction(name: string): void;
  /** Sets an argument by its key; undefined leaves it out. */
  set(key: string, text: string | undefined): void;
  /** Follows the selection until it is taken or given up. */
  point(at: string | null): void;
  take(): void;
  stopPointing(): void;
  /** Asks the service for the first answer. */
  ask(): Promise<void>;
  /** Writes the formula into its cell. Does nothing while something is missing. */
  insert(): void;
  /** Ends all work when the screen is left. */
  end(): void;
}

export interface BuilderDependencies {
  workbook: Workbook;
  jobs: Jobs;
  lookup: Lookup;
  /** All functions of the add-in. */
  functions: readonly KnownFunction[];
}

/** Creates the state of a formula that is being written. Null if the formula at the start can't be shown as a draft. */
export function createBuilderControl(
  { workbook, jobs, lookup, functions }: BuilderDependencies,
  start: BuilderStart,
  onWritten: (target: FormulaTarget) => void,
): BuilderControl | null {
  const [first] = functions;
  if (!first) throw new Failure("internal");
  const opened =
    start.formula === "" ? { name: first.name, args: {} } : draftOf(start.formula, functions, namespace);
  if (!opened) return null;
  const writing = createWriteControl(workbook, jobs, onWritten);
  const knownOf = (name: string) => functions.find((each) => each.name === name) ?? first;
  const asks = createSlot<FormulaDraft, FormulaPreview>(jobs);
  const store = createStore<BuilderState>(() => ({
    ...derived(opened, knownOf(opened.name), start.target),
    pointing: null,
    labels: { geoid: new Map(), question_id: new Map() },
    preview: undefined,
    obstacle: null,
    failure: undefined,
  }));
  let stopFollowing: (() => void) | undefined;
  /** The latest selection while cells are being selected. */
  let selected: FormulaTarget | SelectedArea | undefined;
  const begin = createLatest();

  const { getState, setState: show } = store;

  /** Shows another draft or target, and looks up what is known of it without a request. */
  function change(draft: FormulaDraft, target = getState().target) {
    asks.giveUp();
    show({
      ...derived(draft, knownOf(draft.name), target),
      preview: undefined,
      obstacle: null,
      failure: undefined,
    });
    look();
  }

  function look() {
    const isLatest = begin();
    const { draft, formula, target, notYet } = getState();
    const showIfLatest = (found: Partial<BuilderState>) => isLatest() && show(found);
    const fail = (thrown: unknown) => showIfLatest({ failure: asFailure(thrown) });
    void lookForLabels(draft);
    if (notYet !== null) return;
    previewFormula(
      { draft, formula, sheetId: target.sheetId },
      { workbook, lookup },
      { keptOnly: true },
    ).then((preview) => showIfLatest({ preview }), fail);
    const size = leastSize(draft);
    if (size.rows * size.columns === 1) return;
    workbook
      .run((context) => spillObstacle(context, target, size, workbook.hasExcelApi))
      .then((obstacle) => showIfLatest({ obstacle }), fail);
  }

  /** Constants without a known name are shown as they are written. */
  async function lookForLabels(draft: FormulaDraft) {
    const labels = await readLabels(draft, lookup).catch(() => undefined);
    if (labels && draft === getState().draft) show({ labels });
  }

  /** A sentence that says why the selection can't be taken; null if it can. */
  function refusalOf(at: string | null, area: FormulaTarget | SelectedArea): string | null {
    const { target, draft, known } = getState();
    if (at !== null) {
      const isOwn = pointsAt(addressFrom(target.sheetId, area), target);
      return isOwn ? `The formula goes into ${target.address}, so it can’t take that cell.` : null;
    }
    const moved = movedTo(area.sheetId, draft, target);
    return isCircular(moved, known, area as FormulaTarget)
      ? "The formula takes its arguments from there."
      : null;
  }

  const isReplacing = () => start.formula !== "" && getState().target.address === start.target.address;

  function stopPointing() {
    stopFollowing?.();
    stopFollowing = undefined;
    selected = undefined;
    show({ pointing: null });
  }

  return {
    ...store,
    asks,
    writing,
    isReplacing,
    start: look,
    chooseFunction(name) {
      // The other function may lack the argument that cells are being selected for.
      stopPointing();
      change({ ...getState().draft, name });
    },
    set: (key, text) => change(withArgument(getState().draft, key, text)),
    point(at) {
      stopPointing();
      show({ pointing: { at, address: undefined, refusal: null }, failure: undefined });
      const read = (): Promise<FormulaTarget | SelectedArea> =>
        at === null ? workbook.selectedCell(false) : workbook.selectedArea();
      stopFollowing = followSelection(workbook, read, (found) => {
        const isFailure = found instanceof Failure;
        selected = isFailure ? undefined : found;
        show({
          pointing: {
            at,
            address: selected?.address,
            refusal: isFailure ? found.message : refusalOf(at, found),
          },
        });
      });
    },
    take() {
      const { pointing, target, draft } = getState();
      if (!pointing || !selected || pointing.refusal !== null) return;
      const taken = selected;
      stopPointing();
      if (pointing.at !== null) {
        change(withArgument(draft, pointing.at, addressFrom(target.sheetId, taken)));
      } else {
        const { sheetId, row, column, address } = taken as FormulaTarget;
        change(movedTo(sheetId, draft, target), { sheetId, row, column, address });
      }
    },
    stopPointing,
    async ask() {
      const { draft, formula, target } = getState();
      show({ failure: undefined });
      const job = { kind: "reads", title: "A formula's first answer is being asked for." } as const;
      const end = await asks.run(draft, job, ({ signal }) =>
        previewFormula({ draft, formula, sheetId: target.sheetId }, { workbook, lookup }, { signal }),
      );
      // The result is shown only if the draft has not changed since.
      if (draft !== getState().draft) return;
      if (end.status === "failed") show({ failure: end.failure });
      if (end.status !== "done") return;
      show({ preview: end.result });
      void lookForLabels(draft);
    },
    insert() {
      const { target, formula, notYet } = getState();
      if (notYet !== null) return;
      writing.write({ target, formula }, isReplacing() ? { content: start.formula } : "nothing");
    },
    end() {
      // The looks that are under way are dropped.
      begin();
      asks.giveUp();
      stopPointing();
    },
  };
}

/** The part of the state that follows from a draft and its cell. */
function derived(draft: FormulaDraft, known: KnownFunction, target: FormulaTarget) {
  const notYet =
    missingSentence(draft, known) ??
    (isCircular(draft, known, target)
      ? `The formula would take its own cell, ${target.address}. Select other cells, or change where it goes.`
      : null);
  return { draft, known, target, formula: formulaOf(draft, known, namespace), notYet };
}

/** True if one of the function's arguments is an address that includes the formula's own cell. */
function isCircular(
  { args }: FormulaDraft,
  { name, parameters }: KnownFunction,
  target: FormulaTarget,
): boolean {
  return parameters.some((parameter) => {
    const text = args[argumentKey(name, parameter.name)];
    return text !== undefined && pointsAt(text, target);
  });
}
