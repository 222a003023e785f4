import type { Plugin } from "vitest/config";

/** Scripts that the add-in loads on demand are there at once: a simulated clock waits for nothing real. */
export function scriptsAtHand(): Plugin {
  return {
    name: "scripts-at-hand",
    enforce: "pre",
    transform(code, id) {
      if (!/\/src\/[^?]*\.ts$/.test(id)) return undefined;
      const scripts: string[] = [];
      const changed = code.replace(
        /(?<!typeof )import\(\s*(?:\/\*[^*]*\*\/)?\s*("\.[^"]+")\s*\)/g,
        (_, path: string) => {
          scripts.push(`import * as script${scripts.length} from ${path};`);
          return `Promise.resolve(script${scripts.length - 1})`;
        },
      );
      return scripts.length === 0 ? undefined : { code: `${scripts.join("\n")}\n${changed}`, map: null };
    },
  };
}
