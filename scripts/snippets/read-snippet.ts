import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { load } from "js-yaml";
import * as z from "zod";

const snippetFile = z.object({
  name: z.string(),
  script: z.object({ content: z.string() }),
  template: z.optional(z.object({ content: z.string() })),
  style: z.optional(z.object({ content: z.string() })),
});

/** One of Script Lab's snippets. */
export interface Snippet {
  /** Its path below the folder of Excel's snippets, such as 46-table/create-table.yaml. */
  path: string;
  /** The folder without its number, such as table. */
  family: string;
  name: string;
  /** In TypeScript. */
  script: string;
  html: string;
  css: string;
}

/** Reads Excel's snippets from a copy of OfficeDev/office-js-snippets, or from its folder samples/excel. Throws a sentence if there are none. */
export function readSnippets(folder: string): Snippet[] {
  for (const root of [join(folder, "samples", "excel"), folder]) {
    const paths = existsSync(root) ? pathsIn(root) : [];
    if (paths.length > 0) return paths.map((path) => readSnippet(root, path));
  }
  throw new Error(`${folder} has no snippets for Excel.`);
}

/** The snippets in the folders of the families; a snippet beside them is a template. */
function pathsIn(root: string): string[] {
  const folders = readdirSync(root, { withFileTypes: true }).filter((each) => each.isDirectory());
  const paths = folders.flatMap(({ name }) => readdirSync(join(root, name)).map((file) => `${name}/${file}`));
  return paths.filter((path) => path.endsWith(".yaml")).sort();
}

function readSnippet(root: string, path: string): Snippet {
  const { name, script, template, style } = snippetFile.parse(load(readFileSync(join(root, path), "utf8")));
  const family = path.replace(/^\d+-/, "").replace(/\/.*/, "");
  return {
    ...{ path, family, name },
    ...{ script: script.content, html: template?.content ?? "", css: style?.content ?? "" },
  };
}
