import { isModelled } from "./modelled";
import { readSource } from "./program";
import { questionsOf } from "./questions";
import { isNewer, manifestSets, type RequirementSet } from "./requirement-sets";
import { findUses, type Use } from "./uses";

/** A member of Office's API that the add-in uses. */
interface Api {
  name: string;
  set: RequirementSet | null;
  /** It is more than the manifest asks of Excel. */
  isNewer: boolean;
  files: string[];
  /** Where Excel is asked before, or why it need not be. */
  askedAt: string[];
  workbench: "yes" | "no" | "office.js" | "data";
}

/** The APIs in use, and what is wrong with how: file, line and a sentence each. */
export interface OfficeApis {
  apis: Api[];
  faults: string[];
}

/** `extra` and `planted`: files by their paths that are read as well; the APIs that only they use are left out. */
export function officeApis(
  root: string,
  manifest: string,
  planted?: ReadonlyMap<string, string>,
): OfficeApis {
  const source = readSource(root, planted);
  const { uses, escapes } = findUses(source);
  const faults = [...escapes];
  const required = manifestSets(manifest);
  const askedBefore = questionsOf(source);
  const apis = new Map<string, Api>();
  for (const use of uses) {
    const isAbove = isAboveManifest(use, required);
    const asked = isAbove ? reasons(use, askedBefore) : [];
    const set = use.set ? `${use.set.name} ${use.set.version}` : "";
    if (!asked)
      faults.push(`${source.lineOf(use.node)}: ${use.api} takes ${set}, and Excel is not asked before`);
    if (planted?.has(use.node.getSourceFile().fileName) || !isListed(use)) continue;
    const api = apis.get(use.api) ?? newApi(use, isAbove);
    apis.set(use.api, api);
    api.files = sorted([...api.files, source.fileOf(use.node)]);
    api.askedAt = sorted([...api.askedAt, ...(asked ?? [])]);
  }
  return { apis: [...apis.values()].sort(inOrder), faults };
}

/** Namespaces, and classes that are only named as types, tell nothing. */
function isListed({ api, how, isOfObject }: Use): boolean {
  return api.includes(".") && !(how === "by-type" && isOfObject);
}

function isAboveManifest({ set }: Use, required: ReadonlyMap<string, string>): boolean {
  return set !== null && isNewer(set.version, required.get(set.name) ?? "0");
}

function reasons(use: Use, askedBefore: ReturnType<typeof questionsOf>): string[] | null {
  if (use.how === "by-type") return ["only a type"];
  if (use.how === "instead") return ["an older one would do"];
  if (use.how === "if-there") return ["may be missing: compared with `true`"];
  const files = use.set && askedBefore(use.node, use.set);
  return files && [...files].map(shown);
}

function newApi({ api: name, set, isOfObject }: Use, isAbove: boolean): Api {
  const [, className = "", member = ""] = /^Excel\.(\w+)\.(\w+)/.exec(name) ?? [];
  const isExcels = name.startsWith("Excel.") && !/^Excel\.(run|RunOptions|RequestContext)\b/.test(name);
  const played = member === "load" ? "office.js" : isModelled(className, member) ? "yes" : "no";
  const workbench = !isExcels ? "office.js" : isOfObject ? played : "data";
  return { name, set, isNewer: isAbove, files: [], askedAt: [], workbench };
}

function inOrder(one: Api, other: Api): number {
  const bySet = (one.set?.name ?? "").localeCompare(other.set?.name ?? "");
  const byVersion = isNewer(one.set?.version ?? "0", other.set?.version ?? "0") ? 1 : -1;
  const isSameVersion = one.set?.version === other.set?.version;
  return bySet || (isSameVersion ? one.name.localeCompare(other.name, "en") : byVersion);
}

function sorted(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort();
}

function shown(file: string): string {
  return `\`${file.replace(/^src\//, "")}\``;
}

/** docs/office-apis.md. */
export function officeApisPage({ apis }: OfficeApis): string {
  const newer = apis.filter((api) => api.isNewer);
  const others = apis.filter((api) => !api.isNewer);
  const sets = sorted(others.map(({ set }) => set?.name ?? ""));
  return [
    "# Office APIs in use",
    "",
    "Made by `npm run office-apis` from the add-in's source and Microsoft's types; do not edit. It fails where something",
    "newer than what `manifest.xml` requires is used without a question first, and where nobody can tell what is used. The",
    "requirement set is what Microsoft's types say of a member, or else of its class.",
    "",
    "**In the workbench:** “yes” is played by it, “no” fails there by its name; what the workbench does otherwise than Excel is",
    "in [excel-checklist.md](excel-checklist.md#what-the-workbench-does-otherwise). “office.js” is done by Microsoft's own",
    "script in the page, on what its host answers. “data” is no call: what of it is shown, `workbench/host/objects/json-values.ts`",
    "tells.",
    "",
    ...summary(apis),
    "",
    "## Newer than the manifest requires",
    "",
    "Each is used only after Excel has been asked and said yes; the last column names the files that ask. It is shown from",
    "the source: every way to the member goes through the question, through all callers.",
    "",
    ...table(
      ["API", "set", "used in", "in the workbench", "asked in"],
      newer.map((api) => [...cells(api), api.askedAt.join(", ")]),
    ),
    ...sets.flatMap((name) => [
      "",
      `## ${name || "Without a requirement set"}`,
      "",
      ...table(
        ["API", "set", "used in", "in the workbench"],
        others.filter(({ set }) => (set?.name ?? "") === name).map(cells),
      ),
    ]),
    "",
  ].join("\n");
}

function summary(apis: readonly Api[]): string[] {
  const counts = new Map<string, Api[]>();
  for (const api of apis) {
    const set = api.set ? `${api.set.name} ${api.set.version}` : "none";
    counts.set(set, [...(counts.get(set) ?? []), api]);
  }
  const count = (some: readonly Api[], answer: Api["workbench"]) =>
    String(some.filter(({ workbench }) => workbench === answer).length);
  const rows = [...counts, ["all", apis] as const].map(([set, some]) => [
    set,
    some[0]?.isNewer && set !== "all" ? "asked first" : "",
    String(some.length),
    count(some, "yes"),
    count(some, "no"),
  ]);
  return table(["requirement set", "", "APIs", "in the workbench", "not in it"], rows);
}

function cells({ name, set, files, workbench }: Api): string[] {
  const folders = sorted(files.map((file) => file.replace(/\/[^/]*$/, "/")));
  const where =
    files.length > 4
      ? `${folders.map(shown).join(", ")}: ${files.length} files`
      : files.map(shown).join(", ");
  return [`\`${name}\``, set ? `${set.name} ${set.version}` : "", where, workbench];
}

/** As the formatter sets it. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = head.map((title, column) =>
    Math.max(3, ...[head, ...rows].map((row) => row[column]?.length ?? title.length)),
  );
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  return [line(head), `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`, ...rows.map(line)];
}
