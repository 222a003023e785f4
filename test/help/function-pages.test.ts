import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { allFailureKinds } from "../../src/sheet-failure-kinds";
import { readFunctions } from "../../src/help/documented-functions";
import { functionPages } from "../../src/help/function-pages";
import { writtenPages } from "../../src/help/written-pages";

const source = readFileSync(resolve(import.meta.dirname, "../../src/functions/functions.ts"), "utf8");
const functions = readFunctions(source);
const pages = functionPages(functions, allFailureKinds);

const sample = {
  description: 'Says <b>& "so"</b> it\'s.',
  geoid: "@param geoid Where <i>it</i> is.",
  field: "@param [field] What & how.",
  returns: "@returns A <td>.",
  examples: [
    '@example =REGDATA.SAMPLE("<06001>")\n * Less < and > more.',
    "@example =SUM(REGDATA.SAMPLE(A2))\n * Their sum.",
    "@example =REGDATA.SAMPLE(A2, 1)\n * With a field.",
  ],
};

function sourceOf(parts: Partial<typeof sample>): string {
  const { description, geoid, field, returns, examples } = { ...sample, ...parts };
  const lines = [description, "@customfunction SAMPLE", geoid, field, returns, ...examples];
  return `/**\n${lines.map((line) => ` * ${line}`).join("\n")}\n */
    export function sample(geoid: any, field: any, invocation: CustomFunctions.CancelableInvocation) {}`;
}

function pageOf(text: string): string {
  return functionPages(readFunctions(text), allFailureKinds)[0]?.html ?? "";
}

const kindsIn = (html = "") => [...html.matchAll(/data-kind="([^"]+)"/g)].map(([, kind]) => kind ?? "");
/** The kinds of failure on the page of a real function. */
const kindsOf = (name: string) =>
  kindsIn(pages.find(({ path }) => path === `functions/${name.toLowerCase()}.html`)?.html);

const written = (path: string) =>
  readFileSync(resolve(import.meta.dirname, "../../src/help/pages", path), "utf8");

describe("a function's page", () => {
  it("shows its JSDoc, as text", () => {
    const page = pageOf(sourceOf({}));
    for (const text of [
      "Says &lt;b&gt;&amp; &quot;so&quot;&lt;/b&gt; it&#39;s.",
      "Where &lt;i&gt;it&lt;/i&gt; is.",
      "What &amp; how.",
      "A &lt;td&gt;.",
      "=REGDATA.SAMPLE(&quot;&lt;06001&gt;&quot;)",
      "Less &lt; and &gt; more.",
    ]) {
      expect(page).toContain(text);
    }
    expect(page).not.toMatch(/<b>|<i>/);
  });

  it("puts optional arguments into brackets and marks them", () => {
    const page = pageOf(sourceOf({}));
    expect(page).toContain("=REGDATA.SAMPLE(geoid, [field])");
    expect(page).toMatch(/<code>field<\/code>\s*<small>optional<\/small>/);
    expect(page).not.toMatch(/<code>geoid<\/code>\s*<small>/);
  });

  it("lists its own messages, and leaves the messages of every formula to the page of errors", () => {
    expect(kindsOf("VALUE")).toEqual(
      expect.arrayContaining(["no-value", "unknown-jurisdiction", "ambiguous-name"]),
    );
    for (const kind of [
      "no-key",
      "timeout",
      "script-missing",
      "nothing-found",
      "cancelled",
      "sheet-refused",
    ]) {
      expect(kindsOf("VALUE")).not.toContain(kind);
    }
    expect(kindsOf("CITATION")).toContain("unknown-type");
    expect(kindsOf("CITATION")).not.toContain("no-value");
    expect(kindsOf("AHJ")).toContain("outside-subscription");
    expect(kindsOf("AHJ")).not.toContain("unknown-type");
    expect(kindsOf("GEOID")).toEqual(
      expect.arrayContaining(["unknown-name", "ambiguous-jurisdiction", "script-missing"]),
    );
    expect(kindsOf("GEOID")).not.toContain("unknown-jurisdiction");
    expect(kindsOf("FIND")).toEqual(
      expect.arrayContaining(["many-requests", "script-missing", "nothing-found", "outside-subscription"]),
    );
    expect(kindsOf("MATRIX")).not.toContain("many-requests");
    expect(kindsOf("UNITS")).toContain("nothing-found");
    expect(kindsOf("UNITS")).not.toContain("unknown-jurisdiction");
    expect(kindsOf("COLLECTION")).toEqual(
      expect.arrayContaining(["unknown-type", "ambiguous-name", "no-value"]),
    );
  });

  it("is not made if a failure's source is not documented", () => {
    const kind = { sentence: "Out of ink.", nextStep: "Refill." };
    expect(() => functionPages(functions, { ...allFailureKinds, "out-of-ink": kind })).toThrow(/out-of-ink/);
    const { timeout: _, ...others } = allFailureKinds;
    expect(() => functionPages(functions, others)).toThrow(/timeout/);
  });
});

describe("documentation that lacks something", () => {
  const [first = "", second = "", third = ""] = sample.examples;
  it.each([
    ["a description", { description: "" }, /REGDATA\.SAMPLE: it has no description/],
    ["what it returns", { returns: "" }, /REGDATA\.SAMPLE: @returns/],
    ["a parameter", { field: "" }, /REGDATA\.SAMPLE: the parameter field/],
    ["words for a parameter", { geoid: "@param geoid" }, /REGDATA\.SAMPLE: the parameter geoid/],
    ["all examples", { examples: [] }, /REGDATA\.SAMPLE: it has 0 examples/],
    ["an example", { examples: [first, second] }, /REGDATA\.SAMPLE: it has 2 examples/],
    ["words for an example", { examples: [first, second, "@example =REGDATA.SAMPLE(A9)"] }, /SAMPLE\(A9\)/],
    ["a formula", { examples: [first, second, "@example SUM(1)\n * One."] }, /"SUM\(1\)"/],
    [
      "a function that there is",
      { examples: [first, second, third.replace("SAMPLE", "SIMPLE")] },
      /calls SIMPLE/,
    ],
  ])("is refused by the function's name: %s", (_, parts, message) => {
    expect(() => readFunctions(sourceOf(parts))).toThrow(message);
  });
});

describe("the pages that are written by hand", () => {
  it("tell each message of the pane and of formulas once, on the page of errors", () => {
    const errors = writtenPages(written, functions, allFailureKinds).find(
      ({ path }) => path === "errors.html",
    );
    const told = kindsIn(errors?.html);
    expect(told).toEqual([...new Set(told)]);
    expect([...told, "cancelled"].sort()).toEqual(Object.keys(allFailureKinds).sort());
  });

  it("are refused if a page has no place for generated contents", () => {
    const without = (lost: string) => (path: string) => written(path).replace(`<!-- ${lost} -->`, "");
    for (const mark of ["contents", "formulas", "status words", "messages of the pane"])
      expect(() => writtenPages(without(mark), functions, allFailureKinds)).toThrow(mark);
  });
});
