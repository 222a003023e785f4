import type { Ahj } from "../../src/engine/api/schemas";
import { nameInFormulas } from "../../src/workbook/formula-text/jurisdiction-name";
import type { Template } from "../../src/workbook/templates/template-shape";
import { statesSeen } from "../../src/workbook/templates/template-jurisdictions";
import { fillTemplate, mostJurisdictions } from "../../src/workbook/templates/templates";
import { CommandFailure } from "../command-failure";
import type { Connected } from "../command-connection";
import { jurisdictionsOf, type NamedJurisdictions, type Word } from "../imports/where";
import { counted } from "../output/counted";
import type { Progress } from "../output/progress";
import { type FilePlace, writeBook } from "../workbook/safe-write";

interface MadeTemplate {
  named: NamedJurisdictions;
  /** The number of jurisdictions in the workbook. */
  jurisdictions: number;
  /** The questions that the service does not have. */
  leftOut: string[];
}

/** Makes a template's workbook and writes it. Fails with a CommandFailure or a Failure. */
export async function makeTemplate(
  { chosen, where, place }: { chosen: Template; where: readonly Word[]; place: FilePlace },
  connected: Connected,
  { signal, progress }: { signal: AbortSignal; progress: Progress },
): Promise<MadeTemplate> {
  const { lookup } = connected.session;
  progress.show("looking up", 0, 0);
  const types = await lookup.catalogue.types({ signal });
  const named =
    where.length > 0
      ? await jurisdictionsOf(where, connected.session, { signal })
      : {
          ahjs: chosen.jurisdictions === "states" ? await statesSeen(lookup, { signal }) : [],
          within: { kind: "all" as const },
          notFound: [],
          corrections: [],
          missing: 0,
        };
  const ahjs = fitting(chosen, named.ahjs);
  const nameOf = nameInFormulas(ahjs, lookup.directory);
  const { plan, leftOut } = fillTemplate(chosen, ahjs, { types, nameOf });
  const onProgress = (done: number, total: number) => progress.show("asking the service", done, total);
  // The code that calculates is loaded only here, so that every other command starts without it.
  const { templateBook } = await import("./template-book");
  const bytes = await templateBook(plan, connected, { signal, onProgress });
  await writeBook(place.path, bytes, place);
  return { named, jurisdictions: ahjs.length, leftOut: [...leftOut] };
}

/** The jurisdictions that the template uses. Fails with a CommandFailure "usage" if there are too many. */
function fitting({ id, jurisdictions }: Template, ahjs: readonly Ahj[]): readonly Ahj[] {
  if (jurisdictions === "states") return ahjs.filter(({ geoid }) => geoid?.length === 2);
  if (jurisdictions === "one" && ahjs.length > 1)
    throw new CommandFailure("usage", `"${id}" takes one jurisdiction. Name one with --where.`);
  if (ahjs.length > mostJurisdictions)
    throw new CommandFailure(
      "usage",
      `"${id}" takes up to ${counted(mostJurisdictions, "jurisdiction")}, not ${ahjs.length.toLocaleString("en-US")}. For more, use "matrix".`,
    );
  return ahjs;
}
