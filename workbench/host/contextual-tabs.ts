import * as z from "zod/mini";
import type { RibbonButton, RibbonControl, RibbonGroup } from "../addin/read-manifest";

/** A tab that an add-in makes while it runs (contextual-tabs.md). */
export interface ContextualTab {
  id: string;
  label: string;
  groups: RibbonGroup[];
}

/** Every icon must have these sizes in pixels, and may have the others. */
const requiredSizes = [16, 32, 80];
const iconSizes = [...requiredSizes, 20, 24, 40, 48, 64];

const words = z.string().check(z.minLength(1, "is empty"));
const id = words.check(z.maxLength(125, "has more than 125 characters"));
const icon = z
  .array(
    z.object({
      size: z.number().check(z.refine((size) => iconSizes.includes(size), "is no size of an icon")),
      sourceLocation: words,
    }),
  )
  .check(
    z.refine(
      (images) => requiredSizes.every((size) => images.some((image) => image.size === size)),
      "lacks an image of 16, 32 or 80 pixels",
    ),
  );
const face = {
  id,
  label: words,
  superTip: z.object({ title: words, description: words }),
  icon,
};
const button = z.object({ ...face, actionId: words, enabled: z.optional(z.boolean()) });
const control = z.discriminatedUnion("type", [
  z.extend(button, { type: z.literal("Button") }),
  z.object({
    ...face,
    type: z.literal("Menu"),
    items: z.array(z.extend(button, { type: z.literal("MenuItem") })).check(z.minLength(1, "has no item")),
  }),
]);
const action = z.discriminatedUnion("type", [
  z.object({ id: words, type: z.literal("ExecuteFunction"), functionName: words }),
  z.object({ id: words, type: z.literal("ShowTaskpane"), sourceLocation: z.optional(words) }),
]);
const definition = z.object({
  actions: z.array(action),
  tabs: z
    .array(
      z.object({
        id: words,
        label: words,
        visible: z.optional(z.boolean()),
        groups: z
          .array(
            z.object({
              id,
              label: words,
              icon,
              controls: z.array(control).check(z.minLength(1, "has no control")),
            }),
          )
          .check(z.minLength(1, "has no group")),
      }),
    )
    .check(z.minLength(1, "has no tab"), z.maxLength(20, "has more than 20 tabs")),
});

type Definition = z.infer<typeof definition>;
type Button = z.infer<typeof button>;

/**
 * Reads what `Office.ribbon.requestCreateControls` is given, by the rules of contextual-tabs.md and of the file dynamic-ribbon.schema.json
 * that the page names. Its `version`, which the schema demands and the page's own example lacks, may be missing. Gives the tabs, each
 * hidden, and sentences for the developer; throws an Error with a sentence where a rule is broken. `page` is the pane's.
 */
export function readContextualTabs(json: string, page: string): { tabs: ContextualTab[]; hints: string[] } {
  const parsed = definition.safeParse(JSON.parse(json));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const message = issue?.message === "Invalid input" ? "is not what the schema says" : issue?.message;
    throw new Error(`${issue?.path.join(".") || "the definition"} ${message}`);
  }
  const { actions, tabs } = parsed.data;
  const groups = tabs.flatMap((tab) => tab.groups);
  const controls = groups.flatMap((group) => group.controls);
  const items: Button[] = controls.flatMap((one) => (one.type === "Menu" ? one.items : []));
  const buttons: Button[] = [...controls.flatMap((one) => (one.type === "Menu" ? [] : [one])), ...items];
  mustBeUnique("action", actions);
  mustBeUnique("tab", tabs);
  mustBeUnique("group", groups);
  mustBeUnique("control", [...controls, ...items]);
  // "No more than one action of type ShowTaskpane can omit the sourceLocation property" (contextual-tabs.md).
  const ownPanes = actions.filter((one) => one.type === "ShowTaskpane" && one.sourceLocation === undefined);
  if (ownPanes.length > 1) throw new Error("two actions of type ShowTaskpane have no sourceLocation");

  const actionOf = ({ id: of, actionId }: Button) => {
    const found = actions.find((one) => one.id === actionId);
    if (!found) throw new Error(`the control ${of} has the action ${actionId}, which is not defined`);
    return found;
  };
  const hints = [
    // Reported of the web, and confirmed (OfficeDev/office-js#3476): the strict assumption.
    ...tabs
      .filter(({ visible }) => visible === true)
      .map(
        (tab) =>
          `The contextual tab ${tab.id} is not shown by its visible: true. On the web it takes Office.ribbon.requestUpdate.`,
      ),
    ...buttons.flatMap((one) => {
      const { type, sourceLocation } = { sourceLocation: undefined, ...actionOf(one) };
      return type === "ShowTaskpane" && sourceLocation !== undefined && sourceLocation !== page
        ? [`${one.id} shows another page than the shared runtime's, which the workbench does not support.`]
        : [];
    }),
  ];

  const buttonOf = (one: Button): RibbonButton => {
    const does = actionOf(one);
    return {
      ...faceOf(one),
      isDisabled: one.enabled === false,
      functionName: does.type === "ExecuteFunction" ? does.functionName : null,
      page: does.type === "ExecuteFunction" ? "" : page,
    };
  };
  const controlOf = (one: Definition["tabs"][number]["groups"][number]["controls"][number]): RibbonControl =>
    one.type === "Menu"
      ? { ...faceOf(one), isDisabled: false, items: one.items.map(buttonOf) }
      : buttonOf(one);
  return {
    tabs: tabs.map((tab) => ({
      ...{ id: tab.id, label: tab.label },
      groups: tab.groups.map(({ label, controls: own }) => ({ label, controls: own.map(controlOf) })),
    })),
    hints,
  };
}

function faceOf({
  id: of,
  label,
  superTip,
  icon: images,
}: Pick<Button, "id" | "label" | "superTip" | "icon">) {
  return {
    ...{ id: of, label, tooltip: superTip },
    icon: images.find(({ size }) => size === 32)?.sourceLocation ?? "",
  };
}

function mustBeUnique(kind: string, all: readonly { id: string }[]): void {
  const twin = all.find((one, index) => all.findIndex((other) => other.id === one.id) < index);
  if (twin) throw new Error(`two ${kind}s have the id ${twin.id}`);
}
