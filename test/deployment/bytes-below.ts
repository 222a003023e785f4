import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** All files of a folder and the folders in it. */
export function bytesBelow(folder: string): Buffer {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return Buffer.concat(files.map(({ parentPath, name }) => readFileSync(join(parentPath, name))));
}
