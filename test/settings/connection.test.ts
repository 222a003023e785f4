import { describe, expect, it } from "vitest";
import { connectionStorageKey, createConnectionSettings } from "../../src/settings/connection";
import { memoryStorage } from "./memory-storage";

const connection = { baseUrl: "https://service.test", key: "a-very-secret-key" };

describe("the saved connection", () => {
  it("is there again at the next start, and gone when forgotten", async () => {
    const storage = memoryStorage();
    await createConnectionSettings(storage).write(connection);
    expect(await createConnectionSettings(storage).read()).toEqual(connection);
    await createConnectionSettings(storage).forget();
    expect(await createConnectionSettings(storage).read()).toBeNull();
  });

  it.each(["", "{", "null", '{"version":1}', '{"version":99,"baseUrl":"https://x.test","key":"k"}'])(
    "that can't be read counts as none: %s",
    async (stored) => {
      const storage = memoryStorage({ [connectionStorageKey]: stored });
      expect(await createConnectionSettings(storage).read()).toBeNull();
    },
  );
});
