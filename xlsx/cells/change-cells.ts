import { type SharedFormula, sharedFormula, sharedFormulaAt } from "../formulas/shared-formula";
import { type XmlAttributes, type XmlListener, readXml } from "../xml/xml-events";
import { xmlContent } from "../xml/xml-text";
import { cellReference, type Rect } from "./cell-reference";
import { type CellChange, cellXml, type OldCell } from "./cell-xml";
import { columnOf, rowOf, sharedFormulas } from "./read-cells";

interface ChangedCells {
  /** The `sheetData` element with the changes. */
  data: string;
  /** A formula came, went or became another. */
  hasNewFormulas: boolean;
  /** The smallest area around the cells that were written; null if none was. */
  written: Rect | null;
}

/**
 * Writes changes into a sheet's `sheetData`, whose rows and cells are in their order, in one pass: the `c` elements concerned are replaced,
 * new ones put in at their place, and the rest copied as it is. A cell that shared its formula with others hands it to them. Rows above
 * the first change and below the last one are mostly not read.
 */
export function changedCells(
  data: string,
  changes: Iterable<CellChange>,
  surroundings: { partName: string; prefix: string; dynamicIndex(): number },
): ChangedCells {
  const rows = new Map<number, CellChange[]>();
  for (const change of changes) {
    const row = rows.get(change.row);
    if (row) row.push(change);
    else rows.set(change.row, [change]);
  }
  for (const row of rows.values()) row.sort((one, other) => one.column - other.column);
  const pending = [...rows].sort(([one], [other]) => one - other);
  const { prefix, partName } = surroundings;
  const change = (all: string) => {
    const pass = new ChangingPass(all, pending, surroundings);
    readXml(all, partName, pass);
    return pass.result();
  };
  const [first, last] = [pending[0]?.[0] ?? 0, pending.at(-1)?.[0] ?? 0];
  const place = rowsBetween(data, prefix, first, last);
  // Copies of most of the text would take longer than to read the rest.
  if (!place || place.end - place.start > data.length / 2) return change(data);
  const [tag, endTag] = [data.slice(0, data.indexOf(">") + 1), `</${prefix}sheetData>`];
  const changed = change(tag + data.slice(place.start, place.end) + endTag);
  const within = changed.data.slice(tag.length, -endTag.length);
  return { ...changed, data: data.slice(0, place.start) + within + data.slice(place.end) };
}

/** Where rows stand, or would stand, in a `sheetData`; null where that, or the effect of a change in them, needs all rows. */
function rowsBetween(
  data: string,
  prefix: string,
  first: number,
  last: number,
): { start: number; end: number } | null {
  // A comment may hold a tag.
  if (data.includes("<!")) return null;
  const name = prefix.replaceAll(".", "\\.");
  const tags = new RegExp(`<${name}row(?=[\\s/>])(?:\\s+r=["'](\\d+)["'])?|</${name}sheetData`, "g");
  let start: number | undefined;
  for (let match = tags.exec(data); match; match = tags.exec(data)) {
    const isEnd = match[0].startsWith("</");
    if (!isEnd && match[1] === undefined) return null;
    const row = isEnd ? Infinity : Number(match[1]) - 1;
    if (row >= first) start ??= match.index;
    if (row <= last || start === undefined) continue;
    // A shared formula reaches into other rows.
    return data.slice(start, match.index).includes("shared") ? null : { start, end: match.index };
  }
  return null;
}

class ChangingPass implements XmlListener {
  private readonly pieces: string[] = [];
  private copied = 0;
  /** How far the changes' rows are done, and in the row at hand its changes. */
  private nextRow = 0;
  private own: CellChange[] = [];
  private next = 0;
  private row = -1;
  private column = -1;
  private rowTag: { start: number; end: number; isSelfClosing: boolean } | undefined;
  private cell: (OldCell & { start: number; change?: CellChange }) | undefined;
  private part: { name: string; start: number; attributes: XmlAttributes; text: string } | undefined;
  /** Formulas whose first cell has gone, by their index. */
  private readonly orphaned = new Map<string, SharedFormula>();
  private sharedOfCell: { si: string; text: string } | undefined;
  /** The indexes of shared formulas whose first cell has been passed. */
  private readonly passed = new Set<string>();
  private allShared: ReadonlyMap<string, SharedFormula> | undefined;
  private hasNewFormulas = false;
  private written: { top: number; left: number; bottom: number; right: number } | undefined;
  private isDone = false;

  constructor(
    private readonly data: string,
    private readonly pending: [row: number, changes: CellChange[]][],
    private readonly surroundings: { partName: string; prefix: string; dynamicIndex(): number },
  ) {}

  result(): ChangedCells {
    this.pieces.push(this.data.slice(this.copied));
    const { written } = this;
    return {
      data: this.pieces.join(""),
      hasNewFormulas: this.hasNewFormulas,
      written: written
        ? {
            row: written.top,
            column: written.left,
            rows: written.bottom - written.top + 1,
            columns: written.right - written.left + 1,
          }
        : null,
    };
  }

  open(name: string, attributes: XmlAttributes, start: number, end: number, isSelfClosing: boolean): void {
    const { prefix, partName } = this.surroundings;
    const local = name.startsWith(prefix) ? name.slice(prefix.length) : "";
    if (this.cell) {
      // The value of a cell that stays is copied as it is.
      const isWanted = local === "f" || (this.cell.change && (local === "v" || local === "is"));
      if (!this.part && isWanted) {
        this.part = { name, start, attributes, text: "" };
      }
    } else if (local === "c") {
      this.column = columnOf(attributes, this.row, this.column, partName);
      this.putCellsBefore(this.column, start);
      const change = this.own[this.next];
      this.cell = { attributes, start };
      if (change?.column === this.column) {
        this.cell.change = change;
        this.next++;
      } else if (attributes["r"] === undefined) {
        // Its place depends on the cells before it.
        this.replace(
          start + 1 + name.length,
          start + 1 + name.length,
          ` r="${cellReference(this.row, this.column)}"`,
        );
      }
      this.sharedOfCell = undefined;
    } else if (local === "row") {
      this.row = rowOf(attributes, this.row, partName);
      this.column = -1;
      this.putRowsBefore(this.row, start);
      const [row, changes] = this.pending[this.nextRow] ?? [];
      this.own = row === this.row && changes ? changes : [];
      if (this.own.length > 0) this.nextRow++;
      this.next = 0;
      this.rowTag = { start, end, isSelfClosing };
      const tag = this.rowStart(attributes, name);
      const isFilled = isSelfClosing && this.own.some((change) => this.newCell(change) !== "");
      if (isFilled) this.replace(start, end, `${tag.replace(/\s*\/>$/, "")}>`);
      else if (tag !== this.data.slice(start, end)) this.replace(start, end, tag);
      if (isFilled) {
        this.putCellsBefore(Infinity, end);
        this.pieces.push(`</${name}>`);
      } else if (isSelfClosing) this.own = [];
    } else if (local === "sheetData" && isSelfClosing) {
      const rows = this.pending.map(([row, changes]) => this.newRow(row, changes)).join("");
      if (rows !== "")
        this.replace(start, end, `${this.data.slice(start, end).replace(/\s*\/>$/, "")}>${rows}</${name}>`);
      this.isDone = true;
    }
  }

  text(text: string): void {
    if (this.part) this.part.text += text;
  }

  close(name: string, start: number, end: number): void {
    const { prefix } = this.surroundings;
    const { part, cell } = this;
    if (cell && part) {
      if (name === part.name) this.closePart(cell, part, end);
      return;
    }
    if (cell && name === `${prefix}c`) this.closeCell(cell, end);
    else if (name === `${prefix}row`) {
      if (!this.rowTag?.isSelfClosing) this.putCellsBefore(Infinity, start);
      this.own = [];
      this.rowTag = undefined;
    } else if (name === `${prefix}sheetData` && !this.isDone) this.putRowsBefore(Infinity, start);
  }

  private closePart(
    cell: OldCell,
    part: { name: string; start: number; attributes: XmlAttributes; text: string },
    end: number,
  ): void {
    const { prefix } = this.surroundings;
    const xml = this.data.slice(part.start, end);
    this.part = undefined;
    if (part.name !== `${prefix}f`) {
      cell.value = xml;
      if (part.name === `${prefix}v`) cell.valueText = xmlContent(part.text);
      return;
    }
    cell.formula = xml;
    const { t, si } = part.attributes;
    if (t !== "shared" || si === undefined) return;
    if (part.text !== "") {
      this.passed.add(si);
      this.orphaned.delete(si);
      this.sharedOfCell = { si, text: part.text };
      return;
    }
    const shared = this.orphaned.get(si) ?? (this.passed.has(si) ? undefined : this.laterOrphan(si));
    if (!shared) return;
    cell.formula = `<${prefix}f>${xmlContent(sharedFormulaAt(shared, this.row, this.column))}</${prefix}f>`;
    this.replaceIn(cell, part.start, end, cell.formula);
  }

  /** A shared formula whose first cell comes after this one, if that cell gets another formula. */
  private laterOrphan(si: string): SharedFormula | undefined {
    const { partName, prefix } = this.surroundings;
    this.allShared ??= sharedFormulas(this.data, partName, prefix);
    const shared = this.allShared.get(si);
    const changes = shared && this.pending.find(([row]) => row === shared.row)?.[1];
    const change = changes?.find(({ column }) => column === shared?.column);
    return change?.formula === undefined ? undefined : shared;
  }

  /** Replaces a part of a cell that is not replaced as a whole. */
  private replaceIn(cell: OldCell & { change?: CellChange }, start: number, end: number, xml: string): void {
    if (!cell.change) this.replace(start, end, xml);
  }

  private closeCell(cell: OldCell & { start: number; change?: CellChange }, end: number): void {
    const { change } = cell;
    this.cell = undefined;
    if (!change) return;
    if (change.formula !== undefined) {
      if (cell.formula !== undefined || change.formula !== null) this.hasNewFormulas = true;
      const { sharedOfCell } = this;
      if (sharedOfCell) {
        this.orphaned.set(sharedOfCell.si, sharedFormula(sharedOfCell.text, this.row, this.column));
      }
    }
    this.replace(
      cell.start,
      end,
      this.noted(change, cellXml(change, cell, this.surroundings.prefix, this.dynamicIndex)),
    );
  }

  private readonly dynamicIndex = () => this.surroundings.dynamicIndex();

  private replace(start: number, end: number, xml: string): void {
    this.pieces.push(this.data.slice(this.copied, start), xml);
    this.copied = end;
  }

  /** A row's start tag, with its number, and with its span around all that it will hold. */
  private rowStart(attributes: XmlAttributes, name: string): string {
    const { start = 0, end = 0 } = this.rowTag ?? {};
    let tag = this.data.slice(start, end);
    const at = 1 + name.length;
    if (attributes["r"] === undefined) tag = `${tag.slice(0, at)} r="${this.row + 1}"${tag.slice(at)}`;
    const [, first, last] = /^(\d+):(\d+)$/.exec(attributes["spans"] ?? "") ?? [];
    const filled = this.own.filter(
      ({ value, formula, style }) => (value ?? formula ?? style ?? null) !== null,
    );
    const own = [filled[0], filled.at(-1)];
    if (!first || !last || !own[0] || !own[1]) return tag;
    const from = Math.min(Number(first), own[0].column + 1);
    const to = Math.max(Number(last), own[1].column + 1);
    return tag.replace(/(\sspans\s*=\s*["'])[^"']*/, `$1${from}:${to}`);
  }

  private newCell(change: CellChange): string {
    return cellXml(change, undefined, this.surroundings.prefix, this.dynamicIndex);
  }

  private newRow(row: number, changes: CellChange[]): string {
    const { prefix } = this.surroundings;
    const cells = changes.map((change) => this.put(change)).join("");
    return cells === "" ? "" : `<${prefix}row r="${row + 1}">${cells}</${prefix}row>`;
  }

  private put(change: CellChange): string {
    const xml = this.newCell(change);
    if (xml !== "" && change.formula) this.hasNewFormulas = true;
    return this.noted(change, xml);
  }

  private noted({ row, column }: CellChange, xml: string): string {
    if (xml === "") return xml;
    const { written } = this;
    this.written = {
      top: Math.min(written?.top ?? row, row),
      left: Math.min(written?.left ?? column, column),
      bottom: Math.max(written?.bottom ?? row, row),
      right: Math.max(written?.right ?? column, column),
    };
    return xml;
  }

  private putCellsBefore(column: number, at: number): void {
    for (let change = this.own[this.next]; change && change.column < column; change = this.own[++this.next]) {
      this.replace(at, at, this.put(change));
    }
  }

  private putRowsBefore(row: number, at: number): void {
    for (let own = this.pending[this.nextRow]; own && own[0] < row; own = this.pending[++this.nextRow]) {
      this.replace(at, at, this.newRow(...own));
    }
  }
}
