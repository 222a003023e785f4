import { lstat, realpath, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { CommandFailure } from "../command-failure";
import { printableLine } from "../output/printable";

/** The folders that tools may read and write. Every path that a caller names goes through this. */
export interface Folders {
  /** True if there are none, so that no tool may touch a file. */
  readonly isNone: boolean;
  /** The real path of a file that is there. Fails with a CommandFailure "file" outside of the folders, and where no file is. */
  file(path: string): Promise<string>;
  /** The real path of a file that may be new. Fails with a CommandFailure "file" outside of the folders. */
  target(path: string): Promise<string>;
}

/**
 * Opens the folders of a server. A path that is not absolute begins in the first one. Links are followed before a path is judged. Fails with
 * a CommandFailure "usage" for a folder that is none.
 */
export async function openFolders(given: readonly string[]): Promise<Folders> {
  const real = await Promise.all(given.map(realFolder));
  const named = [...real, ...given.map((folder) => resolve(folder))];
  const [first] = real;

  function absolute(path: string): string {
    if (first === undefined)
      throw new CommandFailure(
        "file",
        "This server may touch no files. Start it with --folder and the folder of your workbooks.",
      );
    if (path.includes("\0")) throw outside(path);
    return resolve(first, path);
  }

  /** The real path of what is there, or of a name in a folder that is there. Null if the folder is not there. */
  async function realOf(path: string): Promise<string | null> {
    const there = await realpath(path).catch(() => null);
    // A link to nothing is there, and nobody knows to where it leads.
    if (there !== null || (await lstat(path).catch(() => null)) !== null) return there;
    const folder = await realpath(dirname(path)).catch(() => null);
    return folder === null ? null : join(folder, basename(path));
  }

  async function inside(path: string): Promise<string> {
    const full = absolute(path);
    const found = await realOf(full);
    // A file outside is refused in the same words as one that is not there.
    if (!(found === null ? named : real).some((folder) => isIn(folder, found ?? full))) throw outside(path);
    if (found === null)
      throw new CommandFailure(
        "file",
        `${printableLine(path)} can't be used: its folder is missing, or it is a link to nothing.`,
      );
    return found;
  }

  return {
    isNone: first === undefined,
    async file(path) {
      const found = await inside(path);
      const there = await stat(found).catch(() => null);
      // A pipe or a device might never end.
      if (!there?.isFile()) {
        const reason = there ? "it is no file" : "there is no such file";
        throw new CommandFailure("file", `${printableLine(path)} can't be read: ${reason}.`);
      }
      return found;
    },
    target: inside,
  };
}

async function realFolder(folder: string): Promise<string> {
  const real = await realpath(folder).catch(() => null);
  if (real === null || !(await stat(real)).isDirectory())
    throw new CommandFailure("usage", `--folder "${printableLine(folder)}" is no folder.`);
  return real;
}

function isIn(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function outside(path: string): CommandFailure {
  return new CommandFailure(
    "file",
    `"${printableLine(path)}" is in none of the folders that the server was started with (--folder).`,
  );
}
