import type { Coverage, Session } from "../../app";
import type { DocumentCache } from "../../engine/cache/answer-cache";
import { plural, shownName } from "../ui/labels";

const documentName = "coverage";

/** The most jurisdictions that are listed after connecting to name their states: 3 requests, kept as any list. */
const mostListed = 1_500;

/** Lists the jurisdictions to learn their states, unless that takes many requests. Keeps the words for them with the key's documents. */
export async function learnCoverage(
  { lookup, documents }: Pick<Session, "lookup" | "documents">,
  jurisdictions: number,
): Promise<Coverage> {
  const isFew = jurisdictions > 0 && jurisdictions <= mostListed;
  const listed = isFew ? await lookup.directory.load().catch(() => undefined) : undefined;
  const states = listed && [...new Set(listed.ahjs.map(({ state_code }) => state_code))].sort();
  const coverage = { jurisdictions, states };
  documents.write(documentName, { fetchedAtMs: Date.now(), content: coverageWords(coverage) });
  return coverage;
}

/** The words for the coverage of a key when it was last connected; undefined if they are not kept. */
export async function keptCoverage(documents: DocumentCache): Promise<string | undefined> {
  const content = (await documents.read([documentName])).get(documentName)?.content;
  return typeof content === "string" ? shownName(content) : undefined;
}

/** A short name for a connection, by the states that its key covers: `California` or `12 states`; undefined if they are not known. */
export async function coverageName(coverage: Coverage): Promise<string | undefined> {
  const { jurisdictions, states = [] } = coverage;
  if (states.length === 0) return undefined;
  if (jurisdictions === 1) return coverageWords(coverage);
  if (states.length > 2) return plural(states.length, "state");
  const { stateName } = await import("../../engine/lookup/search/state-names");
  return states.map((code) => stateName(code) ?? shownName(code)).join(" and ");
}

/** More states than these are counted instead of named. */
const mostNamed = 8;

/** The coverage in words: `1,370 jurisdictions in AZ, CA, NV, OR and WA`. */
export function coverageWords({ jurisdictions, states = [] }: Coverage): string {
  const covered = plural(jurisdictions, "jurisdiction");
  if (states.length === 0) return covered;
  if (states.length > mostNamed) return `${covered} in ${plural(states.length, "state")}`;
  const names = states.map(shownName);
  const last = names.pop() ?? "";
  return `${covered} in ${names.length === 0 ? last : `${names.join(", ")} and ${last}`}`;
}
