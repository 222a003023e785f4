import type { DocumentedFunction } from "./documented-functions";
import { type Html, html } from "./html-text";

/** A row of the table of failures. */
export interface KindOfFailure {
  /** Missing: `#N/A`. */
  excelError?: string;
  status?: string;
  sentence: string;
  nextStep: string;
}

type Giver = (one: DocumentedFunction) => boolean;

const takes =
  (names: RegExp): Giver =>
  ({ parameters }) =>
    parameters.some(({ name }) => names.test(name));
const takesJurisdictions = takes(/^(geoids?|where)$/);
const takesTypes = takes(/^(question_ids?|columns)$/);
const takesCollection = takes(/^collection$/);
const takesTypesOrCollection: Giver = (one) => takesTypes(one) || takesCollection(one);
const asksForAnswers: Giver = (one) => takesJurisdictions(one) && takesTypesOrCollection(one);
const takesNames = takes(/^name$/);
const finds = takes(/^conditions$/);
const every: Giver = () => true;
const none: Giver = () => false;

/** The functions that can give each kind of failure. */
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
  "on-hold": every,
  "outside-subscription": takesJurisdictions,
  "unknown-jurisdiction": takesJurisdictions,
  "not-a-geoid": takesJurisdictions,
  "not-a-jurisdiction": takesJurisdictions,
  "unresolved-jurisdiction": takesJurisdictions,
  "maybe-outside-subscription": asksForAnswers,
  "unknown-name": takesNames,
  "ambiguous-jurisdiction": takesNames,
  "unknown-type": takesTypesOrCollection,
  "unknown-collection": takes(/^collection$/),
  "ambiguous-name": takesTypesOrCollection,
  // CITATION shows an empty text instead.
  "no-value": (one) => asksForAnswers(one) && one.name !== "CITATION",
  "not-found": every,
  // Except in FIND, a jurisdiction that was asked for has its row, whatever is found.
  "nothing-found": (one) => takes(/^headers$/)(one) && (finds(one) || !takesJurisdictions(one)),
  // The service can refuse only what it is sent; lists are searched here.
  "invalid-request": takes(/^(geoids?|state|where)$/),
  "many-requests": finds,
  // Only the script for answers is always loaded. The other functions load scripts of their own.
  "script-missing": (one) => finds(one) || !takesTypes(one),
  "other-service": none,
  "table-gone": none,
  "dated-sheet-gone": none,
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

/** True if the function's cells can show status words instead of errors. */
export const tellsStatus: Giver = (one) => takesTypes(one) && takes(/^field$/)(one);

/** Fails if the table above lacks a kind, or has a kind that no longer exists. */
export function checkGivers(kinds: Readonly<Record<string, KindOfFailure>>): void {
  const unclassified = Object.keys(kinds).filter((kind) => !(kind in givenBy));
  const gone = Object.keys(givenBy).filter((kind) => !(kind in kinds));
  if (unclassified.length + gone.length > 0) {
    throw new Error(
      `The help's table of who gives which failure is out of date: ${[...unclassified, ...gone].join(", ")}.`,
    );
  }
}

/** The messages of a function that not every function has; undefined if it has none. */
export function messagesOf(
  one: DocumentedFunction,
  kinds: Readonly<Record<string, KindOfFailure>>,
): Html | undefined {
  const own = Object.entries(kinds).filter(([kind]) => givenBy[kind] !== every && givenBy[kind]?.(one));
  return own.length > 0 ? messageTable(own, { hasStatus: tellsStatus(one) }) : undefined;
}

/** All messages that a formula's cell can show. */
export function messagesOfFormulas(kinds: Readonly<Record<string, KindOfFailure>>): Html {
  const given = Object.entries(kinds).filter(([kind]) => givenBy[kind] !== none);
  return messageTable(given, { hasStatus: true });
}

/** The messages that only the pane shows. */
export function messagesOfPane(kinds: Readonly<Record<string, KindOfFailure>>): Html {
  const given = Object.entries(kinds).filter(([kind]) => givenBy[kind] === none && kind !== "cancelled");
  return html`<table class="failures">
    <thead>
      <tr>
        <th scope="col">What happened</th>
        <th scope="col">What to do</th>
      </tr>
    </thead>
    <tbody>
      ${given.map(
        ([kind, { sentence, nextStep }]) =>
          html`<tr data-kind="${kind}">
            <td>${sentence}</td>
            <td>${nextStep}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function messageTable(
  rows: readonly (readonly [kind: string, KindOfFailure])[],
  { hasStatus }: { hasStatus: boolean },
): Html {
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
        ([kind, { excelError = "#N/A", status, sentence, nextStep }]) =>
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

/** The table rows for the words that field "status" shows. */
export function statusWords(kinds: Readonly<Record<string, KindOfFailure>>): Html {
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
