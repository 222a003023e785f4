/** A request of the add-in's page, and its end. */
export interface RequestNote {
  /** The time of day at which it came, in milliseconds. */
  at: number;
  ms: number;
  /** The body of a request to Excel's objects as office.js sends it; null where it was too large to keep. */
  body: string | null;
  /** The name of a method of the common API, such as Settings.saveAsync, or a text about a body that was not kept. */
  method: string;
  /** Null for a request that was carried out. */
  refusal: Refusal | null;
}

export interface Refusal {
  /** Such as ItemNotFound; a number where the host has answered before anything was carried out. */
  code: string | number;
  message: string;
  /** The place of the step that was refused in the request's actions. */
  actionIndex?: number;
}

export interface RequestStep {
  /** As the add-in may have written it, such as worksheets.getItem("Fees").getRange("A1").values = [["Place"]]. */
  text: string;
  /** The steps after a refused one are left out. */
  end: "done" | "refused" | "left out";
}

interface Path {
  ObjectPathType: number;
  Name: string;
  ParentObjectPathId?: number;
  ArgumentInfo?: Arguments;
}
interface Action {
  ActionType: number;
  Name: string;
  ObjectPathId: number;
  ArgumentInfo?: Arguments;
  QueryInfo?: { Select?: string[] };
}
interface Arguments {
  Arguments?: unknown[];
  ReferencedObjectPathIds?: unknown[] | null;
}

/** Longer values end in an ellipsis. */
const MOST_CHARACTERS = 60;

/**
 * The steps of a request to Excel's objects, but for those that office.js adds by itself or that only find an object. The refused one is
 * always there.
 */
export function requestSteps(body: string, refusedIndex: number | undefined): RequestStep[] {
  const { Actions = [], ObjectPaths = {} } = JSON.parse(body) as {
    Actions?: Action[];
    ObjectPaths?: Record<string, Path>;
  };

  function pathText(id: number | undefined): string {
    const path = id === undefined ? undefined : ObjectPaths[id];
    if (!path) return "?";
    const name = camel(path.Name);
    const member = (text: string) => `${pathText(path.ParentObjectPathId)}.${text}`;
    switch (path.ObjectPathType) {
      case 1:
        return "workbook";
      case 2:
        return camel(path.Name.slice(path.Name.lastIndexOf(".") + 1));
      case 3:
        return member(`${name}(${argumentText(path.ArgumentInfo)})`);
      case 4:
        return member(name);
      case 5:
        return member(`getItem(${argumentText(path.ArgumentInfo)})`);
      case 6:
        return `(object ${path.Name} of an earlier request)`;
      default:
        return "(null object)";
    }
  }
  function argumentText({ Arguments: given = [], ReferencedObjectPathIds: ids }: Arguments = {}): string {
    return given
      .map((value, index) => {
        const id = ids?.[index];
        return typeof id === "number" && id !== 0 ? pathText(id) : valueText(value);
      })
      .join(", ");
  }
  function stepText({ ActionType, Name, ObjectPathId, ArgumentInfo, QueryInfo }: Action): string {
    const path = pathText(ObjectPathId);
    if (ActionType === 2) return `${path}.load(${valueText(QueryInfo?.Select?.join(", ") ?? "")})`;
    if (ActionType === 3) return `${path}.${camel(Name)}(${argumentText(ArgumentInfo)})`;
    if (ActionType === 4) return `${path}.${camel(Name)} = ${argumentText(ArgumentInfo)}`;
    return path;
  }
  const isTold = ({ ActionType, Name, ObjectPathId }: Action) => {
    if (ActionType === 1) {
      const path = ObjectPaths[ObjectPathId];
      return path?.ObjectPathType === 3 && !path.Name.startsWith("Get");
    }
    return ActionType !== 5 && Name !== "_KeepReference" && Name !== "_RemoveReference";
  };
  return Actions.flatMap((action, index) => {
    const isRefused = index === refusedIndex;
    if (!isRefused && !isTold(action)) return [];
    const isLater = refusedIndex !== undefined && index > refusedIndex;
    return [{ text: stepText(action), end: isRefused ? "refused" : isLater ? "left out" : "done" }];
  });
}

function valueText(value: unknown): string {
  const text = JSON.stringify(value) ?? "undefined";
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
}

const camel = (name: string) => name.charAt(0).toLowerCase() + name.slice(1);
