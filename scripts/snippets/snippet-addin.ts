import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseTree } from "custom-functions-metadata";
import ts from "typescript";
import { recordInPage } from "./recorder";
import type { Snippet } from "./read-snippet";

/** The namespace of the functions that a snippet has. */
const NAMESPACE = "SNIPPET";

/** Writes the add-in that a snippet makes: a page, a script, a manifest and, if it has any, the list of its functions. */
export function writeAddin(snippet: Snippet, folder: string): { hasFunctions: boolean } {
  const functions = functionsOf(snippet);
  const script = ts.transpile(snippet.script, {
    ...{ target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.None },
  });
  const files = {
    "manifest.xml": manifest(functions !== null),
    "snippet.html": page(snippet, functions !== null),
    "snippet.js": script + (functions ? associations(functions) : ""),
    "recorder.js": `(${recordInPage.toString()})();`,
    ...(functions && { "functions.json": JSON.stringify(listOf(functions)) }),
  };
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return { hasFunctions: functions !== null };
}

/** The custom functions by their JSDoc; null if there are none. */
function functionsOf({ script, path }: Snippet): ReturnType<typeof parseTree> | null {
  return /@customfunction/i.test(script) ? parseTree(script, path.replaceAll(/\W/g, "_")) : null;
}

/** The contents of functions.json. Functions may give data types, as the page of Microsoft on them asks (custom-functions-data-types-concepts.md). */
const listOf = ({ functions, enums }: ReturnType<typeof parseTree>) => ({
  allowCustomDataForDataTypeAny: true,
  functions,
  ...(enums && { enums }),
});

/** Tells Office which function belongs to which id of functions.json. */
function associations({ associate }: ReturnType<typeof parseTree>): string {
  const lines = associate.map(
    ({ id, functionName }) => `CustomFunctions.associate(${JSON.stringify(id)}, ${functionName});`,
  );
  return `\n${lines.join("\n")}\n`;
}

/** A script that uses the workbook begins when Office is ready, as in Script Lab; functions are there before. */
function page({ html, css }: Snippet, hasFunctions: boolean): string {
  const begin = hasFunctions ? '<script src="snippet.js"></script>' : "";
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Snippet</title>
<script src="https://appsforoffice.microsoft.com/lib/1/hosted/office.js"></script>
<script src="recorder.js"></script>
<style>${css}</style>
</head>
<body>
${html}
${begin}
</body>
</html>
`;
}

function manifest(hasFunctions: boolean): string {
  const address = "https://snippets.example/";
  const functions = `
  <VersionOverrides xmlns="http://schemas.microsoft.com/office/taskpaneappversionoverrides" xsi:type="VersionOverridesV1_0">
    <Hosts><Host xsi:type="Workbook">
      <Runtimes><Runtime resid="Page" lifetime="long" /></Runtimes>
      <AllFormFactors><ExtensionPoint xsi:type="CustomFunctions">
        <Script><SourceLocation resid="Script" /></Script>
        <Page><SourceLocation resid="Page" /></Page>
        <Metadata><SourceLocation resid="Metadata" /></Metadata>
        <Namespace resid="Namespace" />
      </ExtensionPoint></AllFormFactors>
    </Host></Hosts>
    <Resources>
      <bt:Urls>
        <bt:Url id="Page" DefaultValue="${address}snippet.html" />
        <bt:Url id="Script" DefaultValue="${address}snippet.js" />
        <bt:Url id="Metadata" DefaultValue="${address}functions.json" />
      </bt:Urls>
      <bt:ShortStrings><bt:String id="Namespace" DefaultValue="${NAMESPACE}" /></bt:ShortStrings>
    </Resources>
  </VersionOverrides>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<OfficeApp xmlns="http://schemas.microsoft.com/office/appforoffice/1.1"
  xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
  xmlns:bt="http://schemas.microsoft.com/office/officeappbasictypes/1.0" xsi:type="TaskPaneApp">
  <Id>6b1d2f4e-9f2a-4f0c-8e61-2f6f3f0d9a10</Id>
  <Version>1.0.0.0</Version>
  <ProviderName>Snippets</ProviderName>
  <DefaultLocale>en-US</DefaultLocale>
  <DisplayName DefaultValue="Snippet" />
  <Description DefaultValue="One snippet." />
  <Hosts><Host Name="Workbook" /></Hosts>
  <DefaultSettings><SourceLocation DefaultValue="${address}snippet.html" /></DefaultSettings>
  <Permissions>ReadWriteDocument</Permissions>${hasFunctions ? functions : ""}
</OfficeApp>
`;
}
