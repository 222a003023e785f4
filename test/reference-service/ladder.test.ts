import { describe, expect, it } from "vitest";
import { types } from "../../reference-service/answers/sample-catalogue";
import { sampleDataset } from "../../reference-service/dataset";
import type { AhjRecord } from "../../reference-service/geography/geography";

const { geography, ladder } = sampleDataset();
const byLevel = (level: string) => geography.records.filter((record) => record.level === level);
const counties = new Map(byLevel("county").map((record) => [record.countyGeoid, record]));
const describeRule = (record: AhjRecord, maker: AhjRecord | undefined, typeId: number) =>
  `${record.ahj.id} ${typeId}: ${maker?.ahj.id}`;

describe("Whose rule is in effect", () => {
  it("a city without a rule of its own has its county's, for every city and every type", () => {
    let followed = 0;
    const wrong: string[] = [];
    for (const city of byLevel("city")) {
      const county = counties.get(city.countyGeoid)!;
      for (const entry of types) {
        const maker = ladder.ruleMaker(city, entry);
        if (maker === city) continue;
        followed += 1;
        if (maker !== ladder.ruleMaker(county, entry)) wrong.push(describeRule(city, maker, entry.type.id));
      }
    }
    expect(followed).toBeGreaterThan(1_000_000);
    expect(wrong.length, wrong.slice(0, 5).join("; ")).toBe(0);
  }, 60_000);

  it("a county is served by one utility, its own if it has any, else one of its state", () => {
    const home = new Set(byLevel("utility").map(({ countyGeoid }) => countyGeoid));
    for (const county of counties.values()) {
      const utilities = county.chain.filter(({ level }) => level === "utility");
      expect(utilities).toHaveLength(1);
      const [utility] = utilities;
      expect(utility!.ahj.state_code).toBe(county.ahj.state_code);
      if (home.has(county.countyGeoid)) expect(utility!.countyGeoid).toBe(county.countyGeoid);
    }
  });
});
