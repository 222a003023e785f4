import { type DocumentedFunction, type Example, namespace } from "./documented-functions";
import { checkGivers, type KindOfFailure, messagesOf, tellsStatus } from "./error-tables";
import { type Html, html } from "./html-text";
import { framed, type HelpPage } from "./page-frame";

/** A page for each function: syntax, arguments, examples, and the messages that only some functions have. */
export function functionPages(
  functions: readonly DocumentedFunction[],
  kinds: Readonly<Record<string, KindOfFailure>>,
): HelpPage[] {
  checkGivers(kinds);
  return functions.map((one) =>
    framed({ path: pathOf(one.name), title: `${namespace}.${one.name}` }, bodyOf(one, kinds)),
  );
}

/** The path of a function's page, relative to the folder of the help. */
export function pathOf(name: string): string {
  return `functions/${name.toLowerCase()}.html`;
}

function bodyOf(one: DocumentedFunction, kinds: Readonly<Record<string, KindOfFailure>>): Html {
  const { name, description, returns, parameters, examples } = one;
  const argumentList = parameters.map(({ name, optional }) => (optional ? `[${name}]` : name)).join(", ");
  return html`<p>${description}</p>
    <pre><code>=${namespace}.${name}(${argumentList})</code></pre>
    <h2>What it gives</h2>
    <p>${returns}</p>
    ${parameters.length > 0 ? argumentTable(one) : ""}
    <h2>Examples</h2>
    ${examples.map((example) => exampleOf(example, name))}
    <h2>When a cell shows an error</h2>
    <p>Point at the cell: Excel shows the reason and what to do. ${tellsStatus(one) ? statusHint : ""}</p>
    ${messagesOf(one, kinds) ?? ""}
    <p>
      What every formula can show, such as a request limit or a lost connection, is under
      <a href="../errors.html#cells">When something is in error</a>.
    </p>
    <p><a href="../formulas.html">All formulas</a></p>`;
}

const statusHint = html`Field <code>"status"</code> shows a
  <a href="../formulas.html#status">status word</a> instead.`;

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

/** The table of all functions. */
export function functionList(functions: readonly DocumentedFunction[]): Html {
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
