import type { Failure, FailureKind } from "../../errors";

/** Hints for the user's IT department, for the kinds of failure where a user may need them. */
export const forIt: Partial<Record<FailureKind, string>> = {
  unreachable:
    "The cause may also be a firewall, a certificate, a redirect, or a service that does not allow requests from browsers (CORS).",
};

/**
 * The details of a mistake of ours, for support: the error's class, and the places in our scripts. The error's message is left out, and
 * every address is cut down to its file, because both can hold the user's questions.
 */
export function supportDetails({ kind, cause }: Failure): string {
  const { name, stack = "" } = cause instanceof Error ? cause : { name: typeof cause };
  const lines = stack.split("\n").flatMap((line) => {
    const [, file = "", place = ""] = /([\w.-]+\.[jt]sx?)(?:\?[^:]*)?(:\d+:\d+)\)?$/.exec(line) ?? [];
    const [, caller = ""] = /^\s*(?:at )?([\w.$<> ]*?) ?(?:[(@]|https?:)/.exec(line) ?? [];
    return file === "" ? [] : [`  ${caller} ${file}${place}`];
  });
  return [`RegData for Excel: ${kind}, ${name}`, ...lines.slice(0, 20)].join("\n");
}
