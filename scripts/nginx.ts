/**
 * `npm run nginx -- --service URL …`: writes nginx's configuration for the built add-in into a folder, as it belongs into
 * the `conf.d` of an nginx.
 */
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { readAddInAddress } from "../deployment/addin-address";
import { answerCacheFile, nginxConfiguration } from "../deployment/nginx-configuration";
import { quit, relayOptions } from "./relay-options";

const usage = `Use: npm run nginx -- --service URL [--certificate FILE --certificate-key FILE] [--listen PORT]
  [--files FOLDER] [--cache-minutes N] [--cache-folder FOLDER] [--cache-megabytes N] [--trusted FILE]
  [--logs FOLDER] [--dist FOLDER] [--out FOLDER]`;

/** Of answers: a key that has been taken back still opens what is kept. */
const longestCacheMinutes = 60;

function readOptions() {
  try {
    return parseArgs({
      options: {
        service: { type: "string" },
        certificate: { type: "string" },
        "certificate-key": { type: "string" },
        listen: { type: "string" },
        files: { type: "string", default: "/srv/regdata" },
        "cache-minutes": { type: "string", default: "0" },
        "cache-folder": { type: "string" },
        "cache-megabytes": { type: "string", default: "1000" },
        trusted: { type: "string", default: "/etc/ssl/certs/ca-certificates.crt" },
        logs: { type: "string", default: "/var/log/nginx" },
        dist: { type: "string", default: "dist" },
        out: { type: "string", default: "build/nginx" },
      },
    }).values;
  } catch (error) {
    return quit(`${(error as Error).message}\n${usage}`);
  }
}

const options = readOptions();
const { service, certificate } = relayOptions({ ...options, service: options.service ?? quit(usage) });

function whole(name: "cache-minutes" | "cache-megabytes", most: number): number {
  const number = Number(options[name]);
  if (!/^\d+$/.test(options[name]) || number > most) quit(`--${name} takes a number from 0 to ${most}.`);
  return number;
}

async function write() {
  const address = await readAddInAddress(resolve(options.dist));
  const minutes = whole("cache-minutes", longestCacheMinutes);
  const megabytes = whole("cache-megabytes", 1_000_000);
  const configuration = nginxConfiguration({
    address,
    service,
    dist: options.files,
    listen: options.listen ?? (certificate ? address.port || "443" : "8080"),
    certificate,
    trustedFile: options.trusted,
    cache:
      minutes === 0
        ? null
        : { minutes, megabytes, folder: options["cache-folder"] ?? `/var/cache/${address.hostname}` },
    logFolder: options.logs,
  });
  const file = join(options.out, `${address.hostname}.conf`);
  await mkdir(options.out, { recursive: true });
  await writeFile(file, configuration);
  if (minutes > 0) {
    const script = join(import.meta.dirname, "../deployment/answer-cache.js");
    await copyFile(script, join(options.out, answerCacheFile));
  }
  console.log(
    `${file}: https://${address.hostname}${address.folder} from ${options.files}, /v1/ from ${service}`,
  );
  console.log(minutes === 0 ? "Answers are not kept." : `Answers are kept for ${minutes} minutes.`);
}

await write().catch((failure: Error) => quit(failure.message));
