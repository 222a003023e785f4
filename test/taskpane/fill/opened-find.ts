import type { Session } from "../../../src/app";
import type { DataPointType } from "../../../src/engine/api/schemas";
import type { Operator } from "../../../src/find/conditions/operators";
import { withOperator, withType } from "../../../src/taskpane/fill/find/condition-draft";
import { createDraftControl } from "../../../src/taskpane/fill/draft/draft-control";
import { createFindControl, type FindState } from "../../../src/taskpane/fill/find/find-control";
import type {
  ConditionDraft,
  FindAction,
  FindDraft,
  Within,
} from "../../../src/taskpane/fill/find/find-draft";
import type { Job } from "../../../src/taskpane/jobs/jobs";
import type { Failure } from "../../../src/errors";
import { inTime } from "../../excel/in-time";
import { type ExcelOptions, openExcel } from "../../excel/open-excel";
import { pass } from "../../functions/excel";

export const storage = { permit: 1139, fee: 1140, capacity: 1143, moratorium: 1150, setback: 1151 };

export const inState = (...states: string[]) => ({ kind: "states", states }) as const;

/** Something that a test lets go on. */
export function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

type Shown = FindState &
  Omit<FindDraft, "conditions"> & {
    drafts: FindDraft["conditions"];
    work: Job | null;
    failure: Failure | undefined;
  };

type FindSession = Pick<Session, "lookup" | "limit">;

/** A find that is being written in a played Excel. `change` may stand between the find and the session. */
export async function openFind(options: ExcelOptions = {}, change = (session: FindSession) => session) {
  const excel = openExcel(options);
  const session = await inTime(excel.app.session());
  const drafts = createDraftControl(excel.app, session);
  const finds = createFindControl(change(session), excel.app.jobs, {
    current: () => drafts.getState().find,
    subscribe: (listener) => drafts.subscribe((now, before) => listener(now.find, before.find)),
  });
  const act = (action: FindAction) => drafts.change({ type: "find", action });
  const control = {
    ...finds,
    lookWithin: (within: Within) => act({ type: "look-within", within }),
    setMatch: (match: FindDraft["match"]) => act({ type: "match", match }),
    addCondition: () => act({ type: "add-condition" }),
    changeCondition: (condition: ConditionDraft) => act({ type: "change-condition", condition }),
    removeCondition: (id: number) => act({ type: "remove-condition", id }),
  };
  const types: ReadonlyMap<number, DataPointType> = new Map(
    (await inTime(session.lookup.catalogue.types())).map((type) => [type.id, type]),
  );
  excel.requests.length = 0;
  /** All that the panel shows: the draft, the facts that are known of it, and the reading. */
  function state(): Shown {
    const { conditions, ...draft } = drafts.getState().find;
    const reading = finds.reading.getState();
    return {
      ...draft,
      ...finds.getState(),
      drafts: conditions,
      work: reading.status === "running" ? reading.job : null,
      failure: reading.status === "failed" ? reading.failure : undefined,
    };
  }

  /** Writes a condition into the last row, or into the row at this place. */
  function write(typeId: number, operator: Operator, operand = "", place = state().drafts.length - 1) {
    const draft = state().drafts[place]!;
    const [, second] = draft.operands;
    control.changeCondition({
      ...withOperator(withType(draft, types.get(typeId)!), operator),
      operands: [operand, second],
    });
  }

  function writeAll(conditions: readonly [number, Operator, string?][]) {
    conditions.forEach(([typeId, operator, operand], place) => {
      if (place > 0) control.addCondition();
      write(typeId, operator, operand);
    });
  }

  /** Waits until `look` returns something. */
  async function until<Seen>(look: () => Seen | null | undefined | false): Promise<Seen> {
    for (let turn = 0; turn < 200; turn += 1) {
      const seen = look();
      if (seen) return seen;
      await pass(500);
    }
    throw new Error(`It did not come: ${JSON.stringify(state().failure)}`);
  }

  const estimated = () => until(() => state().need);
  async function run() {
    await estimated();
    control.run();
    await until(() => !state().work);
  }

  /** The states that the find tells its listeners while `act` lasts. */
  async function told(act: () => Promise<unknown>): Promise<Shown[]> {
    const states: Shown[] = [];
    const stops = [finds, finds.reading].map((store) => store.subscribe(() => states.push(state())));
    await act();
    for (const stop of stops) stop();
    return states;
  }

  return {
    ...{ excel, session, control, act, types, state, write, writeAll, until, estimated, run, told },
    counts: () => state().result?.heaps.counts,
  };
}

export type OpenedFind = Awaited<ReturnType<typeof openFind>>;
