/**
 * Quirks are other readings of docs/interface.md, "Left open". They are switched on by name, so that a client can be tried against them.
 * The handlers know nothing of them: a quirk changes the request before a handler sees it, the answer before it is written, or the headers.
 * The answers say the same as without quirks, except for the parts that a quirk takes away.
 */
import { deniedWarning, unmatchedWarning } from "../http/access";
import type { UnitOfMeasure } from "../answers/sample-catalogue";
import { refusal, refuseInvalid, type Answer, type JsonAnswer } from "../http/envelope";
import type { Geography } from "../geography/geography";
import type { Asked } from "../http/handlers";
import { repeated, swapped, withFields, withObjects, type Fields } from "./json-changes";
import { isList } from "../http/json-text";
import { collectionDataQuery, matrixBody, readBody, readQuery } from "../http/parameters";

interface Quirk {
  /** The change that the quirk makes, in one sentence. */
  changes: string;
  /** The point of docs/interface.md, "Left open", that the quirk reads in another way. */
  silence: string;
  /** Changes the request before the handler sees it. */
  asked?(asked: Asked): Asked;
  /** Changes the answer. `asked` is there if the request reached an endpoint. */
  answer?(answer: JsonAnswer, asked: Asked | undefined, geography: Geography): Answer;
  headers?(headers: Headers): void;
}

const maxMatrixCells = 5_000;

/** The usual names of the filters, by the names that a quirk gives them. */
const usualFilterNames = new Map([
  ["states", "state_code"],
  ["categories", "category_ids"],
]);
const otherFilterNames = new Map([...usualFilterNames].map(([other, usual]) => [usual, other]));

/** Fields that a quirk adds to every object. No schema has these names, so they clash with nothing. */
const extraFields = { x_revision: 7, x_notes: ["not in the interface", null, { x_draft: false }] };

type AnswerChange = (answer: JsonAnswer, asked: Asked | undefined) => JsonAnswer;

function changedQuery(change: (entries: [string, string][]) => [string, string][]): (asked: Asked) => Asked {
  return (asked) => ({ ...asked, query: new URLSearchParams(change([...asked.query])) });
}

function changedBody(change: (body: JsonAnswer["body"]) => JsonAnswer["body"]): AnswerChange {
  return (answer) => ({ ...answer, body: change(answer.body) });
}

function changedObjects(change: (fields: Fields, name: string) => Fields): AnswerChange {
  return changedBody((body) => withObjects(body, change));
}

function changedFields(change: (value: unknown, name: string) => unknown): AnswerChange {
  return changedObjects((fields) => withFields(fields, change));
}

/** Changes the lists in `data` itself: the items of a page, or the rows, AHJs and columns of a matrix. */
function changedLists(change: (list: Iterable<unknown>, name: string) => Iterable<unknown>): AnswerChange {
  return changedBody((body) =>
    "data" in body
      ? {
          ...body,
          data: withFields(body.data, (field, name) => (isList(field) ? change(field, name) : field)),
        }
      : body,
  );
}

function inTwo<Item>(items: readonly Item[]): Item[][] {
  const half = Math.ceil(items.length / 2);
  return [items.slice(0, half), items.slice(half)].filter((part) => part.length > 0);
}

function refuseLargeMatrix(body: string): void {
  const { ahj_ids, data_point_type_ids } = readBody(matrixBody, body);
  const cells = new Set(ahj_ids).size * new Set(data_point_type_ids).size;
  if (cells <= maxMatrixCells) return;
  const [most, these] = [maxMatrixCells, cells].map((count) => count.toLocaleString("en-US"));
  refuseInvalid([
    {
      loc: ["body"],
      msg: `must ask for at most ${most} cells (AHJs times types), not ${these}`,
      type: "too_many_cells",
    },
  ]);
}

const otherListOrder = changedLists((list) => (Array.isArray(list) ? list.toReversed() : swapped(list)));

// JSON.parse sorts the keys of `values` by ascending id however they were written, so reversing them has no effect there.
const otherFieldOrder = changedObjects((fields) => Object.fromEntries(Object.entries(fields).reverse()));

const unitsByName = changedLists((units) => Array.from(units, (unit) => (unit as UnitOfMeasure).name));

/** The quirks in the order in which they are applied: those that read the plain answer come before those that change its form. */
export const quirks = {
  "page-size-20": {
    changes: "A page has 20 items when page_size is not given.",
    silence: "the default of `page_size`",
    asked: changedQuery((entries) =>
      entries.some(([name]) => name === "page_size") ? entries : [...entries, ["page_size", "20"]],
    ),
  },
  "other-filter-names": {
    changes:
      "The state filter is `states` and the category filter `categories`; the usual names are unknown.",
    silence: "names of the state and category filters",
    asked: changedQuery((entries) =>
      entries
        .filter(([name]) => !otherFilterNames.has(name))
        .map(([name, value]) => [usualFilterNames.get(name) ?? name, value]),
    ),
    answer: changedBody((body) =>
      "detail" in body
        ? {
            detail: body.detail.map((fault) => ({
              ...fault,
              loc: fault.loc.map((step) => otherFilterNames.get(step) ?? step),
            })),
          }
        : body,
    ),
  },
  "matrix-5000": {
    changes: "A matrix, and its CSV file, of more than 5,000 cells is 422.",
    silence: "the largest matrix",
    asked: (asked) => ({
      ...asked,
      async body() {
        const body = await asked.body();
        refuseLargeMatrix(body);
        return body;
      },
    }),
  },
  "empty-401": {
    changes: "A 401 has no body.",
    silence: "the answer to a wrong key",
    answer: (answer) => (answer.status === 401 ? new Response(null, { status: 401 }) : answer),
  },
  "html-429": {
    changes: "A 429 is a page of HTML, without Retry-After.",
    silence: "other error codes, and the body of a 429",
    answer: (answer) =>
      answer.status === 429
        ? new Response("<!doctype html><title>429</title><h1>Too Many Requests</h1>", {
            status: 429,
            headers: { "Content-Type": "text/html" },
          })
        : answer,
  },
  "unknown-ahj-404": {
    changes: "An AHJ id that no AHJ has is 404 instead of 403.",
    silence: "the status of an unknown AHJ id",
    answer: (answer, asked, { byId }) =>
      asked?.endpoint === "getAhj" && answer.status === 403 && !byId.has(Number(asked.path("ahj_id")))
        ? refusal("AHJ_NOT_FOUND", "There is no AHJ with this id.")
        : answer,
  },
  "unmatched-404": {
    changes: "A collection for geoIDs of which none resolves is 404 instead of an empty 200.",
    silence: "endpoint 12 if no geoID has an AHJ",
    answer(answer, asked) {
      if (asked?.endpoint !== "runCollection" || !("data" in answer.body)) return answer;
      const { geoids = [] } = readQuery(collectionDataQuery, asked.query);
      const unmatched = answer.body.warnings?.flatMap(({ unmatched_geoids }) => unmatched_geoids) ?? [];
      return geoids.length > 0 && geoids.every((geoid) => unmatched.includes(geoid))
        ? refusal("GEOID_NOT_FOUND", "No AHJ was found for any of the geoIDs.")
        : answer;
    },
  },
  "past-end-404": {
    changes: "A page past the end of its list is 404 instead of empty.",
    silence: "a page past the end",
    answer(answer) {
      const pagination = "data" in answer.body ? answer.body.data.pagination : undefined;
      return pagination !== undefined && pagination.page > Math.max(1, pagination.total_pages)
        ? refusal("NOT_FOUND", "The list has no such page.")
        : answer;
    },
  },
  "split-warnings": {
    changes: "What one warning lists is spread over two, each with its own count.",
    silence: "the number of warnings, and their missing lists",
    answer: changedBody((body) =>
      "warnings" in body && body.warnings
        ? {
            ...body,
            warnings: body.warnings.flatMap(({ excluded_ahj_ids, unmatched_geoids }) => [
              ...inTwo(excluded_ahj_ids).map(deniedWarning),
              ...inTwo(unmatched_geoids).map(unmatchedWarning),
            ]),
          }
        : body,
    ),
  },
  "bare-warnings": {
    changes: "A warning has code and message only: the lists of ids and geoIDs are left out.",
    silence: "the number of warnings, and their missing lists",
    answer: changedObjects((fields, name) =>
      name === "warnings" ? { code: fields.code, message: fields.message } : fields,
    ),
  },
  "bare-units": {
    changes: "A unit of measure is a bare string, not an object.",
    silence: "parameters and fields of endpoint 7",
    answer: (answer, asked) => (asked?.endpoint === "listUnits" ? unitsByName(answer, asked) : answer),
  },
  "other-order": {
    changes: "Rows, columns, the items of a page and the fields of an object come in another order.",
    silence: "the order of rows, columns and items",
    answer: (answer, asked) => otherFieldOrder(otherListOrder(answer, asked), asked),
  },
  duplicates: {
    changes: "Some rows of a matrix and some items of a page come twice; the total does not count them.",
    silence: "records that come twice",
    answer: changedLists((list, name) => (name === "rows" || name === "items" ? repeated(list) : list)),
  },
  "offset-timestamps": {
    changes: "A timestamp ends in `+00:00` instead of `Z`.",
    silence: "forms of a UTC time",
    answer: changedFields((value, name) =>
      name.endsWith("_at") && typeof value === "string" ? value.replace(/Z$/, "+00:00") : value,
    ),
  },
  "string-ids": {
    changes: "An id is a string of digits, also in a list of ids.",
    silence: "new fields, and ids as strings",
    answer: changedFields((value, name) => {
      if (name === "id") return String(value);
      return name.endsWith("_ids") && Array.isArray(value) ? value.map(String) : value;
    }),
  },
  "extra-fields": {
    changes: "Every object has fields that docs/interface.md does not list.",
    silence: "new fields, and ids as strings",
    // The fields of `values` are ids of types, so none is added there.
    answer: changedObjects((fields, name) => (name === "values" ? fields : { ...fields, ...extraFields })),
  },
  "hidden-headers": {
    changes: "No header is exposed to pages: rate limits, Retry-After, Date and file names are left out.",
    silence: "calls from web pages (CORS), and headers that pages can't read",
    headers(headers) {
      const exposed = headers.get("Access-Control-Expose-Headers")?.split(",") ?? [];
      // Removes the headers, so that a caller in this process sees only the headers that a web page would see.
      for (const name of exposed) headers.delete(name.trim());
      headers.delete("Access-Control-Expose-Headers");
    },
  },
} as const satisfies Record<string, Quirk>;

export type QuirkName = keyof typeof quirks;

export const quirkNames = Object.keys(quirks) as QuirkName[];

/** The names in a comma-separated list, or a sentence that names the wrong ones and lists the valid ones. */
export function parseQuirkNames(text: string): { names: QuirkName[] } | { problem: string } {
  const asked = text.split(",").map((name) => name.trim());
  const unknown = asked.filter((name) => !Object.hasOwn(quirks, name));
  if (unknown.length === 0) return { names: asked as QuirkName[] };
  const list = unknown.map((name) => `"${name}"`).join(", ");
  return { problem: `There is no quirk ${list}. The quirks are ${quirkNames.join(", ")}.` };
}

/** Combines these quirks, always in the order of the table, for a service with this geography. */
export function createQuirks(
  names: readonly QuirkName[],
  geography: Geography,
): Required<Pick<Quirk, "asked" | "headers">> & {
  answer(answer: Answer, asked: Asked | undefined): Answer;
} {
  const chosen: Quirk[] = quirkNames.filter((name) => names.includes(name)).map((name) => quirks[name]);
  return {
    asked: (asked) => chosen.reduce((changed, quirk) => quirk.asked?.(changed) ?? changed, asked),
    answer: (answer, asked) =>
      chosen.reduce(
        (changed, quirk) =>
          changed instanceof Response ? changed : (quirk.answer?.(changed, asked, geography) ?? changed),
        answer,
      ),
    headers: (headers) => chosen.forEach((quirk) => quirk.headers?.(headers)),
  };
}
