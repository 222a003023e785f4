import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript";

/** A member of Office's API that the add-in uses, such as `Excel.Range.values`. */
interface OfficeMember {
  name: string;
  /** The requirement set that introduced the member, such as `ExcelApi 1.9`; empty if Microsoft's types name none. */
  set: string;
  isNewer: boolean;
  /** True if Excel holds the object, so that an older Excel fails when the member is used. */
  isOfObject: boolean;
  /** True if the add-in sets it anywhere. */
  isSet: boolean;
  /** The words that it is set to or called with, with the argument's index, where Microsoft's types list all words that it takes. */
  words: Map<string, { index: number; word: string | boolean }>;
  files: Set<string>;
}

const asksForSpills = [
  "taskpane/formulas/formula-control.ts createFormulaControl",
  "taskpane/share/share-control.ts createShareControl",
  "taskpane/share/store-last-known.ts storeLastKnown",
];

/**
 * Functions that use a member newer than the manifest requires and don't ask for its set, because the functions listed beside them ask:
 * they pass the answer on, or call only if the set is there. A function is named by its file and its name.
 */
const askedElsewhere: Readonly<Record<string, readonly string[]>> = {
  "functions/dated-answers.ts cardCell": ["functions/excel-values.ts hasCards"],
  "functions/excel-values.ts formattedNumber": ["functions/excel-values.ts hasCards"],
  "functions/excel-values.ts property": ["functions/excel-values.ts hasCards"],
  "functions/excel-values.ts typedCell": ["functions/excel-values.ts citesNumbers"],
  "workbook/sheet/cells/formula-search.ts readOwnFormats": [
    "taskpane/formulas/formula-control.ts createFormulaControl",
    "taskpane/share/share-control.ts createShareControl",
  ],
  "workbook/sheet/cells/formula-search.ts spillParent": asksForSpills,
  "workbook/sheet/cells/formula-search.ts withSpills": asksForSpills,
  "workbook/sheet/cells/replace-cells.ts makePlain": asksForSpills,
  "workbook/sheet/cells/named-places.ts readSpillAreas": [
    "taskpane/cell/precedents/precedents-work.ts listPrecedents",
  ],
  "workbook/sheet/cells/selected-cell.ts readAsSelected": [
    "taskpane/cell/facts/cell-control.ts createCellControl",
    "taskpane/cell/precedents/precedents-work.ts listPrecedents",
  ],
  "workbook/sheet/swap/notes.ts notesOf": ["workbook/sheet/workbook.ts workbookOn"],
};

/** Reads the versions that the manifest requires, by requirement set. */
export function manifestSets(manifest: string): Map<string, string> {
  const sets = manifest.matchAll(/<Set Name="(\w+)" MinVersion="([\d.]+)"/g);
  return new Map([...sets].map(([, name = "", version = ""]) => [name, version]));
}

/**
 * Finds the members of Office's API that `src` uses. A fault is a function that uses a member newer than the manifest requires, while
 * neither it nor its functions in `askedElsewhere` ask for exactly the member's set with `hasExcelApi` or `isSetSupported`. The check reads
 * no conditions, to stay simple, so the use may stand anywhere in the function. `planted` are further files by path, for tests.
 */
export function officeMembers(root: string, planted: ReadonlyMap<string, string> = new Map()) {
  const required = manifestSets(readFileSync(join(root, "manifest.xml"), "utf8"));
  const { files, checker } = readSource(root, planted);
  const members = new Map<string, OfficeMember>();
  /** The newer sets that each function needs, with a member of each, and the sets that it asks for. */
  const needs = new Map<string, Map<string, string>>();
  const questions = new Map<string, Set<string>>();

  /** Lists a member, and the set that the function `user` needs because of it; a type needs none. */
  function use(
    declarations: readonly ts.Declaration[],
    file: string,
    user: string,
    { isSet, words }: Pick<OfficeMember, "isSet" | "words">,
  ) {
    // If a type of the add-in declares the member as well, that type allows for its absence.
    if (!declarations.every(isOffice)) return;
    const used = declarations.map((declaration) => {
      const set = setOf(declaration);
      const [setName = "", version = ""] = set.split(" ");
      const isNewer = byVersion(version, required.get(setName) ?? "") > 0;
      const isOfObject = /^class \w+ extends OfficeExtension\.ClientObject\b/.test(
        declaration.parent.getText(),
      );
      return { name: nameOf(declaration), set, isNewer, isOfObject };
    });
    for (const one of used) {
      const member = members.get(one.name) ?? { ...one, isSet: false, words: new Map(), files: new Set() };
      members.set(one.name, member);
      member.files.add(file);
      member.isSet ||= isSet;
      for (const [key, word] of words) member.words.set(key, word);
    }
    // A member that several classes have is available as soon as the oldest class has it.
    const [oldest] = used.sort((one, other) => byVersion(one.set, other.set));
    if (!oldest?.isNewer || user === "") return;
    needs.set(user, (needs.get(user) ?? new Map<string, string>()).set(oldest.set, oldest.name));
  }

  for (const file of files) {
    const path = relative(join(root, "src"), file.fileName).replaceAll("\\", "/");
    for (const statement of file.statements) {
      const user = `${path} ${namesOf(statement)}`;
      const visit = (node: ts.Node) => {
        for (const declarations of declarationsAt(node, checker))
          if (declarations.length > 0)
            use(declarations, path, isInType(node) ? "" : user, givenAt(node, checker));
        if (ts.isCallExpression(node) && /\b(hasExcelApi|isSetSupported)$/.test(node.expression.getText())) {
          const types = node.arguments.map((argument) => checker.getTypeAtLocation(argument));
          const texts = types.map((type) => (type.isStringLiteral() ? type.value : ""));
          const asked = (texts.length === 1 ? ["ExcelApi", ...texts] : texts).join(" ");
          questions.set(user, (questions.get(user) ?? new Set()).add(asked));
        }
        ts.forEachChild(node, visit);
      };
      visit(statement);
    }
  }

  const faults = [...needs].flatMap(([user, sets]) =>
    [...sets].flatMap(([set, member]) => {
      const asks = (name: string) => questions.get(name)?.has(set) ?? false;
      const others = askedElsewhere[user] ?? [];
      if (asks(user) || (others.length > 0 && others.every(asks))) return [];
      const silent = others.filter((name) => !asks(name)).map((name) => `, nor does ${name}`);
      return [`${user} uses ${member} and does not ask for ${set}${silent.join("")}`];
    }),
  );
  for (const user of Object.keys(askedElsewhere))
    if (!needs.has(user)) faults.push(`${user} uses nothing newer than the manifest requires`);
  const inOrder = [...members.values()].sort((one, other) =>
    byVersion(`${one.set} ${one.name}`, `${other.set} ${other.name}`),
  );
  return { members: inOrder, faults };
}

/**
 * Matches files that may use Office or ask for it; reading the other files would take long. Functions that Excel calls without a written
 * type name their parameter context.
 */
const namesOffice = /\b(Excel|Office|OfficeRuntime|CustomFunctions)\.|\b(context|hasExcelApi)\b/;

/** Parses `src` with Microsoft's types only: other packages pass nothing of Office on, and take long to read. */
function readSource(root: string, planted: ReadonlyMap<string, string>) {
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile) as { config: unknown };
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const read = { ...options, types: ["office-js", "office-runtime", "custom-functions-runtime"] };
  const paths = new Set([...fileNames.filter((path) => path.includes("/src/")), ...planted.keys()]);
  const host = ts.createCompilerHost(read);
  host.jsDocParsingMode = ts.JSDocParsingMode.ParseNone;
  const { readFile } = host;
  host.readFile = (path) => planted.get(path) ?? readFile(path);
  host.resolveModuleNameLiterals = (names, from) =>
    names.map(({ text }) =>
      text.startsWith(".") ? ts.resolveModuleName(text, from, read, host) : { resolvedModule: undefined },
    );
  const program = ts.createProgram([...paths], read, host);
  const files = program
    .getSourceFiles()
    .filter(({ fileName, text }) => paths.has(fileName) && namesOffice.test(text));
  return { files, checker: program.getTypeChecker() };
}

/** Finds the declarations of each member that a node uses: by name, in an object that is handed over, in `load("…")`. */
function declarationsAt(node: ts.Node, checker: ts.TypeChecker): (readonly ts.Declaration[])[] {
  const { parent } = node;
  const propertyOf = (type: ts.Type, name: string) => checker.getNonNullableType(type).getProperty(name);
  if (ts.isObjectLiteralElementLike(node) && node.name && ts.isObjectLiteralExpression(parent)) {
    const name = node.name.getText();
    const type = checker.getContextualType(parent);
    const own = checker.getTypeAtLocation(parent);
    const types = type?.isUnion() ? type.types : type ? [type] : [];
    const fitting = types.filter((one) => checker.isTypeAssignableTo(own, one));
    const meant = fitting.length > 0 ? fitting : types;
    return [meant.flatMap((one) => propertyOf(one, name)?.declarations ?? [])];
  }
  if (ts.isBindingElement(node) && ts.isObjectBindingPattern(parent)) {
    const name = (node.propertyName ?? node.name).getText();
    return [propertyOf(checker.getTypeAtLocation(parent), name)?.declarations ?? []];
  }
  if (ts.isIdentifier(node) || ts.isElementAccessExpression(parent))
    return [checker.getSymbolAtLocation(node)?.declarations ?? []];
  if (!ts.isStringLiteralLike(node) || !ts.isCallExpression(parent)) return [];
  const { expression } = parent;
  if (!ts.isPropertyAccessExpression(expression) || expression.name.text !== "load") return [];
  return node.text.split(",").flatMap((path) => {
    let type = checker.getTypeAtLocation(expression.expression);
    return path.split("/").map((name) => {
      const property = propertyOf(type, name.trim());
      if (property) type = checker.getTypeOfSymbol(property);
      type = type.getNumberIndexType() ?? type;
      return property?.declarations ?? [];
    });
  });
}

/** Tells if a node sets its member, and lists the words given to it there: several where it is not known which. */
function givenAt(node: ts.Node, checker: ts.TypeChecker): Pick<OfficeMember, "isSet" | "words"> {
  const member = node.parent;
  const { parent } = member;
  const isAccess = ts.isPropertyAccessExpression(member) && member.name === node;
  const isSet =
    isAccess &&
    ts.isBinaryExpression(parent) &&
    parent.left === member &&
    parent.operatorToken.kind === ts.SyntaxKind.EqualsToken;
  const isCalled = isAccess && ts.isCallExpression(parent) && parent.expression === member;
  const given = isSet ? [parent.right] : isCalled ? parent.arguments : [];
  const words = [...given].flatMap((value, index) => {
    const expected = checker.getContextualType(value);
    // An enum's words are also listed as texts; where any text will do, none is listed.
    if (!expected || checker.isTypeAssignableTo(checker.getStringType(), expected)) return [];
    const type = checker.getTypeAtLocation(value);
    return (type.isUnion() ? type.types : [type]).flatMap((one) => {
      const isWord = one.isStringLiteral() || (one.flags & ts.TypeFlags.BooleanLiteral) !== 0;
      const word = one.isStringLiteral() ? one.value : checker.typeToString(one) === "true";
      return isWord ? [[`${index} ${word}`, { index, word }] as const] : [];
    });
  });
  return { isSet, words: new Map(words) };
}

/** True for a node inside a type: types don't exist when the add-in runs. */
function isInType(node: ts.Node): boolean {
  return ts.findAncestor(node, (above) => ts.isTypeNode(above) || ts.isTypeElement(above)) !== undefined;
}

function isOffice(declaration: ts.Node): boolean {
  const { fileName } = declaration.getSourceFile();
  return /@types\/(office-js|office-runtime|custom-functions-runtime)\//.test(fileName);
}

/** Reads `[Api set: ExcelApi 1.9]` above a declaration, or else above the class or namespace around it. */
function setOf(declaration: ts.Node): string {
  for (let node = declaration; !ts.isSourceFile(node); node = node.parent) {
    const comment = node.getFullText().slice(0, node.getLeadingTriviaWidth());
    const [, name = "", version = ""] =
      /\[\s*Api set:\s*(\w+) ([\d.]+)/i.exec(comment) ??
      /Requirement sets?\*\*:.*?\|\s*(\w+) ([\d.]+)/is.exec(comment) ??
      [];
    // A member of Excel and Outlook names sets of both; Outlook's set is Mailbox.
    if (name && name !== "Mailbox") return `${name} ${version}`;
  }
  return "";
}

/** Names a declaration with its namespaces and class in front. */
function nameOf(declaration: ts.Node): string {
  const names: string[] = [];
  for (let node = declaration; !ts.isSourceFile(node); node = node.parent) {
    const { name } = node as Partial<ts.NamedDeclaration>;
    if (name) names.unshift(name.getText());
  }
  return names.join(".");
}

function namesOf(statement: ts.Statement): string {
  const declared = ts.isVariableStatement(statement) ? statement.declarationList.declarations : [statement];
  return declared.map((one) => (one as Partial<ts.NamedDeclaration>).name?.getText() ?? "").join(", ");
}

/** Sorts versions by the numbers between the dots. */
function byVersion(one: string, other: string): number {
  return one.localeCompare(other, "en", { numeric: true });
}
