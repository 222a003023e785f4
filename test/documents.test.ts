import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "..");
const pages = [
  join(root, "README.md"),
  join(root, "workbench/README.md"),
  ...readdirSync(join(root, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(root, "docs", name)),
];
const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: object };

/** The lines of a page outside fenced blocks. */
function linesOf(page: string): string[] {
  const lines = readFileSync(page, "utf8").split("\n");
  let isFenced = false;
  return lines.map((line) => {
    const isFence = /^\s*```/.test(line);
    if (isFence) isFenced = !isFenced;
    return isFence || isFenced ? "" : line;
  });
}

/** All findings in the pages, each with its page and line. */
function findings(find: (line: string, page: string) => string[]): string[] {
  return pages.flatMap((page) =>
    linesOf(page).flatMap((line, index) =>
      find(line, page).map((found) => `${relative(root, page)}:${index + 1}: ${found}`),
    ),
  );
}

const withoutCode = (line: string) => line.replaceAll(/`[^`]*`/g, "");

/** The anchors that GitHub gives to the headings of a page. */
function anchorsOf(page: string): Set<string> {
  const anchors = new Set<string>();
  for (const line of linesOf(page)) {
    const [, heading] = /^#{1,6}\s+(.*?)\s*#*$/.exec(line) ?? [];
    if (heading === undefined) continue;
    const slug = heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, "")
      .replaceAll(" ", "-");
    let anchor = slug;
    for (let number = 1; anchors.has(anchor); number += 1) anchor = `${slug}-${number}`;
    anchors.add(anchor);
  }
  return anchors;
}

function isThere(link: string, page: string): boolean {
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? page : resolve(dirname(page), decodeURI(path));
  return existsSync(target) && (anchor === undefined || anchorsOf(target).has(anchor));
}

describe("the documents", () => {
  it("link to files and headings that exist", () => {
    const dead = findings((line, page) =>
      [...withoutCode(line).matchAll(/\]\(([^)\s]+)\)/g)]
        .map(([, link = ""]) => link)
        .filter((link) => !/^(https?|mailto):/.test(link) && !isThere(link, page)),
    );
    expect(dead).toEqual([]);
  });

  it("name only commands that package.json has", () => {
    const unknown = pages.flatMap((page) =>
      [...readFileSync(page, "utf8").matchAll(/npm run (?:-\S+ )*([\w:-]+)/g)]
        .map(([, name = ""]) => name)
        .filter((name) => !(name in scripts))
        .map((name) => `${relative(root, page)}: npm run ${name}`),
    );
    expect(unknown).toEqual([]);
  });

  it("name the repository of each issue that they cite", () => {
    const nowhere = findings((line) =>
      [
        ...withoutCode(line)
          .replaceAll(/\]\([^)]*\)/g, "]")
          .matchAll(/[^\s(]*#\d{2,}\b/g),
      ]
        .map(([reference]) => reference)
        .filter((reference) => !/^[\w-]+\/[\w.-]+#\d+$/.test(reference)),
    );
    expect(nowhere).toEqual([]);
  });
});
