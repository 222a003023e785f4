/** Data points: the effective values of (AHJ, type) pairs, counted without being written out. */
import type { DataPointValue, MatrixCell, Pagination } from "../../src/engine/api/schemas";
import type { Rules } from "./month-of-changes";
import type { CatalogueType, Level } from "./sample-catalogue";
import { paginationOf, type PageRequest } from "../http/envelope";
import type { AhjRecord } from "../geography/geography";
import type { Ladder } from "../geography/ladder";
import { bitsSet, typesOf, wordsPerMask, type TypeMask } from "./type-mask";

/**
 * Reads effective values with their citations for one report; null if there is none. Reports are sorted by AHJ id, so neighbors, who share
 * the rules of their parents, follow each other. It is therefore enough to keep each level's latest text on a type.
 */
export function createCellReader(
  ladder: Ladder,
  rules: Rules,
): (record: AhjRecord, entry: CatalogueType) => MatrixCell | null {
  const latest: Record<Level, { maker: AhjRecord; cell: MatrixCell }[]> = {
    state: [],
    county: [],
    city: [],
    utility: [],
  };
  return (record, entry) => {
    const maker = ladder.ruleMaker(record, entry);
    if (maker === undefined) return null;
    const known = latest[maker.level][entry.index];
    if (known?.maker === maker) return known.cell;
    const cell = rules.textOf(maker, entry);
    latest[maker.level][entry.index] = { maker, cell };
    return cell;
  };
}

function dataPoint(ladder: Ladder, rules: Rules, record: AhjRecord, entry: CatalogueType): DataPointValue {
  const maker = ladder.ruleMaker(record, entry)!;
  return {
    // The id is unique for each AHJ and type, because type ids have four digits.
    id: record.ahj.id * 10_000 + entry.type.id,
    ahj: record.ahj,
    data_point_type: entry.type,
    ...rules.textOf(maker, entry),
    updated_at: rules.updatedAt(maker, entry),
  };
}

/** One page of the data points of these AHJs and types, by AHJ id, then type id, with the true total. */
export function pageOfDataPoints(
  { ladder, rules }: { ladder: Ladder; rules: Rules },
  records: readonly AhjRecord[],
  wanted: TypeMask,
  asked: PageRequest,
): { items: DataPointValue[]; pagination: Pagination } {
  const start = (asked.page - 1) * asked.page_size;
  const end = start + asked.page_size;
  const items: DataPointValue[] = [];
  let total = 0;
  for (const record of records) {
    const first = record.index * wordsPerMask;
    let count = 0;
    for (let word = 0; word < wordsPerMask; word += 1) {
      count += bitsSet(ladder.answered[first + word]! & wanted[word]!);
    }
    if (total + count > start && total < end) {
      const answered = wanted.map((bits, word) => bits & ladder.answered[first + word]!);
      for (const entry of typesOf(answered).slice(Math.max(0, start - total), end - total)) {
        items.push(dataPoint(ladder, rules, record, entry));
      }
    }
    total += count;
  }
  return { items, pagination: paginationOf(asked, total) };
}
