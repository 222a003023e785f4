import { config } from "../../../src/config";
import { type AskedType, type Jurisdiction, kindOfSentence, type Oracle, writtenAs } from "../oracle";
import {
  type Call,
  cellsOf,
  type CheckedCall,
  type ExcelError,
  isError,
  jurisdictionIn,
  typeIn,
} from "../calls";
import type { Answer, World, WorldAhj, WorldType } from "../world";
import { judgeAll, type Verdict } from "./comparator";
import type { WrittenCondition, WrittenConditions } from "./written-conditions";

/** The tools that the check of a find shares with the check of any call. */
interface Checks {
  world: World;
  oracle: Oracle;
  conditions: WrittenConditions;
  checked: CheckedCall;
  fail(why: string): never;
  checkError(cell: ExcelError, about: { jurisdiction?: Jurisdiction; type?: AskedType }): void;
  checkField(cell: unknown, jurisdiction: Jurisdiction, type: AskedType, field: string): void;
}

/** A jurisdiction that the find looks at, or may look at. */
interface Member {
  id: number;
  /** The jurisdiction; undefined if nobody has this id. */
  ahj: WorldAhj | undefined;
  /** True if the find looks at it at every moment that may count. */
  isSure: boolean;
  /** The place in the argument that names it. */
  place: number;
}

/** The verdicts that an answer, or a refusal, gives on the conditions of one question. */
interface Judged {
  verdicts: Verdict[];
  /** The reason why the result is not known, as the last column says it. */
  why: RegExp;
  isOld: boolean;
}

const states: Record<string, string> = { california: "CA", texas: "TX", alabama: "AL" };
const stateIn = (cell: unknown) => {
  if (typeof cell !== "string") return undefined;
  const word = cell.trim().toLowerCase();
  return states[word] ?? (/^(ca|tx|al|nv)$/.test(word) ? word.toUpperCase() : undefined);
};
const isBlank = (cell: unknown) => cell === null || cell === undefined || cell === "" || cell === 0;

/** Checks the cells of a find against the service's answers (docs/find.md). */
export function checkFind(
  call: Call,
  rowsGiven: readonly (readonly unknown[])[],
  whole: unknown,
  { world, oracle, conditions: written, checked, fail, checkError, checkField }: Checks,
): void {
  const [where, given, columns, headers, match, show] = call.args;
  const whereCells = cellsOf(where).filter((cell) => !isBlank(cell));
  const { conditions, refused } = written.read(given as unknown[][]);
  const shown = cellsOf(columns)
    .filter((cell) => !isBlank(cell))
    .map(typeIn);
  const isAny = String(match ?? "").toLowerCase() === "any";
  const wanted: Verdict = show === "unknown" ? "not known" : "yes";
  const hasHeaders = headers !== false;

  const isAll = whereCells.some((cell) => String(cell).trim().toLowerCase() === "all");
  const named = whereCells.map((cell) => stateIn(cell) ?? jurisdictionIn(cell));
  const types = shown
    .map((type) => oracle.typeIds(type))
    .map((ids) => (ids.length === 1 ? ids[0] : undefined));
  const isInvalid =
    whereCells.length === 0 ||
    // A name needs its state here.
    (!isAll && named.some((each) => each === "invalid" || (typeof each === "object" && "name" in each))) ||
    refused.length > 0 ||
    conditions.length === 0 ||
    types.includes(undefined) ||
    !["", "all", "any"].includes(String(match ?? "").toLowerCase());

  checkRequests();
  if (isError(whole)) return checkWhole(whole);
  if (isInvalid) return fail("it finds by what can't be used");
  const { key } = call;
  if (key === null) return fail("a find without a key");
  const columnTypes = types.flatMap((id) => oracle.typeOf(id ?? 0) ?? []);
  const { members, geoids } = among(key);
  const [header, body] = hasHeaders ? [rowsGiven[0] ?? [], rowsGiven.slice(1)] : [null, rowsGiven];
  checkBody(body);
  checked.cells += 1;
  if (header) checkHeader(header, body.length);

  /**
   * Checks that a formula sends no more requests than it may by itself. Pages that the service cuts shorter than asked come on top, and
   * so does a new catalogue if the old one may not know a question.
   */
  function checkRequests() {
    const hasUsualPages = world.variation.mostPerPage >= 500;
    if (call.sentAlone === undefined || !hasUsualPages || isInvalid || oracle.isTroubled(call)) return;
    if (call.sentAlone > config.findRequests) fail(`it sent ${call.sentAlone} requests`);
  }

  function checkWhole({ message }: ExcelError): void {
    checked.cells += 1;
    const kind = kindOfSentence(message);
    if (kind === "invalid-argument") {
      if (!isInvalid) fail(`all can be used: ${message}`);
      const [, row] = /Row (\d+) of the conditions/.exec(message) ?? [];
      if (row !== undefined && !refused.includes(Number(row))) fail(`row ${row} can be used: ${message}`);
      return;
    }
    if (kind === "many-requests") return checkNeed(message);
    // If a date could not be read, the find says that the service cannot be reached, whatever the cause.
    if (kind === "unreachable" && oracle.isTroubled(call)) return;
    if (kind === "nothing-found" && call.key !== null && !isInvalid) {
      if (hasHeaders) fail("it has headers, and says that nothing was found");
      const { members: all, geoids: unresolved } = among(call.key);
      mustBeAll(all, new Set(), unresolved, new Set());
      const [, count] = /Of (\d+) it is not known/.exec(message) ?? [];
      if (wanted === "yes") mustCount(Number(count ?? 0), all, unresolved);
      return;
    }
    // Cut off in its body, the refusal of a geoID that nobody knows is told from its status alone.
    if (kind === "not-found" && oracle.isTroubled(call) && named.some(isUnknown)) return;
    if (!oracle.isTrue(kind, {}, call)) fail(`not true: ${message}`);
  }

  function isUnknown(each: string | Jurisdiction): boolean {
    return typeof each !== "string" && oracle.isTrue("unknown-jurisdiction", { jurisdiction: each }, call);
  }

  /** Checks that a refused find names more requests than it may send, and no more than it could need. */
  function checkNeed(message: string) {
    const [, need = NaN, most = NaN] =
      /It needs (\d+) or more; (\d+) (?:is|are) sent at most/.exec(message) ?? [];
    const pages = Math.ceil(world.ahjs.length / Math.min(500, world.variation.mostPerPage));
    const listed = 3 + 2 * pages + 4 * new Set(named.map((each) => JSON.stringify(each))).size;
    const atMost = 1 + listed + whereCells.length + world.types.length + 2;
    if (Number(most) !== config.findRequests || !(Number(need) > Number(most)) || Number(need) > atMost)
      fail(`it can't need that many, of ${atMost}: ${message}`);
  }

  function among(ofKey: string): { members: Member[]; geoids: Map<string, { isSure: boolean }> } {
    const found = new Map<number, Member>();
    const add = (id: number, place: number, isSure: boolean) => {
      const before = found.get(id);
      found.set(id, {
        ...{ id, ahj: world.ahjs.find((ahj) => ahj.id === id) },
        ...{ isSure: isSure || (before?.isSure ?? false), place: Math.min(place, before?.place ?? Infinity) },
      });
    };
    const addListed = (state: string | undefined, place: number) => {
      for (const { id, state_code } of world.ahjs) {
        if ((state ?? state_code) !== state_code || !oracle.mayBeEntitled(ofKey, id, call)) continue;
        add(id, place, !oracle.mayBeDenied(ofKey, id, call));
      }
    };
    const unresolved = new Map<string, { isSure: boolean }>();
    if (isAll) addListed(undefined, 0);
    else {
      named.forEach((each, place) => {
        if (typeof each === "string") addListed(each, place);
        else if ("id" in each) add(each.id, place, true);
        else {
          const mayBe = oracle.candidates(each, call);
          for (const { id } of mayBe)
            add(id, place, mayBe.length === 1 && !oracle.mayBeDenied(ofKey, id, call));
          if (isRefusedTruly(each)) unresolved.set(writtenAs(each), { isSure: mayBe.length === 0 });
        }
      });
    }
    return { members: [...found.values()], geoids: unresolved };
  }

  function isRefusedTruly(jurisdiction: Jurisdiction): boolean {
    const kinds = [
      "unknown-jurisdiction",
      "outside-subscription",
      "not-a-geoid",
      "not-a-jurisdiction",
      "unresolved-jurisdiction",
    ] as const;
    return kinds.some((kind) => oracle.isTrue(kind, { jurisdiction }, call));
  }

  /** All possible verdicts on a jurisdiction, question by question; `mustBe`: the answers that its row shows. */
  function judgedOf({ id, ahj }: Member, mustBe: ReadonlyMap<number, unknown> = new Map()): Judged[][] {
    const byType = new Map<WorldType, WrittenCondition[]>();
    for (const condition of conditions)
      byType.set(condition.type, [...(byType.get(condition.type) ?? []), condition]);
    return [...byType].map(([type, own]) => {
      const ofAnswer = (answer: Answer | null, isOld: boolean): Judged[] =>
        [call.fromMs, call.toMs].map((nowMs) => ({
          verdicts: own.map(({ judge }) => judge(answer, nowMs)),
          why: answer ? unclear(type.unit_of_measure) : /^The service has no value\.$/,
          isOld,
        }));
      const mayBeDenied = ahj ? oracle.mayBeDenied(call.key ?? "", id, call) : true;
      const ofDenied: Judged = {
        verdicts: own.map(() => "not known"),
        why: /^(The jurisdiction is outside your subscription|The service does not know the jurisdiction|The service did not answer)\.$/,
        isOld: false,
      };
      const cell = mustBe.get(type.id);
      const isShown = (answer: Answer | null) => {
        if (!mustBe.has(type.id)) return true;
        if (isError(cell)) return answer === null && kindOfSentence(cell.message) === "no-value";
        return answer !== null && answer.published.formula === cell;
      };
      const saysNone = !mustBe.has(type.id) || isError(cell);
      return [
        ...oracle
          .mayRestOn(id, type.id, call)
          .filter(({ answer }) => isShown(answer))
          .flatMap(({ answer, isOld }) => ofAnswer(answer, isOld)),
        // A list of values cannot tell a jurisdiction that nobody knows from one without values.
        ...(ahj || !saysNone ? [] : ofAnswer(null, false)),
        ...(mayBeDenied && saysNone ? [ofDenied] : []),
      ];
    });
  }

  /** Every combination of what the answers may be. */
  function* combined(judged: readonly Judged[][]): Generator<Judged[]> {
    const [first, ...rest] = judged;
    if (!first) return yield [];
    const once = new Map(
      first.map((each) => [`${each.verdicts.join()} ${each.why.source} ${each.isOld}`, each]),
    );
    for (const each of once.values()) for (const others of combined(rest)) yield [each, ...others];
  }

  function heapOf(combination: readonly Judged[]): Verdict {
    const verdicts = combination.flatMap((each) => each.verdicts);
    return judgeAll(verdicts, isAny ? "any" : "all");
  }

  /** The groups that the jurisdiction may be in; groups that need no old answer come first. */
  function heapsOf(member: Member, mustBe?: ReadonlyMap<number, unknown>) {
    const fresh = new Set<Verdict>();
    const all = new Set<Verdict>();
    for (const combination of combined(judgedOf(member, mustBe))) {
      all.add(heapOf(combination));
      if (combination.every(({ isOld }) => !isOld)) fresh.add(heapOf(combination));
    }
    return { fresh, all };
  }

  function checkBody(body: readonly (readonly unknown[])[]) {
    const listed = new Set<number>();
    const refusedGeoids = new Set<string>();
    let before: Member | undefined;
    for (const row of body) {
      const [name, state, geoid] = row;
      const cells = row.slice(3, 3 + columnTypes.length);
      if (row.length !== 3 + columnTypes.length + Number(wanted === "not known")) fail("not its columns");
      checked.cells += 3;
      const isUnnamed = name === "" && state === "";
      if (isUnnamed && typeof geoid === "string" && !geoid.startsWith("ahj:")) {
        if (wanted === "yes" || !geoids.has(geoid) || refusedGeoids.has(geoid)) fail(`${geoid} is listed`);
        refusedGeoids.add(geoid);
        for (const cell of cells)
          if (isError(cell)) checkError(cell, { jurisdiction: { geoid } });
          else fail(`${String(cell)} for a geoID that stands for nobody`);
        checkWhyRefused(String(row.at(-1)), geoid);
        continue;
      }
      const member = members.find(
        (each) => !listed.has(each.id) && isCalled(each, [name, state, geoid], isUnnamed),
      );
      if (!member) return fail(`${JSON.stringify([name, state, geoid])} is listed`);
      listed.add(member.id);
      if (before && !isInOrder(before, member)) fail(`${String(name)} comes after ${before.ahj?.name}`);
      before = member;
      columnTypes.forEach(({ id }, column) => checkField(cells[column], { id: member.id }, { id }, "value"));
      const { fresh, all } = heapsOf(
        member,
        new Map(columnTypes.map(({ id }, column) => [id, cells[column]])),
      );
      if (!all.has(wanted)) fail(`${String(name)} ${String(geoid)} is listed, and is ${described(member)}`);
      if (!fresh.has(wanted))
        checked.old.push({ ahjIds: [member.id], typeIds: conditions.map(({ type }) => type.id) });
      if (wanted === "not known") checkWhy(String(row.at(-1)), member);
    }
    mustBeAll(members, listed, geoids, refusedGeoids);
  }

  /** True if a jurisdiction is called by its geoID if that means it alone, and otherwise by its id. */
  function isCalled(
    { id, ahj }: Member,
    [name, state, geoid]: readonly unknown[],
    isUnnamed: boolean,
  ): boolean {
    const mayBeUnnamed = !ahj || oracle.isTroubled(call) || oracle.mayBeDenied(call.key ?? "", id, call);
    if (isUnnamed) return mayBeUnnamed && geoid === `ahj:${id}`;
    if (ahj?.name !== name || ahj?.state_code !== state) return false;
    if (geoid === `ahj:${id}`) return true;
    return (
      ahj?.geoid === geoid && oracle.candidates({ geoid: String(geoid) }, call).some((each) => each.id === id)
    );
  }

  /** True if two jurisdictions are in order: by state and name if they come from a list, otherwise as they were given. */
  function isInOrder(one: Member, other: Member): boolean {
    if (one.place !== other.place || !one.ahj || !other.ahj) return one.place <= other.place;
    const keys = ({ ahj }: Member) => [ahj?.state_code ?? "", ahj?.name ?? ""];
    const [[oneState = "", oneName = ""], [otherState = "", otherName = ""]] = [keys(one), keys(other)];
    const order = oneState.localeCompare(otherState, "en") || oneName.localeCompare(otherName, "en");
    return order < 0 || (order === 0 && one.id < other.id);
  }

  /** Checks that no jurisdiction is missing which surely belongs to the group. */
  function mustBeAll(
    all: readonly Member[],
    listed: ReadonlySet<number>,
    unresolved: ReadonlyMap<string, { isSure: boolean }>,
    refusedGeoids: ReadonlySet<string>,
  ) {
    for (const member of all) {
      if (listed.has(member.id) || !member.isSure) continue;
      const { all: heaps } = heapsOf(member);
      if (heaps.size === 0) fail(`nothing was asked of ${member.id}`);
      if (heaps.size === 1 && heaps.has(wanted)) fail(`${member.id} is missing, and is ${described(member)}`);
    }
    if (wanted === "yes") return;
    for (const [geoid, { isSure }] of unresolved)
      if (isSure && !refusedGeoids.has(geoid)) fail(`${geoid} is missing, which stands for nobody`);
  }

  /** Checks the number of jurisdictions whose result is not known. */
  function mustCount(
    count: number,
    all: readonly Member[],
    unresolved: ReadonlyMap<string, { isSure: boolean }>,
  ) {
    const heaps = all.map((member) => ({ isSure: member.isSure, all: heapsOf(member).all }));
    const may = heaps.filter((each) => each.all.has("not known")).length + unresolved.size;
    const surely =
      heaps.filter((each) => each.isSure && each.all.size === 1 && each.all.has("not known")).length +
      [...unresolved.values()].filter(({ isSure }) => isSure).length;
    if (count < surely || count > may) fail(`${count} are not known, of ${surely} to ${may}`);
  }

  function checkHeader(header: readonly unknown[], listed: number) {
    checked.cells += header.length;
    const [first, ...rest] = header;
    const names = columnTypes.map(({ name }) => name);
    const expected = ["State", "geoID", ...names, ...(wanted === "yes" ? [] : ["Why"])];
    if (JSON.stringify(rest) !== JSON.stringify(expected)) fail(`the header ${JSON.stringify(header)}`);
    if (wanted === "not known") {
      if (first !== `Not known ${listed}`) fail(`${String(first)} of ${listed}`);
      return;
    }
    const [, found, notKnown = "0"] = /^Found (\d+)(?: \(([1-9]\d*) not known\))?$/.exec(String(first)) ?? [];
    if (Number(found) !== listed) fail(`${String(first)} of ${listed}`);
    mustCount(Number(notKnown), members, geoids);
  }

  function checkWhyRefused(why: string, geoid: string) {
    checked.cells += 1;
    const kind = kindOfSentence(why);
    if (!oracle.isTrue(kind, { jurisdiction: { geoid } }, call)) fail(`${geoid} is not ${kind}`);
  }

  /** Checks that the text names the undecided conditions in their order, each with a fitting reason. */
  function checkWhy(why: string, member: Member) {
    checked.cells += 1;
    const judged = judgedOf(member);
    const byType = [...new Set(conditions.map(({ type }) => type))];
    for (const combination of combined(judged)) {
      if (heapOf(combination) !== "not known") continue;
      const left = byType.map((_, place) => [...(combination[place]?.verdicts ?? [])]);
      const open = conditions.flatMap(({ type }) => {
        const place = byType.indexOf(type);
        return left[place]?.shift() === "not known" ? [{ type, why: combination[place]?.why }] : [];
      });
      let rest = why;
      const fits = open.every(({ type, why: reason }, at) => {
        if (!rest.startsWith(`${type.name}: `)) return false;
        rest = rest.slice(type.name.length + 2);
        const next = open[at + 1];
        const end = next ? rest.indexOf(`. ${next.type.name}: `) + 1 : rest.length;
        const sentence = rest.slice(0, end);
        rest = rest.slice(end + 1);
        return reason?.test(sentence) ?? false;
      });
      if (fits && rest === "") return;
    }
    fail(`"${why}" is not why ${member.id} is not known: ${described(member)}`);
  }

  function described(member: Member): string {
    const said = conditions.map(
      ({ type }) => `${type.id} (${type.unit_of_measure}): ${oracle.words(call.key, member.id, type.id)}`,
    );
    return `${[...heapsOf(member).all].join(" or ")} by ${said.join("; ")}`;
  }
}

/** The reason why a text cannot be judged, by the unit of its question. */
function unclear(unit: string): RegExp {
  if (unit === "boolean") return /^The answer is not certainly yes or no\.$/;
  if (unit === "code edition")
    return /^The answer (does not name one code edition of the list|names another code)\.$/;
  if (unit === "date")
    return /^(The answer is not certainly one day|The limit lies within the range of the answer)\.$/;
  return /^(The answer is not certainly one amount|The answer is one amount in another unit|The limit lies within the range of the answer)\.$/;
}
