import * as z from "zod/mini";
import * as schemas from "../api/schemas";
import type { Ahj } from "../api/schemas";
import type { CachedDocument, DocumentCache } from "../cache/answer-cache";
import type { GeoidRefusal } from "./tell-apart";

/** What an earlier session has learnt of AHJs, or another workbook meanwhile. */
export interface KeptAhjs {
  readList(name: ListName): Promise<KeptList | undefined>;
  readGeoids(geoids: readonly string[]): Promise<Map<string, KeptGeoid>>;
  writeList(name: ListName, ahjs: readonly Ahj[]): void;
  writeGeoid(geoid: string, resolution: Ahj | GeoidRefusal): void;
}

/** All entitled AHJs, or those of one state. */
export type ListName = "all" | `state ${string}`;

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

export function createKeptAhjs(documents: DocumentCache): KeptAhjs {
  const listDocument = (name: ListName) => `ahjs ${name}`;
  const geoidDocument = (geoid: string) => `geoid ${geoid}`;
  const write = (name: string, content: CachedDocument["content"]) =>
    documents.write(name, { fetchedAtMs: Date.now(), content });
  return {
    async readList(name) {
      const document = (await documents.read([listDocument(name)])).get(listDocument(name));
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
    writeList: (name, ahjs) =>
      write(
        listDocument(name),
        ahjs.map((ahj) => [ahj.id, ahj.name, ahj.type, ahj.state_code, ahj.geoid]),
      ),
    writeGeoid: (geoid, resolution) => write(geoidDocument(geoid), resolution),
  };
}
