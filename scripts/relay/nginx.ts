/**
 * `npm run nginx -- --service URL …` writes nginx's configuration for the built add-in into a folder. The files go into the `conf.d` of an
 * nginx.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { readAddInAddress } from "../../deployment/addin-address";
import { nginxConfiguration } from "../../deployment/nginx-configuration";
import { quit, relayOptions } from "./relay-options";

const usage = `Use: npm run nginx -- --service URL [--certificate FILE --certificate-key FILE] [--listen PORT]
  [--files FOLDER] [--trusted FILE] [--logs FOLDER] [--dist FOLDER] [--out FOLDER]`;

function readOptions() {
  try {
    return parseArgs({
      options: {
        service: { type: "string" },
        certificate: { type: "string" },
        "certificate-key": { type: "string" },
        listen: { type: "string" },
        files: { type: "string", default: "/srv/regdata" },
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

async function write() {
  const address = await readAddInAddress(resolve(options.dist));
  const configuration = nginxConfiguration({
    address,
    service,
    dist: options.files,
    listen: options.listen ?? (certificate ? address.port || "443" : "8080"),
    certificate,
    trustedFile: options.trusted,
    logFolder: options.logs,
  });
  const file = join(options.out, `${address.hostname}.conf`);
  await mkdir(options.out, { recursive: true });
  await writeFile(file, configuration);
  console.log(
    `${file}: https://${address.hostname}${address.folder} from ${options.files}, /v1/ from ${service}`,
  );
}

await write().catch((failure: Error) => quit(failure.message));
