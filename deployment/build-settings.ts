import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import * as z from "zod";
import type { PresetService } from "../src/settings/preset-service";
import { parseBaseUrl } from "../src/engine/transport/base-url";
import { parseUrl } from "../src/url";
import { inEnvironment } from "./environment";
import { type OfficeScript, officeScripts } from "./office-script";

/** The settings that one build is made with. */
export interface BuildSettings {
  /** The address at which the add-in's files will lie; ends with a slash. */
  addInAddress: string;
  service: PresetService | null;
  /** The environment's name in capitals; "" for none. */
  environment: string;
  id: string;
  displayName: string;
  /** The address of the support page; a page of the add-in if the settings name none. */
  supportAddress: string;
  /** True if functions.json allows data types as arguments and results. */
  dataTypes: boolean;
  /** The address that the page loads office.js from. */
  officeScript: OfficeScript;
}

/** The settings of a build without a settings file: the add-in in the workbench, as manifest.xml has it. */
export const plainBuild: BuildSettings = {
  addInAddress: "https://localhost:3000/addin/",
  service: null,
  environment: "",
  id: "5b0f6f3e-9c1d-4f7e-8a52-3f6d2c7b9e14",
  displayName: "RegData for Excel",
  supportAddress: "https://localhost:3000/addin/help/support.html",
  dataTypes: true,
  officeScript: officeScripts[0],
};

const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Excel's longest namespace has 32 characters; longer names would also be cut on the ribbon. */
const environmentName = /^[A-Z][A-Z0-9]{0,9}$/;

const plainHost = /^[\w.:[\]-]+$/;

/** The one list of settings: their names, the values that they may have, and their descriptions for the documentation. */
export const settingsFile = z
  .strictObject({
    addInAddress: text((value) => {
      const page = pageAddress(value);
      if (typeof page !== "string") return page;
      return page.includes("%")
        ? { problem: "must do without blanks and other characters that addresses encode with %" }
        : page.replace(/\/*$/, "/");
    }).describe("The folder that the add-in's files are uploaded to, as browsers reach it: `https://`."),
    id: text((value) => {
      const id = value.toLowerCase();
      if (!guid.test(id)) return { problem: `is no GUID such as ${randomUUID()}` };
      return id === plainBuild.id
        ? { problem: `is that of a build without settings; take one of your own, such as ${randomUUID()}` }
        : id;
    }).describe("The add-in's id, a GUID: one for each environment, made once and kept for ever."),
    serviceAddress: text((value) => {
      const parsed = parseBaseUrl(value);
      if ("problem" in parsed) return { problem: `can't be used: ${parsed.problem}` };
      // The host goes into the page's security policy, so it may hold only characters of a host name.
      return plainHost.test(new URL(parsed.baseUrl).host)
        ? parsed.baseUrl
        : { problem: "can't be used: it has signs in it that no host name has" };
    })
      .optional()
      .describe("The service's address, filled in where users connect: `https://`, or loopback."),
    usersMayChangeService: z
      .boolean("is true or false, without quotes")
      .optional()
      .describe("`false` for an add-in that sends keys to `serviceAddress` alone, and offers no other."),
    environment: text((value) => {
      const name = value.toUpperCase();
      return environmentName.test(name)
        ? name
        : { problem: "takes a letter and up to nine letters or digits more" };
    })
      .optional()
      .describe("Tells environments apart: with `DEV`, formulas begin with `REGDATA_DEV`."),
    displayName: text((value) => {
      const name = value.trim();
      return name !== "" && name.length <= 125 ? name : { problem: "takes 1 to 125 characters" };
    })
      .optional()
      .describe("What Excel and the admin center call the add-in."),
    supportAddress: text(pageAddress)
      .optional()
      .describe("The page where users find help with the add-in: `https://`."),
    dataTypes: z
      .boolean("is true or false, without quotes")
      .optional()
      .describe(
        "`false` for formulas without cards and formatted dates, should a company's Excel 2021 show `#VALUE!` in every formula.",
      ),
    officeScript: z
      .enum(officeScripts, `is not one of Microsoft's addresses: ${officeScripts.join(" or ")}`)
      .optional()
      .describe(
        "Where the page loads office.js from, should the network let only Microsoft's other address through.",
      ),
  })
  .refine(({ serviceAddress, usersMayChangeService }) => usersMayChangeService !== false || serviceAddress, {
    path: ["serviceAddress"],
    error: "is missing: usersMayChangeService is false, so it must be set",
  });

/** Reads a file of settings. Throws an Error with a line for each setting that is wrong. */
export function readBuildSettings(path: string): BuildSettings {
  return parseBuildSettings(readFileSync(path, "utf8"));
}

export function parseBuildSettings(json: string): BuildSettings {
  const parsed = settingsFile.safeParse(parseJson(json));
  if (!parsed.success) throw new Error(parsed.error.issues.map(problemText).join("\n"));
  const { addInAddress, id, serviceAddress, usersMayChangeService = true, environment = "" } = parsed.data;
  const {
    dataTypes = true,
    officeScript = plainBuild.officeScript,
    displayName = inEnvironment(plainBuild.displayName, environment),
    supportAddress = `${addInAddress}help/support.html`,
  } = parsed.data;
  const service = serviceAddress ? { baseUrl: serviceAddress, isFixed: !usersMayChangeService } : null;
  return { addInAddress, service, environment, id, displayName, supportAddress, dataTypes, officeScript };
}

/** A text that `clean` tidies up, or refuses with a sentence that goes on after the setting's name. */
function text(clean: (value: string) => string | { problem: string }) {
  return z.string("is missing, or no text").transform((value, context) => {
    const cleaned = clean(value);
    if (typeof cleaned === "string") return cleaned;
    context.addIssue(cleaned.problem);
    return z.NEVER;
  });
}

function pageAddress(text: string): string | { problem: string } {
  const url = parseUrl(text.trim());
  if (!url) return { problem: "is no whole address" };
  if (url.protocol !== "https:") return { problem: "must begin with https://, as Excel loads nothing else" };
  return url.username || url.password || url.search || url.hash
    ? { problem: "must end with its path: no user name, no ? and no #" }
    : url.href;
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw new Error(`The file is no JSON: ${(cause as Error).message}`, { cause });
  }
}

function problemText(issue: z.core.$ZodIssue): string {
  if (issue.code === "unrecognized_keys") {
    const names = Object.keys(settingsFile.shape).join(", ");
    return `${issue.keys.join(", ")}: there is no such setting; there are ${names}.`;
  }
  return issue.path.length === 0
    ? "The file must hold one object with the settings."
    : `${issue.path.join(".")} ${issue.message.replace(/\.$/, "")}.`;
}
