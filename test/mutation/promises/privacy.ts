import type { HeldPromise } from "./promise";

const tables = "test/promises.test.ts";
const exchange = "src/engine/transport/exchange.ts";
const inExchange = {
  file: exchange,
  test: "test/engine/transport/exchange.test.ts",
  title: "carries the key in its header, to the address it was entered for, and refuses redirects",
};

/** The promises of docs/privacy.md. */
export const privacyPromises: readonly HeldPromise[] = [
  {
    says: "The add-in reads no name, no mail address, no calendar and no contacts, and uses no Microsoft Graph.",
    mutants: [
      {
        file: "src/main.ts",
        text: "const formulasComeMs = 100;",
        becomes: "const formulasComeMs = 100;\nvoid OfficeRuntime.auth.getAccessToken();",
        rule: "no-restricted-properties",
      },
      {
        file: "src/main.ts",
        text: "const formulasComeMs = 100;",
        becomes: "const formulasComeMs = 100;\nvoid Office.auth.getAccessToken();",
        rule: "no-restricted-properties",
      },
    ],
  },
  {
    says: "The service is asked at the endpoints of the table below, and nowhere else.",
    mutants: [
      {
        file: "src/engine/api/endpoints.ts",
        text: 'path: "/v1/units-of-measure",',
        becomes: 'path: "/v1/users/me",',
        test: tables,
        title: "docs/privacy.md has every endpoint in its table, and no other",
      },
    ],
  },
  {
    says: "Names of jurisdictions are looked up on your machine, in a list that was fetched whole: no name is sent.",
    mutants: [
      {
        file: "src/engine/lookup/search/find-named.ts",
        text: "await directory.list(state, options);",
        becomes: "await directory.list(readings[0]?.text, options);",
        test: "test/functions/geoids-by-name.test.ts",
        title: "reads the list of its state alone, once for all formulas and for the geoIDs that they use",
      },
    ],
  },
  {
    says: "As a geoID, only digits are sent that have the length of one (2, 5, 7 or 10) and begin with the code of a state, and of a county if they are that long. Of another text, the list of your jurisdictions tells whether it is one.",
    mutants: [
      {
        file: "src/engine/lookup/directory/geoid.ts",
        text: "return !hasCounty || isCounty(geoid.slice(0, geoidDigits.county));",
        becomes: "return true;",
        test: "test/engine/lookup/directory/geoid.test.ts",
        title: "a code of no state or of no county is the code of nothing, and never sent",
      },
      {
        file: "src/engine/lookup/directory/geoid.ts",
        text: "if (!lengths.includes(geoid.length) || stateOfGeoid(geoid) === undefined) return false;",
        becomes: "if (stateOfGeoid(geoid) === undefined) return false;",
        test: "test/engine/lookup/directory/directory-requests.test.ts",
        title: "of another form are looked for in all pages, once a day, and never sent nor kept",
      },
      {
        file: "src/engine/lookup/directory/geoid.ts",
        text: "if (!lengths.includes(geoid.length) || stateOfGeoid(geoid) === undefined) return false;",
        becomes: "if (!lengths.includes(geoid.length)) return false;",
        test: "test/engine/lookup/directory/directory-requests.test.ts",
        title: "of another form are looked for in all pages, once a day, and never sent nor kept",
      },
      {
        file: "src/engine/lookup/directory/directory.ts",
        text: "const sendable = () => lacking().filter(mayBeSent);",
        becomes: "const sendable = lacking;",
        test: "test/engine/lookup/directory/directory-requests.test.ts",
        title: "of another form are looked for in all pages, once a day, and never sent nor kept",
      },
    ],
  },
  {
    says: "Of a list of more than 20, the pane first looks into that list; where it lacks most of them, you are asked before the rest is sent.",
    mutants: [
      {
        file: "src/engine/lookup/lists/resolve-list.ts",
        text: "const mostSentUnseen = 20;",
        becomes: "const mostSentUnseen = 500;",
        test: "test/engine/lookup/lists/resolve-list.test.ts",
        title: "go out after the directory of their states only, and after a question if most are not in it",
      },
      {
        file: "src/engine/lookup/lists/resolve-list.ts",
        text: "return (await maySend({ found, lacking })) ? [] : lacking;",
        becomes: "await maySend({ found, lacking });\n  return [];",
        test: "test/engine/lookup/lists/resolve-list.test.ts",
        title: "go out after the directory of their states only, and after a question if most are not in it",
      },
    ],
  },
  {
    says: "No cookies and no referring address go along, and the browser keeps no answer in its own cache.",
    mutants: [
      { ...inExchange, text: 'credentials: "omit"', becomes: 'credentials: "include"' },
      { ...inExchange, text: 'referrerPolicy: "no-referrer"', becomes: 'referrerPolicy: "unsafe-url"' },
      { ...inExchange, text: 'cache: "no-store"', becomes: 'cache: "default"' },
    ],
  },
  {
    says: "The add-in keeps in its storage only what the table of that storage names, and in the workbook only the parts that the table of the workbook names.",
    mutants: [
      {
        file: "src/settings/choices/last-choice.ts",
        text: '"regdata.last-choice"',
        becomes: '"regdata.history"',
        test: tables,
        title: "docs/privacy.md names all that is kept in the user's storage, and nothing else",
      },
      {
        file: "src/workbook/last-known/last-known-values.ts",
        text: '"urn:regdata:values"',
        becomes: '"urn:regdata:author"',
        test: tables,
        title: "docs/privacy.md names all parts that are kept in the workbook, and nothing else",
      },
      {
        file: "src/main.ts",
        text: "const formulasComeMs = 100;",
        becomes: "const formulasComeMs = 100;\nlocalStorage.setItem('visits', '1');",
        rule: "no-restricted-globals",
      },
    ],
  },
  {
    says: "Kept answers lie under a SHA-256 fingerprint of address and key: neither can be read from it.",
    mutants: [
      {
        file: "src/engine/cache/space.ts",
        text: 'const digest = await crypto.subtle.digest("SHA-256", bytes);',
        becomes: "const digest = bytes;",
        test: "test/engine/cache/space.test.ts",
        title: "shows nothing of key or address",
      },
    ],
  },
  {
    says: "Kept answers take 200 MB at most, and a list is erased 30 days after it was last fetched.",
    mutants: [
      {
        file: "src/engine/cache/store.ts",
        text: "if (bytes <= config.keptBytes) break;",
        becomes: "break;",
        test: "test/engine/cache/bounds.test.ts",
        title: "the shards of all spaces that were written first go first, and whole",
      },
      {
        file: "src/config.ts",
        text: "keptBytes: 200_000_000,",
        becomes: "keptBytes: 900_000_000,",
        test: tables,
        title: "docs/privacy.md tells how much is kept, and for how long",
      },
      {
        file: "src/config.ts",
        text: "documentAgeMs: 30 * 86_400_000,",
        becomes: "documentAgeMs: 300 * 86_400_000,",
        test: tables,
        title: "docs/privacy.md tells how much is kept, and for how long",
      },
    ],
  },
  {
    says: "**Clear…** erases what was fetched with the connection in use.",
    mutants: [
      {
        file: "src/app.ts",
        text: "change(openAccess(credentials, running), true)",
        becomes: "change(openAccess(credentials, running))",
        test: "test/app/cache-of-sessions.test.ts",
        title: "makes the same key ask for everything again, in a session of its own",
      },
    ],
  },
  {
    says: "**Forget** on **In this workbook** takes a saved import away, with its digests and its history.",
    mutants: [
      {
        file: "src/workbook/imports/saved/import-book.ts",
        text: "const ids = [...entries.map(({ partId }) => partId), ",
        becomes: "const ids = [",
        test: "test/workbook/imports/saved/import-book.test.ts",
        title: "is written and forgotten alone, with each of its parts, whatever ids others have",
      },
      {
        file: "src/workbook/imports/saved/import-book.ts",
        text: "=> partId), ...history.partIds, ...digests.partIds];",
        becomes: "=> partId), ...history.partIds];",
        test: "test/workbook/imports/saved/import-book.test.ts",
        title: "that is forgotten takes its digests and its history along",
      },
      {
        file: "src/workbook/imports/saved/import-book.ts",
        text: "=> partId), ...history.partIds, ",
        becomes: "=> partId), ",
        test: "test/workbook/imports/saved/import-book.test.ts",
        title: "that is forgotten takes its digests and its history along",
      },
    ],
  },
];
