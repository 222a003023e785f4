import type { HeldPromise } from "./promise";

const oddAnswers = "test/functions/odd-answers.test.ts";
const shapes = "test/engine/api/shapes.test.ts";
const bounds = "src/engine/api/answer-bounds.ts";
const safeWrite = "command/workbook/safe-write.ts";
const safeWriteTest = "test/command/workbook/safe-write.test.ts";

/** Promises of docs/reliability.md. */
export const reliabilityPromises: readonly HeldPromise[] = [
  {
    says: "An answer is taken only if its AHJs, geoIDs, types, collection and page are those that were asked for. Otherwise it is refused with a sentence, shown nowhere and not kept.",
    mutants: [
      {
        file: "src/engine/api/read-answer.ts",
        text: "if (isAsked(data.data, warnings) === false)",
        becomes: "if (isAsked(data.data, warnings) === undefined)",
        test: oddAnswers,
        title: "the values %s",
      },
      {
        file: bounds,
        text: "({ geoid }, data) => data.geoid === geoid",
        becomes: "({ geoid }, data) => !data.geoid || data.geoid === geoid",
        test: "test/engine/api/answer-bounds.test.ts",
        title: "%s, of %s",
      },
    ],
  },
  {
    says: "A gateway's 404 says nothing about a jurisdiction.",
    mutants: [
      {
        file: "src/engine/api/answer-failure.ts",
        text: 'kind === "not-found" && !!detail',
        becomes: 'kind === "not-found"',
        test: oddAnswers,
        title: "says nothing about %s of an AHJ",
      },
    ],
  },
  {
    says: "Bytes in no known encoding are refused. A number that can't be read is shown as it was sent. An id that is no positive whole number counts as missing.",
    mutants: [
      {
        file: "src/engine/transport/decoded-text.ts",
        text: "{ fatal: true }",
        becomes: "{ fatal: false }",
        test: oddAnswers,
        title: "is refused as %s, and shown with no replacement character",
      },
      {
        file: "src/engine/api/schemas.ts",
        text: "return isInteger(value) && Number(value) > 0;",
        becomes: "return isInteger(value);",
        test: shapes,
        title: "is missing from its list, and spoils no other: %j",
      },
      {
        file: "src/engine/api/schemas.ts",
        text: "/^-?\\d{1,15}(\\.\\d+)?$/.test(sent)",
        becomes: "isFinite(Number(sent))",
        test: shapes,
        title: "gives a text that is no plain number as it was sent: %j",
      },
    ],
  },
  {
    says: "An answer from a cache is as old as its `Age` says.",
    mutants: [
      {
        file: "src/engine/api/client.ts",
        text: "ageSeconds > 0 ?",
        becomes: "ageSeconds > 0 && ageSeconds <= 86_400 ?",
        test: shapes,
        title: "whose Age is %s was given %i ms ago",
      },
    ],
  },
  {
    says: "A list of which the service counts more than it lists is read once more, and then told as one with a gap.",
    mutants: [
      {
        file: "src/engine/lookup/catalogue/catalogue.ts",
        text: "if (missing > 0) throw gapFailure(missing, noun, plural);",
        becomes: "",
        test: oddAnswers,
        title: "is read once more, then told as a gap and not shown: %s(%j)",
      },
    ],
  },
  {
    says: "Every function marks the old answers that it shows because the service could not be asked.",
    mutants: [
      {
        file: "src/engine/lookup/old-answers.ts",
        text: 'if (failure.kind !== "not-asked" && isUnavailable(failure)) note(name, atMs);',
        becomes: "",
        test: "test/functions/old-answers.test.ts",
        title:
          "=REGDATA.%s(%j) shows its last answer while the service is away, with a mark that goes when the service is back",
      },
    ],
  },
  {
    says: "The command replaces no file that somebody saved while it worked, not even with `--force`: it says so and writes nothing.",
    mutants: [
      {
        file: safeWrite,
        text: "else await takeName(beside, path, steps);",
        becomes: "else await steps.rename(beside, path);",
        test: safeWriteTest,
        title: "takes the place of nothing in the last moment, on a disk without second names for files, too",
      },
      {
        file: safeWrite,
        text: "version: there && versionOf(there) }",
        becomes: "version: undefined }",
        test: safeWriteTest,
        title: "of an edit never does either, with --force: %s",
      },
    ],
  },
];
