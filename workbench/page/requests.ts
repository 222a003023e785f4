import { requestSteps } from "../host/request-text";
import type { RequestNote } from "../host/request-text";
import { element } from "./element";

/** Older ones are forgotten. */
const MOST_REQUESTS = 200;

/** The list of the add-in's last requests below the sheet, each with its steps, and what was refused and why. Gives the way to add one. */
export function createRequests(): (note: RequestNote) => void {
  const notes: RequestNote[] = [];
  const [panel, button, list] = [element("requests"), element("requests-button"), element("requests-list")];
  const refusedOnly = element("requests-refused") as HTMLInputElement;

  const isListed = ({ refusal }: RequestNote) => refusal !== null || !refusedOnly.checked;
  const tellNone = () => (element("requests-none").hidden = list.childElementCount > 0);
  function renew(): void {
    list.replaceChildren(...notes.filter(isListed).flatMap((note) => line(note) ?? []));
    list.scrollTop = list.scrollHeight;
    tellNone();
  }
  function show(isShown: boolean): void {
    panel.hidden = !isShown;
    button.setAttribute("aria-expanded", String(isShown));
    if (isShown) renew();
    else list.replaceChildren();
  }
  button.addEventListener("click", () => show(panel.hidden === true));
  element("requests-close").addEventListener("click", () => {
    show(false);
    button.focus();
  });
  refusedOnly.addEventListener("change", renew);
  element("requests-clear").addEventListener("click", () => {
    notes.length = 0;
    renew();
  });

  return (note) => {
    notes.push(note);
    if (notes.length > MOST_REQUESTS) notes.shift();
    if (panel.hidden || !isListed(note)) return;
    const item = line(note);
    if (!item) return;
    const isAtEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - 4;
    list.append(item);
    while (list.childElementCount > MOST_REQUESTS) list.firstElementChild?.remove();
    if (isAtEnd) list.scrollTop = list.scrollHeight;
    tellNone();
  };
}

/** Null for a request of office.js's own, which only finds or lets go of objects. */
function line({ at, ms, body, method, refusal }: RequestNote): HTMLLIElement | null {
  const steps = body === null ? [] : requestSteps(body, refusal?.actionIndex);
  if (body !== null && steps.length === 0 && refusal === null) return null;
  const item = document.createElement("li");
  item.append(`${new Date(at).toLocaleTimeString("en-US", { hour12: false })}, ${ms} ms`);
  const all = document.createElement("ol");
  for (const { text, end } of steps) {
    const step = document.createElement("li");
    const code = document.createElement("code");
    code.textContent = text;
    step.append(code);
    if (end === "refused" && refusal) step.append(why(refusal));
    if (end === "left out") step.append(" (not carried out)");
    all.append(step);
  }
  if (body === null) item.append(`, ${method}`);
  else item.append(all);
  if (refusal && !steps.some(({ end }) => end === "refused")) item.append(why(refusal));
  return item;
}

function why({ code, message }: NonNullable<RequestNote["refusal"]>): HTMLElement {
  const element = document.createElement("div");
  element.className = "why";
  element.textContent = `Refused, ${code}: ${message}`;
  return element;
}
