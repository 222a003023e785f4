/**
 * The part of zod that src uses, set so that it compiles no code: zod would otherwise try to, and a Content Security Policy without
 * `unsafe-eval` would report each try.
 */
import { config } from "zod/mini";

config({ jitless: true });

export * from "zod/mini";
