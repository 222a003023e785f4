/** CSV answers: RFC 4180 text, the content type of RFC 7111 (UTF-8 unless said otherwise), a file name. */
import { create as contentDisposition } from "content-disposition";
import Papa from "papaparse";
import { streamedText } from "./streamed-text";

/** Line breaks and characters that file systems refuse become blanks. */
function fileName(title: string): string {
  const safe = title
    .replace(/[\p{Cc}"*/:<>?\\|]+/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
  return `${safe}.csv`;
}

/** The name for clients that know only ASCII: without accents, and without letters of other scripts. */
function asciiName(name: string): string {
  return name
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replace(/\p{Pd}/gu, "-")
    .replace(/[^ -~]/gu, "_");
}

type Fields = readonly (string | number | null)[];

/**
 * A CSV file named after `title`. Each row is made only when it is sent. A null is an empty field. Texts stay unchanged, even if they begin
 * with `=`.
 */
export function csvAnswer(title: string, header: readonly string[], rows: Iterable<Fields>): Response {
  function* lines() {
    yield Papa.unparse([header as string[]]);
    for (const row of rows) yield `\r\n${Papa.unparse([row as unknown[]])}`;
  }
  const name = fileName(title);
  return new Response(streamedText(lines()), {
    headers: {
      "Content-Type": "text/csv",
      "Content-Disposition": contentDisposition(name, { fallback: asciiName(name) }),
    },
  });
}
