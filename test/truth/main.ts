/**
 * `npm run truth`: the long form of this folder's tests, with new seeds unless one is given: cases of a user's day, as many cases in
 * which people work in the sheet meanwhile, finds against brute force, and workbooks that the command refreshes. It runs in pieces of
 * some minutes each, one after the other.
 */
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: {
    cases: { type: "string", default: "10000" },
    /** The number of finds. */
    finds: { type: "string", default: "10000" },
    /** The number of workbooks that the command refreshes. */
    books: { type: "string", default: "500" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 0x3fffffff)) },
    /** The number of the only piece to run, from 1. */
    piece: { type: "string" },
    /** fast-check's path of the only case of a day to run. */
    path: { type: "string" },
    /** The seed of the only case with people to run. */
    people: { type: "string" },
  },
});

const mostCases = 5_000;
const days = "test/truth/truth.test.ts";
const people = "test/truth/moving";
const finds = "test/truth/finds";
const books = "test/truth/books";

/** The pieces of some cases; each begins at the seed after the last one of the piece before. */
function piecesOf(file: string, seed: number, cases: number) {
  return Array.from({ length: Math.ceil(cases / mostCases) }, (_, at) => ({
    file,
    seed: seed + at * mostCases,
    cases: Math.min(mostCases, cases - at * mostCases),
  }));
}

function play({ file, seed, cases }: { file: string; seed: number; cases: number }): boolean {
  const { status } = spawnSync("npx", ["vitest", "run", "--project", "plays", file], {
    stdio: "inherit",
    shell: process.platform === "win32",
    env: {
      ...process.env,
      TRUTH_CASES: String(cases),
      TRUTH_SEED: String(seed),
      ...(values.path !== undefined && { TRUTH_PATH: values.path }),
    },
  });
  return status === 0;
}

const [seed, cases] = [Number(values.seed), Number(values.cases)];
const all = [
  ...piecesOf(days, seed, cases),
  ...piecesOf(people, seed, cases),
  ...piecesOf(finds, seed, Number(values.finds)),
  ...piecesOf(books, seed, Number(values.books)),
];
const wanted =
  values.people !== undefined
    ? [{ file: people, seed: Number(values.people), cases: 1 }]
    : values.path !== undefined
      ? [{ file: days, seed, cases }]
      : all.filter((_, at) => values.piece === undefined || at + 1 === Number(values.piece));
console.log(
  `The same again: npm run truth -- --cases ${cases} --finds ${values.finds} --books ${values.books} --seed ${seed}, in ${all.length} pieces (--piece 1)`,
);
const failed = wanted.filter((piece) => !play(piece));
process.exit(failed.length > 0 || wanted.length === 0 ? 1 : 0);
