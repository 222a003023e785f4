/** Writes docs/failures.md: the sentences of all failures, each with its file. */
import { writeFileSync } from "node:fs";
import { failuresFile, failuresPage } from "./failure-sentences";

writeFileSync(failuresFile, await failuresPage());
