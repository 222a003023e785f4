/** Reads the service's own data files: tab-separated, with one header line, and with `\n` written for a line break in a field. */
import { readFileSync } from "node:fs";
import * as z from "zod/mini";

/** A column that holds a number. An empty field is an error, not 0. */
export const numeric = z.pipe(z.string().check(z.minLength(1)), z.coerce.number());

/** The rows of `data/<name>.tsv`, each checked by `row`. Throws if a row does not fit, which is a mistake in this folder. */
export function readTable<Row extends z.ZodMiniType>(name: string, row: Row): z.infer<Row>[] {
  const text = readFileSync(new URL(`./data/${name}.tsv`, import.meta.url), "utf8");
  const [columns = [], ...rows] = text
    .split(/\r?\n/)
    .filter((line) => line !== "")
    .map((line) => line.split("\t"));
  return rows.map((fields) =>
    row.parse(Object.fromEntries(columns.map((column, at) => [column, fields[at]?.replaceAll("\\n", "\n")]))),
  );
}
