import { groupBy } from "../../../lists";
import * as z from "../../../zod";
import { ahjOfRow, ahjRow, rowOfAhj } from "../../api/ahj-row";
import * as schemas from "../../api/schemas";
import type { Ahj } from "../../api/schemas";
import type { DocumentCache } from "../../cache/answer-cache";
import { type KeptDocument, readDocument, readDocuments } from "../kept-document";
import { stateOfGeoid } from "./states";
import type { GeoidRefusal } from "./tell-apart";

/** The AHJs that an earlier session, or another workbook, has written to disk. */
export interface KeptAhjs {
  /** All entitled AHJs. */
  readWhole(): Promise<KeptList | undefined>;
  /** All AHJs whose geoID begins with the state's code: from the whole list, otherwise from the state's own list. */
  readState(state: string): Promise<KeptList | undefined>;
  readGeoids(geoids: readonly string[]): Promise<Map<string, KeptGeoid>>;
  writeWhole(list: KeptList): void;
  writeState(state: string, list: KeptList): void;
  writeGeoid(geoid: string, resolution: Ahj | GeoidRefusal): void;
}

export interface KeptList {
  /** When the list's oldest page was fetched. */
  fetchedAtMs: number;
  ahjs: readonly Ahj[];
  /** True if the list was cut from the whole list by geoID, so that AHJs without one are missing. */
  isPartial?: boolean;
}

interface KeptGeoid {
  fetchedAtMs: number;
  resolution: Ahj | GeoidRefusal;
}

/** AHJs are stored as rows, because thousands are read at once, and the names of the fields would be most of the text. */
const storedList = z.array(ahjRow);
const storedGeoid = z.union([schemas.ahj, z.literal(["unknown-jurisdiction", "outside-subscription"])]);

/**
 * The names of the parts in which the whole list is stored, so that a few geoIDs need not wait for thirty thousand AHJs. A part is named
 * after the state's code in its AHJs' geoIDs. The part "" holds AHJs without such a code.
 */
const storedParts = z.array(z.string());
const wholeDocument = "ahjs whole";
const partDocument = (part: string) => `ahjs whole ${part}`;
const stateDocument = (state: string) => `ahjs of ${state}`;
const geoidDocument = (geoid: string) => `geoid ${geoid}`;

export function createKeptAhjs(documents: DocumentCache): KeptAhjs {
  /** The chosen parts of the whole list; undefined if one of them is missing or was fetched at another time. */
  async function readParts(choose: (parts: string[]) => string[]): Promise<KeptList | undefined> {
    const whole = await readDocument(documents, wholeDocument, storedParts);
    if (!whole) return undefined;
    const chosen = choose(whole.content).map(partDocument);
    const found = await readDocuments(documents, chosen, storedList);
    const lists = chosen.map((name) => listOf(found.get(name)));
    const isComplete = lists.every((list) => list?.fetchedAtMs === whole.fetchedAtMs);
    if (!isComplete) return undefined;
    return { fetchedAtMs: whole.fetchedAtMs, ahjs: lists.flatMap((list) => list?.ahjs ?? []) };
  }

  return {
    readWhole: () => readParts((parts) => parts),
    async readState(state) {
      const ofWhole = await readParts((parts) => parts.filter((part) => part === state));
      if (ofWhole) return { ...ofWhole, isPartial: true };
      return listOf(await readDocument(documents, stateDocument(state), storedList));
    },
    async readGeoids(geoids) {
      const found = await readDocuments(documents, geoids.map(geoidDocument), storedGeoid);
      return new Map(
        geoids.flatMap((geoid) => {
          const kept = found.get(geoidDocument(geoid));
          return kept ? [[geoid, { fetchedAtMs: kept.fetchedAtMs, resolution: kept.content }]] : [];
        }),
      );
    },
    writeWhole({ ahjs, fetchedAtMs }) {
      const parts = groupBy(ahjs, ({ geoid }) => (geoid === null ? undefined : stateOfGeoid(geoid)) ?? "");
      for (const [part, list] of parts) {
        documents.write(partDocument(part), { fetchedAtMs, content: list.map(rowOfAhj) });
      }
      documents.write(wholeDocument, { fetchedAtMs, content: [...parts.keys()] });
    },
    writeState: (state, { ahjs, fetchedAtMs }) =>
      documents.write(stateDocument(state), { fetchedAtMs, content: ahjs.map(rowOfAhj) }),
    writeGeoid: (geoid, resolution) =>
      documents.write(geoidDocument(geoid), { fetchedAtMs: Date.now(), content: resolution }),
  };
}

function listOf(kept: KeptDocument<z.infer<typeof storedList>> | undefined): KeptList | undefined {
  if (!kept) return undefined;
  const ahjs = kept.content.map(ahjOfRow);
  return { fetchedAtMs: kept.fetchedAtMs, ahjs };
}
