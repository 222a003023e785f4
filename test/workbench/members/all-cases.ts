import { applicationCases } from "./application-cases";
import { autoFilterCases } from "./auto-filter-cases";
import { bookCases } from "./book-cases";
import { chartCases } from "./chart-cases";
import { conditionalFormatCases } from "./conditional-format-cases";
import { copyAndFillCases } from "./copy-and-fill-cases";
import { findCases } from "./find-cases";
import { lookCases } from "./look-cases";
import type { MemberCase } from "./member-case";
import { outlineCases } from "./outline-cases";
import { rangeCases } from "./range-cases";
import { selectionCases } from "./selection-cases";
import { sheetCases } from "./sheet-cases";
import { sortAndFilterCases } from "./sort-and-filter-cases";
import { styleCases } from "./style-cases";
import { tableCases } from "./table-cases";

export const memberCases: MemberCase[] = [
  ...sheetCases,
  ...rangeCases,
  ...tableCases,
  ...sortAndFilterCases,
  ...selectionCases,
  ...copyAndFillCases,
  ...findCases,
  ...lookCases,
  ...bookCases,
  ...autoFilterCases,
  ...outlineCases,
  ...styleCases,
  ...applicationCases,
  ...conditionalFormatCases,
  ...chartCases,
];
