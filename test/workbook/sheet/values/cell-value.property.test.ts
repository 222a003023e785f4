import { numfmt } from "@univerjs/core";
import fc from "fast-check";
import { expect, it } from "vitest";
import { config } from "../../../../src/config";
import { formattedValue, formulaValue, importCell } from "../../../../src/workbook/sheet/values/cell-value";
import { unitSpellings } from "./unit-spellings";

const runs = { numRuns: 1_000 };

const otherUnits = ["boolean", "code edition", "date", "text", "url", "$", "%", "ft", "parsecs", ""];
const anyUnit = fc.constantFrom(...unitSpellings.map(({ unit }) => unit), ...otherUnits);
const anySpelling = fc.constantFrom(...unitSpellings.flatMap(({ spellings }) => spellings));
const gap = fc.constantFrom("", " ", "\u00a0");
const recase = fc.constantFrom(
  (text: string) => text,
  (text: string) => text.toUpperCase(),
  (text: string) => text.toLowerCase(),
);

/** Digits as people publish them: grouped or not, with decimals or not. */
const digits = fc
  .tuple(
    fc.bigInt({ min: 0n, max: 10n ** 16n }),
    fc.nat(15),
    fc.boolean(),
    fc.stringMatching(/^(\.\d{1,6})?$/),
  )
  .map(([number, zerosOff, isGrouped, decimals]) => {
    const whole = String(number / 10n ** BigInt(zerosOff));
    return (isGrouped ? whole.replace(/\B(?=(\d{3})+$)/g, ",") : whole) + decimals;
  });

const numberIn = (text: string) => text.match(/\d[\d,]*(\.\d+)?/)?.[0].replaceAll(",", "");
const isMoney = (unit: string) => unit.startsWith("USD");
const shown = ({ value, numberFormat }: { value: string | number | boolean; numberFormat: string }) =>
  numfmt.format(numberFormat, value, { locale: "en-US", throws: true });

it("a text with two amounts never becomes a number", () => {
  const amount = fc
    .tuple(fc.constantFrom("", "$", "USD "), digits, gap, fc.oneof(fc.constant(""), anySpelling))
    .map((parts) => parts.join("").trim());
  const joiner = fc.constantFrom(
    ...["-", " - ", " – ", " to ", "; ", ";", " plus ", " + ", "/", ", ", " or ", " and ", " x ", "\n", " "],
  );
  const joined = fc.oneof(
    fc.tuple(amount, joiner, amount).map((parts) => parts.join("")),
    fc.tuple(amount, amount).map(([first, second]) => `${first} (${second})`),
  );
  fc.assert(
    fc.property(joined, anyUnit, (text, unit) => {
      expect(formulaValue(text, unit)).toBe(text);
      expect(formattedValue(text, unit)).toBeNull();
      expect(importCell(text, unit)).toEqual({ value: text, numberFormat: "@" });
    }),
    runs,
  );
});

it("an amount never loses the text behind it", () => {
  const word = fc.oneof(
    anySpelling,
    fc.constantFrom("working", "business", "calendar", "AC", "DC", "business days", "kW DC", "million", "k"),
    fc.constantFrom("max", "minimum", "*", ".", "+", "-", "(two)", "of valuation", "each", '"', "\\", "$"),
  );
  const words = fc
    .tuple(fc.array(word, { minLength: 1, maxLength: 3 }), fc.constantFrom(" ", ""))
    .map(([parts, between]) => parts.join(between));
  const qualified = ({ spellings }: { spellings: string[] }) =>
    fc
      .tuple(
        fc.constantFrom("", "working ", "business "),
        fc.constantFrom(...spellings),
        fc.constantFrom("", " AC", " DC"),
      )
      .map((parts) => parts.join(""));
  const amountAndMore = fc.constantFrom(...unitSpellings).chain((own) =>
    fc.record({
      own: fc.constant(own),
      amount: digits,
      between: gap,
      suffix: fc.oneof(words, qualified(own), fc.string({ unit: "grapheme", minLength: 1 })),
      change: recase,
    }),
  );
  fc.assert(
    fc.property(amountAndMore, ({ own, amount, between, change, ...more }) => {
      const suffix = change(more.suffix);
      const said = suffix.trim().replaceAll("\u00a0", " ");
      fc.pre(said !== "" && !own.spellings.some((known) => known.toLowerCase() === said.toLowerCase()));
      // Digits right after an amount would be part of the amount.
      fc.pre(between !== "" || !/^[.,]?\d/.test(suffix));
      const text = (isMoney(own.unit) ? "$" : "") + amount + between + suffix;
      expect(typeof formulaValue(text, own.unit)).toBe("string");
      expect(formattedValue(text, own.unit)).toBeNull();
      const cell = importCell(text, own.unit);
      if (cell.numberFormat !== "@") {
        expect(shown(cell).endsWith(said)).toBe(true);
        expect(numberIn(shown(cell))).toBe(numberIn(text));
      }
    }),
    { numRuns: 2_000 },
  );
});

it("a cell with a number shows the published text", () => {
  const published = fc.constantFrom(...unitSpellings).chain(({ unit, spellings }) =>
    fc.record({
      unit: fc.constant(unit),
      sign: isMoney(unit) ? fc.constantFrom("", "$", "$ ", "USD ") : fc.constant(""),
      amount: digits,
      behind: fc.oneof(
        fc.constant(""),
        fc.tuple(gap, fc.constantFrom(...spellings)).map((parts) => parts.join("")),
      ),
      change: recase,
    }),
  );
  /**
   * A text without the parts in which an equal one may differ: currency before the amount, grouping, the sign of a percentage, kinds of
   * spaces.
   */
  const essence = (text: string, unit: string) =>
    text
      .replace(/^(\$|usd)/i, "")
      .replace(unit === "percent" ? /%|percent/i : "", "")
      .replace(/[,\s]/g, "");
  fc.assert(
    fc.property(published, ({ unit, sign, amount, behind, change }) => {
      const text = sign + amount + change(behind);
      const value = formulaValue(text, unit);
      const isCertain = amount.replace(/[.,]/g, "").length <= 15;
      expect(typeof value).toBe(isCertain ? "number" : "string");
      if (!isCertain) return;
      const formatted = formattedValue(text, unit);
      expect(formatted?.value).toBe(value);
      expect(importCell(text, unit)).toEqual(formatted);
      expect(essence(shown(formatted!), unit)).toBe(essence(text, unit));
    }),
    runs,
  );
});

it("a cell with a date shows the published text", () => {
  const firstDay = Date.UTC(1901, 0, 1);
  const days = (Date.UTC(9999, 11, 31) - firstDay) / 86_400_000;
  const look = fc.constantFrom(
    (year: string, month: string, day: string) => `${month} ${day}, ${year}`,
    (year: string, month: string, day: string) => `${month.slice(0, 3)} ${day}, ${year}`,
    (year: string, month: string, day: string) => `${month.slice(0, 3)}. ${day}, ${year}`,
    (year: string, month: string, day: string) => `${day} ${month} ${year}`,
    (year: string, month: string, day: string) => `${day} ${month.slice(0, 3)} ${year}`,
  );
  fc.assert(
    fc.property(fc.nat(days), look, (day, write) => {
      const date = new Date(firstDay + day * 86_400_000);
      const month = date.toLocaleString("en-US", { month: "long", timeZone: "UTC" });
      const written = write(String(date.getUTCFullYear()), month, String(date.getUTCDate()));
      for (const text of [written, date.toISOString().slice(0, 10)]) {
        const cell = importCell(text, "date");
        expect(cell.value).toBe((date.getTime() - Date.UTC(1899, 11, 30)) / 86_400_000);
        expect(shown(cell)).toBe(text);
        expect(formattedValue(text, "date")).toEqual(cell);
        expect(formulaValue(text, "date")).toBe(text);
      }
    }),
    runs,
  );
});

it("any text in any unit comes back as it is, or as its certain meaning", () => {
  const yes = ["true", "yes", "y", "required"];
  const no = ["false", "no", "n", "not required"];
  const likely = fc.array(
    fc.constantFrom(
      ..."0123456789.,$%/+-()'\" \u00a0\r\n½kWdays",
      "working ",
      "July ",
      "2026",
      "yes",
      "not",
      "required",
    ),
    { maxLength: 12 },
  );
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    likely.map((parts) => parts.join("")),
    fc.constantFrom(...yes, ...no, "Not required", "constructor", "__proto__"),
    fc.nat(40_000).map((length) => "5 days\r\n".repeat(length / 8)),
  );
  const inExcel = (raw: string) => {
    const lines = raw.replace(/\r\n|\r/g, "\n");
    const kept = config.cellCharacters - "… [cut]".length;
    return lines.length > config.cellCharacters ? `${lines.slice(0, kept)}… [cut]` : lines;
  };
  fc.assert(
    fc.property(text, fc.oneof(anyUnit, fc.string()), (raw, unit) => {
      const value = formulaValue(raw, unit);
      const { value: imported, numberFormat } = importCell(raw, unit);
      const formatted = formattedValue(raw, unit);

      if (typeof value === "string") expect(value).toBe(inExcel(raw));
      if (typeof value === "boolean") {
        expect(value ? yes : no).toContain(raw.trim().replaceAll("\u00a0", " ").toLowerCase());
        expect(unit).toBe("boolean");
      }
      if (typeof value === "number") expect(formatted?.value).toBe(value);
      if (typeof value !== "string") expect(imported).toBe(value);

      const isQuoted = raw.startsWith("'");
      if (typeof imported === "string") {
        expect(imported).toBe(inExcel(isQuoted ? `'${raw}` : raw));
        expect(numberFormat).toBe(isQuoted ? "General" : "@");
      }
      if (formatted) expect(formatted).toEqual({ value: imported, numberFormat });
      if (typeof imported === "number") expect(numberIn(raw)).toBeDefined();
    }),
    { numRuns: 2_000 },
  );
});
