import { SHEET_ROWS } from "../file-limits";
import { broken, withPlace } from "../workbook-file-error";
import { type SharedFormula, sharedFormula, sharedFormulaAt } from "../formulas/shared-formula";
import { readXml, type XmlAttributes, type XmlListener, XmlReading } from "../xml/xml-events";
import { isOn } from "../xml/xml-tree";
import { unescapedCharacters } from "../xml/xml-text";
import { cellReference, type Rect, rectOf, referenceColumn } from "./cell-reference";
import { FlattenedText } from "./shared-texts";

export type CellScalar = string | number | boolean | null;

export interface CellFormula {
  /** As the file stores it, without "="; a shared formula as it is for this cell. */
  text: string;
  /** As Excel shows it, without "=". */
  shown: string;
  /** The cells that it fills, of an array formula. */
  area?: Rect;
  /** An array formula, whether entered as one or spilling by itself. */
  isArray: boolean;
  /** It spills by itself. */
  isDynamic: boolean;
  /** Set where Excel calculates it when it opens the file, as it does with those that are volatile. */
  calculatesOnOpening?: true;
}

/** A cell that stands in the file. Rows and columns count from zero. */
export interface FileCell {
  row: number;
  column: number;
  /** Null if it is blank. An error is its text, such as "#N/A". A date is a number, as in Excel. */
  value: CellScalar;
  isError: boolean;
  formula?: CellFormula;
  /** The index of its format. */
  style: number;
}

/** The parts of a workbook that its cells refer to. */
interface CellSurroundings {
  partName: string;
  /** The prefix of the sheet's elements with its colon; mostly "". */
  prefix: string;
  sharedTexts(): readonly string[];
  isDynamic(cellMetadata: number): boolean;
  errorOf(valueMetadata: number): string | undefined;
  uses1904: boolean;
  shown(storedFormula: string): string;
}

/** Reads the cells of a sheet's `sheetData`, in the text's order, as they are asked for. Throws a WorkbookFileError. */
export function* readCells(data: string, surroundings: CellSurroundings): Generator<FileCell> {
  let later: ReadonlyMap<string, SharedFormula> | undefined;
  const listener = new CellListener(
    surroundings,
    () => (later ??= sharedFormulas(data, surroundings.partName, surroundings.prefix)),
  );
  const reading = new XmlReading(data, surroundings.partName, listener);
  try {
    while (reading.next()) yield* listener.taken();
  } catch (error) {
    throw withPlace(error, listener.placeName());
  }
}

/** The rows that are hidden, by hand or by a filter. */
export function hiddenRows(
  data: string,
  { partName, prefix }: Pick<CellSurroundings, "partName" | "prefix">,
): number[] {
  const hidden: number[] = [];
  let row = -1;
  const reading = new XmlReading(data, partName, {
    open(name, attributes) {
      if (name !== `${prefix}row`) return;
      row = rowOf(attributes, row, partName);
      if (isOn(attributes["hidden"])) hidden.push(row);
    },
    close() {},
    text() {},
  });
  while (reading.next());
  return hidden;
}

/** The row of a `row` element; it may lack its number, or be called 0, and follows the last one then. */
export function rowOf(attributes: XmlAttributes, last: number, partName: string): number {
  const { r } = attributes;
  const row = r === undefined || Number(r) === 0 ? last + 1 : Number(r) - 1;
  if (!Number.isInteger(row) || row < 0 || row >= SHEET_ROWS) throw broken(`${partName}: ${r} is no row`);
  return row;
}

/** The column of a `c` element; it may lack its reference, and follows the last one then. */
export function columnOf(attributes: XmlAttributes, row: number, last: number, partName: string): number {
  const { r } = attributes;
  const column = r === undefined ? last + 1 : referenceColumn(r, row);
  if (column >= 16_384) throw broken(`${partName}: row ${row + 1} has too many cells`);
  return column;
}

/** The formulas that cells of a sheet share, by their index. */
export function sharedFormulas(
  data: string,
  partName: string,
  prefix: string,
): ReadonlyMap<string, SharedFormula> {
  const all = new Map<string, SharedFormula>();
  let [row, column] = [-1, -1];
  let si: string | undefined;
  let text = "";
  readXml(data, partName, {
    open(name, attributes) {
      if (name === `${prefix}row`) [row, column] = [rowOf(attributes, row, partName), -1];
      else if (name === `${prefix}c`) column = columnOf(attributes, row, column, partName);
      else if (name === `${prefix}f`) {
        si = attributes["t"] === "shared" ? attributes["si"] : undefined;
        text = "";
      }
    },
    text: (piece) => void (text += si === undefined ? "" : piece),
    close(name) {
      if (name !== `${prefix}f` || si === undefined) return;
      if (text !== "" && !all.has(si)) all.set(si, sharedFormula(text, row, column));
      si = undefined;
    },
  });
  return all;
}

class CellListener implements XmlListener {
  private readonly rowName: string;
  private readonly cellName: string;
  private readonly valueName: string;
  private readonly formulaName: string;
  private readonly inlineName: string;
  private readonly shared = new Map<string, SharedFormula>();
  private readonly flattened = new FlattenedText();
  private cells: FileCell[] = [];
  private row = -1;
  private column = -1;
  private cell: XmlAttributes | undefined;
  private formula: XmlAttributes | undefined;
  private formulaText = "";
  private value: string | undefined;
  private inline: string | undefined;
  private place: "" | "value" | "formula" | "inline" = "";

  constructor(
    private readonly surroundings: CellSurroundings,
    /** The shared formulas of the whole sheet, for a cell that comes before the one that has its formula. */
    private readonly allShared: () => ReadonlyMap<string, SharedFormula>,
  ) {
    const { prefix } = surroundings;
    this.rowName = `${prefix}row`;
    this.cellName = `${prefix}c`;
    this.valueName = `${prefix}v`;
    this.formulaName = `${prefix}f`;
    this.inlineName = `${prefix}is`;
  }

  /** Where it is, for people. */
  placeName(): string {
    return this.row < 0 ? "" : `near ${cellReference(this.row, Math.max(0, this.column))}`;
  }

  /** The cells that were read since it was asked last. */
  taken(): FileCell[] {
    const { cells } = this;
    this.cells = [];
    return cells;
  }

  open(name: string, attributes: XmlAttributes): void {
    if (this.place === "inline") this.flattened.open(name);
    else if (name === this.cellName) {
      this.column = columnOf(attributes, this.row, this.column, this.surroundings.partName);
      this.cell = attributes;
      this.formula = undefined;
      this.value = undefined;
      this.inline = undefined;
    } else if (name === this.rowName) {
      this.row = rowOf(attributes, this.row, this.surroundings.partName);
      this.column = -1;
    } else if (!this.cell) return;
    else if (name === this.valueName) {
      this.place = "value";
      this.value = "";
    } else if (name === this.formulaName) {
      this.place = "formula";
      this.formula = attributes;
      this.formulaText = "";
    } else if (name === this.inlineName) {
      this.place = "inline";
      this.flattened.begin();
    }
  }

  text(text: string): void {
    if (this.place === "value") this.value += text;
    else if (this.place === "formula") this.formulaText += text;
    else if (this.place === "inline") this.flattened.text(text);
  }

  close(name: string): void {
    if (name === this.valueName || name === this.formulaName) this.place = "";
    else if (this.place === "inline") {
      if (name !== this.inlineName) this.flattened.close(name);
      else {
        this.inline = this.flattened.end();
        this.place = "";
      }
    } else if (name === this.cellName && this.cell) {
      this.cells.push(this.read(this.cell));
      this.cell = undefined;
    }
  }

  private read(attributes: XmlAttributes): FileCell {
    const { row, column } = this;
    const { t: type = "n", s = "0" } = attributes;
    const cell: FileCell = {
      row,
      column,
      value: this.valueOf(type, attributes["vm"]),
      isError: type === "e",
      style: Number(s) || 0,
    };
    if (this.formula) {
      const formula = this.formulaOf(this.formula, attributes);
      if (formula) cell.formula = formula;
    }
    return cell;
  }

  private valueOf(type: string, valueMetadata: string | undefined): CellScalar {
    if (type === "inlineStr")
      return this.inline ?? (this.value === undefined ? null : unescapedCharacters(this.value));
    const { value } = this;
    if (value === undefined) return null;
    switch (type) {
      case "s": {
        // An index that names no text leaves the cell blank.
        return /^\s*\d+\s*$/.test(value) ? (this.surroundings.sharedTexts()[Number(value)] ?? null) : null;
      }
      case "str":
        return unescapedCharacters(value);
      case "b":
        return isOn(value.trim().toLowerCase());
      case "e":
        return (valueMetadata && this.surroundings.errorOf(Number(valueMetadata))) || value;
      case "d":
        return serialDate(value, this.surroundings.uses1904) ?? value;
      default: {
        if (value.trim() === "") return null;
        const number = Number(value);
        // Some programs write NaN, or a date as people write it. It is what the cell says, though no number.
        return Number.isFinite(number) ? number : value;
      }
    }
  }

  private formulaOf(formula: XmlAttributes, cell: XmlAttributes): CellFormula | undefined {
    const { t: type, si, ref } = formula;
    // The result of a what-if table has no formula of its own.
    if (type === "dataTable") return undefined;
    let text = this.formulaText;
    if (type === "shared" && si !== undefined) {
      if (text !== "") this.shared.set(si, sharedFormula(text, this.row, this.column));
      else {
        const shared = this.shared.get(si) ?? this.allShared().get(si);
        if (shared) text = sharedFormulaAt(shared, this.row, this.column);
      }
    }
    if (text === "") return undefined;
    const isArray = type === "array";
    const area = isArray && ref ? rectOf(ref) : null;
    return {
      text,
      shown: this.surroundings.shown(text),
      ...(area && { area }),
      isArray,
      ...(isOn(formula["ca"]) && { calculatesOnOpening: true }),
      isDynamic: isArray && cell["cm"] !== undefined && this.surroundings.isDynamic(Number(cell["cm"])),
    };
  }
}

const DAY_MS = 86_400_000;

/** An ISO date, such as 2026-03-31T12:00:00, as Excel counts days; null if it is none. */
function serialDate(text: string, uses1904: boolean): number | null {
  const time = Date.parse(/T/.test(text) && !/Z|[+-]\d\d:?\d\d$/.test(text) ? `${text}Z` : text);
  if (Number.isNaN(time)) return null;
  const days = (time - Date.UTC(1899, 11, 30)) / DAY_MS;
  // Excel's calendar has a 29 February 1900.
  return uses1904 ? days - 1462 : days < 61 ? days - 1 : days;
}
