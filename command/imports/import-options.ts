import { extname } from "node:path";
import type { TableForm } from "../../src/workbook/sheet/layout/table-plan";
import { CommandFailure } from "../command-failure";
import { commonOptions, readOptions, serviceOptions, withRepeated } from "../command-options";
import { printableLine } from "../output/printable";

/** Options of the commands that import. */
const importOptions = {
  ...commonOptions,
  ...serviceOptions,
  output: { type: "string", short: "o" },
  where: { type: "string", multiple: true },
  question: { type: "string", multiple: true },
  if: { type: "string", multiple: true },
  any: { type: "boolean" },
  live: { type: "boolean" },
  citations: { type: "boolean" },
  sources: { type: "boolean" },
  long: { type: "boolean" },
  dash: { type: "boolean" },
  force: { type: "boolean" },
} as const;

type Name = keyof typeof importOptions;

/** Parses an import command's words. `others` are options that this command does not have. Fails with a CommandFailure "usage". */
export function readImportOptions(words: readonly string[], others: readonly Name[]) {
  const known = Object.fromEntries(
    Object.entries(importOptions).filter(([name]) => !(others as string[]).includes(name)),
  ) as typeof importOptions;
  return readOptions(withRepeated(words, ["where", "question"]), known);
}

export type ImportValues = ReturnType<typeof readImportOptions>["values"];

/** The destination of an import. */
export type Target =
  | { kind: "xlsx"; path: string; isLive: boolean; form: TableForm; hasSources: boolean; mayReplace: boolean }
  | { kind: "csv" | "json"; path: string; mayReplace: boolean }
  /** Prints CSV to the standard output. */
  | { kind: "print" };

/** The destination that `-o` and its companion options name. Fails with a CommandFailure "usage" for options that contradict each other. */
export function targetOf({
  output,
  live,
  citations,
  sources,
  long,
  dash,
  force,
  json,
}: ImportValues): Target {
  if (output === undefined) throw new CommandFailure("usage", "Name the file to write with -o.");
  const kind = output === "-" ? "print" : extname(output).slice(1).toLowerCase();
  if (kind !== "print" && kind !== "xlsx" && kind !== "csv" && kind !== "json")
    throw new CommandFailure(
      "usage",
      `"${printableLine(output, 80)}" ends with none of .xlsx, .csv and .json, and is not "-".`,
    );
  const ofWorkbook = Object.entries({ live, citations, sources, long, dash }).find(([, isSet]) => isSet)?.[0];
  if (kind !== "xlsx" && ofWorkbook !== undefined)
    throw new CommandFailure("usage", `--${ofWorkbook} goes with an .xlsx file.`);
  if (live && (citations || sources))
    throw new CommandFailure(
      "usage",
      "--live does not go with --citations or --sources: formulas have no citations beside them.",
    );
  if (live && dash)
    throw new CommandFailure(
      "usage",
      "--live does not go with --dash: a formula shows #N/A where no value is recorded.",
    );
  if (kind === "print") {
    if (json) throw new CommandFailure("usage", "--json and -o - would both be printed: choose one.");
    return { kind };
  }
  const mayReplace = force === true;
  if (kind !== "xlsx") return { kind, path: output, mayReplace };
  return {
    kind,
    path: output,
    mayReplace,
    isLive: live === true,
    hasSources: sources === true,
    form: { layout: long ? "long" : "wide", hasCitations: citations === true, hasDashes: dash === true },
  };
}

/** Fails with a CommandFailure "usage" for a destination that only a collection has. */
export function mustFitMatrix(target: Target): void {
  if (target.kind === "xlsx" && target.isLive && target.form.layout === "long")
    throw new CommandFailure(
      "usage",
      "A formula gives a row for each jurisdiction: leave out --live or --long.",
    );
}

/** Lines of `--help` on the options of the commands that import. */
export const whereHelp = `
  --where WORD …     States (CA), geoIDs (06001), names ("Alameda County, CA"), ahj: and an id, "all", or @FILE: a list of geoIDs or
                     names, one per line.`;

export const outputHelp = `
  -o, --output FILE  The file to write: .xlsx, .csv (as the service exports it) or .json; "-" prints CSV.
  --force            Write over a file that is there.`;

export const workbookHelp = `
  --citations        Columns with the citation of each answer (.xlsx).
  --sources          A sheet with the source of each answer (.xlsx).
  --long             A row for each answer (.xlsx).
  --dash             A dash (–) where no value is recorded (.xlsx).`;

export const liveHelp = `
  --live             Formulas that hold the answers and calculate in Excel, instead of an import (.xlsx).`;
