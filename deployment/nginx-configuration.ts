import { createHash } from "node:crypto";
import type { AddInAddress } from "./addin-address";
import { fileHeaders, type HeaderRule } from "./file-headers";
import {
  answerHeaders,
  hiddenAnswerHeaders,
  largestBodyBytes,
  passedRequestHeaders,
  relayedRoutes,
  relayTimeoutMs,
} from "./relay";

export interface NginxSettings {
  /** Where Excel looks for the add-in. */
  address: Pick<AddInAddress, "hostname" | "folder">;
  /** The service's base address, without a trailing slash and without `/v1`. */
  service: string;
  /** The built add-in's folder on the server. */
  dist: string;
  /** As nginx's `listen` takes it: a port, or an address and a port. */
  listen: string;
  /** PEM files on the server; null where something before it speaks https. */
  certificate: { certFile: string; keyFile: string } | null;
  /** PEM file on the server: the authorities that may vouch for the service. */
  trustedFile: string;
  logFolder: string;
}

/**
 * What nginx includes in its `http` block, a file of its `conf.d`: the add-in's files, and the fourteen endpoints
 * relayed to the service. For nginx from 1.22 on. Throws a sentence where a setting holds what nginx would read as its own syntax.
 */
export function nginxConfiguration(settings: NginxSettings): string {
  const { address, dist, listen, certificate, logFolder } = settings;
  const service = new URL(settings.service);
  // The configurations of one nginx share one space of names, which may not be long.
  const own = `regdata_${createHash("sha256").update(address.hostname).digest("hex").slice(0, 8)}`;
  const strictTransport = certificate
    ? [header("Strict-Transport-Security", quoted("max-age=31536000"))]
    : [];
  return `# RegData for Excel. Made by npm run nginx: make it anew rather than changing it.

# The method that the service is asked with at each of its paths; whatever else comes is not passed on.
map $request_uri $${own}_method {
  ${lines(relayedRoutes.map(({ method, pattern }) => `${quoted(`~^${pattern}(\\?|$)`)} ${method};`))}
}
map $status $${own}_allow {
  405 $${own}_method;
}
map $http_accept_encoding $${own}_encoding {
  ~gzip gzip;
}
${fileHeaders.map((rule) => valuesByFile(own, rule)).join("")}
upstream ${own} {
  # Its name is looked up when nginx starts or reloads.
  server ${quoted(`${service.hostname}:${service.port || (isHttps(service) ? "443" : "80")}`)};
  keepalive 16;
}

# No header, so no key, and no query.
log_format ${own} '$remote_addr $time_iso8601 $request_method $uri $status $body_bytes_sent'
  ' $request_time';

server {
  listen ${listen}${certificate ? " ssl http2" : ""};
  server_name ${quoted(address.hostname)};
${certificate ? certificateOf(certificate) : ""}  access_log ${quoted(`${logFolder}/access.log`)} ${own};
  # From info on down nginx writes out header lines that it can't read.
  error_log ${quoted(`${logFolder}/error.log`)} error;
  server_tokens off;
  charset utf-8;
  gzip on;
  gzip_vary on;
  gzip_proxied any;
  gzip_min_length 1000;
  gzip_types application/javascript application/json text/css text/csv text/plain text/xml;

  location ${quoted(address.folder)} {
    alias ${quoted(`${dist.replace(/\/$/, "")}/`)};
    ${lines([...fileHeaders.map((rule) => fileHeader(own, rule)), ...strictTransport], 4)}
  }

  location /v1/ {
    if ($${own}_method = "") {
      return 404;
    }
    if ($request_method != $${own}_method) {
      return 405;
    }
    ${lines(
      Object.entries(answerHeaders).map(([name, value]) => header(name, quoted(value))),
      4,
    )}
    ${lines([header("Allow", `$${own}_allow`), ...strictTransport], 4)}

    # In memory, not in a file; sent in chunks, it comes with their lengths.
    client_max_body_size ${largestBodyBytes};
    client_body_buffer_size ${2 * largestBodyBytes};

    proxy_pass ${quoted(`${service.protocol}//${own}${service.pathname.replace(/\/$/, "")}/v1/`)};
    proxy_http_version 1.1;
    proxy_pass_request_headers off;
    proxy_set_header Host ${quoted(service.host)};
    proxy_set_header Connection "";
    proxy_set_header Accept-Encoding $${own}_encoding;
    ${lines(
      passedRequestHeaders.map((name) => `proxy_set_header ${name} $http_${snakeCase(name)};`),
      4,
    )}
${isHttps(service) ? checkedCertificate(service, settings.trustedFile) : ""}
    # A redirect goes back as it came: the add-in refuses it.
    proxy_redirect off;
    # By it the add-in reads the service's clock.
    proxy_pass_header Date;
    ${lines(
      hiddenAnswerHeaders.map((name) => `proxy_hide_header ${name};`),
      4,
    )}
    proxy_ignore_headers X-Accel-Redirect X-Accel-Limit-Rate X-Accel-Buffering X-Accel-Charset;

    # Where the service has closed a kept connection; all fourteen only read.
    proxy_next_upstream error non_idempotent;
    proxy_next_upstream_tries 2;
    proxy_connect_timeout 10s;
    proxy_send_timeout ${seconds(relayTimeoutMs)};
    proxy_read_timeout ${seconds(relayTimeoutMs)};

    proxy_buffer_size 32k;
    proxy_buffers 8 32k;
    proxy_buffering off;
  }
${address.folder === "/" ? "" : nothingElse}}
`;
}

function certificateOf({ certFile, keyFile }: NonNullable<NginxSettings["certificate"]>): string {
  return `  ssl_certificate ${quoted(certFile)};
  ssl_certificate_key ${quoted(keyFile)};
  ssl_protocols TLSv1.2 TLSv1.3;
`;
}

function checkedCertificate({ hostname }: URL, trustedFile: string): string {
  return `
    proxy_ssl_server_name on;
    proxy_ssl_name ${quoted(hostname)};
    proxy_ssl_protocols TLSv1.2 TLSv1.3;
    proxy_ssl_verify on;
    proxy_ssl_verify_depth 5;
    proxy_ssl_trusted_certificate ${quoted(trustedFile)};
`;
}

const nothingElse = `
  location / {
    return 404;
  }
`;

function valuesByFile(own: string, { name, value, files, otherwise = "" }: HeaderRule): string {
  return files
    ? `map $uri $${own}_${snakeCase(name)} {
  ${quoted(`~${files.source.replaceAll("\\/", "/")}`)} ${quoted(value)};
  default ${quoted(otherwise)};
}
`
    : "";
}

/** Not on errors: nothing says for how long those may be kept. */
function fileHeader(own: string, { name, value, files }: HeaderRule): string {
  return `add_header ${name} ${files ? `$${own}_${snakeCase(name)}` : quoted(value)};`;
}

function header(name: string, value: string): string {
  return `add_header ${name} ${value} always;`;
}

function lines(all: readonly string[], indent = 2): string {
  return all.join(`\n${" ".repeat(indent)}`);
}

function snakeCase(name: string): string {
  return name.toLowerCase().replaceAll("-", "_");
}

function seconds(ms: number): string {
  return `${ms / 1_000}s`;
}

function isHttps({ protocol }: URL): boolean {
  return protocol === "https:";
}

function quoted(text: string): string {
  if (/["\n]|\$[\w{]/.test(text)) throw new Error(`nginx would misread this: ${text}`);
  return `"${text}"`;
}
