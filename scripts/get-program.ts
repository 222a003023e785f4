/** Finds a program that is not npm's, or installs it: on Debian, whose packages come first, and in other ways. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

export interface Wanted {
  /** As in "No browser found". */
  name: string;
  /** The path of an installed one. */
  find(machine: Machine): string | undefined;
  /** The package that has it in Debian. */
  debianPackage: string;
  /** A way beside Debian's package. `says` tells what it does. */
  otherWay?: { says: string; command: readonly string[] };
  /** Says that it could not be had, and what to do. */
  sorry: string;
}

/** The machine as the steps see it and change it. */
export interface Machine {
  /** True for Debian's administrator, who may install its packages. */
  installsPackages: boolean;
  isThere(path: string): boolean;
  run(
    command: readonly string[],
    environment?: Record<string, string>,
  ): { succeeds: boolean; output: string };
  say(line: string): void;
}

export const thisMachine: Machine = {
  installsPackages: existsSync("/etc/debian_version") && process.getuid?.() === 0,
  isThere: existsSync,
  run([program = "", ...words], environment = {}) {
    const { status, stdout, stderr } = spawnSync(program, words, {
      encoding: "utf8",
      env: { ...process.env, ...environment },
      shell: process.platform === "win32",
    });
    return { succeeds: status === 0, output: `${stdout ?? ""}${stderr ?? ""}` };
  },
  say: (line) => console.log(line),
};

/**
 * The path of a program; it is installed if it is not there. One line tells each step, and what the step itself prints is shown only if it
 * fails. Throws the sentence `sorry` if no step helps.
 */
export function getProgram(
  { name, find, debianPackage, otherWay, sorry }: Wanted,
  machine: Machine = thisMachine,
): string {
  const found = find(machine);
  if (found !== undefined) return found;

  const steps: { says: string; commands: (readonly string[])[] }[] = [];
  if (machine.installsPackages) {
    const commands = [
      ["apt-get", "update", "-qq"],
      ["apt-get", "install", "-qq", "-y", "--no-install-recommends", debianPackage],
    ];
    steps.push({ says: `Installing Debian's package ${debianPackage}…`, commands });
  }
  if (otherWay) steps.push({ says: otherWay.says, commands: [otherWay.command] });

  let before = `No ${name} found.`;
  for (const { says, commands } of steps) {
    machine.say(`${before} ${says}`);
    for (const command of commands) {
      // Run level 1 means a machine without services: Debian would otherwise start a server as soon as it is installed.
      const { succeeds, output } = machine.run(command, {
        DEBIAN_FRONTEND: "noninteractive",
        RUNLEVEL: "1",
      });
      if (succeeds) continue;
      for (const line of withoutStack(output)) machine.say(`  ${line}`);
      break;
    }
    const path = find(machine);
    if (path !== undefined) return path;
    before = "That failed.";
  }
  throw new Error(sorry);
}

/** The last lines that say something to a person who does not know the program's code: its stack and its objects are indented. */
function withoutStack(output: string): string[] {
  const lines = output.split("\n").filter((line) => /^[^\s{}]/.test(line));
  return [...new Set(lines)].slice(-6);
}
