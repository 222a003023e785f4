/** The headers of the add-in's files: one list for all servers that serve them. */
import { contentSecurityPolicy } from "./content-security-policy";

export interface HeaderRule {
  name: string;
  value: string;
  /** Matches the paths of the files that have the header; all files if left out. */
  files?: RegExp;
  /** The header's value on all other files; they lack the header if this is left out. */
  otherwise?: string;
}

export const fileHeaders: readonly HeaderRule[] = [
  {
    name: "Cache-Control",
    // A script with its hash in its name never changes. All other files name today's scripts, so a browser must ask for them anew.
    files: /\.[0-9a-f]{8}\.js$/,
    value: "public, max-age=31536000, immutable",
    otherwise: "no-cache",
  },
  // A page of Microsoft's reads these files in Excel on the web.
  { name: "Access-Control-Allow-Origin", files: /\/(?:functions|shortcuts)\.json$/, value: "*" },
  // The page of a build with a fixed service has a narrower policy of its own, and browsers obey both. There is no frame-ancestors:
  // Microsoft lists nowhere which hosts frame an add-in, and may change them (OfficeDev/office-js-docs-pr#4911).
  { name: "Content-Security-Policy", value: contentSecurityPolicy(null) },
  { name: "X-Content-Type-Options", value: "nosniff" },
  { name: "Referrer-Policy", value: "no-referrer" },
];

/** The headers of one file; `path` begins with a slash. */
export function headersOf(path: string): [name: string, value: string][] {
  return fileHeaders.flatMap(({ name, value, files, otherwise }) => {
    const given = !files || files.test(path) ? value : otherwise;
    return given === undefined ? [] : [[name, given]];
  });
}
