import type { App, Session } from "../../app";
import { hostOf } from "../../settings/connection-list";
import type { ImportDefaults } from "../../settings/choices/import-defaults";
import { plural } from "../ui/labels";
import { megabytes } from "./megabytes";
import type { CacheFacts } from "./use-cache";

/** The facts about the software around the add-in. */
export interface Surroundings {
  /** The add-in's version. */
  version: string;
  /** The names that Office gives itself, such as "Excel OfficeOnline 16.0". */
  office: string;
  userAgent: string;
  language: string;
  /** The colors in use, such as "dark, forced colors". */
  appearance: string;
}

/** All facts that support may have. None of them can hold a key, an address with its path, or a sheet's content. */
export interface DiagnosticFacts extends Surroundings {
  /** The highest supported version of the requirement set, or "none". */
  excelApi: string;
  /** Null without a connection. */
  serviceHost: string | null;
  connections: number;
  limit: ReturnType<Session["limit"]>;
  cache: CacheFacts | null | undefined;
  preferences: ReturnType<App["preferences"]>;
  importDefaults: ImportDefaults;
  notices: ReturnType<App["notices"]>;
}

/** Versions of ExcelApi, including those of the next years, the highest first. */
const excelApis = Array.from({ length: 30 }, (_, at) => `1.${30 - at}`);

export function diagnosticFacts(
  app: Pick<App, "hasExcelApi" | "preferences" | "notices">,
  session: Pick<Session, "credentials" | "limit"> | null,
  others: Surroundings & Pick<DiagnosticFacts, "connections" | "cache" | "importDefaults">,
): DiagnosticFacts {
  return {
    ...others,
    excelApi: excelApis.find(app.hasExcelApi) ?? "none",
    serviceHost: session && hostOf(session.credentials.baseUrl),
    limit: session?.limit() ?? { windows: [], waitingUntilMs: undefined },
    preferences: app.preferences(),
    notices: app.notices(),
  };
}

/** The facts as text to read and to send to support, a line each. */
export function diagnosticsText(facts: DiagnosticFacts): string {
  const { limit, cache, preferences, importDefaults, notices } = facts;
  const lines: [string, string][] = [
    ["RegData for Excel", facts.version],
    ["Office", facts.office],
    ["ExcelApi", facts.excelApi],
    ["Browser", facts.userAgent],
    ["Language", facts.language],
    ["Appearance", facts.appearance],
    ["Service", facts.serviceHost ?? "not connected"],
    ["Connections kept", String(facts.connections)],
    ["Requests left", limit.windows.map(windowText).join("; ") || "not known"],
    [
      "Waiting for the limit",
      limit.waitingUntilMs === undefined ? "no" : `until ${iso(limit.waitingUntilMs)}`,
    ],
    ["Kept answers", cacheText(cache)],
    ["Keeps answers on disk", notices.isMemoryOnly ? "no" : "yes"],
    ["Old answers shown", String(notices.oldAnswers?.count ?? 0)],
    ["Uses answers for", `${preferences.answerAgeMs / 3_600_000} h`],
    ["Numbers carry their citation", preferences.citedNumbers ? "yes" : "no"],
    ["New imports", `layout ${importDefaults.layout}, citations ${importDefaults.citations}`],
  ];
  return lines.map(([name, fact]) => `${name}: ${fact}`).join("\n");
}

function windowText({ left, resetsAtMs }: { left: number; resetsAtMs: number }): string {
  return `${left} until ${iso(resetsAtMs)}`;
}

function cacheText(cache: CacheFacts | null | undefined): string {
  if (!cache) return cache === null ? "can't be counted" : "not counted yet";
  const { answers, jurisdictions, oldestMs, newestMs, bytes } = cache;
  const ages = oldestMs === null || newestMs === null ? "" : `, ${iso(oldestMs)} to ${iso(newestMs)}`;
  const room = bytes === undefined ? "" : `, ${megabytes(bytes)} in all`;
  return `${plural(answers, "answer")} of ${plural(jurisdictions, "jurisdiction")}${ages}${room}`;
}

/** The number may come from outside and be no valid date: the text for support must not make the screen fail. */
function iso(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? "not a time" : date.toISOString();
}
