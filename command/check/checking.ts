import { isTooShortToFind } from "../../src/key-forms";
import { addin } from "../addin";
import { type ConnectionOptions, givenKey, parsedService } from "../command-connection";
import { CommandFailure } from "../command-failure";
import type { CommandIo } from "../command-io";
import { printableLine } from "../output/printable";
import type { CheckOptions } from "./check-book";

export const defaultAgeDays = 365;

interface AskedCheck extends Pick<ConnectionOptions, "service" | "key-file"> {
  olderThanDays: number;
  namespace?: string | undefined;
}

/** The options of a check, with the key of the environment or of a file. Fails with a CommandFailure "usage" or "file". */
export async function checkingOf(
  { olderThanDays, namespace, ...values }: AskedCheck,
  io: CommandIo,
): Promise<CheckOptions> {
  const key = await givenKey(values, io);
  if (key !== null && isTooShortToFind(key))
    io.tell("The key is too short to be told from other texts: it is not looked for.");
  const address = values.service ?? io.env["REGDATA_SERVICE"];
  return {
    namespace: namespaceOf(namespace),
    keys: key === null ? [] : [key],
    service: address ? parsedService(address) : null,
    olderThanDays,
    nowMs: Date.now(),
  };
}

/** The namespace of custom functions from an option; by default the add-in's. Fails with a CommandFailure "usage". */
export function namespaceOf(given: string | undefined): string {
  const namespace = given ?? addin.namespace;
  if (!/^[a-z][\w.]*$/i.test(namespace))
    throw new CommandFailure("usage", `"${printableLine(namespace, 60)}" is no namespace, such as CONTOSO.`);
  return namespace.toUpperCase();
}
