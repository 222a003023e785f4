import { join, relative } from "node:path";
import ts from "typescript";

/** The add-in's own source, with types. */
export interface Source {
  files: readonly ts.SourceFile[];
  checker: ts.TypeChecker;
  /** Where a node stands: the file's path, and with its line. */
  fileOf(node: ts.Node): string;
  lineOf(node: ts.Node): string;
}

/** Its types are large, and nothing of Office goes through them. */
const unread = /^(@fluentui\/|node:)/;

/** `extra` are files by their paths, read in place of those on disk or beside them. */
export function readSource(root: string, extra: ReadonlyMap<string, string> = new Map()): Source {
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), (path) => ts.sys.readFile(path)) as {
    config: unknown;
  };
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const isOwn = (path: string) => path.includes("/src/");
  const paths = new Set([...fileNames.filter(isOwn), ...extra.keys()]);
  const read = { ...options, types: ["office-js", "office-runtime", "custom-functions-runtime"] };
  const host = ts.createCompilerHost(read);
  host.jsDocParsingMode = ts.JSDocParsingMode.ParseNone;
  const { getSourceFile } = host;
  host.getSourceFile = (path, languageVersion, ...others) => {
    const text = extra.get(path);
    return text === undefined
      ? getSourceFile(path, languageVersion, ...others)
      : ts.createSourceFile(path, text, languageVersion);
  };
  host.resolveModuleNameLiterals = (names, from) =>
    names.map(({ text }) =>
      unread.test(text) ? { resolvedModule: undefined } : ts.resolveModuleName(text, from, read, host),
    );
  const program = ts.createProgram([...paths], read, host);
  const own = program.getSourceFiles().filter(({ fileName }) => paths.has(fileName));
  const fileOf = (node: ts.Node) => relative(root, node.getSourceFile().fileName).replaceAll("\\", "/");
  return {
    files: reached(
      own,
      (text, from) => ts.resolveModuleName(text, from, read, host).resolvedModule?.resolvedFileName,
    ),
    checker: program.getTypeChecker(),
    fileOf,
    lineOf(node) {
      const { line } = node.getSourceFile().getLineAndCharacterOfPosition(node.getStart());
      return `${fileOf(node)}:${line + 1}`;
    },
  };
}

const namesOffice = /\b(Excel|Office|OfficeExtension|OfficeRuntime|CustomFunctions)\b(?=\.\w| =|;|\))/;

/** The files that name Office, and all that import them: no other can have anything of it. */
function reached(
  files: readonly ts.SourceFile[],
  resolve: (name: string, from: string) => string | undefined,
): ts.SourceFile[] {
  const importers = new Map<string, ts.SourceFile[]>();
  for (const file of files) {
    for (const { fileName } of ts.preProcessFile(file.text).importedFiles) {
      const imported = fileName.startsWith(".") ? resolve(fileName, file.fileName) : undefined;
      if (imported !== undefined) importers.set(imported, [...(importers.get(imported) ?? []), file]);
    }
  }
  const found = new Set(files.filter(({ text }) => namesOffice.test(text)));
  // Those that are added while it goes are visited, too.
  for (const { fileName } of found) for (const importer of importers.get(fileName) ?? []) found.add(importer);
  return [...found];
}

/** Whether Microsoft's types declare it. */
export function isOffice(declaration: ts.Node): boolean {
  return /@types\/(office-js|office-runtime|custom-functions-runtime)\//.test(
    declaration.getSourceFile().fileName,
  );
}

/** Every node of the files. */
export function walk(files: readonly ts.SourceFile[], visit: (node: ts.Node) => void): void {
  const each = (node: ts.Node) => {
    visit(node);
    ts.forEachChild(node, each);
  };
  files.forEach(each);
}
