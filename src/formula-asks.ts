import { createListeners } from "./async/listeners";
import type { Told } from "./engine/lookup/collector";
import type { AskOptions, Asker, LookedUp, Lookup, Wants } from "./engine/lookup/lookup";
import { asFailure, Failure } from "./errors";

/** The formulas that ask, and those among them that wait. */
export interface FormulaAsks {
  /** See `App.ask`. */
  ask<Result>(asker: Asker<Result>, options: AskOptions): Result | Promise<Result>;
  /** Counts work as that of a formula. */
  count<Result>(work: () => Promise<Result>): Promise<Result>;
  /** See `App.idle`. */
  idle(): Promise<number>;
  /** See `App.onIdle`. */
  onIdle(listener: () => void): () => void;
}

/** A connection as formulas use it. */
interface Session {
  lookup: Pick<Lookup, "known" | "join">;
  /** Aborted when the key is forgotten or replaced. */
  closed: AbortSignal;
}

export interface FormulaAsksDependencies {
  /** The running session; null if there is no key, undefined until that is known. */
  currentSession(): Session | null | undefined;
  /** Reads the kept connection, so that the current session is known. */
  readKept(): Promise<void>;
  /** See `App`. */
  lastKnown(wants: Wants): Promise<LookedUp | null>;
}

export function createFormulaAsks({
  currentSession,
  readKept,
  lastKnown,
}: FormulaAsksDependencies): FormulaAsks {
  const idling = createListeners();
  let waiting = 0;
  let asked = 0;
  /** The formulas that wait until it is known whether there is a key. */
  const early: { begin(): void; finish(failure: Failure): void }[] = [];

  function begin() {
    asked += 1;
    waiting += 1;
  }

  function end() {
    waiting -= 1;
    if (waiting === 0) idling.tell();
  }

  /** Lets early formulas begin as soon as the kept connection is read. They fail if it can't be read. */
  function beginEarly() {
    const take = () => early.splice(0);
    readKept().then(
      () => take().forEach((formula) => formula.begin()),
      (thrown: unknown) => take().forEach((formula) => formula.finish(asFailure(thrown))),
    );
  }

  /** A formula that waits. It is a class without async functions, because thousands wait at once. */
  class WaitingFormula<Result> implements Told<LookedUp> {
    private session: Session | undefined;

    constructor(
      private readonly asker: Asker<Result>,
      private readonly options: AskOptions,
      private readonly settle: (result: Result | Promise<Result>) => void,
    ) {}

    begin() {
      const session = currentSession();
      if (session === undefined) {
        if (early.push(this) === 1) beginEarly();
      } else if (session === null) void this.beginWithoutKey();
      else this.join(session, this.asker.wants());
    }

    join(session: Session, wants: Wants) {
      this.session = session;
      session.lookup.join(wants, this.options, this);
    }

    tell(outcome: LookedUp | Failure) {
      // If the key has changed meanwhile, the next session answers: no answer to the old key is given after the key was forgotten.
      if (this.session?.closed.aborted && !this.options.signal?.aborted) this.begin();
      else this.finish(outcome);
    }

    finish(outcome: LookedUp | Failure) {
      end();
      try {
        this.settle(this.asker.resultOf(outcome));
      } catch (thrown) {
        this.settle(Promise.reject(thrown));
      }
    }

    private async beginWithoutKey() {
      const brought = await lastKnown(this.asker.wants()).catch(() => null);
      // If the user has connected meanwhile, the formula is answered with the key.
      if (currentSession()) this.begin();
      else this.finish(brought ?? new Failure("no-key"));
    }
  }

  return {
    ask(asker, options) {
      const session = currentSession();
      const wants = session ? asker.wants() : undefined;
      const there = wants && session?.lookup.known(wants);
      if (there) {
        asked += 1;
        return asker.resultOf(there);
      }
      begin();
      return new Promise((settle) => {
        const formula = new WaitingFormula(asker, options, settle);
        if (session && wants) formula.join(session, wants);
        else formula.begin();
      });
    },
    onIdle: idling.add,
    count(work) {
      begin();
      return work().finally(end);
    },
    idle: () =>
      new Promise((resolve) => {
        if (waiting === 0) return resolve(asked);
        const forget = idling.add(() => {
          forget();
          resolve(asked);
        });
      }),
  };
}
