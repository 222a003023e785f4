import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import type { CommandIo } from "../command-io";

/** The transport over the standard input and output. It closes when the input ends, which the SDK's own does not. */
export function standardTransport({ input, output }: NonNullable<CommandIo["streams"]>): Transport {
  const transport = new StdioServerTransport(input, output);
  const close = () => void transport.close();
  input.once("end", close);
  input.once("close", close);
  return transport;
}
