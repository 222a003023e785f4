import { cellKey, type World } from "../world";

export const key = "key-of-the-nation";
export const madeAtMs = Date.UTC(2026, 2, 12, 12);

export const ahjIds = [101, 102, 103, 104, 105, 106, 107, 108];
export const typeIds = [1001, 1002, 1003, 1004];
export const geoidOf = (ahjId: number) => `06${String(ahjId - 100).padStart(5, "0")}`;

/** Each text of the service tells by itself whose it is, of what, and whether it is the newest. */
const answerText = (part: string, ahjId: number, typeId: number, version: number) =>
  `${part} ${ahjId} ${typeId} v${version}`;
const answerForm = /^(Text|Ref|Sec) (\d+) (\d+) v(\d)$/;
export interface Ours {
  ahjId: number;
  typeId: number;
  isNew: boolean;
  /** The same for every version. */
  name: string;
}
/** The parts of a service's text that a cell shows; undefined if the cell shows something else. */
export function oursIn(value: unknown): Ours | undefined {
  const [, part, ahj, type, version] = answerForm.exec(String(value)) ?? [];
  if (part === undefined) return undefined;
  return {
    ahjId: Number(ahj),
    typeId: Number(type),
    isNew: version === "2",
    name: `${part} ${ahj} ${type}`,
  };
}

/** The type for which all jurisdictions have the same text, so that its cells do not tell rows apart. */
const alike = 1003;
export const alikeText = "Required";

/** The cells without a value: one in the first version, one in the second. */
const blanks = [cellKey(103, 1002), cellKey(104, 1001)];

export function worldOf(version: 1 | 2): World {
  const ahjs = ahjIds.map((id) => ({
    ...{ id, name: `Place ${id}`, type: "county", state_code: "CA", geoid: geoidOf(id) },
    ...{ state_name: "California", county: `Place ${id}`, population: 5, lat: 1, lon: 2 },
  }));
  const types = typeIds.map((id) => ({
    ...{ id, name: `Question ${id}`, description: "", unit_of_measure: "text", category_ids: [1] },
  }));
  const answers: World["answers"] = new Map();
  for (const ahj of ahjIds) {
    for (const type of typeIds) {
      const at = cellKey(ahj, type);
      if (at === blanks[version - 1]) continue;
      const text = (part: string) =>
        part === "Text" && type === alike && version === 1
          ? "Required"
          : answerText(part, ahj, type, version);
      answers.set(at, {
        id: ahj * 10_000 + type,
        published: { text: text("Text"), formula: text("Text"), imported: text("Text") },
        ...{ reference: text("Ref"), section: text("Sec") },
        updatedAtMs: madeAtMs - 86_400_000 + (version - 1) * 2 * 86_400_000,
      });
    }
  }
  return {
    ...{ ahjs, types, answers, changes: 0, categories: [{ id: 1, name: "All" }] },
    subscribers: [{ key, entitled: new Set(ahjIds), collections: [] }],
    variation: {
      ...{
        stateFilter: "state_code",
        otherParameters: "ignored",
        unknownTypes: "dropped",
        filters: "either",
      },
      ...{ blank: "null", idsAsText: false, extras: false, mostPerPage: 500, noUnits: false, foreign: 403 },
      limit: null,
    },
  };
}
