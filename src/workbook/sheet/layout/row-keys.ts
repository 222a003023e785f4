/** The keys of a table's rows, from the values in its columns of ids. */
export function rowsRead(
  { rowCount, columns }: { rowCount: number; columns: ReadonlyMap<string, { values: readonly unknown[] }> },
  ids: readonly string[],
): { ids: string[]; keys: string[] } {
  const values = ids.map((id) => columns.get(id)?.values ?? []);
  return {
    ids: [...ids],
    keys: Array.from({ length: rowCount }, (_, row) => rowKey(values.map((column) => column[row]))),
  };
}

/** The key of a row, from the values in its columns of ids. */
export function rowKey(ids: readonly unknown[]): string {
  return JSON.stringify(ids);
}

/** True for the key of a row whose cells in the columns of ids are blank. */
export function isBlankKey(key: string): boolean {
  return (JSON.parse(key) as unknown[]).every((id) => id === "");
}
