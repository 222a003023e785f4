import { describe, expect, it } from "vitest";
import { holdsForm, isTooShortToFind, keyForms, withoutForms } from "../src/key-forms";

/** A key that base64 must pad, and that every written form changes. */
const key = 'Planted+Key/9f<Z&Q7~x?"y';
const base64 = (text: string) => Buffer.from(text).toString("base64");

/** The forms in which people and programs write a key. */
const written: Record<string, string> = {
  "as it is": key,
  "in small letters": key.toLowerCase(),
  "in capitals": key.toUpperCase(),
  "in an address": encodeURIComponent(key),
  "in an address, in small letters": encodeURIComponent(key).toLowerCase(),
  "in XML": 'Planted+Key/9f&lt;Z&amp;Q7~x?"y',
  "in JSON": JSON.stringify(key),
  "in base64": base64(key),
  "in base64 without padding": base64(key).replace(/=+$/, ""),
  "in base64 for addresses": Buffer.from(key).toString("base64url"),
  "in base64 behind a user's name": base64(`user:${key}`),
  "in base64 behind a longer name": base64(`user1:${key}`),
  "in base64 before a password": base64(`users1:${key}:secret`),
  "in hexadecimal": Buffer.from(key).toString("hex"),
};

describe.each(Object.entries(written))("a key %s", (_, text) => {
  it("is found", () => {
    expect(holdsForm(`before ${text} after`, keyForms(key))).toBe(true);
  });

  it("is masked, with everything that reveals it", () => {
    const shown = withoutForms(`before ${text} after`, keyForms(key));
    expect(shown).toMatch(/^before .*••••.* after$/);
    expect(holdsForm(shown, keyForms(key))).toBe(false);
    expect(shown.toLowerCase()).not.toContain("planted");
  });
});

describe("a key", () => {
  it("is found with invisible blanks or marks inside", () => {
    expect(holdsForm('Planted+Key/ 9f<Z&\u200bQ7~x?\n"y', keyForms(key))).toBe(true);
  });

  it("is masked if only a piece of it is quoted", () => {
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
