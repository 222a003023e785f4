import { type FailureKind, statusOf } from "../../src/errors";
import { allFailureKinds } from "../../src/sheet-failure-kinds";
import type { InventedService, Statement } from "./service";
import {
  counties,
  type Answer,
  typesOf,
  type World,
  type WorldAhj,
  type WorldCollection,
  type WorldType,
} from "./world";

/** The sheet shows something that the service did not say. */
export class Lie extends Error {
  override readonly name = "Lie";
}

/** A moment or a period of time under one key. */
export interface Span {
  /** The key at the end; null if nobody was connected. */
  key: string | null;
  fromMs: number;
  toMs: number;
  /** The age up to which an answer counts as present. */
  ageMs: number;
}

/** The verdict on a cell's content: the service's present answer ("fresh"), an earlier one ("old"), or none ("never"). */
export type Verdict = "fresh" | "old" | "never";

/** Matches texts with the lengths in docs/interface.md, "GeoID", or of a state's geoID; a state's code is at most 78. */
const hasFormOfGeoid = /^(?:0[1-9]|[1-6]\d|7[28])(?:\d{3}|\d{5}|\d{8})?$/;

/** True for digits of a geoID's length that begin with the code of no state, or of no county. */
function isOfNothing(geoid: string): boolean {
  if (!/^(?:\d{2}|\d{5}|\d{7}|\d{10})$/.test(geoid)) return false;
  const hasCounty = geoid.length === 5 || geoid.length === 10;
  return !hasFormOfGeoid.test(geoid) || (hasCounty && !counties.has(geoid.slice(0, 5)));
}

export type Jurisdiction = { geoid: string } | { id: number } | { name: string } | "blank" | "invalid";
export type AskedType = { id: number } | { name: string } | "blank" | "invalid";

const dayMs = 86_400_000;
const slackMs = 5 * 60_000;

/** The model against which the sheet is checked: everything that may be shown in this world. */
/** A jurisdiction as a formula's result names it. */
export function writtenAs(jurisdiction: Exclude<Jurisdiction, string>): string {
  if ("id" in jurisdiction) return `ahj:${jurisdiction.id}`;
  return "name" in jurisdiction ? jurisdiction.name : jurisdiction.geoid;
}

export interface Oracle {
  /** The AHJs that a geoID or id may mean, by the recent entitlements of the key. */
  candidates(asked: Jurisdiction, span: Span): WorldAhj[];
  /** The verdict on a content: `shows` accepts it as an answer of one of these AHJs and types. */
  verdict(
    ahjIds: readonly number[],
    typeIds: readonly number[],
    span: Span,
    shows: (answer: Answer | null, statement: Statement) => boolean,
  ): Verdict;
  /**
   * The answers that a cell may use. `isOld` is true for one that is older than the user wants, which may be used only while the service
   * cannot be asked.
   */
  mayRestOn(ahjId: number, typeId: number, span: Span): { answer: Answer | null; isOld: boolean }[];
  /** True if an error is true. */
  isTrue(
    kind: FailureKind,
    about: { jurisdiction?: Jurisdiction; type?: AskedType; collection?: string; isCollection?: boolean },
    span: Span,
  ): boolean;
  isTroubled(span: Span): boolean;
  /** The service's answers for a cell, as text for people. */
  words(key: string | null, ahjId: number, typeId: number): string;
  mayBeEntitled(key: string, ahjId: number, span: Span): boolean;
  mayBeDenied(key: string, ahjId: number, span: Span): boolean;
  typeIds(asked: AskedType): number[];
  typeOf(typeId: number): WorldType | undefined;
  collections(key: string | null, wanted: string): WorldCollection[];
  typesOf(collection: WorldCollection): WorldType[];
}

export interface EntitlementChange {
  atMs: number;
  key: string;
  entitled: ReadonlySet<number>;
}

export function createOracle(
  world: World,
  service: Pick<InventedService, "said" | "troubles">,
  entitlements: readonly EntitlementChange[],
): Oracle {
  const isTroubled = ({ key, fromMs, toMs }: Span) =>
    service.troubles.some((each) => each.key === key && each.toMs >= fromMs && each.fromMs <= toMs);

  /** The AHJs that the key was entitled to, at each time that may still count. */
  function entitledSets(key: string, span: Span): ReadonlySet<number>[] {
    const sinceMs = isTroubled(span) ? 0 : span.fromMs - Math.max(dayMs, span.ageMs) - slackMs;
    const ofKey = entitlements.filter((each) => each.key === key && each.atMs <= span.toMs);
    const first = ofKey.findLastIndex(({ atMs }) => atMs <= sinceMs);
    return ofKey.slice(Math.max(0, first)).map(({ entitled }) => entitled);
  }
  const mayBeEntitled = (key: string, ahjId: number, span: Span) =>
    entitledSets(key, span).some((entitled) => entitled.has(ahjId));
  const mayBeDenied = (key: string, ahjId: number, span: Span) =>
    entitledSets(key, span).some((entitled) => !entitled.has(ahjId));

  const named = (asked: Jurisdiction) =>
    typeof asked === "string"
      ? []
      : world.ahjs.filter((ahj) => {
          if ("id" in asked) return ahj.id === asked.id;
          return "name" in asked ? ahj.name === asked.name : ahj.geoid === asked.geoid;
        });

  function candidates(asked: Jurisdiction, span: Span): WorldAhj[] {
    const { key } = span;
    if (key === null) return [];
    const all = named(asked);
    // If several AHJs have one geoID, it means the entitled one with the lowest id.
    const chosen = entitledSets(key, span).flatMap((entitled) => {
      const [first] = all.filter(({ id }) => entitled.has(id)).sort((one, other) => one.id - other.id);
      return first ? [first] : [];
    });
    return [...new Set(chosen)];
  }

  const typeIds = (asked: AskedType) => {
    if (typeof asked === "string") return [];
    return world.types
      .filter((type) => ("id" in asked ? type.id === asked.id : type.name === asked.name))
      .map(({ id }) => id);
  };
  const collections = (key: string | null, wanted: string) => {
    const all = world.subscribers.find((each) => each.key === key)?.collections ?? [];
    const byId = all.filter(({ id }) => id === wanted.toLowerCase());
    const exact = all.filter(({ name }) => name === wanted);
    const inAnyCase = all.filter(({ name }) => name.toLowerCase() === wanted.toLowerCase());
    return [byId, exact, inAnyCase].find((found) => found.length > 0) ?? [];
  };

  const verdict: Oracle["verdict"] = (ahjIds, types, span, shows) => {
    const { key } = span;
    if (key === null) return "never";
    let found: Verdict = "never";
    for (const ahjId of ahjIds) {
      for (const typeId of types) {
        for (const statement of service.said(key, ahjId, typeId)) {
          if (statement.arrivedAtMs > span.toMs || !shows(statement.answer, statement)) continue;
          if (statement.arrivedAtMs > span.fromMs - span.ageMs) return "fresh";
          found = "old";
        }
      }
    }
    return found;
  };

  return {
    candidates,
    verdict,
    mayRestOn: (ahjId, typeId, span) =>
      service
        .said(span.key ?? "", ahjId, typeId)
        .filter(({ arrivedAtMs }) => arrivedAtMs <= span.toMs)
        .map(({ answer, arrivedAtMs }) => ({ answer, isOld: arrivedAtMs <= span.fromMs - span.ageMs }))
        .filter(({ isOld }) => !isOld || isTroubled(span)),
    isTroubled,
    words: (key, ahjId, typeId) =>
      service
        .said(key ?? "", ahjId, typeId)
        .map(
          ({ answer, arrivedAtMs }) => `${JSON.stringify(answer?.published.text ?? null)} at ${arrivedAtMs}`,
        )
        .join(", ") || "nothing",
    mayBeEntitled,
    mayBeDenied,
    typeIds,
    typeOf: (typeId) => world.types.find(({ id }) => id === typeId),
    collections,
    typesOf: (collection) => typesOf(world, collection),
    isTrue(kind, { jurisdiction = "blank", type = "blank", collection, isCollection = false }, span) {
      const { key } = span;
      if (kind === "no-key") return key === null;
      if (kind === "invalid-argument") return jurisdiction === "invalid" || type === "invalid";
      // It is told without a connection, too.
      if (kind === "not-a-jurisdiction")
        return typeof jurisdiction !== "string" && "geoid" in jurisdiction && isOfNothing(jurisdiction.geoid);
      if (key === null) return false;
      const troubles = service.troubles.filter(
        (each) => each.key === key && each.toMs >= span.fromMs && each.fromMs <= span.toMs,
      );
      const all = named(jurisdiction);
      // If several AHJs have one geoID, the one that it meant may be denied by now.
      const isDenied =
        (all.length > 0 &&
          entitledSets(key, span).some((entitled) => !all.some(({ id }) => entitled.has(id)))) ||
        candidates(jurisdiction, span).some(({ id }) => mayBeDenied(key, id, span));
      switch (kind) {
        case "unknown-type":
          return type !== "blank" && type !== "invalid" && typeIds(type).length === 0;
        case "ambiguous-name":
          return collection === undefined
            ? typeof type !== "string" && "name" in type && typeIds(type).length > 1
            : collections(key, collection).length > 1;
        case "unknown-name":
          return typeof jurisdiction !== "string" && "name" in jurisdiction && all.length === 0;
        case "unknown-jurisdiction":
          return typeof jurisdiction !== "string" && all.length === 0;
        case "not-a-geoid":
          return (
            typeof jurisdiction !== "string" &&
            "geoid" in jurisdiction &&
            !hasFormOfGeoid.test(jurisdiction.geoid) &&
            (all.length === 0 || isDenied)
          );
        case "outside-subscription":
          // A request that is refused as a whole may contain an id that nobody knows.
          return isDenied || (typeof jurisdiction !== "string" && "id" in jurisdiction && all.length === 0);
        case "maybe-outside-subscription":
        case "unresolved-jurisdiction":
          return isDenied || all.length === 0;
        case "no-rights":
          return troubles.some((each) => each.kind === "foreign" || each.kind === "truncated");
        case "unknown-collection":
          return collection !== undefined && collections(key, collection).length === 0;
        case "not-found":
          if (collection !== undefined) return false;
          return (
            troubles.some((each) => each.kind === "foreign") ||
            (typeof jurisdiction !== "string" && all.length === 0)
          );
        case "no-value": {
          // A list of values cannot tell an AHJ that nobody knows from one without values.
          if (typeof jurisdiction !== "string" && "id" in jurisdiction && all.length === 0) return true;
          const ids = candidates(jurisdiction, span).map(({ id }) => id);
          if (verdict(ids, typeIds(type), span, (answer) => answer === null) === "fresh") return true;
          return isCollection && ids.length > 0;
        }
        case "wrong-key":
          return troubles.some((each) => each.kind === "wrong-key");
        case "rate-limited":
          return troubles.some((each) => each.kind === "limit");
        case "unreachable":
          return troubles.some((each) => ["unreachable", "drop", "hang"].includes(each.kind));
        case "timeout":
          return troubles.some((each) => each.kind === "hang" || each.kind === "slow");
        case "service-error":
          return troubles.some((each) => ["500", "502", "503"].includes(each.kind));
        case "unexpected-answer":
          return troubles.some((each) => ["truncated", "html"].includes(each.kind));
        default:
          return false;
      }
    },
  };
}

/** The kind of failure that a sentence speaks of. */
export function kindOfSentence(message: string): FailureKind {
  for (const [kind, { sentence }] of Object.entries(allFailureKinds)) {
    if (message.startsWith(sentence)) return kind as FailureKind;
  }
  throw new Lie(`an error without a known sentence: ${message}`);
}

/** The kinds of failure that a status speaks of. */
export function kindsOfStatus(status: string): FailureKind[] {
  return (Object.keys(allFailureKinds) as FailureKind[]).filter((kind) => statusOf(kind) === status);
}

export const statementOfCitation = ({ reference, section }: Answer) =>
  reference && section ? `${reference}, ${section}` : (reference ?? section ?? "no citation recorded");
