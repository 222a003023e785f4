/** A request of the snippet that Excel or office.js refused, or an error of the snippet itself. */
export interface PageError {
  /** The code of an `OfficeExtension.Error`; null for any other error. */
  code: string | null;
  message: string;
}

/** The state of a snippet's page: its words, and its work under way. */
export interface PageRecord {
  isStarted: boolean;
  /** Runs of `Excel.run` that have not ended. */
  running: number;
  errors: PageError[];
  /** Lines of the console. */
  lines: string[];
}

declare global {
  interface Window {
    snippet: PageRecord;
  }
}

/** Runs in the snippet's page between office.js and the snippet, so it uses nothing but the page. */
export function recordInPage(): void {
  const record: PageRecord = { isStarted: false, running: 0, errors: [], lines: [] };
  window.snippet = record;
  const seen = new WeakSet<object>();
  const note = (error: unknown) => {
    if (typeof error === "object" && error !== null) {
      if (seen.has(error)) return;
      seen.add(error);
    }
    const { code, message } = error as { code?: string; message?: string };
    record.errors.push({ code: typeof code === "string" ? code : null, message: message ?? String(error) });
  };
  const shown = (value: unknown) => {
    try {
      return typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
    } catch {
      return String(value);
    }
  };
  for (const name of ["log", "info", "warn", "error"] as const) {
    const say = console[name].bind(console);
    console[name] = (...all: unknown[]) => {
      record.lines.push(all.map(shown).join(" "));
      for (const each of all) if (each instanceof Error) note(each);
      say(...all);
    };
  }
  window.addEventListener("error", ({ error, message }) => note(error ?? new Error(message)));
  window.addEventListener("unhandledrejection", ({ reason }) => note(reason));

  void Office.onReady(() => {
    const run = Excel.run.bind(Excel) as (...given: unknown[]) => Promise<unknown>;
    const recorded = async (...given: unknown[]) => {
      record.running += 1;
      try {
        return await run(...given);
      } catch (error) {
        note(error);
        throw error;
      } finally {
        record.running -= 1;
      }
    };
    Object.assign(Excel, { run: recorded });
    if (document.querySelector('script[src="snippet.js"]')) return void (record.isStarted = true);
    const script = document.createElement("script");
    script.src = "snippet.js";
    script.addEventListener("load", () => (record.isStarted = true));
    document.body.append(script);
  });
}
