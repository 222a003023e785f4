import { runCommand } from "../../../command/run-command";
import type { FileSteps } from "../../../command/workbook/safe-write";
import { baseUrl } from "../../recorded-service";
import { key, worldOf } from "../moving/two-worlds";
import { createRandom, type Random } from "../random";
import { inventService } from "../service";

/** The service answers at once. */
const quick: Random = { ...createRandom(1), chance: () => false, whole: (least) => least };

/** Runs `regdata refresh` on a file, with the service as it answers by now. `told` has all that it printed and told. */
export async function refreshed(
  path: string,
  fileSteps?: FileSteps,
): Promise<{ code: number; told: string }> {
  const { fetch } = inventService(worldOf(2), quick);
  const told: string[] = [];
  const code = await runCommand(["refresh", path, "--answers", "none"], {
    env: { REGDATA_KEY: key, REGDATA_SERVICE: baseUrl },
    fetch,
    print: (text) => void told.push(text),
    printBytes() {},
    tell: (text) => void told.push(text),
    isTerminal: false,
    askUnseen: async () => null,
    answersFolder: "",
    signal: new AbortController().signal,
    ...(fileSteps && { fileSteps }),
  });
  return { code, told: told.join("\n") };
}
