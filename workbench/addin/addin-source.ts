import { existsSync } from "node:fs";
import { request } from "node:https";
import { basename, dirname } from "node:path";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";
import { proxy } from "hono/proxy";
import { readManifest } from "./read-manifest";

/** Where a built add-in is: the files that its manifest names. */
export interface AddinPlace {
  addinDir?: string;
  /** Where a server gives the add-in out, with a slash at the end: fetched from there instead. */
  addinUrl?: string;
  /** The manifest's name there. Default: manifest.xml. */
  manifest?: string;
}

/** An add-in whose manifest has been read. */
export interface PlacedAddin {
  manifest: string;
  /** The address of `get("")` when the add-in runs in production, such as https://addins.example/mine/. */
  root: string;
  /** The answer to a path below the root, with its query. */
  get(path: string): Promise<Response>;
}

/** The place that a person names: a folder, an address, or one of both with the manifest's name at its end. */
export function parseAddinPlace(text: string): AddinPlace {
  const isManifest = /\.xml$/i.test(text);
  if (/^https?:\/\//i.test(text)) {
    const url = new URL(text);
    if (isManifest) return { addinUrl: new URL(".", url).href, manifest: basename(url.pathname) };
    return { addinUrl: url.href.replace(/\/*$/, "/") };
  }
  return isManifest ? { addinDir: dirname(text), manifest: basename(text) } : { addinDir: text };
}

/**
 * Reads the manifest, and finds by the page that it names which of its addresses stands for the place: a folder has what lies below
 * some folder of production's address. Rejects with a sentence where either is missing.
 */
export async function placeAddin({
  addinDir = ".",
  addinUrl,
  manifest: fileName = "manifest.xml",
}: AddinPlace): Promise<PlacedAddin> {
  const name = addinUrl ?? addinDir;
  if (addinUrl === undefined && !existsSync(addinDir)) throw new Error(`There is no folder ${addinDir}.`);
  const get = addinUrl === undefined ? fromFolder(addinDir) : fromServer(addinUrl);
  const answer = await get(fileName);
  if (!answer.ok) {
    const isUnified = (await get("manifest.json")).ok;
    const why = isUnified ? " The workbench does not read the unified manifest, manifest.json." : "";
    throw new Error(`There is no ${fileName} in ${name}.${why}`);
  }
  const manifest = await answer.text();
  const { pane } = readManifest(manifest);
  const page = new URL(pane);
  if (addinUrl !== undefined && new URL(addinUrl).origin === page.origin)
    return { manifest, root: `${page.origin}/`, get: fromServer(`${page.origin}/`) };

  const folders = page.pathname.split("/").slice(1);
  for (let above = 0; above < folders.length; above += 1) {
    if (!(await get(folders.slice(above).join("/"))).ok) continue;
    const root = folders.slice(0, above).map((folder) => `${folder}/`);
    return { manifest, root: `${page.origin}/${root.join("")}`, get };
  }
  throw new Error(`${fileName} names the page ${pane}, which is not in ${name}. Has the add-in been built?`);
}

function fromFolder(root: string): PlacedAddin["get"] {
  const files = new Hono();
  files.get("*", serveStatic({ root }));
  return async (path) => files.request(`/${path}`);
}

function fromServer(base: string): PlacedAddin["get"] {
  return async (path) => {
    const url = new URL(base + path);
    const isOwn = url.protocol === "https:" && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname);
    return proxy(url, isOwn ? { customFetch: () => fetchOwn(url) } : {}).catch((cause: unknown) => {
      throw new Error(`${url.href} could not be fetched. ${reason(cause)}`, { cause });
    });
  };
}

function reason(cause: unknown): string {
  const { message, cause: inner } = cause as Error;
  return inner instanceof Error && inner.message !== "" ? inner.message : message;
}

/** A developer's server on this computer has a certificate that only the browser was told to trust. */
function fetchOwn(url: URL): Promise<Response> {
  return new Promise((done, fail) => {
    const asked = request(url, { rejectUnauthorized: false }, (answer) => {
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => parts.push(part));
      answer.on("error", fail);
      answer.on("end", () => {
        const headers = new Headers();
        for (const [name, value] of Object.entries(answer.headers)) headers.set(name, String(value));
        const status = answer.statusCode ?? 502;
        const isEmpty = [204, 205, 304].includes(status);
        done(new Response(isEmpty ? null : Buffer.concat(parts), { status, headers }));
      });
    });
    asked.on("error", fail);
    asked.end();
  });
}
