import type { Engine } from "./engine";
import { sendBare } from "./floor";
import { createRecorder, type SentRequest } from "../service/recorder";
import type { Bench } from "../scenario";
import { medianTiming, repeat, timed, type Timing } from "../timing";

export interface BesideFloor<Outcome> {
  /** The first round of the process. */
  first: Timing;
  engine: Timing;
  floor: Timing;
  /** The requests of the run that sent the most. */
  sent: SentRequest[];
  /** The result of the work. */
  outcome: Outcome;
}

/**
 * Times the engine's work and its floor in turns: each time a new engine that knows only what `prepare` lets it learn, then the bare
 * requests that it sent. All figures but the first are medians.
 */
export async function besideFloor<Outcome>(
  { credentials, createEngine }: Bench,
  work: (engine: Engine) => Promise<Outcome>,
  prepare: (engine: Engine) => Promise<void> = async () => {},
): Promise<BesideFloor<Outcome>> {
  const { first, steady: rounds } = await repeat(async () => {
    const recorder = createRecorder();
    const engine = await createEngine(credentials, recorder.fetch);
    await prepare(engine);
    recorder.take();
    const asked = await timed(() => work(engine));
    const sent = recorder.take();
    const bare = await timed(() => sendBare(sent, credentials));
    return { asked, sent, bare };
  });
  return {
    first: first.asked,
    engine: medianTiming(rounds.map(({ asked }) => asked)),
    floor: medianTiming(rounds.map(({ bare }) => bare)),
    sent: rounds.map(({ sent }) => sent).reduce((most, sent) => (sent.length > most.length ? sent : most)),
    outcome: rounds[0].asked.result,
  };
}
