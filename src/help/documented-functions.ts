import ts from "typescript";
import { config } from "../config";

/** The functions' namespace in Excel. */
export const { namespace } = config;

/** The JSDoc of a custom function. Excel shows the same texts. */
export interface DocumentedFunction {
  name: string;
  description: string;
  returns: string;
  /** The parameters that a user gives, in their order. */
  parameters: { name: string; description: string; optional: boolean }[];
  examples: Example[];
}

export interface Example {
  formula: string;
  /** Says what the formula does. */
  explanation: string;
  /** The functions of the add-in that it calls, each once. */
  calls: string[];
}

const examplesEach = 3;

/**
 * Reads the functions marked @customfunction from the text of their file, in its order. Throws an Error that names
 * each function whose documentation lacks something: a description, what it returns, a parameter, three examples.
 */
export function readFunctions(source: string): DocumentedFunction[] {
  const file = ts.createSourceFile("functions.ts", source, ts.ScriptTarget.Latest, true);
  const functions = file.statements.filter(ts.isFunctionDeclaration).flatMap((declaration) => {
    const [name] = tagTexts(declaration, "customfunction");
    return name === undefined ? [] : [readFunction(declaration, name)];
  });
  const known = functions.map(({ name }) => name);
  const problems = functions.flatMap((one) =>
    problemsOf(one, known).map((problem) => `${namespace}.${one.name}: ${problem}.`),
  );
  if (problems.length > 0) throw new Error(problems.join("\n"));
  return functions;
}

function readFunction(declaration: ts.FunctionDeclaration, idAndName: string): DocumentedFunction {
  const described = new Map(
    ts
      .getJSDocTags(declaration)
      .filter(ts.isJSDocParameterTag)
      .map((tag) => [tag.name.getText(), { text: textOf(tag.comment), optional: tag.isBracketed }]),
  );
  const parameters = declaration.parameters.filter(
    // Excel passes the invocation itself.
    ({ type }) => !/^CustomFunctions\.\w*Invocation\b/.test(type?.getText() ?? ""),
  );
  return {
    name: idAndName.split(/\s+/).at(-1) || (declaration.name?.text.toUpperCase() ?? ""),
    description: textOf(ts.getJSDocCommentsAndTags(declaration).find(ts.isJSDoc)?.comment),
    returns: tagTexts(declaration, "returns").join(" "),
    parameters: parameters.map((parameter) => {
      const name = parameter.name.getText();
      const { text = "", optional = false } = described.get(name) ?? {};
      return { name, description: text, optional };
    }),
    examples: tagTexts(declaration, "example").map(readExample),
  };
}

function readExample(text: string): Example {
  const [formula = "", ...lines] = text.split("\n").map((line) => line.trim());
  const called = [...formula.matchAll(new RegExp(`\\b${namespace}\\.([\\w.]+)\\(`, "g"))];
  return { formula, explanation: lines.join(" "), calls: [...new Set(called.map(([, name = ""]) => name))] };
}

function tagTexts(node: ts.Node, tagName: string): string[] {
  return ts
    .getJSDocTags(node)
    .filter((tag) => tag.tagName.text === tagName)
    .map((tag) => textOf(tag.comment));
}

function textOf(comment: ts.JSDoc["comment"]): string {
  return (ts.getTextOfJSDocComment(comment) ?? "").replaceAll("\r\n", "\n").trim();
}

function problemsOf(one: DocumentedFunction, known: readonly string[]): string[] {
  const problems: string[] = [];
  if (one.description === "") problems.push("it has no description");
  if (one.returns === "") problems.push("@returns is missing");
  for (const { name, description } of one.parameters) {
    if (description === "") problems.push(`the parameter ${name} is not described`);
  }
  if (one.examples.length !== examplesEach) {
    problems.push(`it has ${one.examples.length} examples, not ${examplesEach}`);
  }
  for (const { formula, explanation, calls } of one.examples) {
    if (!formula.startsWith("=") || calls.length === 0) problems.push(`"${formula}" is no example`);
    if (explanation === "") problems.push(`nothing says what ${formula} does`);
    for (const name of calls) {
      if (!known.includes(name)) problems.push(`${formula} calls ${name}, which there is not`);
    }
  }
  return problems;
}
