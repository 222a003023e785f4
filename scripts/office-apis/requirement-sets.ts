import ts from "typescript";

/** A requirement set of Office, such as ExcelApi 1.9. */
export interface RequirementSet {
  name: string;
  version: string;
}

/** By the numbers between the dots. */
export function isNewer(one: string, other: string): boolean {
  const [a, b] = [one, other].map((version) => version.split(".").map(Number));
  for (let at = 0; at < Math.max(a?.length ?? 0, b?.length ?? 0); at += 1) {
    const difference = (a?.[at] ?? 0) - (b?.[at] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}

/** What the manifest asks of any Office that the add-in is to run in: the version of each set. */
export function manifestSets(manifest: string): Map<string, string> {
  return new Map(
    [...manifest.matchAll(/<Set Name="(\w+)" MinVersion="([\d.]+)"/g)].map(([, name = "", version = ""]) => [
      name,
      version,
    ]),
  );
}

/** The set that a declaration of Microsoft's types is said to belong to, or else what it stands in; null for none. */
export function setOf(declaration: ts.Node): RequirementSet | null {
  for (let node: ts.Node | undefined = declaration; node; node = node.parent) {
    const set = ownSet(node);
    if (set) return set;
  }
  return null;
}

/** Sets of Outlook are named where a member is Excel's as well. */
const notExcels = /^Mailbox$/;

function ownSet(node: ts.Node): RequirementSet | null {
  const text = commentOf(node);
  const [, name = "", version = ""] =
    /\[\s*Api set:\s*(\w+) ([\d.]+)/i.exec(text) ??
    /Requirement sets?\*\*:.*?\|\s*(\w+) ([\d.]+)/is.exec(text) ??
    [];
  return name === "" || notExcels.test(name) ? null : { name, version };
}

/** Of a parameter that came later than its method: its set, and its place among the parameters. */
export function laterParameters(declaration: ts.Node): { place: number; set: RequirementSet }[] {
  const { parameters } = declaration as Partial<ts.SignatureDeclaration>;
  const [, name = "", remarks = ""] = /\[\s*Api set:\s*(\w+) ([^\]]*)\]/i.exec(commentOf(declaration)) ?? [];
  return [...remarks.matchAll(/([\d.]+\d) for [^;]*`(\w+)`/g)].map(([, version = "", parameter]) => ({
    place: parameters?.findIndex(({ name: own }) => own.getText() === parameter) ?? -1,
    set: { name, version },
  }));
}

/** The text above a declaration: parsing all of Microsoft's comments would take longer than all the rest. */
function commentOf(node: ts.Node): string {
  const { text } = node.getSourceFile();
  const comments = ts.isSourceFile(node) ? [] : (ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []);
  return comments.map(({ pos, end }) => text.slice(pos, end)).join("\n");
}
