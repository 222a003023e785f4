import type { Client } from "../api/client";
import type { Ahj, DataPointType, MatrixCell } from "../api/schemas";
import { config } from "../config";
import { asFailure, Failure } from "../errors";
import { type Catalogue, createCatalogue } from "./catalogue";
import { createCollector } from "./collector";
import { createDirectory, type Directory } from "./directory";
import { type CellAnswer, createMatrixReader, type MatrixReader } from "./matrix-reader";

/** One AHJ's effective answer to one question, as published. */
export interface Value {
  ahj: Ahj;
  type: DataPointType;
  cell: MatrixCell;
}

/** Answers from one service to one key, in the fewest requests. */
export interface Lookup {
  directory: Directory;
  catalogue: Catalogue;
  matrix: MatrixReader;
  /**
   * The answer for one cell. Calls that come together share their requests; each is settled, with a value or a
   * Failure. A rate limit is waited for up to config.cellPatienceMs.
   */
  value(geoid: string, typeId: number, signal?: AbortSignal): Promise<Value>;
}

interface Ask {
  geoid: string;
  typeId: number;
  askedAtMs: number;
}

export function createLookup(client: Client): Lookup {
  const directory = createDirectory(client);
  const catalogue = createCatalogue(client);
  const matrix = createMatrixReader(client, catalogue);

  async function answerAll(asks: Ask[]): Promise<(Value | Failure)[]> {
    // A cell's patience begins when it asks, not when its batch does.
    const giveUpAtMs = Math.min(...asks.map((ask) => ask.askedAtMs)) + config.cellPatienceMs;
    const options = { giveUpAtMs };
    const ahjs = await directory.resolve(
      asks.map((ask) => ask.geoid),
      options,
    );
    const wanted = new Map<number, Set<number>>();
    for (const { geoid, typeId } of asks) {
      const ahj = ahjs.get(geoid);
      if (!ahj || ahj instanceof Failure) continue;
      const types = wanted.get(ahj.id) ?? new Set();
      wanted.set(ahj.id, types.add(typeId));
    }
    const answers = await matrix.read(wanted, options);
    return asks.map(({ geoid, typeId }) => {
      const ahj = ahjs.get(geoid) ?? new Failure("unresolved-jurisdiction");
      return ahj instanceof Failure ? ahj : withAhj(ahj, answers.of(ahj.id, typeId));
    });
  }

  /** The answer that is there already, so that it need not wait behind a batch that is not. */
  function knownAnswer(geoid: string, typeId: number): Value | Failure | undefined {
    const ahj = directory.resolved(geoid);
    if (ahj === undefined || ahj instanceof Failure) return ahj;
    const answer = matrix.known(ahj.id, typeId);
    return answer && withAhj(ahj, answer);
  }

  const collector = createCollector<Ask, Value>((asks) =>
    answerAll(asks).catch((thrown: unknown) => {
      const failure = asFailure(thrown, "unexpected-answer");
      return asks.map(() => failure);
    }),
  );

  return {
    directory,
    catalogue,
    matrix,
    async value(geoid, typeId, signal) {
      const answer =
        knownAnswer(geoid, typeId) ?? (await collector.ask({ geoid, typeId, askedAtMs: Date.now() }, signal));
      if (answer instanceof Failure) throw answer;
      return answer;
    },
  };
}

function withAhj(ahj: Ahj, answer: CellAnswer): Value | Failure {
  return answer instanceof Failure ? answer : { ahj, ...answer };
}
