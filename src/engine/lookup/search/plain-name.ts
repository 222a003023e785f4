/** Words that stand for each other in names, as the one to which both come. */
const shortWords: Record<string, string> = { saint: "st", sainte: "ste", mount: "mt", fort: "ft" };

const kindInFront = /^(county|parish|borough|city|town|township|village) of (.+)$/;
const kindBehind = / (?:county|parish|borough|city|town|township|village)$/;

/**
 * A name as names are compared: in small letters without accents, points and apostrophes; other signs are blanks; Saint, Sainte, Mount
 * and Fort are St, Ste, Mt and Ft; "County of Orange" is "orange county", and so for the other kinds (docs/guide.md).
 */
export function plainName(name: string): string {
  const words = name
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/['’.]/g, "")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .map((word) => shortWords[word] ?? word);
  return words.join(" ").replace(kindInFront, "$2 $1");
}

/** The same without the kind behind it: "Orange County" and "Town of Orange" are "orange". */
export function nameWithoutKind(plain: string): string {
  return plain.replace(kindBehind, "");
}

/** Names are the same where only case and blanks differ. */
export function nameKey(name: string): string {
  return name.trim().replace(/\s+/g, " ").toLowerCase();
}
