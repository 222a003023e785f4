import type { Session } from "../../../src/app";
import type { DataPointType } from "../../../src/engine/api/schemas";
import type { Operator } from "../../../src/find/conditions/operators";
import { withOperator, withType } from "../../../src/taskpane/fill/find/condition-draft";
import { createFindControl, type FindState } from "../../../src/taskpane/fill/find/find-control";
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

type FindSession = Pick<Session, "lookup" | "limit">;

/** A find that is being written in a played Excel. `change` may stand between the find and the session. */
export async function openFind(options: ExcelOptions = {}, change = (session: FindSession) => session) {
  const excel = openExcel(options);
  const session = await inTime(excel.app.session());
  const control = createFindControl(change(session));
  const types: ReadonlyMap<number, DataPointType> = new Map(
    (await inTime(session.lookup.catalogue.types())).map((type) => [type.id, type]),
  );
  excel.requests.length = 0;
  const state = () => control.getSnapshot();

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
  async function told(act: () => Promise<unknown>): Promise<FindState[]> {
    const states: FindState[] = [];
    const stop = control.subscribe(() => states.push(state()));
    await act();
    stop();
    return states;
  }

  return {
    ...{ excel, session, control, types, state, write, writeAll, until, estimated, run, told },
    counts: () => state().result?.heaps.counts,
  };
}

export type OpenedFind = Awaited<ReturnType<typeof openFind>>;
