/**
 * Excel as the built add-in's page sees it, in place of office.js: takes the functions and calls them, a call for each cell. Nobody shows
 * the pane, so its scripts are not loaded.
 */
import { provideCustomFunctions, shown } from "../play/cell";
import { createRecorder } from "../service/recorder";

/** A filled range: a row for each geoID, a column for each type. */
export interface Cells {
  geoids: string[];
  typeIds: number[];
}

export interface Recalculated {
  /** From the first call until the last cell has its answer. */
  ms: number;
  /** The number of cells that show a value. */
  values: number;
  /** The number of requests sent meanwhile. */
  requests: number;
}

export interface PlayedExcel {
  /** Has a formula read the whole directory, and lets go of its table. */
  knowDirectory(): Promise<void>;
  /** Calls VALUE for every cell at once. The cells' values are counted and let go. */
  recalculate(cells: Cells): Promise<Recalculated>;
  /** Requests wait from now on before they are sent, until `release`. */
  hold(): void;
  /** Begins what `recalculate` does, and resolves once a request waits: by then, every cell waits for it or for one after it. */
  begin(cells: Cells): Promise<void>;
  /** Sends the requests that wait, and resolves once every cell has its answer. */
  release(): Promise<Recalculated>;
}

declare global {
  var playedExcel: PlayedExcel;
}

type CustomFunction = (...args: unknown[]) => Promise<unknown[][]>;

const functions = new Map<string, CustomFunction>();
const send = globalThis.fetch.bind(globalThis);
let held: { release(): void; released: Promise<void> } | undefined;
let requestWaits: (() => void) | undefined;
let begun: Promise<Recalculated> | undefined;

const recorder = createRecorder(async (input, init) => {
  requestWaits?.();
  await held?.released;
  return send(input, init);
});
globalThis.fetch = recorder.fetch;

provideCustomFunctions();
Object.assign(CustomFunctions, {
  associate: (id: string, called: CustomFunction) => void functions.set(id, called),
});
Object.assign(globalThis, {
  Office: {
    // The callback would load the pane.
    onReady: () => Promise.resolve({ host: "Excel", platform: "OfficeOnline" }),
    actions: { associate() {} },
    context: { requirements: { isSetSupported: () => true } },
  },
});

function named(id: string): CustomFunction {
  const found = functions.get(id);
  if (!found) throw new Error(`the add-in has no function ${id}`);
  return found;
}

/** Resolves to the number of cells that show a value. */
function callForEach({ geoids, typeIds }: Cells): Promise<number> {
  const value = named("VALUE");
  return new Promise((resolve, reject) => {
    let values = 0;
    let unanswered = geoids.length * typeIds.length;
    // Excel holds each until its cell is answered, since it may cancel the call.
    let invocations: object[] = [];
    const settle = (cell: unknown) => {
      if (cell !== null) values += 1;
      unanswered -= 1;
      if (unanswered > 0) return;
      invocations = [];
      resolve(values);
    };
    for (const geoid of geoids) {
      for (const typeId of typeIds) {
        const invocation = { functionName: "VALUE" };
        invocations.push(invocation);
        shown(value([[geoid]], [[typeId]], null, null, invocation)).then(settle, reject);
      }
    }
  });
}

async function recalculate(cells: Cells): Promise<Recalculated> {
  const before = recorder.sent.length;
  const startMs = performance.now();
  const values = await callForEach(cells);
  return { ms: performance.now() - startMs, values, requests: recorder.sent.length - before };
}

globalThis.playedExcel = {
  recalculate,
  async knowDirectory() {
    await named("AHJS")(null, null, null, {});
  },
  hold() {
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    held = { release, released };
  },
  begin: (cells) =>
    new Promise((resolve) => {
      requestWaits = resolve;
      begun = recalculate(cells);
    }),
  release() {
    held?.release();
    if (!begun) throw new Error("nothing has begun");
    return begun;
  },
};
