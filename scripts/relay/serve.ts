/**
 * `npm run serve` serves the built add-in and relays its requests to the service, for this computer, at the address that its manifest
 * names. `--service URL` or REGDATA_SERVICE says which service; without either, it is the sample service of `npm run service`.
 */
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { readAddInAddress } from "../../deployment/addin-address";
import { startServer } from "../../deployment/file-server";
import { certificate } from "../../workbench/certificate";
import { quit, relayOptions } from "./relay-options";

const usage =
  "Use: npm run serve -- [--service URL] [--port N] [--dist FOLDER] [--certificate FILE --certificate-key FILE] [--http]";

function readOptions() {
  try {
    return parseArgs({
      options: {
        service: { type: "string", default: process.env.REGDATA_SERVICE ?? "http://127.0.0.1:8080" },
        port: { type: "string" },
        dist: { type: "string", default: "dist" },
        certificate: { type: "string" },
        "certificate-key": { type: "string" },
        http: { type: "boolean", default: false },
      },
    }).values;
  } catch (error) {
    return quit(`${(error as Error).message}\n${usage}`);
  }
}

const options = readOptions();
const { service, certificate: given } = relayOptions(options);

async function ownCertificate() {
  if (!given) return certificate(join("build", "certificate"));
  const { certFile, keyFile } = given;
  const [cert, key] = await Promise.all([readFile(certFile, "utf8"), readFile(keyFile, "utf8")]);
  return { cert, key };
}

async function start() {
  const dist = resolve(options.dist);
  const address = await readAddInAddress(dist);
  const port = Number(options.port ?? (address.port || "443"));
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    quit("--port takes a number from 0 to 65535.");
  }
  const server = await startServer({
    service,
    dist,
    ...{ folder: address.folder, hostname: address.hostname },
    port,
    certificate: options.http ? null : await ownCertificate(),
  });
  const origin = `${options.http ? "http" : "https"}://localhost:${server.port}`;
  console.log(`add-in  ${origin}${address.folder}taskpane.html`);
  console.log(`service ${origin}/v1/ asks ${service}`);
  if (!given && !options.http) {
    console.log(
      "Excel and your browser trust this computer's own certificate only once you have told them to.",
    );
  }
}

await start().catch((failure: Error) => quit(failure.message));
