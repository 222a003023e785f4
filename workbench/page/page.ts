import { element } from "./element";
import "./page.css";
import { createProblems } from "./problems";
import { startWorkbench } from "./workbench";

const problems = createProblems(element("problems"));
try {
  window.workbench = await startWorkbench(problems);
} catch (cause) {
  problems.report(`The workbench cannot start. ${String(cause)}`);
}
