import type { HeldPromise } from "./promise";

const sessions = "test/app/cache-of-sessions.test.ts";
const plantedKey = "test/e2e/sharing/planted-key.test.ts";
const keyForms = "test/key-forms.test.ts";
const echoedKey = "test/engine/api/echoed-key.test.ts";
const userStorage = "src/settings/user-storage.ts";
const maskedOutput = "command/output/masked-output.ts";
const commandKeyTest = "test/command/key.test.ts";

/** "The key stays with the user". */
export const keyPromises: readonly HeldPromise[] = [
  {
    says: "It is kept in Office's own storage on this device, or in Excel on the web behind the key of the partition in which Office shows the add-in, and in no other storage.",
    mutants: [
      {
        file: userStorage,
        text: "const shared = host.OfficeRuntime?.storage ?? host.localStorage;",
        becomes: "const shared = host.localStorage;",
        test: "test/settings/user-storage.test.ts",
        title: "is in Office's storage if there is no partition, whatever stands for one: %j",
      },
      {
        file: userStorage,
        text: "await own.setItem(partition + name, value);",
        becomes: "await own.setItem(name, value);",
        test: "test/settings/user-storage.test.ts",
        title: "is in the browser's storage behind the partition's key, and seen inside no other site",
      },
      {
        file: "src/settings/connection.ts",
        text: "write: (connection) => storage",
        becomes: "write: (connection) => (sessionStorage.setItem('key', connection.key), storage)",
        rule: "no-restricted-globals",
      },
      {
        file: "src/settings/connection.ts",
        text: "write: (connection) => storage",
        becomes: "write: (connection) => ((document.cookie = connection.key), storage)",
        rule: "no-restricted-properties",
      },
    ],
  },
  {
    says: "A connection that was kept before there was a partition moves there and leaves no copy.",
    mutants: [
      {
        file: userStorage,
        text: "await shared.removeItem(name);\n        return newer ?? before;",
        becomes: "return newer ?? before;",
        test: "test/settings/user-storage.test.ts",
        title: "moves into the first partition that reads it",
      },
      {
        file: userStorage,
        text: "await own.removeItem(partition + name);\n        await shared.removeItem(name);",
        becomes: "await own.removeItem(partition + name);",
        test: "test/settings/user-storage.test.ts",
        title: "is forgotten with the partition's connection, in both storages",
      },
    ],
  },
  {
    says: "It is typed unseen, into an empty field.",
    mutants: [
      {
        file: "src/taskpane/connect/KeyInput.tsx",
        text: 'WebkitTextSecurity: "disc"',
        becomes: 'WebkitTextSecurity: "none"',
        test: plantedKey,
        title: "is typed unseen into an empty field that no browser fills, reads or offers to save",
      },
    ],
  },
  {
    says: "It is shown as its last four characters at most.",
    mutants: [
      {
        file: "src/settings/masked-key.ts",
        text: "key.slice(-4)",
        becomes: "key.slice(-5)",
        test: "test/settings/masked-key.test.ts",
        title: "gives away at most its last four characters",
      },
      {
        file: "src/settings/masked-key.ts",
        text: "key.length >= 12",
        becomes: "key.length >= 4",
        test: "test/settings/masked-key.test.ts",
        title: "gives away at most its last four characters",
      },
    ],
  },
  {
    says: "It is in no saved workbook.",
    mutants: [
      {
        file: "src/taskpane/refresh/saved-imports-control.ts",
        text: "signatureOf(app.connections.current(), session.credentials) : undefined;",
        becomes: "signatureOf(app.connections.current(), session.credentials) : session.credentials.key;",
        test: plantedKey,
        title: "is in no saved workbook: no cell, no setting, no custom XML",
      },
    ],
  },
  {
    says: "Once connected, it is in no text, attribute or field of the page.",
    mutants: [
      {
        file: "src/taskpane/settings/ConnectionList.tsx",
        text: '<Text weight="semibold">{name}</Text>',
        becomes: '<Text weight="semibold" title={key}>{name}</Text>',
        test: plantedKey,
        title: "is in no screen, attribute or field once connected, whatever the service repeats",
      },
    ],
  },
  {
    says: "It is in no log, no error and no diagnostics text.",
    mutants: [
      {
        file: "src/engine/transport/exchange.ts",
        text: "let sends = 0;",
        becomes: "let sends = 0;\n  console?.log(key);",
        rule: "no-console",
      },
      {
        file: "src/engine/transport/exchange.ts",
        text: "let sends = 0;",
        becomes: 'let sends = 0;\n  globalThis["console"].log(key);',
        rule: "no-restricted-globals",
      },
      {
        file: "src/engine/transport/exchange.ts",
        text: 'throw new Failure("unreachable", { cause });',
        becomes: 'throw new Failure("unreachable", { cause, detail: JSON.stringify(headers) });',
        test: "test/engine/transport/exchange.test.ts",
        title: "never has its key in a failure",
      },
      {
        file: "src/taskpane/settings/diagnostics.ts",
        text: "session && hostOf(session.credentials.baseUrl)",
        becomes: "session && `${hostOf(session.credentials.baseUrl)} ${session.credentials.key.slice(-4)}`",
        test: "test/settings/diagnostics.test.ts",
        title: "holds no key, no part of one, no path of the address, and nothing that was asked for",
      },
      {
        file: "src/taskpane/settings/diagnostics.ts",
        text: "session && hostOf(session.credentials.baseUrl)",
        becomes: "session && session.credentials.baseUrl",
        test: "test/settings/diagnostics.test.ts",
        title: "holds no key, no part of one, no path of the address, and nothing that was asked for",
      },
    ],
  },
  {
    says: "The command prints it nowhere, whatever a workbook, a file's name or the service holds.",
    mutants: [
      {
        file: maskedOutput,
        text: "print: (text) => io.print(masked(text)),",
        becomes: "print: io.print,",
        test: commandKeyTest,
        title: "the key is in no output, though files, their names and the service hold it",
      },
      {
        file: maskedOutput,
        text: 'await contentOf(io.env["REGDATA_KEY_FILE"])',
        becomes: "undefined",
        test: commandKeyTest,
        title: "a key of REGDATA_KEY_FILE is in no output of a command that needs no key",
      },
      {
        file: maskedOutput,
        text: "text.replace(cutWord, (word) => withoutForms(word, forms))",
        becomes: "text",
        test: commandKeyTest,
        title: "the key is in no output, though files, their names and the service hold it",
      },
    ],
  },
  {
    says: "A service that repeats it, or eight characters of it, in an error is quoted without it, in whatever form programs write it: plain, in capitals, as in an address, in XML, JSON, base64 or hexadecimal.",
    mutants: [
      ...[
        ["(?:%(?:u00)?|", "(?:%u00|"],
        ["|&(amp|lt|gt|quot|apos);", "|(never)"],
        ["|\\\\+(?:[nrt]|([\"'/\\\\]))/g", "|\\\\+(?:[nrt]|(never))/g"],
        ["...base64, ...base64Url", "...base64Url"],
        ["...base64, ...base64Url", "...base64"],
        ["[0, 1, 2].map((before)", "[0, 1].map((before)"],
        ["...base64Url, hex]", "...base64Url]"],
        ["const lower = replaced(text, capitals, small);", "const lower = text;"],
      ].map(([text = "", becomes = ""]) => ({
        file: "src/key-forms.ts",
        text,
        becomes,
        test: keyForms,
        title: "is masked, all that tells it",
      })),
      ...[
        ["const mostLevels = 4;", "const mostLevels = 1;"],
        ["replaced(open, quotes, nothing)", "open"],
        ["replaced(lower, apartBytes, together)", "lower"],
        ["|&#x0*([\\da-f]{2});?", "|(never)"],
        ["|&#0*(\\d{2,3});?", "|(never)"],
        ["|_x00([\\da-f]{2})_", "|(never)"],
      ].map(([text = "", becomes = ""]) => ({
        file: "src/key-forms.ts",
        text,
        becomes,
        test: keyForms,
        title: "is found and masked: %s",
      })),
      {
        file: "src/key-forms.ts",
        text: "const leastPiece = 8;",
        becomes: "const leastPiece = 12;",
        test: keyForms,
        title: "is masked where only a piece of it is quoted",
      },
      {
        file: "src/engine/api/answer-failure.ts",
        text: "quoted(withoutKey(bestText(parsed)))",
        becomes: "quoted(bestText(parsed))",
        test: echoedKey,
        title: "is quoted without it: %s",
      },
      {
        file: "src/engine/api/client.ts",
        text: "quoted(withoutKey(refusal.refused))",
        becomes: "quoted(refusal.refused)",
        test: echoedKey,
        title: "is quoted without it: %s",
      },
      {
        file: "src/engine/api/answer-failure.ts",
        text: "quoted(withoutKey(bestText(parsed)))",
        becomes: "withoutKey(quoted(bestText(parsed)))",
        test: echoedKey,
        title: "is not quoted with the beginning of one that is cut off",
      },
      {
        file: "src/engine/api/answer-failure.ts",
        text: 'quotedKinds.has(kind) ? quoted(withoutKey(bestText(parsed))) : "",',
        becomes: "body,",
        test: echoedKey,
        title: "is told of without a word of it: %s",
      },
    ],
  },
  {
    says: "A wrong or expired key is told apart from missing rights.",
    mutants: [
      {
        file: "src/engine/api/answer-failure.ts",
        text: "if (status === 401 || aboutKey)",
        becomes: "if (status === 401 || status === 403 || aboutKey)",
        test: "test/engine/api/answer-failure.test.ts",
        title: "with status %i and %j is %s",
      },
      {
        file: "src/engine/api/answer-failure.ts",
        text: "if (status === 401 || aboutKey)",
        becomes: "if (aboutKey)",
        test: "test/engine/api/answer-failure.test.ts",
        title: "with status %i and %j is %s",
      },
    ],
  },
  {
    says: "One click forgets it, with all that was fetched with it.",
    mutants: [
      {
        file: "src/app.ts",
        text: "return erasures.erase(cache, space);",
        becomes: "return Promise.resolve(true);",
        test: sessions,
        title: "are erased even if nobody has asked for anything yet",
      },
      {
        file: "src/settings/connection.ts",
        text: "forget: () => storage.removeItem(name),",
        becomes: "forget: () => Promise.resolve(),",
        test: "test/taskpane/connect/connections-control.test.ts",
        title: "forgetting the connection in use disconnects, and its key is nowhere on the device",
      },
      {
        file: "src/taskpane/connect/connections-control.ts",
        text: "await kept.change((before) => without(before, connection));\n        await (wasActive",
        becomes: "await (wasActive",
        test: "test/taskpane/connect/connections-control.test.ts",
        title: "forgetting the connection in use disconnects, and its key is nowhere on the device",
      },
      {
        file: "src/engine/cache/cache.ts",
        text: "if (ending) return;\n        const put",
        becomes: "const put",
        test: "test/engine/cache/cache.test.ts",
        title: "keeps nothing after its end",
      },
    ],
  },
  {
    says: "The other workbooks of the browser end their session at once, and keep nothing more of it.",
    mutants: [
      {
        file: "src/app.ts",
        text: "void space.then(dependencies.others?.tellForgotten, () => undefined);",
        becomes: "",
        test: sessions,
        title: "both end when one forgets the key: the other asks nothing more and keeps nothing of it",
      },
      {
        file: "src/app.ts",
        text: "dependencies.others?.onForgotten((space) => void endForgotten(space));",
        becomes: "",
        test: sessions,
        title: "both end when one forgets the key: the other asks nothing more and keeps nothing of it",
      },
      {
        file: "src/app.ts",
        text: "if (last?.controller !== controller) return;\n    controller.abort();",
        becomes: "if (last?.controller !== controller) return;",
        test: sessions,
        title:
          "end each other's requests when one forgets the key: the waiting cell says that there is no key",
      },
    ],
  },
  {
    says: "What can't be erased then is erased at the next start, or the user is told. So is what belongs to no kept connection: a browser may not let workbooks tell each other.",
    mutants: [
      {
        file: "src/app.ts",
        text: "preferenceSettings.read(), erasures.resume()]",
        becomes: "preferenceSettings.read()]",
        test: sessions,
        title: "are erased at the next start if the disk could not be opened",
      },
      {
        file: "src/app.ts",
        text: "if (!(await (kept ? forgetSpace(kept) : change(null)))) storageFailed();",
        becomes: "await (kept ? forgetSpace(kept) : change(null));",
        test: sessions,
        title: "are not reported as forgotten if they could be neither erased nor noted for erasure",
      },
      {
        file: "src/app.ts",
        text: "await settings.forget().catch(storageFailed);",
        becomes: "await settings.forget().catch(() => undefined);",
        test: sessions,
        title: "is not said to be forgotten where its connection stays in the storage",
      },
      {
        file: "src/app.ts",
        text: "void eraseUnkept(kept).catch(() => undefined);",
        becomes: "",
        test: sessions,
        title:
          "that can't tell each other keep nothing of a forgotten key after the next start, and all answers of saved keys",
      },
      {
        file: "src/app.ts",
        text: "await mustBeKept();",
        becomes: "",
        test: sessions,
        title:
          "that can't tell each other ask nothing more under a forgotten key once a minute has passed, and write nothing",
      },
    ],
  },
  {
    says: "A document that can't be written to the disk keeps nobody from forgetting.",
    mutants: [
      {
        file: "src/engine/cache/cache.ts",
        text: "} catch {\n      disk.fail();\n      return undefined;\n    }",
        becomes: "} finally {\n      disk.fail();\n    }",
        test: "test/engine/cache/cache.test.ts",
        title: "that can't write one document still writes the others and later answers, and ends",
      },
    ],
  },
  {
    says: "What one key fetched is never shown to another.",
    mutants: [
      {
        file: "src/engine/cache/space.ts",
        text: "fingerprint([baseUrl, key])",
        becomes: "fingerprint([baseUrl])",
        test: sessions,
        title: "keeps each key's answers, and shows neither key the other's",
      },
      {
        file: "src/app.ts",
        text: "if (!isOver()) return result;",
        becomes: "return result;",
        test: "test/app/app.test.ts",
        title: "has work that ends just then done again with the new key",
      },
      {
        file: "src/formula-asks.ts",
        text: "this.session?.closed.aborted && !this.options.signal?.aborted",
        becomes: "false",
        test: "test/functions/calls.test.ts",
        title: "during a call of %s, the call is answered with the new key",
      },
      {
        file: "src/app.ts",
        text: "const goesOn = last && next && !clears && isSame(last.credentials, next.credentials);",
        becomes: "const goesOn = last && next && !clears;",
        test: "test/functions/calls.test.ts",
        title: "a formula asks with the new key, and never shows the old key's answers",
      },
    ],
  },
];
