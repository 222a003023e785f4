import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { groupBy } from "../src/lists";

const root = resolve(import.meta.dirname, "..");
const folders = ["src", "reference-service", "workbench", "xlsx", "deployment", "command", "scripts", "test"];

/** A line for each folder: its files, without the endings `.ts`, `.tsx` and `.test.ts`. */
function fileMap(): string[] {
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => ({
        folder: parentPath.slice(root.length + 1).replaceAll("\\", "/"),
        name: name.replace(/(?:\.test)?\.tsx?$/, ""),
      })),
  );
  return [...groupBy(files, ({ folder }) => folder)]
    .map(([folder, inside]) => {
      const names = [...new Set(inside.map(({ name }) => name))].sort();
      return `- \`${folder}\`: ${names.join(", ")}`;
    })
    .sort();
}

it("docs/architecture.md names every file of each folder", () => {
  const page = readFileSync(join(root, "docs/architecture.md"), "utf8");
  const [, section = ""] = page.split("\n## Files\n");
  const lines = section.split("\n").filter((line) => line.startsWith("- `"));
  expect(lines).toEqual(fileMap());
});
