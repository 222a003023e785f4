import { describe, expect, it } from "vitest";
import { jsonPart, mostPartCharacters, readJsonPart } from "../../../../src/workbook/sheet/parts/json-part";

const read = (xml: string) => readJsonPart("import", xml);
const part = (text: string) => `<import xmlns="regdata">${text}</import>`;
const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

describe("a part that holds JSON", () => {
  it.each([
    { a: 1, b: ["x", null, true] },
    { text: "<b>&amp;</b> \"quoted\" \\ 'so'" },
    { text: "\u0000\u007f\u0085\ufffe\uffff\ud83d" },
    { text: '[[[{{{\\"[[[' },
  ])("is read as it was written: %j", (content) => {
    const xml = jsonPart("import", "regdata", content);
    expect(xml.startsWith('<import xmlns="regdata">')).toBe(true);
    expect(xml).not.toMatch(/[^\n -~]/);
    expect(/>([^]*)<\/import>$/.exec(xml)?.[1]).not.toMatch(/[<>&]/);
    expect(read(xml)).toEqual(content);
    expect(readJsonPart("other", xml)).toBeUndefined();
  });

  it("leaves out the fields that it is told to", () => {
    const xml = jsonPart("x", "regdata", { a: 1, b: 2 }, (key, value) => (key === "b" ? undefined : value));
    expect(xml).toBe('<x xmlns="regdata">{"a":1}</x>');
  });

  it.each([
    ["with a prefix", '<r:import xmlns:r="regdata">{"a":1}</r:import>', { a: 1 }],
    ["behind a declaration", `<?xml version="1.0"?>\n${part('{"a":1}')}\n `, { a: 1 }],
    ["with entities", part("{&quot;a&quot;:&quot;it&apos;s&quot;}"), { a: "it's" }],
    ["as deep as is allowed", part(nested(20)), JSON.parse(nested(20))],
    ["with brackets in its texts", part(JSON.stringify("[{".repeat(50))), "[{".repeat(50)],
    ["with a quote in a text", part(JSON.stringify(`"${"[".repeat(30)}`)), `"${"[".repeat(30)}`],
    [
      "of many lists beside each other",
      part(`[${"[],{},".repeat(30)}1]`),
      JSON.parse(`[${"[],{},".repeat(30)}1]`),
    ],
  ])("is read %s", (_, xml, content) => {
    expect(read(xml)).toEqual(content);
  });

  it.each([
    ["no part", "text"],
    ["another element", '<imports xmlns="regdata">{}</imports>'],
    ["no JSON", part("{")],
    ["markup", part("<b/>{}")],
    ["something behind it", `${part("{}")}<more/>`],
    ["lists too deep", part(nested(21))],
    ["objects too deep", part('{"a":'.repeat(21) + "1" + "}".repeat(21))],
    ["lists too deep behind a text", part(`["\\\\",${nested(20)}]`)],
    ["too much", part(`"${"x".repeat(mostPartCharacters)}"`)],
  ])("is none if there is %s", (_, xml) => {
    expect(read(xml)).toBeUndefined();
  });

  it("may be as large as is allowed", () => {
    const text = "x".repeat(mostPartCharacters - part('""').length);
    expect(read(part(`"${text}"`))).toBe(text);
    expect(read(part(`"${text}x"`))).toBeUndefined();
  });
});
