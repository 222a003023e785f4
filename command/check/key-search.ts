import { holdsForm, isTooShortToFind, keyForms } from "../../src/key-forms";
import { addressOf } from "../../src/workbook/sheet/layout/cell-address";
import type { WorkbookFile } from "../../xlsx/workbook-file";
import { looksLikeKey } from "./key-like";

/** A place of a workbook's file that holds a key, or a text that looks like one. */
interface KeyPlace {
  /** The address of a cell, or a description of another place. */
  place: string;
  /** `known` is a key that was given; `alike` is a text in the form of a key. */
  kind: "known" | "alike";
}

/** Parts with the texts of cells are skipped, because the cells are searched one by one. */
const sharedTexts = /(?:^|\/)sharedStrings[^/]*\.xml$/i;
const sheetData = /<((?:[\w.-]+:)?)sheetData[\s>][\s\S]*<\/\1sheetData\s*>/;
/** Matches this add-in's own custom XML parts. They hold digests, which look random. */
const ownPart = /xmlns(?::\w+)?="urn:regdata:/;

/**
 * Finds every place of a file that holds one of the keys, in any form of `keyForms` and in any part of the package; and texts of people and
 * add-ins that have the form of a key.
 */
export function keyPlaces(file: WorkbookFile, keys: readonly string[]): KeyPlace[] {
  const forms = keys.filter((key) => !isTooShortToFind(key)).flatMap(keyForms);
  const found: KeyPlace[] = [];
  const look = (texts: readonly string[], place: () => string): boolean => {
    const kind =
      forms.length > 0 && texts.some((text) => holdsForm(text, forms))
        ? "known"
        : texts.some(looksLikeKey)
          ? "alike"
          : null;
    if (kind) found.push({ place: place(), kind });
    return kind === "known";
  };

  let isInCell = false;
  for (const sheet of file.sheets) {
    const at = (row: number, column: number) => addressOf({ sheetName: sheet.name, row, column });
    look([sheet.name], () => "the name of a sheet");
    for (const { row, column, value, formula } of sheet.cells()) {
      const texts = [...(value === null || typeof value === "boolean" ? [] : [String(value)])];
      if (formula) texts.push(formula.text);
      if (texts.length > 0 && look(texts, () => at(row, column))) isInCell = true;
    }
    for (const { row, column, text } of sheet.comments) look([text], () => `a comment on ${at(row, column)}`);
  }
  for (const { name, formula, comment } of file.definedNames)
    look([name, formula, comment], () => `the name ${name}`);
  for (const { properties } of file.webExtensions)
    look(Object.entries(properties).flat(), () => "an add-in's settings");

  const seen = new Set(found.map(({ place }) => place));
  const sheets = new Map(file.sheets.map((sheet) => [sheet.part, sheet]));
  for (const part of file.partNames) {
    const sheet = sheets.get(part);
    const text = textOf(file.partContent(part));
    const whole = sheet ? text.replace(sheetData, "") : text;
    if (holdsForm(part, forms)) found.push({ place: "the name of a part of the file", kind: "known" });
    if (sharedTexts.test(part) && isInCell) continue;
    if (holdsKey(whole, forms)) {
      const place = sheet ? `${sheet.name}, outside of its cells` : placeOf(part);
      // Comments, names and settings were reported above already, in clearer words.
      if (!isTold(part, seen)) found.push({ place, kind: "known" });
    } else if (/^(?:docProps|customXml)\/[^_]/i.test(part) && !ownPart.test(text)) {
      if (textsIn(whole).some(looksLikeKey)) found.push({ place: placeOf(part), kind: "alike" });
    }
  }
  return found;
}

/** True for a part of a sheet or of the workbook whose texts were searched and reported one by one. */
function isTold(part: string, seen: ReadonlySet<string>): boolean {
  const places = [...seen];
  if (/comment/i.test(part)) return places.some((place) => place.startsWith("a comment on "));
  if (/(?:^|\/)workbook\.xml$/i.test(part))
    return places.some((place) => /^the name (?:of a sheet$)?/.test(place));
  return /webextension/i.test(part) && seen.has("an add-in's settings");
}

/** True if the part holds a key as it stands, or with the texts of its elements joined: formatting may cut a key in two. */
function holdsKey(xml: string, forms: readonly string[]): boolean {
  return (
    forms.length > 0 &&
    (holdsForm(xml, forms) || (xml.includes("<") && holdsForm(xml.replace(/<[^>]*>/g, ""), forms)))
  );
}

/** The texts and attributes of an XML part that is searched only as a whole. */
function textsIn(xml: string): string[] {
  return [...xml.matchAll(/>([^<]{6,})</g), ...xml.matchAll(/="([^"]{6,})"/g)].map(([, text = ""]) => text);
}

function placeOf(part: string): string {
  if (/^docProps\//i.test(part)) return `the document's properties (${part})`;
  if (/^customXml\//i.test(part)) return `a custom XML part (${part})`;
  if (/comment/i.test(part)) return `comments (${part})`;
  if (/\.rels$/i.test(part)) return `a link (${part})`;
  return part;
}

/**
 * The part's text: XML is decoded as UTF-8. Other bytes become one character each, without zero bytes, so that UTF-16 texts are found as
 * well.
 */
function textOf(content: Uint8Array): string {
  const isUtf8 = content[0] === 0x3c || (content[0] === 0xef && content[1] === 0xbb);
  if (isUtf8) return Buffer.from(content).toString("utf8");
  return Buffer.from(content).toString("latin1").replaceAll("\0", "");
}
