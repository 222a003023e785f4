import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The bytes of all files in a folder and in its subfolders. */
export function bytesBelow(folder: string): Buffer {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return Buffer.concat(files.map(({ parentPath, name }) => readFileSync(join(parentPath, name))));
}
