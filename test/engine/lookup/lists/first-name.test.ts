import { describe, expect, it } from "vitest";
import { withFirstName } from "../../../../src/engine/lookup/lists/first-name";
import { keyOf } from "../../../../src/engine/lookup/lists/list-entries";
import { readListText } from "../../../../src/engine/lookup/lists/read-list";
import { connected, countByPath } from "../../../recorded-service";

const read = async (text: string, { lookup }: Pick<ReturnType<typeof connected>, "lookup">) => {
  const list = await withFirstName(await readListText(text), lookup.directory);
  return { keys: list.entries.map(({ meaning }) => keyOf(meaning)), headings: list.headings };
};

describe("words above codes", async () => {
  const service = connected("demo-national");
  const { ahjs } = await service.lookup.directory.load();
  const count = (name: string) => ahjs.filter((ahj) => ahj.name === name).length;
  const [only] = ahjs.filter(
    ({ name, type }) => type === "city" && count(name) === 1 && /^[A-Z][a-z]+$/.test(name),
  );
  const name = only?.name ?? "";

  it("are a jurisdiction if exactly one has this name", async () => {
    expect(await read(`${name}\n06001\n06003`, service)).toEqual({
      keys: [name.toLowerCase(), "06001", "06003"],
      headings: [],
    });
  });

  it.each(["Where we build", "Orange", "County", "geoID"])(
    "are the heading if they are not: %s",
    async (heading) => {
      expect(await read(`${heading}\n06001\n06003`, service)).toEqual({
        keys: ["06001", "06003"],
        headings: [heading],
      });
    },
  );

  it("are the heading while the directory is not on the device, because nothing is asked for them", async () => {
    const other = connected("demo-national");
    expect((await read(`${name}\n06001`, other)).headings).toEqual([name]);
    expect(countByPath(other.requests)).toEqual({});
  });
});
