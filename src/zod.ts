/**
 * The part of zod that src uses, set so that it compiles no code: zod would otherwise try to, and a Content Security Policy without
 * `unsafe-eval` would report each try.
 */
import { config, refine } from "zod/mini";

config({ jitless: true });

export * from "zod/mini";

/** Checks that a number lies between two others, or is one of them. zod's own checks of this kind would enlarge the first script. */
export const between = (least: number, most = Infinity) =>
  refine<number>((given) => given >= least && given <= most);

/** Checks that a text has so many characters, or a list so many items, at most. */
export const lengthAtMost = (most: number) =>
  refine<{ readonly length: number }>((given) => given.length <= most);
