import { describe, expect, it } from "vitest";
import { readOptions } from "../../reference-service/options";
import { quirkNames, quirks } from "../../reference-service/quirks/quirks";

describe("the options of npm run service", () => {
  it("are read", () => {
    expect(readOptions([])).toEqual({ port: 8080 });
    const all =
      "--port 0 --limits 60,1000,10000 --month before --quirks string-ids,page-size-20 --gazetteer a.txt --gazetteer b.txt";
    expect(readOptions(all.split(" "))).toEqual({
      port: 0,
      limits: { minute: 60, hour: 1_000, day: 10_000 },
      month: "before",
      quirks: ["string-ids", "page-size-20"],
      gazetteer: ["a.txt", "b.txt"],
    });
  });

  it.each([
    ["--port", "web"],
    ["--port", "70000"],
    ["--limits", "1,2"],
    ["--limits", "0,1,1"],
    ["--month", "now"],
    ["--quirks", ""],
    ["--colour", "blue"],
  ])("%s %s is refused in a sentence that names it", (...args) => {
    expect(readOptions(args)).toEqual({ problem: expect.stringContaining(args[0]!) as string });
  });

  it("are listed by --help, with what each quirk is for", () => {
    const { help } = readOptions(["--help"]) as { help: string };
    for (const option of ["--port", "--limits", "--month", "--quirks", "--gazetteer"])
      expect(help).toContain(option);
    for (const name of quirkNames) {
      expect(help).toMatch(new RegExp(`^  ${name} `, "m"));
      expect(help).toContain(quirks[name].changes);
    }
  });
});
