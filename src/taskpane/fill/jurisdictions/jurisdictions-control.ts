import type { Session } from "../../../app";
import type { ReadList } from "../../../engine/lookup/lists/list-entries";
import type { FoundEntry, ResolvedList, SendQuestion } from "../../../engine/lookup/lists/resolve-list";
import { Failure, type FailureKind } from "../../../errors";
import type { Jobs, Readable } from "../../jobs/jobs";
import { createSlot, type JobTools, type SlotState } from "../../jobs/slot";
import type { ChoiceAction } from "./jurisdiction-choice";

/** The look-up of jurisdictions. It asks whether entries of a list may be sent that may be no geoIDs. */
export type LookUpState = SlotState<"look-up", void, SendQuestion, boolean>;

/** Looks up jurisdictions, and puts them into a choice. A look-up that begins gives up the one before, because the user wants others. */
export interface JurisdictionsControl {
  /** The look-up that runs, or the failure of the last one. */
  lookUp: Readable<LookUpState>;
  /** Changes the choice without a request. */
  change(action: ChoiceAction): void;
  /** Adds the jurisdictions that `resolve` finds in a list that is being read. Returns the outcome; null if either failed. */
  addList(
    reading: Promise<ReadList>,
    resolve: (list: ReadList, options: LookUpOptions) => Promise<ResolvedList>,
  ): Promise<ResolvedList | null>;
  /** Adds every jurisdiction of a state that the key covers, or only those of a type. */
  addState(state: string, kind?: string): Promise<void>;
  /** Takes geoIDs that were offered in place of entries: the successor of a code, the county of a tract. */
  takeOffers(offers: readonly { key: string; geoid: string }[]): Promise<void>;
  /** Chooses none any more, and gives up what is being looked up. */
  clear(): void;
  /** Stops the look-up; the failure "cancelled" says so. */
  cancel(): void;
  /** Shows a failure, such as one of going to a row of the list. */
  fail(thrown: unknown): void;
}

interface LookUpOptions {
  signal: AbortSignal;
  onWait(untilMs: number): void;
  maySend(question: SendQuestion): Promise<boolean>;
}

/** `change` applies an action to the choice. */
export function createJurisdictionsControl(
  { lookup }: Pick<Session, "lookup">,
  jobs: Jobs,
  change: (action: ChoiceAction) => void,
): JurisdictionsControl {
  const slot = createSlot<"look-up", void, SendQuestion, boolean>(jobs);

  /** Finds jurisdictions, then takes them, unless that fails. */
  async function run<Found>(
    find: (options: LookUpOptions) => Promise<Found>,
    take: (found: Found) => void,
  ): Promise<void> {
    const work = async ({ signal, tell, ask }: JobTools<SendQuestion, boolean>) => {
      const onWait = (waitingUntilMs: number) => void tell({ waitingUntilMs });
      const found = await find({ signal, onWait, maySend: ask });
      if (signal.aborted) throw new Failure("cancelled");
      take(found);
    };
    const job = { kind: "reads", title: "Jurisdictions are being looked up." } as const;
    await slot.restart("look-up", job, work);
  }

  return {
    lookUp: slot,
    change,
    async addList(reading, resolve) {
      change({ type: "begin" });
      const find = async (options: LookUpOptions) => {
        const list = await reading;
        if (options.signal.aborted) throw new Failure("cancelled");
        change({ type: "list-read", list });
        return { list, resolved: await resolve(list, options) };
      };
      let outcome: ResolvedList | null = null;
      await run(find, (found) => {
        outcome = found.resolved;
        change({ type: "list-resolved", ...found });
      });
      return outcome;
    },
    async addState(state, kind) {
      change({ type: "begin" });
      await run(
        (options) => lookup.directory.list(state, options),
        ({ ahjs: all, missing }) => {
          const ahjs = kind ? all.filter(({ type }) => type === kind) : all;
          change({ type: "add-state", state, kind, ahjs, missing });
        },
      );
    },
    async takeOffers(offers) {
      const geoids = offers.map(({ geoid }) => geoid);
      await run(
        (options) => lookup.directory.resolve(geoids, options),
        (resolutions) => {
          const taken: FoundEntry[] = [];
          const failed = new Map<string, FailureKind>();
          for (const { key, geoid } of offers) {
            const outcome = resolutions.get(geoid) ?? new Failure("unresolved-jurisdiction");
            if (outcome instanceof Failure) failed.set(key, outcome.kind);
            else taken.push({ key, given: key, ahj: outcome, how: "replaced" });
          }
          change({ type: "take-offers", taken, failed });
        },
      );
    },
    clear() {
      slot.giveUp();
      slot.dismiss();
      change({ type: "clear" });
    },
    cancel: slot.cancel,
    fail: slot.fail,
  };
}
