/** The outcome of the main job in one browser. */
export type Outcome =
  | { name: string; version: string; result: "passed" }
  | { name: string; version?: string; result: "failed"; why: string }
  | { name: string; result: "not tried"; why: string };

/** Which browsers ran, by version, and which did not, and why: one line. */
export function lastLine(outcomes: readonly Outcome[]): string {
  const parts = outcomes.map((outcome) => {
    if (outcome.result === "passed") return `${outcome.name} ${outcome.version} ran`;
    const { name, why } = outcome;
    const version = outcome.result === "failed" && outcome.version ? ` ${outcome.version}` : "";
    return outcome.result === "failed" ? `${name}${version} FAILED: ${why}` : `${name} did not run: ${why}`;
  });
  return `Browsers: ${parts.join("; ").replaceAll(/\s+/g, " ")}`;
}

/** 1 if the job failed in one of them, or was done in none. */
export function exitCode(outcomes: readonly Outcome[]): 0 | 1 {
  const results = outcomes.map(({ result }) => result);
  return results.includes("passed") && !results.includes("failed") ? 0 : 1;
}
