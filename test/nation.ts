import type { Ahj } from "../src/engine/api/schemas";
import { connected } from "./recorded-service";

let reading: Promise<readonly Ahj[]> | undefined;

/** Every AHJ of the reference service, for tests to choose from. They are read once, since that takes half a second. */
export function nationalAhjs(): Promise<readonly Ahj[]> {
  return (reading ??= connected("demo-national")
    .lookup.directory.load()
    .then(({ ahjs }) => ahjs));
}
