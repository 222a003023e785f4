import { parseBaseUrl } from "../../src/engine/transport/base-url";

/** Prints a sentence and ends the program with exit code 1. */
export function quit(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}

/**
 * Checks the options that every relay has: the service's base address, and either a certificate with its key or neither. Ends the program
 * with a sentence if one can't be used.
 */
export function relayOptions(options: {
  service: string;
  certificate?: string | undefined;
  "certificate-key"?: string | undefined;
}): { service: string; certificate: { certFile: string; keyFile: string } | null } {
  const parsed = parseBaseUrl(options.service);
  if ("problem" in parsed) quit(`--service: ${parsed.problem}`);
  const { certificate: certFile, "certificate-key": keyFile } = options;
  if ((certFile === undefined) !== (keyFile === undefined)) {
    quit("--certificate and --certificate-key go together.");
  }
  const certificate = certFile === undefined || keyFile === undefined ? null : { certFile, keyFile };
  return { service: parsed.baseUrl, certificate };
}
