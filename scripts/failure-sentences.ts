import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { format } from "oxfmt";
import ts from "typescript";
import { allFailureKinds } from "../src/sheet-failure-kinds";

const root = resolve(import.meta.dirname, "..");

/** The page that lists the sentences of all failures. */
export const failuresFile = resolve(root, "docs/failures.md");

/** A sentence that a failure has instead of that of its kind. Parts that are known only at run time are "…". */
interface OwnSentence {
  sentence: string;
  kinds: string;
  file: string;
}

/** The text of docs/failures.md, made from the sources of the add-in. */
export async function failuresPage(): Promise<string> {
  const kinds = Object.entries(allFailureKinds).map(([kind, { sentence, nextStep }]) => [
    ...[`\`${kind}\``, sentence, nextStep],
  ]);
  const own = ownSentences().map(({ sentence, kinds, file }) => [sentence, kinds, `\`${file}\``]);
  const text = `# Sentences of failures

\`npm run failures\` makes this page from the sources; a test compares it with them. Parts of a sentence that are known only at run time are
shown as "…".

## By kind

\`src/failure-kinds.ts\` holds those that formulas can meet, \`src/sheet-failure-kinds.ts\` the others.

${table(["kind", "sentence", "next step"], kinds)}

## Of their own

A failure may say more than its kind does, or another next step. Its sentence stands where it arises.

${table(["sentence", "kind", "file"], own)}
`;
  const { code } = await format("failures.md", text, { printWidth: 140, proseWrap: "preserve" });
  return code;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll(/\s*\n\s*/g, " ")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

function ownSentences(): OwnSentence[] {
  const files = readdirSync(resolve(root, "src"), { recursive: true, encoding: "utf8" })
    .map((name) => `src/${name.replaceAll("\\", "/")}`)
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith(".d.ts"));
  const all = files.flatMap((file) => {
    const source = readFileSync(resolve(root, file), "utf8");
    if (!/new (?:Sheet)?Failure\(/.test(source)) return [];
    return sentencesIn(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true));
  });
  // "en" in any environment, since the page must not depend on it.
  const { compare } = new Intl.Collator("en");
  const byName = new Map(all.map((each) => [`${each.sentence} ${each.kinds} ${each.file}`, each]));
  return [...byName].sort(([one], [other]) => compare(one, other)).map(([, each]) => each);
}

function sentencesIn(file: ts.SourceFile): OwnSentence[] {
  const found: OwnSentence[] = [];
  const look = (node: ts.Node): void => {
    if (ts.isNewExpression(node) && /^(?:Sheet)?Failure$/.test(node.expression.getText())) {
      const [kind, more] = node.arguments ?? [];
      const kinds = kind ? textsOf(kind).map((text) => (text === "…" ? text : `\`${text}\``)) : [];
      for (const name of ["detail", "nextStep"])
        for (const sentence of propertyTexts(more, name))
          if (/\p{L}/u.test(sentence)) found.push({ sentence, kinds: kinds.join(", "), file: file.fileName });
    }
    ts.forEachChild(node, look);
  };
  look(file);
  return found;
}

/** The texts that a property may have, in an object literal or in one that is spread or chosen within it. */
function propertyTexts(given: ts.Expression | undefined, name: string): string[] {
  if (!given) return [];
  const texts: string[] = [];
  const look = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node) && node.name.getText() === name)
      texts.push(...textsOf(node.initializer));
    else if (ts.isShorthandPropertyAssignment(node) && node.name.text === name)
      texts.push(...textsOf(node.name));
    else ts.forEachChild(node, look);
  };
  look(given);
  return texts;
}

/** The texts that an expression may give, each once. */
function textsOf(expression: ts.Expression, depth = 0): string[] {
  if (ts.isStringLiteralLike(expression)) return [expression.text];
  if (ts.isParenthesizedExpression(expression)) return textsOf(expression.expression, depth);
  if (ts.isConditionalExpression(expression))
    return [...new Set([expression.whenTrue, expression.whenFalse].flatMap((each) => textsOf(each, depth)))];
  if (ts.isTemplateExpression(expression)) {
    const spans = expression.templateSpans.map(({ literal }) => `…${literal.text}`);
    return [expression.head.text + spans.join("")];
  }
  if (ts.isBinaryExpression(expression)) {
    const { left, right, operatorToken } = expression;
    if (operatorToken.kind === ts.SyntaxKind.PlusToken)
      return textsOf(left, depth).flatMap((begin) => textsOf(right, depth).map((end) => begin + end));
    return [...new Set([...textsOf(left, depth), ...textsOf(right, depth)])];
  }
  const named = ts.isIdentifier(expression) && depth < 3 ? initializerOf(expression) : undefined;
  return named ? textsOf(named, depth + 1) : ["…"];
}

/** The value of a constant of the same file. */
function initializerOf(name: ts.Identifier): ts.Expression | undefined {
  let found: ts.Expression | undefined;
  const look = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.name.text === name.text)
      found ??= node.initializer;
    ts.forEachChild(node, look);
  };
  look(name.getSourceFile());
  return found;
}
