import { readFile, stat } from "node:fs/promises";
import { holdsForm, isTooShortToFind, keyForms, withoutForms } from "../../src/key-forms";
import type { CommandIo } from "../command-io";

/** A word that was cut may end with the beginning of a key. */
const cutWord = /\S{8,}…/g;

/**
 * The same outside world, which shows no key that this run knows: those of the environment, and those that `hide` names later. Whatever a
 * command prints goes through it, because a file, a workbook's cell or the service may hold the key.
 */
export async function withMaskedOutput(io: CommandIo): Promise<CommandIo> {
  const forms: string[] = [];
  const hidden = new Set<string>();
  const hide = (key: string) => {
    if (isTooShortToFind(key) || hidden.has(key)) return;
    hidden.add(key);
    forms.push(...keyForms(key));
  };
  for (const key of [io.env["REGDATA_KEY"], await contentOf(io.env["REGDATA_KEY_FILE"])])
    hide((key ?? "").trim());

  function masked(text: string): string {
    if (forms.length === 0) return text;
    const shown = text.replace(cutWord, (word) => withoutForms(word, forms));
    if (!holdsForm(shown, forms)) return shown;
    const lines = shown.split("\n").map(withoutWhole).join("\n");
    // A text of several lines may hold the key across them.
    return withoutWhole(lines);
  }

  function withoutWhole(text: string): string {
    return holdsForm(text, forms) ? withoutForms(text, forms, Infinity) : text;
  }

  return {
    ...io,
    hide,
    mask: masked,
    print: (text) => io.print(masked(text)),
    tell: (text) => io.tell(masked(text)),
    printBytes(bytes) {
      const text = new TextDecoder().decode(bytes);
      const shown = masked(text);
      io.printBytes(shown === text ? bytes : new TextEncoder().encode(shown));
    },
  };
}

/** The content of a file that can be read twice, and of no pipe. */
async function contentOf(path: string | undefined): Promise<string | undefined> {
  try {
    return path !== undefined && (await stat(path)).isFile() ? await readFile(path, "utf8") : undefined;
  } catch {
    return undefined;
  }
}
