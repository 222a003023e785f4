import type { z } from "zod";
import type { CommandIo } from "../command-io";
import type { Connected, ConnectionOptions } from "../command-connection";
import type { Progress } from "../output/progress";
import type { Folders } from "./folders";
import type { TextTable } from "./text-table";

/** The program around a tool's call. */
export interface ToolContext {
  /** The one connection of the server, made when the first tool needs it. Fails as `connect` does. */
  connected(): Promise<Connected>;
  /** The options of the connection with which the server was started. */
  options: ConnectionOptions;
  folders: Folders;
  /** Its signal is aborted when the caller cancels. */
  io: CommandIo;
  progress: Progress;
}

/** A result in its two forms. */
export interface ToolResult<Output> {
  structured: Output;
  text: readonly TextTable[];
}

/** A tool that a program may call. */
export interface Tool {
  name: string;
  title: string;
  /** One sentence. */
  description: string;
  input: z.ZodObject;
  output: z.ZodObject;
  /** Set if it reads or writes files that the caller names. Only one such tool works at a time. */
  onFiles?: "read" | "write";
  run(given: never, context: ToolContext): Promise<ToolResult<object>>;
}

/** Checks a tool's types. */
export function tool<Input extends z.ZodObject, Output extends z.ZodObject>(
  own: Omit<Tool, "input" | "output" | "run"> & {
    input: Input;
    output: Output;
    run(given: z.output<Input>, context: ToolContext): Promise<ToolResult<z.input<Output>>>;
  },
): Tool {
  return own;
}
