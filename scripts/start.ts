/**
 * `npm start` opens the workbench with the built add-in, connected to the sample service. With --service URL --key KEY it connects to any
 * other service that keeps to docs/interface.md. --quirks NAME,NAME gives the sample service other readings of that page, --gazetteer FILE
 * the jurisdictions of a Census Gazetteer file. --addin FOLDER|URL takes another add-in, and no service.
 * `npm run workbench -- FOLDER|URL` does so without building this project's own.
 * --host ADDRESS listens at that address; by default only this computer is answered.
 */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import open from "open";
import { createClient } from "../src/engine/api/client";
import { Failure } from "../src/errors";
import { createLookup, type Lookup } from "../src/engine/lookup/lookup";
import { loadGazetteer } from "../reference-service/geography/gazetteer";
import { parseQuirkNames, type QuirkName } from "../reference-service/quirks/quirks";
import { createService } from "../reference-service/service";
import { connectionStorageKey, storedForm } from "../src/settings/connection";
import { sampleConnectionKey } from "../src/settings/sample-connection";
import { parseBaseUrl } from "../src/engine/transport/base-url";
import { createTransport } from "../src/engine/transport/exchange";
import { parseAddinPlace, placeAddin } from "../workbench/addin/addin-source";
import { type ExcelVersion, newestExcel } from "../workbench/host/launch";
import { startWorkbench, type WorkbenchOptions } from "../workbench/workbench-server";
import { invitingWorkbook, sampleWorkbook } from "./first-workbook/first-workbook";

const { values: options } = parseArgs({
  options: {
    port: { type: "string", default: "3000" },
    host: { type: "string" },
    addin: { type: "string" },
    service: { type: "string" },
    key: { type: "string" },
    quirks: { type: "string" },
    gazetteer: { type: "string", multiple: true },
    "excel-api": { type: "string", default: newestExcel.excelApi },
    "custom-functions-runtime": { type: "string", default: newestExcel.customFunctionsRuntime },
    undo: { type: "string", default: newestExcel.undo },
    "no-open": { type: "boolean", default: false },
  },
});

function quit(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}

const port = Number(options.port);
if (!Number.isInteger(port) || port < 1 || port > 65_535) quit("--port takes a number from 1 to 65535.");
if ((options.service === undefined) !== (options.key === undefined)) {
  quit("--service and --key go together.");
}
if (options.service !== undefined && options.quirks !== undefined) {
  quit("--quirks is for the sample service and does not go with --service.");
}

const { undo } = options;
if (undo !== "web" && undo !== "desktop") quit("--undo takes web or desktop.");

if (options.service !== undefined && options.gazetteer !== undefined) {
  quit("--gazetteer is for the sample service and does not go with --service.");
}

const ofService = ["service", "quirks", "gazetteer"] as const;
const misplaced = ofService.find((name) => options.addin !== undefined && options[name] !== undefined);
if (misplaced !== undefined)
  quit(`--${misplaced} is for this project's add-in and does not go with --addin.`);

const excel: ExcelVersion = {
  excelApi: options["excel-api"],
  customFunctionsRuntime: options["custom-functions-runtime"],
  undo,
};

await (options.addin === undefined ? startOwn() : startOther(options.addin));

const sampleNote = "Sample data: real counties and large cities, all else invented.";

/** This project's add-in, connected to a service, with one answer of it. */
async function startOwn(): Promise<void> {
  const { baseUrl, key, fetch: serviceFetch, mount } = chooseService();
  /** The jurisdictions of another service, or of somebody's files, are not known here. */
  const hasSampleCounties = mount !== undefined && options.gazetteer === undefined;
  await start({
    addinDir: resolve("dist"),
    setup: async () => ({
      storage: {
        [connectionStorageKey]: storedForm({ baseUrl, key }),
        ...(mount && { [sampleConnectionKey]: storedForm({ baseUrl, key }) }),
      },
      ...(hasSampleCounties ? await sampleWorkbook({ baseUrl, key }) : invitingWorkbook),
      excel,
      ...(hasSampleCounties ? { note: sampleNote } : {}),
    }),
    ...(mount ? { mount } : {}),
  });
  const lookup = createLookup(createClient(createTransport({ baseUrl, key }, { fetch: serviceFetch })));
  console.log(await (hasSampleCounties ? oneAnswer(lookup) : questionCount(lookup, baseUrl)).catch(String));
}

/** An add-in of anybody's, in an empty workbook. */
async function startOther(named: string): Promise<void> {
  const place = parseAddinPlace(named);
  await placeAddin(place).catch((failure: unknown) => quit((failure as Error).message));
  await start({ ...place, setup: { excel } });
}

async function start(settings: Omit<WorkbenchOptions, "port" | "host" | "pageDir">): Promise<void> {
  const pageDir = resolve("build/workbench");
  const { host } = options;
  const { url } = await startWorkbench({ ...settings, port, host, pageDir }).catch((failure: unknown) =>
    quit(
      `${(failure as Error).message} Choose another one with --port${host === undefined ? "" : " or --host"}.`,
    ),
  );
  console.log(`workbench ${url}`);
  console.log("Your browser warns once about the certificate: it is this machine's own.");
  const keyToo = options.addin === undefined ? ", with the key that it has" : "";
  if (host !== undefined) console.log(`Whoever reaches this port can use the workbench${keyToo}.`);
  if (!options["no-open"]) await open(url).catch(() => undefined);
}

function chooseQuirks(): readonly QuirkName[] {
  if (options.quirks === undefined) return [];
  const parsed = parseQuirkNames(options.quirks);
  return "problem" in parsed ? quit(`--quirks: ${parsed.problem}`) : parsed.names;
}

/** The sample service in this process, or the service that the options name. */
function chooseService() {
  if (options.service === undefined || options.key === undefined) {
    const service = createService({
      month: "after",
      quirks: chooseQuirks(),
      ...(options.gazetteer !== undefined && { geography: loadGazetteer(options.gazetteer, quit) }),
    });
    return {
      baseUrl: `https://localhost:${port}`,
      key: "demo-national",
      fetch: ((input, init) => Promise.resolve(service.fetch(new Request(input, init)))) as typeof fetch,
      mount: (request: Request) => service.fetch(request),
    };
  }
  const parsed = parseBaseUrl(options.service);
  if ("problem" in parsed) quit(`--service: ${parsed.problem}`);
  return { baseUrl: parsed.baseUrl, key: options.key, fetch, mount: undefined };
}

async function oneAnswer(lookup: Lookup): Promise<string> {
  const geoid = "06001";
  const { values, ahjs } = await lookup.ask({ questions: [{ ahj: geoid, type: 1003 }], ahjs: [geoid] });
  const [answer, ahj] = [values[0], ahjs[0]];
  if (!answer || !ahj || answer instanceof Failure || ahj instanceof Failure)
    return `${geoid}, type 1003: ${String(answer)}`;
  return `${geoid} ${ahj.name}, ${ahj.state_code}: ${answer.type.name} is ${answer.cell.value}`;
}

/** Nothing else is known of such a service. */
async function questionCount(lookup: Lookup, baseUrl: string): Promise<string> {
  const { length } = await lookup.catalogue.types();
  return `${baseUrl} has ${length} questions.`;
}
