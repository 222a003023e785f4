import { config } from "../../config";
import { Failure } from "../../errors";

/** Notes endpoints that do not answer, so that they are not asked over and over. */
export interface Breaker<Reply> {
  /** The ending of the last request to this endpoint, if several in a row got no answer and the last of them only a while ago. */
  refusal(endpoint: string): Reply | Failure | undefined;
  ended(endpoint: string, ending: Reply | Failure): void;
}

export function createBreaker<Reply extends { status: number }>(): Breaker<Reply> {
  const failing = new Map<string, { inARow: number; untilMs: number; ending: Reply | Failure }>();
  return {
    refusal(endpoint) {
      const known = failing.get(endpoint);
      const isOpen = known && known.inARow >= config.unansweredInARow && Date.now() < known.untilMs;
      return isOpen ? known.ending : undefined;
    },
    ended(endpoint, ending) {
      if (isUnanswered(ending)) {
        const inARow = (failing.get(endpoint)?.inARow ?? 0) + 1;
        failing.set(endpoint, { inARow, untilMs: Date.now() + config.unansweredPauseMs, ending });
      } else if (!(ending instanceof Failure)) failing.delete(endpoint);
    },
  };
}

/** True if a service or a gateway gave no answer: none in time, no connection, 502, 503 or 504. */
export function isUnanswered(ending: Failure | { status: number }): boolean {
  const { status = 0 } = ending;
  return (
    (status >= 502 && status <= 504) ||
    (ending instanceof Failure && (ending.kind === "timeout" || ending.kind === "unreachable"))
  );
}
