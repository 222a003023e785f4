import { describe, expect, it } from "vitest";
import { holdsForm, isTooShortToFind, keyForms, withoutForms } from "../src/key-forms";

/** Its length leaves a rest in base64, and it differs in every form. */
const key = 'Planted+Key/9f<Z&Q7x~?"';
const base64 = (text: string) => Buffer.from(text).toString("base64");

/**
 * How a key stands in texts that people and programs write, and how many characters of that are not the key's alone: a
 * character of base64 has six bits, and the key 184.
 */
const written: [form: string, text: string, notOfKey: number][] = [
  ["as it is", key, 0],
  ["in small letters", key.toLowerCase(), 0],
  ["in capitals", key.toUpperCase(), 0],
  ["in an address", encodeURIComponent(key), 0],
  ["in an address, in small letters", encodeURIComponent(key).toLowerCase(), 0],
  ["in XML", 'Planted+Key/9f&lt;Z&amp;Q7x~?"', 0],
  ["in JSON", JSON.stringify(key), 2],
  ["in base64", base64(key), 2],
  ["in base64 without padding", base64(key).replace(/=+$/, ""), 1],
  ["in base64 for addresses", Buffer.from(key).toString("base64url"), 1],
  ["in base64 behind a user's name", base64(`user:${key}`), 10],
  ["in base64 behind a longer name", base64(`user1:${key}`), 10],
  ["in base64 before a password", base64(`users1:${key}:secret`), 22],
  ["in hexadecimal", Buffer.from(key).toString("hex"), 0],
];

describe.each(written)("a key %s", (_, text, notOfKey) => {
  it("is found", () => {
    expect(holdsForm(`before ${text} after`, keyForms(key))).toBe(true);
  });

  it("is masked, all that tells it", () => {
    const shown = withoutForms(`before ${text} after`, keyForms(key));
    expect(shown).toMatch(/^before .*••••.* after$/);
    expect(shown.slice("before ".length, -" after".length).replace("••••", "")).toHaveLength(notOfKey);
  });
});

describe("a key", () => {
  it("is found with blanks or marks inside that nobody sees", () => {
    expect(holdsForm('Planted+Key/ 9f<Z&\u200bQ7x~?\n"', keyForms(key))).toBe(true);
  });

  it("is masked where only a piece of it is quoted", () => {
    expect(withoutForms("the key Planted+Key… is wrong", keyForms(key))).toBe("the key ••••… is wrong");
  });

  it("is not found in a text that holds a few of its characters", () => {
    expect(holdsForm("Planted+Key", keyForms(key))).toBe(false);
    expect(withoutForms("Planted, İstanbul", keyForms(key))).toBe("Planted, İstanbul");
  });

  it("of less than six characters can't be told from other texts", () => {
    expect(isTooShortToFind("12345")).toBe(true);
    expect(isTooShortToFind("123456")).toBe(false);
  });
});
