/** Words of names, and the short forms that replace them. */
const shortWords: Record<string, string> = { saint: "st", sainte: "ste", mount: "mt", fort: "ft" };

const kindInFront = /^(county|parish|borough|city|town|township|village) of (.+)$/;

/** The signs that stand for an apostrophe or for the Hawaiian ʻokina: ' ` ´ ʹ ʻ ʼ ʽ ʾ ʿ ˈ ‘ ’ ‛ ′ and the full-width one. */
const apostrophes = /['`´\u02b9\u02bb-\u02bf\u02c8\u2018\u2019\u201b\u2032\uff07]/g;

/**
 * A name in the form in which names are compared: lower case without accents, points and apostrophes; other signs become blanks; Saint,
 * Sainte, Mount and Fort become St, Ste, Mt and Ft; "County of Orange" becomes "orange county", and so with the other kinds
 * (docs/guide.md).
 */
export function plainName(name: string): string {
  const words = name
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(apostrophes, "")
    .replaceAll(".", "")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .map((word) => shortWords[word] ?? word);
  return words.join(" ").replace(kindInFront, "$2 $1");
}

/** A key that is the same for names that differ only in case and blanks. */
export function nameKey(name: string): string {
  return name.trim().replace(/\s+/g, " ").toLowerCase();
}
