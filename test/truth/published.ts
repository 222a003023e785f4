import type { Random } from "./random";

type Shown = string | number | boolean;

/**
 * A text that the service publishes, with the cells that must show it. They are stated by hand here, not computed by the code under test.
 */
export interface Published {
  text: string;
  /** A formula's value in an Excel without formatted numbers. */
  formula: Shown;
  /** The value of an import's cell. */
  imported: Shown;
}

const same = (text: string, shown: Shown = text): Published => ({ text, formula: shown, imported: shown });
const differs = (text: string, formula: Shown, imported: Shown): Published => ({ text, formula, imported });

/** Excel's number for 2026-03-12. */
const twelfthOfMarch = 46093;

/** Texts by the unit of their type. A text that is not certainly a number, a date or a boolean stays a text. */
const fixed: Record<string, Published[]> = {
  USD: [
    ...[same("$350", 350), same("350", 350), same("USD 200", 200), same("$0", 0), same("$1,250.50", 1250.5)],
    ...[same("$150 - $300"), same("$500 plus $15 per kW above 10 kW"), same("$0.05 per sq ft")],
    ...[same("1.5% of valuation"), same("Minimum $75"), same("See fee schedule"), same("($50.00)")],
    ...[same("$1.000,00"), same("$ 1.2 million"), same("007"), same("1,25")],
  ],
  days: [
    ...[same("10", 10), same("0", 0), same("15 days", 15), same("Same day"), same("~15"), same("010")],
    ...[same("Typically 2-3 weeks, longer in spring"), same("180 days (one 180-day extension allowed)")],
    ...[differs("5 working days", "5 working days", 5), same("10-15")],
  ],
  feet: [
    same("3 feet", 3),
    same("3 ft.", 3),
    same("3'-6\""),
    same("10 feet side, 20 feet rear"),
    same("2.50", 2.5),
  ],
  boolean: [
    ...[
      same("Required", true),
      same("Not required", false),
      same("TRUE", true),
      same("Y", true),
      same("no", false),
    ],
    ...[
      same("Yes with conditions: systems over 10 kW only"),
      same("Conditional"),
      same("N/A"),
      same("Unknown"),
    ],
  ],
  percent: [same("33", 0.33), same("7.5%", 0.075), same("about 33")],
  kW: [differs("7.6 kW DC", "7.6 kW DC", 7.6), same("2 MW"), same("25", 25)],
  text: [
    ...[same("See Sec. 12.4"), same("12-4"), same("-"), same("2020"), same("007"), same("1e5"), same("TRUE")],
    ...[same("=1+1"), same("'quoted"), same("+1"), same("@here"), same("Monday: 8AM\n• Tuesday: 9AM")],
    ...[same("06001"), same(" blanks "), same("50%"), same("$5"), same("3/4"), same("Straße №5 ✓")],
  ],
  "code edition": [same("NEC 2020"), same("2021 International Building Code"), same("2020")],
  date: [
    differs("2026-03-12", "2026-03-12", twelfthOfMarch),
    differs("March 12, 2026", "March 12, 2026", twelfthOfMarch),
    same("7/1/26"),
    same("spring of 2026"),
  ],
  "": [same("42"), same("whatever")],
};

export const units = Object.keys(fixed);

/** Invents a text that a service may publish in this unit: one of the table, or an amount. */
export function inventPublished(random: Random, unit: string): Published {
  const amount = random.whole(1, 999_999);
  if (random.chance(0.4)) {
    if (unit === "USD") return same(`$${grouped(amount)}`, amount);
    if (unit === "days") return same(`${amount} days`, amount);
    if (unit === "text") return same(`Rule ${amount}`);
  }
  return random.one(fixed[unit] ?? [same(`Text ${amount}`)]);
}

function grouped(amount: number): string {
  return String(amount).replace(/\B(?=(\d{3})+$)/g, ",");
}
