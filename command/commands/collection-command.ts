import { CommandFailure } from "../command-failure";
import { connect, connectionHelp } from "../command-connection";
import { importAndTell } from "../imports/import-command";
import {
  liveHelp,
  outputHelp,
  readImportOptions,
  targetOf,
  whereHelp,
  workbookHelp,
} from "../imports/import-options";
import { jurisdictionsOf, wordsOf } from "../imports/where";
import { forTarget } from "../imports/write-import";
import { mustBeNone } from "../command-options";
import { printableLine } from "../output/printable";
import { createProgress } from "../output/progress";
import { Failure } from "../../src/errors";
import type { Command } from "./command-shape";

export const collection: Command = {
  summary: "Run a saved collection of questions into a new workbook, which remembers it as an import.",
  help: `npm run regdata -- collection "Residential solar" --where CA -o solar.xlsx

Asks the questions of a collection that your organization has saved, by its id or exact name, and writes the answers as a table into
a new workbook. The add-in and "refresh" know it as an import. Everything that is left out or has no value is printed.
${whereHelp}${outputHelp}${workbookHelp}${liveHelp}${connectionHelp}`,
  async run(words, io) {
    const { values, positionals } = readImportOptions(words, ["question", "if", "any"]);
    const [wanted, ...rest] = positionals;
    if (wanted === undefined || wanted.trim() === "")
      throw new CommandFailure("usage", "Name the collection before the options, by its id or exact name.");
    mustBeNone(rest);
    const target = targetOf(values);
    const { where = [] } = values;
    if (where.length === 0) throw new CommandFailure("usage", "Name the jurisdictions with --where.");
    const whereWords = await wordsOf(where);
    return forTarget(target, async (ready) => {
      const connected = await connect(values, io);
      const { session } = connected;
      const progress = createProgress(io, values.quiet === true || values.json === true);
      const { signal } = io;
      try {
        progress.show("looking up", 0, 0);
        const found = await session.lookup.catalogue
          .collection(wanted.trim(), { signal })
          .catch(refused(wanted));
        const named = await jurisdictionsOf(whereWords, session, { signal });
        const question = { kind: "collection" as const, ahjs: named.ahjs, collection: found };
        return await importAndTell({ question, named }, ready, { values, connected, io, progress });
      } finally {
        progress.end();
      }
    });
  },
};

/** Reports a name that no collection or several collections have as a mistake in the user's words, not as a failure of the service. */
function refused(name: string) {
  return (thrown: unknown): never => {
    if (
      thrown instanceof Failure &&
      (thrown.kind === "unknown-collection" || thrown.kind === "ambiguous-name")
    ) {
      const why =
        thrown.kind === "unknown-collection"
          ? "Your organization has no collection"
          : "Several collections have the name, so name one by its id:";
      throw new CommandFailure("usage", `${why} "${printableLine(name, 80)}".`, { cause: thrown });
    }
    throw thrown;
  };
}
