import { addressPromises } from "./addresses";
import { keyPromises } from "./key";
import { privacyPromises } from "./privacy";
import type { HeldPromise } from "./promise";
import { reliabilityPromises } from "./reliability";
import { serverPromises } from "./servers";
import { serviceTextPromises } from "./service-texts";
import { workbookPromises } from "./workbooks";

/** The promises of docs/security.md, docs/privacy.md and docs/reliability.md, in their order. */
export const promises: readonly HeldPromise[] = [
  ...keyPromises,
  ...addressPromises,
  ...serviceTextPromises,
  ...workbookPromises,
  ...serverPromises,
  ...privacyPromises,
  ...reliabilityPromises,
];
