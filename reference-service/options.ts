import { parseArgs } from "node:util";
import { parseQuirkNames, quirkNames, quirks, type QuirkName } from "./quirks/quirks";
import { sidesOfMonth, type SideOfMonth } from "./answers/month-of-changes";
import type { RateLimits } from "./http/key-limit";

interface Options {
  port: number;
  limits?: RateLimits;
  month?: SideOfMonth;
  quirks?: QuirkName[];
  /** Paths of Census Gazetteer files. */
  gazetteer?: string[];
}

const usage =
  "Use: npm run service -- [--port N] [--limits MINUTE,HOUR,DAY] [--month before|after] [--quirks NAME,NAME] [--gazetteer FILE]... [--help]";

/** The options of `npm run service`; or a sentence that says which of them is wrong, or the text of --help. */
export function readOptions(args: string[]): Options | { problem: string } | { help: string } {
  try {
    const { values } = parseArgs({
      args,
      options: {
        port: { type: "string", default: "8080" },
        limits: { type: "string" },
        month: { type: "string" },
        quirks: { type: "string" },
        gazetteer: { type: "string", multiple: true },
        help: { type: "boolean", default: false },
      },
    });
    if (values.help) return { help: help() };
    return {
      port: parsePort(values.port),
      ...(values.limits !== undefined && { limits: parseLimits(values.limits) }),
      ...(values.month !== undefined && { month: parseMonth(values.month) }),
      ...(values.quirks !== undefined && { quirks: parseQuirks(values.quirks) }),
      ...(values.gazetteer && { gazetteer: values.gazetteer }),
    };
  } catch (error) {
    const { message } = error as Error;
    return { problem: error instanceof Refusal ? message : `${message}\n${usage}` };
  }
}

/** Its message says everything to the user; the messages of other errors are followed by the usage. */
class Refusal extends Error {}

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new Refusal(`--port takes a number from 0 to 65535, not "${text}".`);
  return port;
}

function parseLimits(text: string): RateLimits {
  const [minute = 0, hour = 0, day = 0] = text.split(",").map(Number);
  if (!/^[1-9]\d*(,[1-9]\d*){2}$/.test(text))
    throw new Refusal(
      `--limits takes requests per minute, hour and day, such as 30,600,5000, not "${text}".`,
    );
  return { minute, hour, day };
}

function parseMonth(text: string): SideOfMonth {
  const side = sidesOfMonth.find((name) => name === text);
  if (!side) throw new Refusal(`--month takes before or after, not "${text}".`);
  return side;
}

function parseQuirks(text: string): QuirkName[] {
  const parsed = parseQuirkNames(text);
  if ("problem" in parsed) throw new Refusal(`--quirks: ${parsed.problem}`);
  return parsed.names;
}

function help(): string {
  const width = Math.max(...quirkNames.map(({ length }) => length));
  const list = quirkNames.map((name) => `  ${name.padEnd(width)}  ${quirks[name].changes}`);
  return [
    usage,
    "",
    "--month after dates one rule of twelve within the last 30 days; --month before gives what those said until then.",
    "",
    "--gazetteer reads a Census Gazetteer file of counties, places or county subdivisions (unpacked), in place of the",
    "generated ones; give it once for each file. Their rules stay invented.",
    "",
    "Quirks, other lawful readings of the points that docs/interface.md leaves open:",
    ...list,
  ].join("\n");
}
