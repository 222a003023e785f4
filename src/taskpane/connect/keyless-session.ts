import type { App, KeylessSession } from "../../app";
import { Failure } from "../../errors";

/** A session without a key. It knows the values that came with the workbook; whatever needs the service fails with no-key. */
export function createKeylessSession({ lastKnown }: Pick<App, "lastKnown">): KeylessSession {
  const notAsked = new Failure("not-asked");
  return {
    id: "keyless",
    credentials: null,
    lookup: {
      async ask(wants, { keptOnly = false } = {}) {
        if (!keptOnly) throw new Failure("no-key");
        const none = <Name>(names: readonly Name[] = []) => names.map(() => notAsked);
        return (
          (await lastKnown(wants)) ?? {
            values: none(wants.questions),
            ahjs: none(wants.ahjs),
            details: none(wants.details),
            types: (wants.types ?? []).map(() => null),
            codes: [],
          }
        );
      },
      lastFailure: () => undefined,
      delay: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      directory: {
        byId: () => undefined,
        formerById: () => undefined,
        recall: () => Promise.resolve(),
        resolve: (names) => Promise.resolve(new Map([...names].map((name) => [name, notAsked]))),
      },
      details: { read: () => Promise.resolve(new Map()) },
      catalogue: { categories: () => Promise.resolve([]) },
    },
    limit: () => ({ windows: [], waitingUntilMs: undefined }),
    closed: new AbortController().signal,
  };
}
