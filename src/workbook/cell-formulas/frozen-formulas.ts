import * as z from "../../zod";
import { twice } from "../../async/twice";
import { config } from "../../config";
import { partsWithin } from "../../lists";
import { type CellArea, callsFunction } from "../sheet/cells/formula-search";
import { jsonPart, readJsonPart } from "../sheet/parts/json-part";
import { forgetTracked, type Track, trackAreas, type TrackPlan } from "../sheet/parts/tracked-areas";
import type { Workbook } from "../sheet/workbook";

/** A formula that was replaced by the values that it showed, with everything that is needed to bring it back. */
export interface FrozenFormula extends CellArea {
  /** The name of the sheet at that time; `findHomes` finds the sheet today. */
  sheetName: string;
  formula: string;
  /** The `fingerprint` of the frozen values. */
  shown: string;
  /** The number formats that its cells had, row by row, or a single format if all cells had the same. */
  numberFormats: string | string[][];
  /** The mark by which `findHomes` finds its cells when they have moved; missing if an earlier build froze it. */
  track?: Track | undefined;
}

/** Formulas frozen together, as the workbook keeps them. */
export interface Freezing {
  atMs: number;
  formulas: FrozenFormula[];
  /** Stored entries that are damaged or that this add-in did not write. They are written back unchanged. */
  unreadable: unknown[];
}

// zod's own maxLength would also read the length of a value that is no text, and can throw.
const text = (most: number) => z.string().check(z.lengthAtMost(most));
const whole = (least: number, most: number) => z.int().check(z.between(least, most));
/** The longest formula, sheet name, sheet id or number format that is accepted; Excel's own limits are lower. */
const mostCharacters = 10_000;
const version = 1;
const stored = z.object({ version: z.literal(version), atMs: z.number(), formulas: z.array(z.unknown()) });
const storedFormula = z.object({
  sheetId: text(mostCharacters),
  sheetName: text(mostCharacters),
  row: whole(0, config.sheetRows - 1),
  column: whole(0, config.sheetColumns - 1),
  rows: whole(1, config.sheetRows),
  columns: whole(1, config.sheetColumns),
  formula: text(mostCharacters),
  shown: text(mostCharacters),
  numberFormats: z.union([text(mostCharacters), z.array(z.array(text(mostCharacters)))]),
  track: z.optional(z.object({ name: text(mostCharacters), index: whole(0, mostCharacters) })),
});

/** The namespace of the custom XML parts that hold frozen formulas. Each freeze writes a part of its own. */
export const frozenNamespace = "urn:regdata:frozen";

/** The beginning of the hidden names by which Excel follows the cells of frozen formulas. */
export const trackPrefix = `_${frozenNamespace.replaceAll(":", "_")}_`;

/** The most characters of formulas in one part. */
const partCharacters = 1_000_000;

/** The parts that hold these formulas and the entries that could not be read. */
export function frozenXml({ atMs, formulas, unreadable }: Freezing): string[] {
  return partsOfEntries([...formulas, ...unreadable]).map((part) => xmlOf(atMs, part));
}

function partsOfEntries<Entry>(entries: readonly Entry[]): Entry[][] {
  return partsWithin(entries, (entry) => JSON.stringify(entry).length, { room: partCharacters });
}

function xmlOf(atMs: number, formulas: readonly unknown[]): string {
  return jsonPart("frozen", frozenNamespace, { version, atMs, formulas });
}

/**
 * Reads a part. Null if the add-in did not write it, or wrote it in an unknown version: it is then left as it is. Only formulas that call
 * one of the add-in's functions are accepted, since anybody may have written the part.
 */
export function parseFrozenXml(xml: string, namespace: string): Freezing | null {
  const parsed = stored.safeParse(readJsonPart("frozen", xml));
  if (!parsed.success) return null;
  const freezing: Freezing = { atMs: parsed.data.atMs, formulas: [], unreadable: [] };
  for (const each of parsed.data.formulas) {
    const formula = storedFormula.safeParse(each);
    if (formula.success && isOurs(formula.data, namespace)) freezing.formulas.push(formula.data);
    else freezing.unreadable.push(each);
  }
  return freezing;
}

function isOurs(frozen: FrozenFormula, namespace: string): boolean {
  const { formula, row, rows, column, columns, numberFormats } = frozen;
  return (
    callsFunction(formula, namespace) &&
    row + rows <= config.sheetRows &&
    column + columns <= config.sheetColumns &&
    canBeKept(frozen) &&
    (typeof numberFormats === "string" ||
      (numberFormats.length === rows && numberFormats.every((each) => each.length === columns)))
  );
}

/** True if a result is small enough to be read again: a larger one could bring the pane down. */
export function canBeKept({ rows, columns }: Pick<CellArea, "rows" | "columns">): boolean {
  return rows * columns <= config.formulaCells;
}

/** A part of the workbook that holds frozen formulas. */
export interface FrozenPart extends Freezing {
  partId: string;
}

export interface FrozenList {
  /** The newest first. */
  parts: FrozenPart[];
  /** Parts that are damaged, even partly, or that another version of the add-in wrote. Unreadable content is left as it is. */
  unreadable: number;
}

export async function listFrozen(
  workbook: Pick<Workbook, "readParts">,
  namespace: string,
): Promise<FrozenList> {
  const read = (await workbook.readParts(frozenNamespace)).map(({ id, xml }) => {
    const freezing = parseFrozenXml(xml, namespace);
    return freezing && { ...freezing, partId: id };
  });
  const parts = read.filter((part) => part !== null).sort((one, other) => other.atMs - one.atMs);
  const unreadable = read.filter((part) => part === null || part.unreadable.length > 0).length;
  return { parts, unreadable };
}

/**
 * Has the workbook keep formulas that carry the marks of `planTracks(trackPrefix, …)`, and Excel follow their cells by the names of that
 * plan. `onPart` is told of each part as soon as it is there. If Excel refuses the names, the formulas are found only where they were
 * frozen.
 */
export async function keepFrozen(
  { atMs, formulas, names }: Pick<Freezing, "atMs" | "formulas"> & Pick<TrackPlan, "names">,
  workbook: Pick<Workbook, "writePart" | "run">,
  onPart: (part: FrozenPart) => void,
): Promise<void> {
  for (const part of partsOfEntries(formulas)) {
    const partId = await workbook.writePart(null, xmlOf(atMs, part));
    onPart({ atMs, formulas: part, unreadable: [], partId });
  }
  if (names.length === 0) return;
  await twice(() => workbook.run((context) => trackAreas(context, names))).catch(() => undefined);
}

/** Forgets formulas of parts, and with them the names of their cells. */
export async function forgetWhere(
  parts: readonly FrozenPart[],
  isForgotten: (formula: FrozenFormula) => boolean,
  workbook: Pick<Workbook, "writePart" | "deletePart" | "run">,
): Promise<void> {
  const names = new Set<string>();
  for (const { partId, formulas, ...part } of parts) {
    const rest = formulas.filter((formula) => !isForgotten(formula));
    if (rest.length === formulas.length) continue;
    for (const { track } of formulas) if (track) names.add(track.name);
    const [xml, ...more] = frozenXml({ ...part, formulas: rest });
    for (const each of more) await workbook.writePart(null, each);
    if (xml === undefined) await workbook.deletePart(partId);
    else await workbook.writePart(partId, xml);
  }
  for (const { track } of parts.flatMap(({ formulas }) => formulas.filter((each) => !isForgotten(each))))
    if (track) names.delete(track.name);
  // Names that stay are a few addresses, which nobody sees.
  if (names.size > 0)
    await workbook.run((context) => forgetTracked(context, trackPrefix, names)).catch(() => undefined);
}
