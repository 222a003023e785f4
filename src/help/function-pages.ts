import { type DocumentedFunction, type Example, namespace } from "./documented-functions";

/** A row of the table of failures. */
export interface KindOfFailure {
  excelError: string;
  status?: string;
  sentence: string;
  nextStep: string;
}

/** A finished page; its path is relative to help.html. */
export interface HelpPage {
  path: string;
  html: string;
}

/** A page for each function: syntax, arguments, examples, and the failures that its cells can show. */
export function functionPages(
  functions: readonly DocumentedFunction[],
  kinds: Readonly<Record<string, KindOfFailure>>,
): HelpPage[] {
  const unclassified = Object.keys(kinds).filter((kind) => !(kind in givenBy));
  const gone = Object.keys(givenBy).filter((kind) => !(kind in kinds));
  if (unclassified.length + gone.length > 0) {
    throw new Error(
      `The help's table of who gives which failure is out of date: ${[...unclassified, ...gone].join(", ")}.`,
    );
  }
  return functions.map((one) => ({ path: pathOf(one.name), html: functionPage(one, kinds) }));
}

/** Where a function's page is, relative to help.html. */
export function pathOf(name: string): string {
  return `functions/${name.toLowerCase()}.html`;
}

const formulasMark = "<!-- formulas -->";
const statusWordsMark = "<!-- status words -->";

/** help.html with the list of all formulas and the words of field "status" at its marks. */
export function overviewPage(
  template: string,
  functions: readonly DocumentedFunction[],
  kinds: Readonly<Record<string, KindOfFailure>>,
): HelpPage {
  const fill = (text: string, mark: string, content: Html) => {
    if (!text.includes(mark)) throw new Error(`help.html lacks its mark ${mark}`);
    return text.replace(mark, () => content.html);
  };
  const withFormulas = fill(template, formulasMark, formulaList(functions));
  return { path: "help.html", html: fill(withFormulas, statusWordsMark, statusWords(kinds)) };
}

type Giver = (one: DocumentedFunction) => boolean;

const takes =
  (names: RegExp): Giver =>
  ({ parameters }) =>
    parameters.some(({ name }) => names.test(name));
const takesJurisdictions = takes(/^geoids?$/);
const takesTypes = takes(/^question_ids?$/);
const takesCollection = takes(/^collection$/);
const takesTypesOrCollection: Giver = (one) => takesTypes(one) || takesCollection(one);
const asksForAnswers: Giver = (one) => takesJurisdictions(one) && takesTypesOrCollection(one);
const takesNames = takes(/^name$/);
const every: Giver = () => true;
const none: Giver = () => false;

/** Which functions can give which kind of failure. */
const givenBy: Record<string, Giver> = {
  "no-key": every,
  "storage-failed": every,
  "wrong-key": every,
  "no-rights": every,
  "rate-limited": every,
  unreachable: every,
  timeout: every,
  "service-error": every,
  "unexpected-answer": every,
  internal: every,
  "invalid-argument": every,
  "too-large": every,
  "not-asked": every,
  "outside-subscription": takesJurisdictions,
  "unknown-jurisdiction": takesJurisdictions,
  "not-a-geoid": takesJurisdictions,
  "unresolved-jurisdiction": takesJurisdictions,
  "maybe-outside-subscription": asksForAnswers,
  "unknown-name": takesNames,
  "ambiguous-jurisdiction": takesNames,
  "unknown-type": takesTypesOrCollection,
  "ambiguous-name": takesTypesOrCollection,
  // CITATION shows an empty text instead.
  "no-value": (one) => asksForAnswers(one) && one.name !== "CITATION",
  "not-found": every,
  // A jurisdiction that was asked for has its row, whatever is found.
  "nothing-found": (one) => takes(/^headers$/)(one) && !takesJurisdictions(one),
  // The service can refuse only what it is sent; lists are searched here.
  "invalid-request": takes(/^(geoids?|state)$/),
  // Names are read by a script of their own.
  "script-missing": takesNames,
  "other-service": none,
  "table-gone": none,
  "cells-not-found": none,
  cancelled: none,
  "invalid-address": none,
  "no-list": none,
  "cells-in-the-way": none,
  "sheet-refused": none,
  "cell-editing": none,
  "no-cells-selected": none,
  "no-headers": none,
  "sheet-hidden": none,
  "tables-collide": none,
  "workbook-behind": none,
  "not-permitted": none,
  "not-undoable": none,
  "memory-full": none,
  "too-much-at-once": none,
};

/** Whether its cells can show status words instead of errors. */
const tellsStatus: Giver = (one) => takesTypes(one) && takes(/^field$/)(one);

function functionPage(one: DocumentedFunction, kinds: Readonly<Record<string, KindOfFailure>>): string {
  const { name, description, returns, parameters, examples } = one;
  const argumentList = parameters.map(({ name, optional }) => (optional ? `[${name}]` : name)).join(", ");
  const title = `${namespace}.${name}`;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}: RegData for Excel</title>
        <link rel="stylesheet" href="../help.css" />
      </head>
      <body>
        <main>
          <p><a href="../help.html#formulas">All formulas</a></p>
          <h1>${title}</h1>
          <p>${description}</p>
          <pre><code>=${title}(${argumentList})</code></pre>
          <h2>What it gives</h2>
          <p>${returns}</p>
          ${parameters.length > 0 ? argumentTable(one) : ""}
          <h2>Examples</h2>
          ${examples.map((example) => exampleOf(example, name))}
          <h2>When a cell shows an error</h2>
          <p>
            Point at the cell: Excel shows the reason and what to do. ${tellsStatus(one) ? statusHint : ""}
          </p>
          ${failureTable(one, kinds)}
          <p><a href="../help.html">Help</a> · <a href="../support.html">Support</a></p>
        </main>
      </body>
    </html> `.html;
}

const statusHint = html`Field <code>"status"</code> shows a
  <a href="../help.html#status">status word</a> instead.`;

function argumentTable({ parameters }: DocumentedFunction): Html {
  return html`<h2>Arguments</h2>
    <table>
      <thead>
        <tr>
          <th scope="col">Argument</th>
          <th scope="col">What it is</th>
        </tr>
      </thead>
      <tbody>
        ${parameters.map(
          ({ name, description, optional }) =>
            html`<tr>
              <th scope="row"><code>${name}</code>${optional ? html` <small>optional</small>` : ""}</th>
              <td>${description}</td>
            </tr>`,
        )}
      </tbody>
    </table>`;
}

function exampleOf({ formula, explanation, calls }: Example, own: string): Html {
  const others = calls.includes(own) ? [] : calls;
  return html`<div class="example">
    <pre><code>${formula}</code></pre>
    <p>
      ${explanation}
      ${others.map((name) => html`It uses <a href="../${pathOf(name)}">${namespace}.${name}</a>.`)}
    </p>
  </div>`;
}

/** Those of its own first, then what can happen to every formula. */
function failureTable(one: DocumentedFunction, kinds: Readonly<Record<string, KindOfFailure>>): Html {
  const given = Object.entries(kinds).filter(([kind]) => givenBy[kind]?.(one));
  const isCommon = ([kind]: [string, KindOfFailure]) => givenBy[kind] === every;
  const rows = [...given.filter((entry) => !isCommon(entry)), ...given.filter(isCommon)];
  const hasStatus = tellsStatus(one);
  return html`<table class="failures">
    <thead>
      <tr>
        <th scope="col">Error</th>
        ${hasStatus ? html`<th scope="col">Status</th>` : ""}
        <th scope="col">What happened</th>
        <th scope="col">What to do</th>
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        ([kind, { excelError, status, sentence, nextStep }]) =>
          html`<tr data-kind="${kind}">
            <td class="error">${excelError}</td>
            ${hasStatus ? html`<td class="status">${status ?? ""}</td>` : ""}
            <td>${sentence}</td>
            <td>${nextStep}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function formulaList(functions: readonly DocumentedFunction[]): Html {
  return html`<table>
    <thead>
      <tr>
        <th scope="col">Formula</th>
        <th scope="col">What it gives</th>
      </tr>
    </thead>
    <tbody>
      ${functions.map(
        ({ name, description }) =>
          html`<tr>
            <th scope="row"><a href="${pathOf(name)}">${name}</a></th>
            <td>${description}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function statusWords(kinds: Readonly<Record<string, KindOfFailure>>): Html {
  const meanings = new Map<string, string[]>();
  for (const { status, sentence } of Object.values(kinds)) {
    if (status !== undefined) meanings.set(status, [...(meanings.get(status) ?? []), sentence]);
  }
  return html`${[...meanings].map(
    ([status, sentences]) =>
      html`<tr>
        <th scope="row">${status}</th>
        <td>${sentences.map((sentence) => html`<p>${sentence}</p>`)}</td>
      </tr>`,
  )}`;
}

interface Html {
  html: string;
}

/** Text becomes text, whatever it looks like; only what was made here is taken as it is. */
function html(
  strings: TemplateStringsArray,
  ...parts: readonly (string | Html | readonly (string | Html)[])[]
): Html {
  const made = (part: (typeof parts)[number] = ""): string => {
    if (typeof part === "string") return escaped(part);
    return "html" in part ? part.html : part.map(made).join("\n");
  };
  return { html: strings.map((string, place) => string + made(parts[place])).join("") };
}

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
