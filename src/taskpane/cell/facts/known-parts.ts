import { config } from "../../../config";
import { type FrozenPart, listFrozen } from "../../../workbook/cell-formulas/frozen-formulas";
import type { ImportBook, KeptImport } from "../../../workbook/imports/saved/import-book";
import type { TableHeaderHere } from "../../../workbook/sheet/cells/selected-cell";
import type { WrittenSources } from "../../../workbook/imports/sources/written-sources";
import { createImportTables } from "../../../workbook/sheet/tables/table-changes";
import type { Workbook } from "../../../workbook/sheet/workbook";

/** The workbook's imports and frozen formulas, read once for all cells that are looked at one after another. */
export interface KnownParts {
  /** The import that the table belongs to. */
  importOf(table: TableHeaderHere): Promise<KeptImport | undefined>;
  frozen(): Promise<readonly FrozenPart[]>;
  /** Reads frozen formulas anew the next time, because some were unfrozen. */
  forgetFrozen(): void;
  /** The citations on the workbook's Sources sheets. */
  sources(): Promise<WrittenSources>;
}

export function createKnownParts(book: Pick<ImportBook, "list">, workbook: Workbook): KnownParts {
  let imports: readonly KeptImport[] = [];
  const others = new Set<string>();
  let frozen: Promise<readonly FrozenPart[]> | undefined;
  let sources: Promise<WrittenSources> | undefined;
  /** Two imports may stand beside one list: the one with the cell's column counts, if there is one. */
  const find = ({ tableId, headers, column }: TableHeaderHere) => {
    const here = imports.filter(({ saved }) => saved.tableId === tableId);
    return (
      here.find(({ saved }) => saved.columns.some(({ header }) => header === headers[column])) ?? here[0]
    );
  };
  return {
    async importOf(table) {
      if (!find(table) && !others.has(table.tableId)) {
        ({ imports } = await book.list());
        if (!find(table)) others.add(table.tableId);
      }
      return find(table);
    },
    frozen() {
      frozen ??= readFrozen(workbook).catch((thrown: unknown) => {
        frozen = undefined;
        throw thrown;
      });
      return frozen;
    },
    forgetFrozen: () => void (frozen = undefined),
    sources() {
      sources ??= readSources(workbook).catch((thrown: unknown) => {
        sources = undefined;
        throw thrown;
      });
      return sources;
    },
  };
}

async function readSources(workbook: Workbook): Promise<WrittenSources> {
  const { readWrittenSources } = await import("../../../workbook/imports/sources/written-sources");
  return readWrittenSources(createImportTables(workbook));
}

async function readFrozen(workbook: Pick<Workbook, "readParts">): Promise<readonly FrozenPart[]> {
  return (await listFrozen(workbook, config.namespace)).parts;
}
