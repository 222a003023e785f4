import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const hashedScript = "main.0a1b2c3d.js";

/** A small folder as the build writes it, whose manifest names https://addin.test/excel/; beside it lies a secret. */
export function addInFixture(): { dist: string; folder: string } {
  const folder = mkdtempSync(join(tmpdir(), "served-"));
  const dist = join(folder, "dist");
  for (const name of ["", "help", "assets"]) mkdirSync(join(dist, name));
  const files = {
    "taskpane.html": "<!doctype html><title>pane</title>",
    "functions.json": JSON.stringify({ functions: [] }),
    "shortcuts.json": JSON.stringify({ actions: [], shortcuts: [] }),
    "manifest.xml":
      '<OfficeApp><SourceLocation DefaultValue="https://addin.test/excel/taskpane.html" /></OfficeApp>',
    [hashedScript]: "console.log('the add-in');\n".repeat(200),
    "library.js": "// bears no hash",
    "help/help.css": "body { margin: 0; }",
    "assets/icon-32.png": "not a picture",
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dist, name), text);
  writeFileSync(join(folder, "secret.txt"), "secret");
  return { dist, folder };
}
