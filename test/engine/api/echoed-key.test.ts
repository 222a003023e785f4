import { describe, expect, it } from "vitest";
import { Failure } from "../../../src/errors";
import { connected } from "../../recorded-service";

/** It differs in an address, in JSON as .NET writes it, and in base64. */
const key = "Planted+Key/9f=Z&Q7~x";
const forms = {
  plain: key,
  "as in an address": encodeURIComponent(key),
  "in base64": Buffer.from(key).toString("base64"),
  "as Python quotes it": "Planted%2bKey%2f9f%3dZ%26Q7%7ex",
  "as .NET writes it inside a text": "Planted\\u002BKey/9f=Z\\u0026Q7~x",
  "in XML, with numbers": [...key].map((character) => `&#${character.charCodeAt(0)};`).join(""),
  "in hexadecimal with colons": Buffer.from(key)
    .toString("hex")
    .replace(/..(?!$)/g, "$&:"),
};

const asError = (status: number, description: string) => () =>
  Response.json(
    { response_type: "error", description, data: null, error: "ODD", status_code: status },
    { status },
  );

/** All that a failure carries, with what caused it. */
function wordsOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const own = Object.getOwnPropertyNames(thrown).map((name) => String(thrown[name as keyof Error]));
  return [...own, String(thrown), thrown.cause ? wordsOf(thrown.cause) : ""].join("\n");
}

async function failureFor(answer: () => Response): Promise<Failure> {
  const { client } = connected(key, { intercept: answer });
  const end = await client.listUnits({}).then(
    () => "no failure",
    (thrown: unknown) => thrown,
  );
  expect(end).toBeInstanceOf(Failure);
  return end as Failure;
}

describe("a service that repeats the key in its answer", () => {
  it.each(Object.entries(forms))("is quoted without it: %s", async (_, form) => {
    const said = `Header X-API-Key: ${form} is odd.`;
    const places: Record<string, () => Response> = {
      "a description": asError(422, said),
      "a failing service's": asError(500, said),
      "a detail": () => Response.json({ detail: said }, { status: 404 }),
      "a list of details": () =>
        Response.json({ detail: [{ loc: ["query", form], msg: said, type: "x" }] }, { status: 422 }),
      "a good status": asError(200, said),
      "escaped JSON": () =>
        new Response(
          JSON.stringify({ description: said }).replace(
            /[+/&=]/g,
            (one) => `\\u00${one.charCodeAt(0).toString(16)}`,
          ),
          { status: 400 },
        ),
    };
    for (const [place, answer] of Object.entries(places)) {
      const failure = await failureFor(answer);
      expect(failure.message, place).toContain("X-API-Key: •••• is odd.");
      for (const one of Object.values(forms)) expect(wordsOf(failure), place).not.toContain(one);
    }
  });

  it("is not quoted with the beginning of one that is cut off", async () => {
    // 300 characters are quoted: nine of the key's, then five, which are too few to tell it by alone.
    for (const before of [290, 294]) {
      const failure = await failureFor(asError(500, `${"x".repeat(before)} ${key}`));
      expect(failure.message).toContain("x ••••");
      expect(wordsOf(failure)).not.toContain(key.slice(0, 5));
    }
  });

  it.each([
    ["in HTML", () => new Response(`<html>${key}</html>`)],
    ["in text", () => new Response(key)],
    ["in another shape", () => Response.json({ [key]: key, response_type: key })],
    ["with a refusal", () => new Response(`<html>${key}</html>`, { status: 401 })],
    ["with a refusal in JSON", asError(401, key)],
    ["with missing rights", asError(403, key)],
  ])("is told of without a word of it: %s", async (_, answer) => {
    expect(wordsOf(await failureFor(answer))).not.toContain(key);
  });
});
