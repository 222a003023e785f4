import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { AddInAddress } from "./addin-address";

export interface NginxSettings {
  /** The address at which Excel looks for the add-in. */
  address: Pick<AddInAddress, "hostname" | "folder">;
  /** The service's base address, without a trailing slash and without `/v1`. */
  service: string;
  /** The built add-in's folder on the server. */
  dist: string;
  /** As nginx's `listen` takes it: a port, or an address and a port. */
  listen: string;
  /** PEM files on the server; null if a server in front of nginx speaks https. */
  certificate: { certFile: string; keyFile: string } | null;
  /** A PEM file on the server: the authorities that may sign the service's certificate. */
  trustedFile: string;
  logFolder: string;
}

const template = readFileSync(join(import.meta.dirname, "nginx.conf.template"), "utf8");

/**
 * Fills the placeholders of `nginx.conf.template`; the result is a file for nginx's `conf.d`. Throws a sentence if nginx would read a
 * setting's text as its own syntax.
 */
export function nginxConfiguration(settings: NginxSettings): string {
  const { address, dist, listen, certificate, trustedFile, logFolder } = settings;
  const { protocol, hostname, host, port, pathname } = new URL(settings.service);
  const values: Record<string, string> = {
    ID: createHash("sha256").update(address.hostname).digest("hex").slice(0, 8),
    HOST: plain(address.hostname),
    FOLDER: plain(address.folder),
    FILES: plain(dist.replace(/\/$/, "")),
    LOGS: plain(logFolder),
    TRUSTED: plain(trustedFile),
    SERVICE_PROTOCOL: protocol,
    SERVICE_NAME: plain(hostname),
    SERVICE_HOST: plain(host),
    SERVICE_PORT: port || (protocol === "https:" ? "443" : "80"),
    SERVICE_PATH: plain(pathname.replace(/\/$/, "")),
    LISTEN: `"${plain(listen)}"${certificate ? " ssl http2" : ""}`,
    CERTIFICATE: certificate
      ? `ssl_certificate "${plain(certificate.certFile)}";\n  ssl_certificate_key "${plain(certificate.keyFile)}";`
      : "# Without a certificate: a load balancer before nginx speaks https.",
  };
  return template.replace(/\$\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`nginx.conf.template has an unknown placeholder: ${name}`);
    return value;
  });
}

/** The text, for use between double quotes. Throws if nginx would not take it literally there. */
function plain(text: string): string {
  if (/["\\\n]|\$[\w{]/.test(text)) throw new Error(`nginx would misread this: ${text}`);
  return text;
}
