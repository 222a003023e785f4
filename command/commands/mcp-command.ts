import { connectionHelp } from "../command-connection";
import { CommandFailure, exitCodes } from "../command-failure";
import { commonOptions, mustBeNone, readOptions, serviceOptions } from "../command-options";
import type { Command } from "./command-shape";

const options = {
  ...commonOptions,
  ...serviceOptions,
  folder: { type: "string", multiple: true },
} as const;

export const mcp: Command = {
  summary: "Serve searches, answers and workbooks to a program that speaks the Model Context Protocol.",
  help: `npm run --silent regdata -- mcp --folder ~/Workbooks

Serves tools over the standard input and output, by the Model Context Protocol (docs/agents.md): search places and questions, get answers
with citations, find places by conditions; with --folder, also refresh, compare, check and make workbooks. It ends when the client closes
the standard input. --json and --quiet change nothing.

  --folder FOLDER    A folder whose files the tools may read and write; may be repeated. Without it they touch no file.${connectionHelp}

The key is never asked for here.`,
  async run(words, io) {
    const { values, positionals } = readOptions(words, options);
    mustBeNone(positionals);
    const { streams } = io;
    if (!streams) throw new CommandFailure("usage", "There is no standard input to serve.");
    // The code of the protocol is loaded only here, so that every other command starts without it.
    const [{ openFolders }, { serveTools }, { standardTransport }] = await Promise.all([
      import("../mcp/folders"),
      import("../mcp/serve-tools"),
      import("../mcp/standard-transport"),
    ]);
    const folders = await openFolders(values.folder ?? []);
    await serveTools(standardTransport(streams), { options: values, folders, io });
    return exitCodes.unchanged;
  },
};
