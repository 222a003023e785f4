import { asFailure, Failure } from "../../../src/errors";
import { contains, formatAddress, parseAddress } from "../../../workbench/address";
import type { CellValue } from "../../../workbench/spreadsheet";
import type { PlayedExcel } from "../../excel/open-excel";
import { cellAt, type Place, tableAround, textIn } from "../../people/grid-edits";
import {
  type Action,
  asideSheet,
  columnsOfRows,
  isPeoples,
  type People,
  peopleIn,
  type PeopleOptions,
} from "../../people/people";
import type { Clock } from "../clock";
import { createRandom, type Random } from "../random";
import { columnsGone, type Job, type JobName, jobNames, jobs, type Told } from "./jobs";
import { moreJobs } from "./more-jobs";
import { ahjIds, alikeText, oursIn, typeIds } from "./two-worlds";
import { openWorkbook, settle } from "./workbook";

/** A case as it was played. */
export interface MovingCase {
  job: AnyJobName;
  /** The outcome: a kind of failure, or "done". */
  outcome: string;
  /** The sentences that the user reads. */
  sentences: string[];
  /** People's actions, each with the request before which it was done. */
  story: string[];
  /** A description of the mistake; null if there is none. */
  lie: string | null;
  /** Calls that the played Excel could not model: then the case proves nothing. */
  unmodeled: string[];
}

const refusals = [5102, 7000, 5004];
/** In these jobs several steps are taken back one after the other, so they are played more often. */
const often: readonly JobName[] = ["change", "change", "refresh of a long table", "freeze"];

/** The forms that a job takes; each is played in an Excel of its own. */
const excels = ["1.9", "1.12", "1.17"];

/** A job's run while nobody else works: its requests, and the ones that change the workbook. */
interface Quiet {
  requests: number;
  writes: number[];
}
type AnyJobName = JobName | keyof typeof moreJobs;

const quiets = new Map<string, Quiet>();

/** The jobs of a run: those that most users do, or the other ways in which the add-in writes. Seeds tell their stories in one run. */
const runs = { usual: [...jobNames, ...often], others: Object.keys(moreJobs) as (keyof typeof moreJobs)[] };

/** Plays one job of the add-in in a workbook while a user and a co-author work there, all from a seed. For `actions`, see people. */
export async function playMoving(
  clock: Clock,
  seed: number,
  { actions, run = "usual" }: Pick<PeopleOptions, "actions"> & { run?: keyof typeof runs } = {},
): Promise<MovingCase> {
  const random = createRandom(seed);
  const job = random.one<AnyJobName>(runs[run]);
  const form = random.whole(0, excels.length - 1);
  const known = quiets.get(`${job} ${form}`) ?? (await play(clock, { job, form, random, acts: [] }));
  quiets.set(`${job} ${form}`, known);
  /** A request near one that writes, or any: most mistakes happen right before and after writes. */
  const someRequest = (least: number, most: number) =>
    known.writes.length > 0 && random.chance(0.6)
      ? random.one(known.writes) + random.whole(least, most)
      : random.whole(0, known.requests + 1);
  const end = random.one(["done", "done", "refused", "refused", "cancelled"] as const);
  const endsAt = someRequest(0, 3);
  const acts = Array.from({ length: random.whole(1, 4) }, (): Act => ({ at: someRequest(-1, 2) }));
  // More texts are typed while the add-in takes its writes back.
  for (let more = 0; end !== "done" && more < 2; more += 1)
    acts.push({ at: endsAt + random.whole(0, 3), thing: random.chance(0.6) ? "type" : undefined });
  const {
    requests: _,
    writes: __,
    ...played
  } = await play(clock, {
    ...{ job, form, random, acts, end, endsAt, actions },
  });
  return played;
}

/**
 * Plays a job once for each of its requests. Before that request somebody does one of these things, each in its turn; `then` is done
 * before the next request.
 */
export async function playEachRequest(
  clock: Clock,
  job: JobName,
  { things, then }: { things: readonly Action[]; then?: Action | undefined },
): Promise<MovingCase[]> {
  const form = excels.length - 1;
  const { requests } = await play(clock, { job, form, random: createRandom(1), acts: [] });
  const played: MovingCase[] = [];
  for (let at = 0; at < requests; at += 1) {
    const acts: Act[] = [{ at, thing: things[at % things.length] }];
    if (then) acts.push({ at: at + 1, thing: then });
    played.push(await play(clock, { job, form, random: createRandom(at + 1), acts }));
  }
  return played;
}

/** An action of somebody before this request, at random unless it is given. */
interface Act {
  at: number;
  thing?: Action | undefined;
}

interface Plan {
  job: AnyJobName;
  form: number;
  /** Decides what people do. */
  random: Random;
  acts: readonly Act[];
  end?: "done" | "refused" | "cancelled";
  endsAt?: number;
  actions?: PeopleOptions["actions"];
}

async function play(
  clock: Clock,
  { job: name, form, random, acts, end = "done", endsAt = 0, actions }: Plan,
): Promise<MovingCase & Quiet> {
  const job: Job = { ...jobs, ...moreJobs }[name];
  const stop = new AbortController();
  const story: string[] = [];
  let people: People | undefined;
  let requests = 0;
  const writes = new Set<number>();
  const givenUp = new Set<string>();
  const excel = await openWorkbook(clock, form, {
    // Older Excels cannot replace one table with another.
    excelApi: name === "in place of an import" ? "1.17" : (excels[form] ?? "1.9"),
    onRequest() {
      if (!people) return;
      for (const { at, thing } of acts) if (at === requests) goOn(people, thing);
      if (end === "cancelled" && endsAt === requests) stop.abort();
      requests += 1;
    },
  });
  excel.spreadsheet.on(({ kind }) => kind === "changed" && writes.add(requests - 1));
  /** The addresses at which each content stood before somebody moved it. */
  const stood = new Map<CellValue, Set<string>>();
  function goOn(those: People, thing: Action | undefined) {
    const names = new Map(excel.spreadsheet.sheets().map(({ id, name: sheet }) => [id, sheet]));
    for (const cell of excel.spreadsheet.ownCells()) {
      const address = formatAddress(names.get(cell.sheetId) ?? "", cellAt(cell));
      stood.set(cell.content, (stood.get(cell.content) ?? new Set()).add(address));
    }
    story.push(`${requests} ${those.act(thing)}`);
  }
  const isGivenUp = ({ sheetId, row, column }: Place) =>
    job.givesUp?.(excel).some((spot) => spot.sheetId === sheetId && contains(spot.rect, row, column)) ??
    false;
  const quietly = <Result>(work: Promise<Result>) => settle(clock, work);
  const session = await quietly(excel.app.session());
  const work = await job.prepare({ excel, session, random: createRandom(form), quietly });
  const crowd = peopleIn(excel.spreadsheet, random, {
    spots: () => job.spots(excel),
    protectedSheets: excel.document.protectedSheets,
    actions,
  });
  for (const cell of excel.spreadsheet.ownCells()) {
    if (!String(cell.content).startsWith("own ")) continue;
    crowd.adopt(cell);
    if (isGivenUp(cell)) givenUp.add(String(cell.content));
  }
  const before = stateOf(excel);
  writes.clear();
  people = crowd;
  if (end === "refused") excel.fail(random.one(refusals), 1, "workbook", endsAt);
  const outcome = await settle(clock, work(stop.signal)).then(
    (told) => ({ told, failure: undefined }),
    (failure: unknown) => ({ told: undefined, failure }),
  );
  people = undefined;
  const unmodeled = excel.problems.filter((problem) => !problem.includes("circular"));
  const played = {
    ...{ job: name, story, unmodeled, requests, writes: [...writes] },
    sentences: outcome.told ? outcome.told.report : [asFailure(outcome.failure).message],
    outcome: outcome.told ? "done" : outcome.failure instanceof Failure ? outcome.failure.kind : "broken",
  };
  const lie =
    unmodeled.length > 0
      ? null
      : lieOf({ excel, crowd, before, givenUp, stood, name, isRefused: end === "refused" }, outcome);
  excel.close();
  return { ...played, lie: lie && `${lie}; ${String(outcome.failure ?? "done")}` };
}

/** The workbook as everybody sees it at a moment. */
function stateOf({ spreadsheet }: PlayedExcel) {
  const sheets = spreadsheet.sheets().filter(({ name }) => name !== asideSheet);
  const shown = new Set(sheets.flatMap(({ id, isHidden }) => (isHidden ? [] : [id])));
  const cells = spreadsheet.ownCells().filter(({ sheetId }) => shown.has(sheetId));
  /** The number of cells by sheet and content; the service's texts are also counted without their version. */
  const counts = new Map<string, number>();
  const count = (sheetId: string, what: CellValue) =>
    counts.set(`${sheetId} ${what}`, (counts.get(`${sheetId} ${what}`) ?? 0) + 1);
  for (const { sheetId, content } of cells) {
    count(sheetId, content);
    const ours = oursIn(content);
    if (ours) count(sheetId, ours.name);
  }
  const countOf = (sheetId: string, what: CellValue) => counts.get(`${sheetId} ${what}`) ?? 0;
  return { sheets, tables: spreadsheet.tables(), cells, countOf };
}
type State = ReturnType<typeof stateOf>;

interface Judged {
  excel: PlayedExcel;
  crowd: People;
  before: State;
  /** Texts that stood in cells which the user has given up. */
  givenUp: ReadonlySet<string>;
  /** The addresses that each content has had: a sentence names the one of its own moment. */
  stood: ReadonlyMap<CellValue, ReadonlySet<string>>;
  name: AnyJobName;
  isRefused: boolean;
}

function lieOf(
  { excel, crowd, before, givenUp, stood, name, isRefused }: Judged,
  { told, failure }: { told: Told | undefined; failure: unknown },
): string | null {
  const { spreadsheet } = excel;
  if (failure !== undefined && !(failure instanceof Failure))
    return `it breaks: ${String((failure as Error).stack)}`;
  if (failure?.kind === "internal")
    return `it breaks: ${String((failure.cause as Error | undefined)?.stack ?? failure.message)}`;
  const now = stateOf(excel);
  const said = [failure?.message ?? "", ...(told?.names ?? [])].join("\n");
  /** True if a sentence names this text or address: F12 does not name F1. */
  const isSaid = (text: string) => {
    const forms = isPeoples(text) && /^\d/.test(text) ? [text, Number(text).toLocaleString("en-US")] : [text];
    for (const form of forms)
      for (let at = said.indexOf(form); at >= 0; at = said.indexOf(form, at + 1))
        if (!/^\d/.test(said.slice(at + form.length))) return true;
    return false;
  };
  /** The number of single cells that a sentence names. */
  function namedCells(): number {
    const more = [...said.matchAll(/ and (\d+) more\b/g)].reduce((sum, [, count]) => sum + Number(count), 0);
    const inAreas = namedAreas.reduce((sum, { rect }) => sum + (rect ? rect.rows * rect.columns : 0), 0);
    return more + inAreas + [...said.matchAll(/![A-Z]+\d+(?![\d:])/g)].length;
  }
  const nameOf = new Map(now.sheets.map((sheet) => [sheet.id, sheet.name]));
  const addressOf = (place: Place) => formatAddress(nameOf.get(place.sheetId) ?? "", cellAt(place));
  const rowsOf = new Map<string, State["cells"]>();
  for (const cell of now.cells) {
    const row = `${cell.sheetId} ${cell.row}`;
    const cells = rowsOf.get(row);
    if (cells) cells.push(cell);
    else rowsOf.set(row, [cell]);
  }
  const rowOf = ({ sheetId, row }: Place) => rowsOf.get(`${sheetId} ${row}`) ?? [];
  /** Areas that a sentence names, such as Fees!A2:N7. */
  const namedAreas = [...said.matchAll(/(?:'([^']+)'|(\w+))!([A-Z]+\d+:[A-Z]+\d+)/g)].map((match) => ({
    name: match[1] ?? match[2],
    rect: parseAddress(match[3] ?? "")?.rect,
  }));
  const isInNamedArea = ({ sheetId, row, column }: Place) =>
    namedAreas.some(
      ({ name: sheet, rect }) =>
        sheet === nameOf.get(sheetId) &&
        rect &&
        contains(rect, row, said.includes("and beside it") ? rect.column : column),
    );
  const isRowNamed = (place: Place) =>
    isInNamedArea(place) || rowOf(place).some((cell) => isSaid(addressOf(cell)) || isInNamedArea(cell));
  /** The jurisdiction that is named to the left of a cell. */
  const whoseRow = (place: Place): number | undefined => {
    const [nearest] = rowOf(place)
      .filter(({ column, content }) => column < place.column && idIn(content) !== undefined)
      .sort((one, other) => other.column - one.column);
    return nearest && idIn(nearest.content);
  };
  const headerOf = (place: Place): string => {
    const table = tableAround(spreadsheet, place);
    if (!table) return "";
    const header = now.cells.find(
      ({ sheetId, row, column }) =>
        sheetId === place.sheetId && row === table.rect.row && column === place.column,
    );
    return String(header?.content ?? "");
  };
  const isHeaderNow = (address: string) =>
    now.tables.some(({ sheetId, rect }) =>
      Array.from({ length: rect.columns }, (_, at) => ({
        sheetId,
        row: rect.row,
        column: rect.column + at,
      })).some((place) => addressOf(place) === address),
    );
  const typeOfHeader = (header: string) => Number(/^Question (\d+)/.exec(header)?.[1] ?? 0);

  // The texts that people have typed must be there.
  const places = new Map(now.cells.map((cell) => [String(cell.content), cell]));
  /** Cells in which somebody typed over a given-up text before it could come back: the sentence counts them. */
  let overGivenUp = namedCells();
  for (const { text, inTable, addresses } of crowd.typed()) {
    if (told && givenUp.has(text)) continue;
    if (isSaid(text) || addresses.some(isSaid)) continue;
    const place = places.get(text);
    // Excel makes a text of a formula whose cell becomes the header of a new table.
    if (!place && text.startsWith("=") && addresses.some(isHeaderNow)) continue;
    if (place && isRowNamed(place)) continue;
    if (!place && givenUp.has(text) && (overGivenUp -= 1) >= 0) continue;
    if (!place) return `“${text}” of ${addresses.join(", ")} is lost`;
    // A row without ids cannot be told apart from others.
    const isTold = inTable && inTable.header !== "" && !/^\[(?:"",?)*\]$/.test(inTable.row);
    const table = isTold && now.tables.find(({ id }) => id === inTable.tableId);
    if (!table) continue;
    const read = spreadsheet.read(table.sheetId, table.rect);
    const [headers = [], ...rows] = read.map((row) => row.map(({ value }) => value));
    const texts = read.slice(1).map((row) => row.map(textIn));
    const ids = columnsOfRows(headers);
    // A row without ids is known by its first cell, wherever somebody has moved that column.
    const isAlike = (row: CellValue[]) =>
      ids.length > 0
        ? JSON.stringify(ids.map((at) => row[at])) === inTable.row
        : row.some((value) => JSON.stringify([value]) === inTable.row);
    const alike = texts.filter((_, at) => isAlike(rows[at] ?? []));
    const column = headers.indexOf(inTable.header);
    if (alike.length > 0 && column >= 0 && !alike.some((row) => row[column] === text))
      return `“${text}” of the row ${inTable.row} and ${inTable.header} stands at ${addressOf(place)}`;
  }

  // Each text of the service must stand in the row of its jurisdiction.
  for (const cell of now.cells) {
    const ours = oursIn(cell.content);
    if (!ours) continue;
    // Somebody has undone their own change since the add-in took its writes back, and the sentence says where to look.
    if (crowd.restored(cell.content) > 0 && (isSaid(addressOf(cell)) || isInNamedArea(cell))) continue;
    // Rows were sorted under a write, and the sheet was protected before the write could be taken back.
    if (excel.document.protectedSheets.has(cell.sheetId) && said.includes("could not be taken back"))
      continue;
    const row = whoseRow(cell);
    // The sentence may say that the name of its row was overwritten.
    if (row !== undefined && row !== ours.ahjId && !isSaid(`“Place ${ours.ahjId}”`))
      return `“${cell.content}” stands in the row of ${row}, at ${addressOf(cell)}`;
    const type = typeOfHeader(headerOf(cell));
    if (type !== 0 && type !== ours.typeId)
      return `“${cell.content}” stands in the column of ${type}, at ${addressOf(cell)}`;
    const ofRow = rowOf(cell).find(({ content }) => typeof content === "number" && typeIds.includes(content));
    if (ofRow && ofRow.content !== ours.typeId)
      return `“${cell.content}” stands in the row of type ${ofRow.content}, at ${addressOf(cell)}`;
  }

  const hidden = now.sheets.filter(({ isHidden }) => isHidden);
  if (hidden.length > 0 && !isRefused && !said.includes("RegData copy"))
    return `the sheet ${hidden[0]?.name} is left`;
  if (failure) return leftOf(failure);
  return name === "mark" || name === "unmark" ? marksLeft() : notRefreshed();

  /** Describes the remains of failed work that no sentence explains; null if there are none. */
  function leftOf({ message }: Failure): string | null {
    if (/could not be (?:taken back|found again|seen)/.test(message)) return null;
    // If somebody has typed over the ids of rows, the sentence cannot name a cell.
    if (message.includes("left as they are.")) return null;
    const idsBefore = new Set(before.sheets.map(({ id }) => id));
    for (const sheet of now.sheets) {
      if (idsBefore.has(sheet.id)) continue;
      const isOthers = now.cells.some(({ sheetId, content }) => sheetId === sheet.id && isPeoples(content));
      // A name with a blank stands in quotes.
      const isNamed = [`${sheet.name}!`, `'${sheet.name}'!`].some((start) => message.includes(start));
      if (!isOthers && !isNamed) return `the sheet “${sheet.name}” is left`;
    }
    const tablesBefore = new Set(before.tables.map(({ id }) => id));
    const newTable = now.tables.find(({ id }) => !tablesBefore.has(id));
    if (newTable) return `the table ${newTable.name} is left`;
    const places = (cell: State["cells"][number]) => {
      const is = oursIn(cell.content)?.name ?? cell.content;
      return now.cells.filter(
        ({ sheetId, content }) =>
          sheetId === cell.sheetId && (content === cell.content || oursIn(content)?.name === is),
      );
    };
    const others = (content: CellValue, of: (value: CellValue) => number) => {
      const ours = oursIn(content);
      return ours ? of(`${ours.name} v1`) + of(`${ours.name} v2`) : of(content);
    };
    for (const cell of now.cells) {
      const { content, sheetId } = cell;
      const ours = oursIn(content);
      const isHeader = ownHeaders.test(String(content));
      if (isPeoples(content)) continue;
      const isOfAddIn = ours || cell.isFormula || isHeader || ahjIds.includes(Number(content));
      if (!isOfAddIn || (isHeader && message.includes("left as"))) continue;
      const what = ours?.name ?? content;
      const most = before.countOf(sheetId, what) + others(content, crowd.restored);
      const isNew = ours?.isNew === true && now.countOf(sheetId, content) > crowd.restored(content);
      if (!isNew && now.countOf(sheetId, what) <= most) continue;
      // The sentence says which value was overwritten there.
      if (ours && (isSaid(`${ours.name} v1`) || isSaid(`${ours.name} v2`))) continue;
      const wasNamed = [...(stood.get(content) ?? [])].some(isSaid);
      if (!wasNamed && !places(cell).some(isRowNamed) && !/ and \d+ more\b/.test(message))
        return `“${content}” is left at ${places(cell).map(addressOf).join(" or ")}`;
    }
    // A report with many cells names only the first few.
    if (/ and \d+ more\b/.test(message)) return null;
    // If somebody typed over a value, it may be missing: their text stands there, or the sentence names its cell.
    const typedOver = Math.max(
      now.cells.filter(
        (cell) =>
          isPeoples(cell.content) &&
          (message.includes("left as") || tableAround(spreadsheet, cell) !== undefined),
      ).length,
      namedCells(),
    );
    for (const { content, sheetId } of before.cells) {
      const ours = oursIn(content);
      const what = ours?.name ?? content;
      if (content === "" || !nameOf.has(sheetId)) continue;
      // The row was deleted while the add-in had taken the column away.
      const goneRows = ahjIds.filter((id) => crowd.removed(id) + crowd.removed(`Place ${id}`) > 0);
      // The column was deleted, too, with a newer value in it.
      const ending = { Text: "", Ref: ": Reference", Sec: ": Section" }[ours?.name.split(" ")[0] ?? ""] ?? "";
      const ofType = ours?.typeId ?? (content === alikeText ? 1003 : 0);
      const isColumnGone = crowd.removed(`Question ${ofType}${ending}`) > 0;
      const isRowGone = ours ? goneRows.includes(ours.ahjId) : content === alikeText && goneRows.length > 0;
      // Somebody has removed the value that stood there in the formula's place.
      const [, frozen = ""] = /^=REGDATA\.VALUE\("06(\d{3})", 1001\)$/.exec(String(content)) ?? [];
      const takenAway = frozen === "" ? 0 : crowd.removed(`Text ${100 + Number(frozen)} 1001 v1`);
      const missing =
        before.countOf(sheetId, what) -
        others(content, crowd.removed) -
        takenAway -
        now.countOf(sheetId, what);
      if (missing > typedOver && !isRowGone && !isColumnGone && !isSaid(`“${content}”`))
        return `“${content}” is gone from ${nameOf.get(sheetId)}`;
    }
    return null;
  }

  function marksLeft(): string | null {
    for (const cell of now.cells) {
      if (!cell.fillColor) continue;
      const [row, type] = [whoseRow(cell), typeOfHeader(headerOf(cell))];
      const ours = oursIn(cell.content);
      if (row === undefined || type === 0 || row === ours?.ahjId) {
        if (name === "mark" || row === undefined || type === 0 || (told?.left ?? 0) > 0) continue;
        return `the mark of ${addressOf(cell)} is left`;
      }
    }
    return null;
  }

  /** Describes values that a refresh has left old without saying so; null if there are none. */
  function notRefreshed(): string | null {
    if (!told || told.left > 0) return null;
    const sheet = { refresh: "Codes", "refresh of a long table": "Long", change: "Codes" } as Partial<
      Record<AnyJobName, string>
    >;
    const sheetId = before.sheets.find((one) => one.name === sheet[name])?.id;
    for (const cell of now.cells) {
      if (cell.sheetId !== sheetId || oursIn(cell.content)?.isNew !== false) continue;
      // The add-in identifies a row by its ids only.
      const ids = rowOf(cell).flatMap(({ content }) => (typeof content === "number" ? [content] : []));
      const isKnown = ids.some((id) => ahjIds.includes(id)) && ids.every((id) => crowd.restored(id) === 0);
      if (!isKnown || crowd.restored(cell.content) > 0) continue;
      if (name === "refresh of a long table" && !ids.some((id) => typeIds.includes(id))) continue;
      // A column whose header somebody has typed over is not found, nor are rows without their ids, and the report says so.
      const typedHeaders = now.cells.filter(
        ({ row, content, ...place }) =>
          isPeoples(content) && tableAround(spreadsheet, { row, ...place })?.rect.row === row,
      );
      if (typedHeaders.length > 0 && told.report.includes(columnsGone)) continue;
      // A column that was to go stays if somebody has given it a header of their own.
      if (name === "change" && isPeoples(headerOf(cell))) continue;
      if (tableAround(spreadsheet, cell) && headerOf(cell) !== "")
        return `“${cell.content}” at ${addressOf(cell)} is as it was`;
    }
    return null;
  }
}

const ownHeaders = /^(?:AHJ ID|Question|Name|Value|Reference|Section|Jurisdiction|State|Type|Unit|geoID)\b/;

/** The jurisdiction that a cell names: by its name, geoID or id. */
function idIn(content: CellValue): number | undefined {
  if (typeof content === "number") return ahjIds.includes(content) ? content : undefined;
  const [, name, geoid] = /^(?:Place (\d+)|06(\d{3}))$/.exec(String(content)) ?? [];
  if (name !== undefined) return Number(name);
  return geoid === undefined ? undefined : 100 + Number(geoid);
}
