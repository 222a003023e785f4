import type { HeldPromise } from "./promise";

const answers = "test/hostile/answers.test.ts";

/** "What the service says is data". */
export const serviceTextPromises: readonly HeldPromise[] = [
  {
    says: "It is never code and never markup.",
    mutants: [
      {
        file: "src/engine/api/read-answer.ts",
        text: "JSON.parse(",
        becomes: "(0, eval)(",
        rule: "no-eval",
      },
      {
        file: "src/engine/api/read-answer.ts",
        text: "JSON.parse(",
        becomes: "new Function(",
        rule: "no-new-func",
      },
      {
        file: "src/taskpane/cell/SourceCard.tsx",
        text: '<a className={styles.link} href={text} target="_blank" rel="noreferrer noopener">\n      {text}\n    </a>',
        becomes: "<span dangerouslySetInnerHTML={{ __html: text }} />",
        rule: "no-danger",
      },
      {
        file: "src/taskpane/commands.ts",
        text: "const address = new URL(`help/${path}`, location.href).href;",
        becomes: "document.body.innerHTML = path;\n  const address = path;",
        rule: "no-restricted-properties",
      },
    ],
  },
  {
    says: "It is never a formula.",
    mutants: [
      {
        file: "src/workbook/sheet/values/cell-value.ts",
        text: ': { value: cellText(text), numberFormat: "@" };',
        becomes: ': { value: cellText(text), numberFormat: "General" };',
        test: answers,
        title: "stands in an import as it was sent",
      },
      {
        file: "src/workbook/cell-formulas/freeze.ts",
        text: "const { value: content, numberFormat: format } = textCell(value);",
        becomes: 'const [content, format] = [value, "General"];',
        test: answers,
        title: "is given by formulas, frozen and carried along as it was sent",
      },
    ],
  },
  {
    says: "It is a link only where it is a web address.",
    mutants: [
      {
        file: "src/workbook/sheet/values/web-address.ts",
        text: "/\\bhttps?:\\/\\/[^\\s<>\"']+/i",
        becomes: "/\\b\\w+:\\/\\/[^\\s<>\"']+/i",
        test: "test/workbook/sheet/values/web-address.test.ts",
        title: "of %j is %j",
      },
    ],
  },
];
