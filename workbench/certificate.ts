import { createPrivateKey, X509Certificate } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { generate } from "selfsigned";

const CERTIFICATE_MS = 365 * 24 * 60 * 60 * 1000;

/**
 * A key and a certificate for localhost: the kept ones, or new ones where there are none, where they have expired or where
 * the two do not belong together, as when two programs made theirs at the same time.
 */
export async function certificate(directory: string): Promise<{ key: string; cert: string }> {
  const keyFile = join(directory, "key.pem");
  const certFile = join(directory, "cert.pem");
  const kept = await Promise.all([readFile(keyFile, "utf8"), readFile(certFile, "utf8")]).catch(() => null);
  if (kept && isValidPair(...kept)) return { key: kept[0], cert: kept[1] };

  const names = [
    { type: 2, value: "localhost" },
    { type: 7, ip: "127.0.0.1" },
    { type: 7, ip: "::1" },
  ] as const;
  const made = await generate([{ name: "commonName", value: "localhost" }], {
    keyType: "ec",
    algorithm: "sha256",
    notAfterDate: new Date(Date.now() + CERTIFICATE_MS),
    extensions: [
      { name: "basicConstraints", cA: false },
      { name: "keyUsage", digitalSignature: true, keyEncipherment: true },
      { name: "extKeyUsage", serverAuth: true },
      { name: "subjectAltName", altNames: [...names] },
    ],
  });
  await mkdir(directory, { recursive: true });
  await writeFile(keyFile, made.private, { mode: 0o600 });
  await writeFile(certFile, made.cert);
  return { key: made.private, cert: made.cert };
}

function isValidPair(key: string, cert: string): boolean {
  try {
    const read = new X509Certificate(cert);
    return Date.parse(read.validTo) > Date.now() && read.checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}
