import type { BookUses, Standing, Use, UsePlace } from "./plan-uses";

/** A line of the list of uses, in words. */
export interface UseLine {
  kind: "Place" | "Question" | "Import" | "Not told";
  name: string;
  code: string;
  formulas: number | null;
  imports: readonly string[];
  places: readonly UsePlace[];
  standing: string;
  successors: readonly string[];
  /** Why it stands so and what to do, in sentences; "" if there is nothing to say. */
  more: string;
  /** The age of an import's answers; null in other lines. */
  asOfMs: number | null;
}

const ofPlace: Record<Standing, string> = {
  there: "In the directory",
  gone: "Not in the directory",
  outside: "Outside your subscription",
  unclear: "Not clear",
  "not-looked-up": "Not looked up",
};
const ofQuestion: Record<Standing, string> = {
  ...ofPlace,
  there: "In the catalogue",
  gone: "Not in the catalogue",
};

/** All uses in one list. */
export function linesOfUses({ places, questions, imports, untold }: BookUses): UseLine[] {
  const line = (kind: UseLine["kind"], use: Use, standing: string): UseLine => ({
    ...{ kind, name: use.name, code: use.code, formulas: use.formulas, imports: use.imports },
    ...{ places: use.places, standing, successors: use.successors, more: use.why, asOfMs: null },
  });
  return [
    ...places.map((use) => line("Place", use, ofPlace[use.standing])),
    ...questions.map((use) => line("Question", use, ofQuestion[use.standing])),
    ...imports.map(({ name, address, tableId, asOfMs, failure }): UseLine => ({
      ...{ kind: "Import", name, code: "", formulas: null, imports: [], successors: [], asOfMs },
      places: address === null ? [] : [{ address, tableId }],
      standing: failure ? "Not read" : "Read",
      more: failure?.message ?? "",
    })),
    ...untold.map((use) => line("Not told", use, "")),
  ];
}

/** `Alameda County, CA (06001)`, or whichever of the two is known. */
export function nameOfUse({ name, code }: Pick<Use, "name" | "code">): string {
  return name === "" || code === "" ? name + code : `${name} (${code})`;
}

/** True if a name was to be looked up, and could not be. */
export function isLookUpFailed({ standing, why }: Pick<Use, "standing" | "why">): boolean {
  return standing === "not-looked-up" && why !== "";
}

/** The uses in a few sentences. `counted` gives a number with its noun, as `2 places`. */
export function usesSentences(uses: BookUses, counted: (count: number, noun: string) => string): string[] {
  const { formulas, imports, places, questions, untold } = uses;
  if (formulas + imports.length === 0) return ["The workbook has no RegData formulas and no imports."];
  const standing = (all: readonly Use[], wanted: Standing) =>
    all.filter((use) => use.standing === wanted).length;
  const isOrAre = (count: number) => (count === 1 ? "is" : "are");
  const tell = (count: number, noun: string, what: string) =>
    count === 0 ? [] : [`${counted(count, noun)} ${isOrAre(count)} ${what}.`];
  const failed = [...places, ...questions].filter(isLookUpFailed);
  const unread = imports.filter(({ failure }) => failure !== null).length;
  return [
    `${counted(places.length, "place")} and ${counted(questions.length, "question")} in ` +
      `${counted(formulas, "formula")} and ${counted(imports.length, "import")}.`,
    ...tell(standing(places, "gone"), "place", "not in the directory"),
    ...tell(standing(questions, "gone"), "question", "not in the catalogue"),
    ...tell(standing(places, "outside"), "place", "outside your subscription"),
    ...tell(standing(places, "unclear") + standing(questions, "unclear"), "name", "not clear"),
    ...tell(failed.length, "name", `not looked up: ${failed[0]?.why.replace(/\.$/, "")}`),
    ...(unread > 0 ? [`${counted(unread, "import")} could not be read.`] : []),
    ...(untold.length > 0
      ? [`Of ${counted(untold.length, "argument")} it can’t be told what they name.`]
      : []),
  ];
}
