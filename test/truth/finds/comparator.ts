import type { Random } from "../random";
import type { Answer, WorldType } from "../world";
import { labeledTexts, type Says } from "./labeled-texts";

export type Verdict = "yes" | "no" | "not known";

/** A condition as a user writes it, with the test's own judgment of an answer. */
export interface InventedCondition {
  typeId: number;
  operator: string;
  operand: string;
  /** The verdict on an answer, or on a missing one, at a given time. */
  judge(answer: Answer | null, nowMs: number): Verdict;
}

const sure = (isSo: boolean): Verdict => (isSo ? "yes" : "no");
const opposite: Record<Verdict, Verdict> = { yes: "no", no: "yes", "not known": "not known" };
const plain = (text: string) => text.replace(/\s+/g, " ").trim().toLowerCase();
const dayMs = 86_400_000;

export function saysOf(unit: string, text: string): Says {
  return (labeledTexts(unit).find((labeled) => labeled.text === text) ?? amountIn(unit, text))?.says ?? null;
}

/** The meaning of amounts that the invented service makes up by itself, such as $1,234 and 5678 days. */
function amountIn(unit: string, text: string): { says: Says } | undefined {
  const form = unit === "USD" ? /^\$(\d{1,3}(?:,\d{3})*)$/ : unit === "days" ? /^(\d+) days$/ : undefined;
  const [, figures] = form?.exec(text) ?? [];
  if (figures === undefined) return undefined;
  const amount = Number(figures.replaceAll(",", ""));
  return { says: { least: amount, most: amount } };
}

/** The verdict on a range from `least` to `most`: yes if every possible meaning of the answer lies in it, no if none does. */
function inside(says: Says, least: number, most: number): Verdict {
  if (!says || !("least" in says)) return "not known";
  if (says.least >= least && says.most <= most) return "yes";
  return says.most < least || says.least > most ? "no" : "not known";
}

function editionFits(says: Says, code: string | null, fits: (year: number) => boolean): Verdict {
  if (!says || !("code" in says)) return "not known";
  if (code !== null && says.code !== code) return "not known";
  return sure(fits(says.year));
}

type Judge = (says: Says, text: string, answer: Answer, nowMs: number) => Verdict;

/** Invents any condition that fits the question. */
export function inventCondition(random: Random, type: WorldType, nowMs: number): InventedCondition {
  const unit = type.unit_of_measure;
  const condition = (operator: string, operand: string, judge: Judge, ofNone: Verdict = "not known") => ({
    ...{ typeId: type.id, operator, operand },
    judge: (answer: Answer | null, atMs: number) => {
      if (!answer) return ofNone;
      const { text } = answer.published;
      return judge(saysOf(unit, text), text, answer, atMs);
    },
  });
  const general = [
    () => condition("has no value", "", () => "no", "yes"),
    () => condition("has a value", "", () => "yes", "no"),
    () => containing(),
    () => sameText(),
    () => updated("was updated before", (updatedMs, fromMs) => updatedMs < fromMs),
    () => updated("was updated after", (updatedMs, fromMs) => updatedMs >= fromMs + dayMs),
    () => old(),
  ];
  function containing() {
    const word = random.one(["e", "1", "permit", "20", " ", "$", "day"].filter((each) => each.trim() !== ""));
    return condition("contains", word, (_, text) => sure(plain(text).includes(word)));
  }
  /** A text without a certain meaning is compared as a text; any other text counts as another answer. */
  function sameText() {
    const uncertain = labeledTexts(unit).filter(({ says }) => says === null);
    const wanted = uncertain.length > 0 ? random.one(uncertain).text : "Nobody says this";
    const isNot = random.chance(0.5);
    const written = random.chance(0.5) ? wanted.toLowerCase() : wanted;
    return condition(isNot ? "is not" : "is", written, (_, text) => {
      const same = sure(plain(text) === plain(wanted));
      return isNot ? opposite[same] : same;
    });
  }
  function updated(operator: string, isSo: (updatedMs: number, fromMs: number) => boolean) {
    const fromMs = Math.floor(nowMs / dayMs) * dayMs - random.whole(0, 3) * dayMs;
    const day = new Date(fromMs).toISOString().slice(0, 10);
    return condition(operator, day, (_, __, { updatedAtMs }) => sure(isSo(updatedAtMs, fromMs)));
  }
  function old() {
    const days = random.whole(0, 3);
    return condition("older than", `${days} days`, (_, __, { updatedAtMs }, atMs) =>
      sure(updatedAtMs < atMs - days * dayMs),
    );
  }

  const makers = [...general, ...special(random, unit, condition)];
  return random.one(makers)();
}

/** Conditions for questions of this unit only, each as often as it takes to be met among the others. */
function special(
  random: Random,
  unit: string,
  condition: (operator: string, operand: string, judge: Judge) => InventedCondition,
): (() => InventedCondition)[] {
  if (unit === "boolean") {
    const yesOrNo = () => {
      const wanted = random.chance(0.5);
      return condition(wanted ? "is yes" : "is no", "", (says) =>
        says && "yes" in says ? sure(says.yes === wanted) : "not known",
      );
    };
    return Array.from({ length: 7 }, () => yesOrNo);
  }
  if (unit === "code edition") {
    const named = labeledTexts(unit).flatMap(({ text, says }) =>
      says && "code" in says ? [{ text, says }] : [],
    );
    const ordered = () => {
      const { text, says } = random.one(named);
      const isLeast = random.chance(0.5);
      return condition(isLeast ? "at least" : "at most", text, (said) =>
        editionFits(said, says.code, (year) => (isLeast ? year >= says.year : year <= says.year)),
      );
    };
    const same = () => {
      const { text, says } = random.one(named);
      return condition("is", text, (said, published) => {
        if (plain(published) === plain(text)) return "yes";
        if (said && "code" in said && said.code && says.code && said.code !== says.code) return "no";
        return editionFits(said, says.code, (year) => year === says.year);
      });
    };
    return Array.from({ length: 4 }, () => [ordered, same]).flat();
  }
  const amounts = labeledTexts(unit).flatMap(({ says }) =>
    says && "least" in says ? [says.least, says.most].filter(Number.isFinite) : [],
  );
  if (amounts.length === 0) return [];
  const limit = () => {
    const amount = random.one(amounts) + (random.chance(0.3) ? random.whole(-2, 2) : 0);
    return unit === "percent"
      ? Math.max(0, Math.round(amount * 100)) / 100
      : Math.max(0, Math.round(amount * 100) / 100);
  };
  const ranged = () => {
    const amount = limit();
    const isLeast = random.chance(0.5);
    return condition(isLeast ? "at least" : "at most", written(unit, amount, random), (says) =>
      isLeast ? inside(says, amount, Infinity) : inside(says, -Infinity, amount),
    );
  };
  const between = () => {
    const [one, other] = [limit(), limit()];
    const [least, most] = [Math.min(one, other), Math.max(one, other)];
    return condition("between", `${written(unit, one, random)} to ${written(unit, other, random)}`, (says) =>
      inside(says, least, most),
    );
  };
  const same = () => {
    const amount = limit();
    const operand = written(unit, amount, random);
    const isNot = random.chance(0.3);
    return condition(isNot ? "<>" : "=", operand, (says, text) => {
      const is = plain(text) === plain(operand) ? "yes" : inside(says, amount, amount);
      return isNot ? opposite[is] : is;
    });
  };
  return Array.from({ length: 3 }, () => [ranged, between, same]).flat();
}

/** An amount as a user writes a limit. */
function written(unit: string, amount: number, random: Random): string {
  if (unit === "date") return new Date((amount - 25_569) * dayMs).toISOString().slice(0, 10);
  if (unit === "percent") return `${Number((amount * 100).toFixed(2))}%`;
  if (unit === "USD" && random.chance(0.5)) return `$${amount}`;
  return String(amount);
}

/** The verdict on all conditions together, or on any of them. */
export function judgeAll(verdicts: readonly Verdict[], match: "all" | "any"): Verdict {
  if (match === "all") {
    if (verdicts.includes("no")) return "no";
    return verdicts.includes("not known") ? "not known" : "yes";
  }
  if (verdicts.includes("yes")) return "yes";
  return verdicts.includes("not known") ? "not known" : "no";
}
