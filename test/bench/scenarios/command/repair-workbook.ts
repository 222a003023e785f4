import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newWorkbookFile } from "../../../../xlsx/workbook-file";
import { runRegdata } from "../../command/run-regdata";
import { spreadOverStates } from "../../play/work";
import { finding } from "../../result";
import type { Scenario } from "../../scenario";
import { readReferenceData } from "../../service/reference-data";
import { median } from "../../timing";

const size = { ahjs: 1_000, types: 10 };
const rounds = 5;
const mostMs = 5_000;

/**
 * `npm run regdata -- repair` of 10,000 formulas that Excel has stored by their shown names, with all of their answers kept by an
 * earlier command, and without a key.
 */
export const repairWorkbook: Scenario = async ({ credentials, progress }) => {
  const { ahjs, residentialTypes } = await readReferenceData(credentials);
  const geoids = spreadOverStates(ahjs, size.ahjs).map(({ geoid }) => geoid ?? "");
  const typeIds = residentialTypes.slice(0, size.types).map(({ id }) => id);
  const folder = await mkdtemp(join(tmpdir(), "regdata-bench-"));
  const path = (name: string) => join(folder, name);
  try {
    const file = newWorkbookFile(["Fees"]);
    file.sheets[0]?.setCells(
      geoids.flatMap((geoid, row) =>
        typeIds.map((typeId, column) => ({
          ...{ row, column, value: "#NAME?", isError: true },
          formula: { text: `REGDATA.VALUE("${geoid}",${typeId})`, isDynamic: false },
        })),
      ),
    );
    await writeFile(path("stuck.xlsx"), file.save());
    await writeFile(path("places.txt"), geoids.join("\n"));
    progress("asking for what is kept");
    const asked = ["--where", `@${path("places.txt")}`, "--question", ...typeIds.map(String)];
    const answers = ["--answers", path("answers")];
    await runRegdata(["matrix", ...asked, ...answers, "-o", path("asked.xlsx")], credentials);

    const times = { kept: [] as number[], none: [] as number[] };
    const peaks: number[] = [];
    let kept = 0;
    for (let at = 1; at <= rounds; at += 1) {
      progress(`round ${at} of ${rounds}`);
      for (const name of ["kept", "none"] as const) {
        await copyFile(path("stuck.xlsx"), path("book.xlsx"));
        const words = ["repair", path("book.xlsx"), "--no-backup", "--json", ...answers];
        const run = await runRegdata(words, name === "kept" ? credentials : null);
        const [book] = (JSON.parse(run.said) as { books: { formulas: { kept: unknown }[] }[] }).books;
        if (book?.formulas.length !== geoids.length * typeIds.length) throw new Error("not all are mended");
        if (name === "kept") kept = book.formulas.filter((each) => each.kept !== null).length;
        times[name].push(run.ms);
        peaks.push(run.command.peakMb);
      }
    }
    const ms = median(times.kept);
    return finding(
      "repair-workbook",
      { size: geoids.length * typeIds.length, requests: 0, ms, memoryMb: Math.max(...peaks) },
      [{ text: `at most ${mostMs} ms`, met: ms <= mostMs, miss: `${ms.toFixed(0)} ms.` }],
      [`${kept} with a kept answer; without a key ${median(times.none).toFixed(0)} ms`],
    );
  } finally {
    await rm(folder, { recursive: true });
  }
};
