import { tokenize } from "@borgar/fx/xlsx";
import { rectOf } from "../cells/cell-reference";
import type { WorkbookPackage } from "../package/workbook-package";
import { WorkbookFileError } from "../workbook-file-error";
import { localName, readXml } from "../xml/xml-events";
import { XmlEdits } from "../xml/xml-tree";
import { xmlAttribute, xmlContent } from "../xml/xml-text";

/**
 * A stored formula after a sheet got another name; null if the sheet went, which leaves `#REF!`. Texts, other workbooks' sheets
 * and names of columns stay.
 */
function formulaAfterRename(formula: string, from: string, to: string | null): string {
  let tokens;
  try {
    tokens = tokenize(formula, { negativeNumbers: false });
  } catch {
    return formula;
  }
  if (tokens.map(({ value }) => value).join("") !== formula) return formula;
  return tokens
    .map(({ type, value }) => {
      if (/^context/.test(type)) return renamedPrefix(value, from, to) ?? value;
      const cut = /^(?:range|structured)/.test(type) ? value.lastIndexOf("!") : -1;
      if (cut < 0) return value;
      const prefix = renamedPrefix(value.slice(0, cut), from, to);
      if (prefix === undefined) return value;
      return to === null ? "#REF!" : prefix + value.slice(cut);
    })
    .join("");
}

/** The sheets in front of an exclamation mark, one or the first and last of a row of sheets; undefined if it is none of them. */
function renamedPrefix(prefix: string, from: string, to: string | null): string | undefined {
  const bare = /^'.*'$/s.test(prefix) ? prefix.slice(1, -1).replaceAll("''", "'") : prefix;
  const names = bare.split(":");
  if (bare.includes("[") || !names.some((name) => name.toLowerCase() === from.toLowerCase()))
    return undefined;
  const renamed = names.map((name) => (name.toLowerCase() === from.toLowerCase() ? (to ?? "#REF") : name));
  const isPlain = renamed.every(
    (name) =>
      /^[\p{L}_][\p{L}\p{N}_.]*$/u.test(name) && rectOf(name) === null && !/^r\d*c?\d*$|^c\d*$/i.test(name),
  );
  return isPlain ? renamed.join(":") : `'${renamed.join(":").replaceAll("'", "''")}'`;
}

/** Elements that hold a formula: of cells, rules, lists, charts, tables and names. */
const formulaElements: ReadonlySet<string> = new Set([
  ...["f", "formula", "formula1", "formula2", "definedName", "calculatedColumnFormula", "totalsRowFormula"],
]);

/** Renames a sheet in all formulas of the package, links within it and sources of pivot tables; all else stays as it is. */
export function renameInFormulas(workbookPackage: WorkbookPackage, from: string, to: string | null): void {
  const needles = [from, from.replaceAll("'", "''")].map((name) => xmlContent(name).toLowerCase());
  for (const name of workbookPackage.names()) {
    if (!/\.xml$/i.test(name) || /^(?:customXml|docProps)\//i.test(name)) continue;
    try {
      const text = workbookPackage.text(name);
      const lower = text.toLowerCase();
      if (!needles.some((needle) => lower.includes(needle))) continue;
      workbookPackage.write(name, xmlAfterRename(text, name, from, to), text);
    } catch (error) {
      // A part that can't be read is not one of a sheet, and stays as it is.
      if (!(error instanceof WorkbookFileError)) throw error;
    }
  }
}

function xmlAfterRename(xml: string, partName: string, from: string, to: string | null): string {
  const edits = new XmlEdits(xml);
  let formula: { start: number; text: string } | undefined;
  readXml(xml, partName, {
    open(name, attributes, start, end, isSelfClosing) {
      const local = localName(name);
      if (formulaElements.has(local) && !isSelfClosing) formula = { start: end, text: "" };
      const attribute =
        local === "hyperlink" ? "location" : local === "worksheetSource" ? "sheet" : undefined;
      const value = attribute && attributes[attribute];
      if (!attribute || value === undefined || to === null) return;
      const renamed =
        local === "hyperlink" ? formulaAfterRename(value, from, to) : value === from ? to : value;
      if (renamed === value) return;
      const tag = xml.slice(start, end);
      const pattern = new RegExp(`(\\s${attribute}\\s*=\\s*)(?:"[^"]*"|'[^']*')`);
      edits.replace(
        { start, end },
        tag.replace(pattern, (_, before: string) => `${before}"${xmlAttribute(renamed)}"`),
      );
    },
    text(text) {
      if (formula) formula.text += text;
    },
    close(_, start) {
      if (!formula) return;
      const renamed = formulaAfterRename(formula.text, from, to);
      if (renamed !== formula.text) edits.replace({ start: formula.start, end: start }, xmlContent(renamed));
      formula = undefined;
    },
  });
  return edits.isEmpty ? xml : edits.applied();
}
