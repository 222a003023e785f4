/** The page that is visited again: formulas with the engine and the browser's own disk, as the add-in has them. */
import { createEngine, openQuietDisk } from "../play/engine";
import { createRecorder } from "../service/recorder";
import type { Visit, VisitReport } from "./visit";

declare global {
  var visit: (work: Visit) => Promise<VisitReport>;
}

globalThis.visit = async ({ credentials, geoids, typeIds }) => {
  const startMs = performance.now();
  const elapsedMs = () => performance.now() - startMs;
  const recorder = createRecorder((input, init) => fetch(input, init));
  const disk = openQuietDisk();
  const engine = await createEngine(credentials, recorder.fetch, disk);

  const [geoid = ""] = geoids;
  const [typeId = 0] = typeIds;
  await engine.value(geoid, typeId);
  const firstMs = elapsedMs();
  const answers = await Promise.all(
    geoids.flatMap((geoid) => typeIds.map((typeId) => engine.value(geoid, typeId))),
  );
  const allMs = elapsedMs();
  // The browser may be closed as soon as the answers are known to be on disk.
  await disk.quiet();
  return {
    firstMs,
    allMs,
    requests: recorder.sent.length,
    values: answers.filter((answer) => answer !== null).length,
  };
};
