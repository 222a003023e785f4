import { givenUp, imported } from "./operations";
import { excelFaults } from "./excel-faults";
const id = ({ spreadsheet }: any, name: string) => spreadsheet.sheets().find((s: any) => s.name === name)?.id ?? "";
const E = "each request to Excel", S = "each request to the service";
const f = (name: string, at: any, playing: any) => ({ name, at, play: () => playing, expected: {} });
export const probes: any[] = [
  excelFaults[0], excelFaults[3],
  f("session lost", E, { begin: (e: any) => e.fail(5012, 1000, "workbook"), end: () => {} }),
  f("sheet deleted", E, { act: (e: any) => { for (const n of [givenUp.sheet, imported]) if (id(e, n)) e.spreadsheet.deleteSheet(id(e, n)); } }),
  f("table renamed", E, { act: (e: any) => { for (const t of e.spreadsheet.tables().slice(0,1)) e.spreadsheet.updateTable(t.id, { name: "Renamed" }); } }),
  f("protected before", undefined, { begin: (e: any) => { for (const s of e.spreadsheet.sheets()) e.document.protectedSheets.add(s.id); }, end: (e: any) => e.document.protectedSheets.clear() }),
  f("protected meanwhile", E, { begin: (e: any) => { for (const s of e.spreadsheet.sheets()) e.document.protectedSheets.add(s.id); }, end: (e: any) => e.document.protectedSheets.clear() }),
  f("cancel excel", E, { begin: (_: any, stop: any) => stop.abort() }),
  f("cancel service", S, { begin: (_: any, stop: any) => stop.abort() }),
  f("cancel before", undefined, { begin: (_: any, stop: any) => stop.abort() }),
];
