import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { serve } from "./served";

const document = readFileSync(resolve(import.meta.dirname, "../../../docs/agents.md"), "utf8");
const [guide = "", questions = ""] = document.split("## Five questions\n");

/** The calls of the document, each with what it says that they return. */
const examples = [...questions.matchAll(/```json\n(.*?)```\s+```text\n(.*?)\n```/gs)].map(
  ([, asked = "", returned = ""]) => ({
    ...(JSON.parse(asked) as { tool: string; arguments: Record<string, unknown> }),
    returned,
  }),
);

it("docs/agents.md shows what five calls return with the sample service", async () => {
  const { call, folder } = await serve();
  expect(examples).toHaveLength(5);
  for (const { tool, arguments: given, returned } of examples) {
    const { text } = await call(tool, given);
    const shown = text.replaceAll(folder, "/home/you/Workbooks");
    // Three dots stand for further rows.
    const [beginning = "", end = ""] = returned.split("\n…");
    expect([shown.slice(0, beginning.length), shown.slice(shown.length - end.length)]).toEqual([
      beginning,
      end,
    ]);
    if (!returned.includes("…")) expect(shown).toBe(returned);
  }
});

it("docs/agents.md lists the tools, and its configurations are JSON that starts the command", async () => {
  const { client } = await serve();
  const listed = [...guide.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name);
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(listed);
  const configurations = [...guide.matchAll(/```json\n(.*?)```/gs)].map(
    ([, text = ""]) =>
      JSON.parse(text) as Record<string, Record<string, { command: string; args: string[] }>>,
  );
  const servers = configurations.map((each) => (each["mcpServers"] ?? each["servers"])?.["regdata"]);
  for (const server of servers)
    expect(server).toMatchObject({
      command: "node",
      args: [expect.stringMatching(/command\/start\.mjs$/), "mcp", "--folder", expect.any(String)],
    });
  expect(servers).toHaveLength(2);
});
