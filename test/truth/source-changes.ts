import type { Plugin } from "vitest/config";
import type { PlantedBug } from "./planted";

/** Whoever names a bug in `globalThis.plantedBug` meets it; each must be found once in the source. */
export function plantable(bugs: readonly PlantedBug[]): Plugin {
  return {
    name: "plantable",
    enforce: "pre",
    transform(code, id) {
      let changed = code;
      for (const { name, file, text, instead } of bugs) {
        if (!id.endsWith(`/src/${file}`)) continue;
        if (changed.split(text).length !== 2) throw new Error(`“${text}” stands not once in ${file}`);
        const isPlanted = `globalThis.plantedBug === ${JSON.stringify(name)}`;
        const switched = instead.includes("PLANTED")
          ? instead.replace("PLANTED", isPlanted)
          : `(${isPlanted} ? (${instead}) : (${text}))`;
        changed = changed.replace(text, () => switched);
      }
      return changed === code ? undefined : { code: changed, map: null };
    },
  };
}
