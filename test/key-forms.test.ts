import { describe, expect, it } from "vitest";
import { jsonPart } from "../src/workbook/sheet/parts/json-part";
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

const codes = (text: string, write: (code: number) => string) =>
  [...text].map((character) => write(character.charCodeAt(0))).join("");
const hexOf = (code: number, length = 2) => code.toString(16).padStart(length, "0");
/** Writes each character but these as `write` says. */
const escaped = (kept: RegExp, write: (code: number) => string) => (text: string) =>
  [...text].map((character) => (kept.test(character) ? character : write(character.charCodeAt(0)))).join("");
const asNet = escaped(/[\w !#$%()*,./:;=?@[\]^{|}~-]/, (code) => `\\u${hexOf(code, 4).toUpperCase()}`);

/** Programs that write a text in their own way. */
const writers: Record<string, (text: string) => string> = {
  "this add-in's parts": (text) =>
    jsonPart("frozen", "urn:x", { formula: `=F("${text.replaceAll('"', '""')}")` }),
  "a formula": (text) => `=REGDATA.VALUE("06001",1003,"value","${text.replaceAll('"', '""')}")`,
  JSON: JSON.stringify,
  "JSON in JSON": (text) => JSON.stringify({ said: JSON.stringify(text) }),
  ".NET's JSON": asNet,
  ".NET's JSON in JSON": (text) => JSON.stringify(asNet(text)),
  "PHP's JSON": (text) => JSON.stringify(text).replaceAll("/", "\\/"),
  "Python's quote": escaped(/[\w.~/-]/, (code) => `%${hexOf(code).toUpperCase()}`),
  encodeURIComponent: encodeURIComponent,
  encodeURI: encodeURI,
  "an address, every character": (text) => codes(text, (code) => `%${hexOf(code)}`),
  "an address in an address": (text) => encodeURIComponent(encodeURIComponent(text)),
  "the old escape": (text) => codes(text, (code) => `%u${hexOf(code, 4)}`),
  "JSON in an address": (text) => encodeURIComponent(JSON.stringify({ key: text })),
  XML: (text) =>
    text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;").replaceAll("'", "&apos;"),
  "Python's HTML": (text) =>
    text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;").replaceAll("'", "&#x27;"),
  "entities in decimal": (text) => codes(text, (code) => `&#${code};`),
  "entities with zeros": (text) => codes(text, (code) => `&#${String(code).padStart(5, "0")};`),
  "entities in hexadecimal": (text) => codes(text, (code) => `&#X${hexOf(code, 4).toUpperCase()};`),
  "entities in XML": (text) => codes(text, (code) => `&amp;#x${hexOf(code)};`),
  "a program's text": (text) => codes(text, (code) => `\\x${hexOf(code)}`),
  "a newer program's text": (text) => codes(text, (code) => `\\u{${hexOf(code)}}`),
  "a shell's text": escaped(/[\w./-]/, (code) => `\\${String.fromCharCode(code)}`),
  "a cell of a workbook's file": escaped(/\w/, (code) => `_x${hexOf(code, 4).toUpperCase()}_`),
  "bytes with colons": (text) => codes(text, (code) => `:${hexOf(code).toUpperCase()}`),
  "bytes with blanks": (text) => codes(text, (code) => ` ${hexOf(code)}`),
  "bytes of a program": (text) => codes(text, (code) => `, 0x${hexOf(code)}`),
  "base64 on lines": (text) => base64(`Basic user:${text}`).replace(/.{10}/g, "$&\r\n"),
  "base64 in an address": (text) => encodeURIComponent(base64(text)),
  "base64 for addresses": (text) => Buffer.from(`a${text}`).toString("base64url"),
};

const keysOfMany: string[] = [
  "planted&key/1234",
  "a<b>c-0123456789",
  'quo"te-0123456789',
  '"quoted-0123456789"',
  "it's-0123456789'",
  "back\\slash\\new\\table-01",
  "AbC+dEf/GhI+jKl/MnO+pQr==",
  "abc!def!ghi!jkl!mno",
  "100%25-of_x0041_01234\\u0041",
  "0123456789abcdef",
];

describe.each(Object.entries(writers))("a key that was written as %s writes", (_, write) => {
  it.each(keysOfMany)("is found and masked: %s", (one) => {
    const text = `before, ${write(one)}, after`;
    expect(holdsForm(text, keyForms(one))).toBe(true);
    for (const least of [undefined, Infinity]) {
      const shown = withoutForms(text, keyForms(one), least);
      expect(shown).toMatch(/^before, .*••••.*, after$/s);
      expect(holdsForm(shown, keyForms(one))).toBe(false);
    }
  });

  it.each(keysOfMany)("is another one if its end differs: %s", (one) => {
    expect(holdsForm(write(`${one.slice(0, -3)}zzz`), keyForms(one))).toBe(false);
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

  it("is looked for in 100,000 cells within seconds, and no hostile text holds the search up", () => {
    const forms = ["one", "another", "a-third"].flatMap((each) => keyForms(`${key}${each}`));
    const before = process.cpuUsage();
    let found = 0;
    for (let row = 0; row < 100_000; row += 1)
      if (holdsForm(`Alameda County, CA: $${row} for "5 kW" & more`, forms)) found += 1;
    for (const hostile of ["%25", "\\", "&amp;", "&#", "%", '"', "_x00", "\\u", "0x61,"])
      if (holdsForm(hostile.repeat(200_000), forms)) found += 1;
    expect(found).toBe(0);
    expect(process.cpuUsage(before).user / 1e6).toBeLessThan(10);
  });

  it("of less than six characters can't be told from other texts", () => {
    expect(isTooShortToFind("12345")).toBe(true);
    expect(isTooShortToFind("123456")).toBe(false);
  });
});
