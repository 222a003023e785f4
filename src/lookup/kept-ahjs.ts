import * as z from "zod/mini";
import * as schemas from "../api/schemas";
import type { Ahj } from "../api/schemas";
import type { CachedDocument, DocumentCache } from "../cache/answer-cache";
import { stateOfGeoid } from "./states";
import type { GeoidRefusal } from "./tell-apart";

/** What an earlier session has learnt of AHJs, or another workbook meanwhile. */
export interface KeptAhjs {
  /** All entitled AHJs. */
  readWhole(): Promise<KeptList | undefined>;
  /** All AHJs whose geoID begins with the state's code: from the whole, else from the state's own list. */
  readState(state: string): Promise<KeptList | undefined>;
  readGeoids(geoids: readonly string[]): Promise<Map<string, KeptGeoid>>;
  writeWhole(ahjs: readonly Ahj[]): void;
  writeState(state: string, ahjs: readonly Ahj[]): void;
  writeGeoid(geoid: string, resolution: Ahj | GeoidRefusal): void;
}

export interface KeptList {
  fetchedAtMs: number;
  ahjs: Ahj[];
}

export interface KeptGeoid {
  fetchedAtMs: number;
  resolution: Ahj | GeoidRefusal;
}

/** Fields in this order: thousands of AHJs are read at once, and names would be most of the text. */
const storedAhj = z.tuple([z.int(), z.string(), z.string(), z.string(), z.nullable(z.string())]);
const storedList = z.array(storedAhj);
const storedGeoid = z.union([schemas.ahj, z.enum(["unknown-jurisdiction", "outside-subscription"])]);

/** The whole is kept in parts, so that a few geoIDs need not wait for thirty thousand AHJs. */
const storedParts = z.array(z.string());
const wholeDocument = "ahjs whole";
const partDocument = (part: string) => `ahjs whole ${part}`;
const stateDocument = (state: string) => `ahjs of ${state}`;
const geoidDocument = (geoid: string) => `geoid ${geoid}`;

export function createKeptAhjs(documents: DocumentCache): KeptAhjs {
  /** The parts of the whole with these names; undefined where one is missing or of another time. */
  async function readParts(choose: (parts: string[]) => string[]): Promise<KeptList | undefined> {
    const whole = (await documents.read([wholeDocument])).get(wholeDocument);
    const parts = storedParts.safeParse(whole?.content);
    if (!whole || !parts.success) return undefined;
    const chosen = choose(parts.data).map(partDocument);
    const found = await documents.read(chosen);
    const lists = chosen.map((name) => listOf(found.get(name)));
    const isComplete = lists.every((list) => list?.fetchedAtMs === whole.fetchedAtMs);
    if (!isComplete) return undefined;
    return { fetchedAtMs: whole.fetchedAtMs, ahjs: lists.flatMap((list) => list?.ahjs ?? []) };
  }

  return {
    readWhole: () => readParts((parts) => parts),
    async readState(state) {
      const ofWhole = await readParts((parts) => parts.filter((part) => part === state));
      return ofWhole ?? listOf((await documents.read([stateDocument(state)])).get(stateDocument(state)));
    },
    async readGeoids(geoids) {
      const documentsByName = await documents.read(geoids.map(geoidDocument));
      const kept = new Map<string, KeptGeoid>();
      for (const geoid of geoids) {
        const document = documentsByName.get(geoidDocument(geoid));
        const stored = storedGeoid.safeParse(document?.content);
        if (document && stored.success) {
          kept.set(geoid, { fetchedAtMs: document.fetchedAtMs, resolution: stored.data });
        }
      }
      return kept;
    },
    writeWhole(ahjs) {
      const fetchedAtMs = Date.now();
      const parts = new Map<string, Ahj[]>();
      for (const ahj of ahjs) {
        const part = (ahj.geoid === null ? undefined : stateOfGeoid(ahj.geoid)) ?? "";
        const list = parts.get(part);
        if (list) list.push(ahj);
        else parts.set(part, [ahj]);
      }
      for (const [part, list] of parts) {
        documents.write(partDocument(part), { fetchedAtMs, content: list.map(rowOf) });
      }
      documents.write(wholeDocument, { fetchedAtMs, content: [...parts.keys()] });
    },
    writeState: (state, ahjs) =>
      documents.write(stateDocument(state), { fetchedAtMs: Date.now(), content: ahjs.map(rowOf) }),
    writeGeoid: (geoid, resolution) =>
      documents.write(geoidDocument(geoid), { fetchedAtMs: Date.now(), content: resolution }),
  };
}

function rowOf({ id, name, type, state_code, geoid }: Ahj): z.infer<typeof storedAhj> {
  return [id, name, type, state_code, geoid];
}

function listOf(document: CachedDocument | undefined): KeptList | undefined {
  const stored = storedList.safeParse(document?.content);
  if (!document || !stored.success) return undefined;
  const ahjs = stored.data.map(([id, name, type, state_code, geoid]) => ({
    id,
    name,
    type,
    state_code,
    geoid,
  }));
  return { fetchedAtMs: document.fetchedAtMs, ahjs };
}
