import ts from "typescript";
import { isOffice, type Source, walk } from "./program";
import { isNewer, laterParameters, type RequirementSet, setOf } from "./requirement-sets";

/** A member of Office's API where the add-in uses it. */
export interface Use {
  /** Such as `Excel.Range.values`. */
  api: string;
  set: RequirementSet | null;
  node: ts.Node;
  /**
   * `by-type`: only named in a type, so nothing happens when the add-in runs. `instead`: one of several that may be meant, of
   * which an older one would do. `if-there`: compared with true, so that it may be missing.
   */
  how: "as-is" | "if-there" | "instead" | "by-type";
  /** Of an object that Excel holds, not of data. */
  isOfObject: boolean;
}

/** What the add-in uses, and the places at which something may be used that nobody can see. */
export interface Uses {
  uses: Use[];
  escapes: string[];
}

const namespaces = new Set(["Excel", "Office", "OfficeExtension", "OfficeRuntime", "CustomFunctions"]);
/** What tells that a type is Office's: its declaration, of its alias too. */
const ofOffice = (type: ts.Type): boolean =>
  type.isIntersection()
    ? type.types.some(ofOffice)
    : [type.symbol, type.aliasSymbol].some((symbol) => symbol?.declarations?.some(isOffice) ?? false);

/**
 * Finds every use of Office's API by the types: members of objects, properties of objects that are handed over,
 * names in `load("…")`, texts that stand for an enumeration's value.
 */
export function findUses({ files, checker, lineOf }: Source): Uses {
  const uses: Use[] = [];
  const escapes: string[] = [];

  const take = (declarations: readonly ts.Declaration[] | undefined, node: ts.Node) => {
    const members = (declarations ?? []).filter(isOffice).map((declaration) => ({
      declaration,
      api: nameOf(declaration),
      set: setOf(declaration),
    }));
    const isType =
      ts.findAncestor(node, (above) => ts.isTypeNode(above) || ts.isTypeElement(above)) !== undefined;
    const { parent } = node;
    const isTested = ts.isPropertyAccessExpression(parent) && isComparedWithTrue(parent);
    for (const { declaration, api, set } of members) {
      // Of a union's members the oldest is enough.
      const isOldest = members.every((other) => !isOlder(other.set, set));
      const how = isType ? "by-type" : !isOldest ? "instead" : isTested ? "if-there" : "as-is";
      const isOfObject = isClientObject(declaration) || isClientObject(declaration.parent);
      uses.push({ api, set, node, how, isOfObject });
      const call = parent.parent;
      if (!ts.isCallExpression(call) || call.expression !== parent) continue;
      for (const later of laterParameters(declaration)) {
        if (call.arguments.length > later.place)
          uses.push({ api: `${api} (argument ${later.place + 1})`, set: later.set, node, how, isOfObject });
      }
    }
  };
  const takeProperty = (type: ts.Type, name: string, node: ts.Node) => {
    const property = checker.getNonNullableType(type).getProperty(name);
    take(property?.declarations, node);
    return property;
  };
  const escape = (node: ts.Node, why: string) => escapes.push(`${lineOf(node)}: ${why}: ${node.getText()}`);

  /** The types that may be meant where a value is handed over, the more fitting ones of a union. */
  const meant = (node: ts.Expression): ts.Type[] => {
    const type = checker.getContextualType(node);
    if (!type) return [];
    const own = checker.getTypeAtLocation(node);
    const fitting = partsOf(type).filter((one) => checker.isTypeAssignableTo(own, one));
    return fitting.length > 0 ? fitting : [...partsOf(type)];
  };

  /** The texts that an expression may be; undefined where nobody can tell. */
  const textsOf = (node: ts.Expression): string[] | undefined => {
    const [joined] =
      ts.isCallExpression(node) &&
      ts.isPropertyAccessExpression(node.expression) &&
      node.expression.name.text === "join"
        ? [node.expression.expression]
        : [];
    const type = checker.getTypeAtLocation(joined ?? node);
    const one = joined ? checker.getIndexTypeOfType(type, ts.IndexKind.Number) : type;
    const item = one && (checker.getBaseConstraintOfType(one) ?? one);
    const parts = partsOf(item);
    return parts.length > 0 && parts.every((part) => part.isStringLiteral())
      ? parts.flatMap((part) => (part as ts.StringLiteralType).value.split(","))
      : undefined;
  };

  const takeLoad = (call: ts.CallExpression, receiver: ts.Type) => {
    for (const argument of call.arguments) {
      const paths = textsOf(argument);
      if (!paths) escape(argument, "nobody can tell what is loaded");
      for (const path of paths ?? []) {
        let type: ts.Type | undefined = receiver;
        for (const name of path.split("/")) {
          const property: ts.Symbol | undefined = type && takeProperty(type, name.trim(), argument);
          if (!property?.declarations?.some(isOffice)) escape(argument, `no member ${name}`);
          type = property && checker.getTypeOfSymbol(property);
          if (name === "items" && type) type = checker.getIndexTypeOfType(type, ts.IndexKind.Number);
        }
      }
    }
  };

  /** The parameters at this place, of each form that a method has. */
  const parametersAt = (call: ts.CallExpression, place: number): ts.Type[] =>
    checker
      .getTypeAtLocation(call.expression)
      .getCallSignatures()
      .filter(({ declaration }) => declaration && isOffice(declaration))
      .flatMap(({ parameters }) => parameters[place] ?? [])
      .map((parameter) => checker.getTypeOfSymbol(parameter));

  /** A text that stands for a value of an enumeration. */
  const takeText = (node: ts.StringLiteral) => {
    const { parent } = node;
    const others =
      ts.isCallExpression(parent) && parent.expression !== node
        ? parametersAt(parent, parent.arguments.indexOf(node))
        : ts.isBinaryExpression(parent)
          ? [checker.getTypeAtLocation(parent.left === node ? parent.right : parent.left)]
          : meant(node);
    const values = others.flatMap(partsOf);
    const value = values.find(
      (type) => type.flags & ts.TypeFlags.EnumLiteral && type.isStringLiteral() && type.value === node.text,
    );
    take(value?.symbol.declarations, node);
  };

  /** A type of the add-in's own for what is Office's must be made of Office's members. */
  const takeMirror = (node: ts.PropertySignature | ts.VariableDeclaration) => {
    const isMade = (type: ts.Type, depth: number): boolean => {
      const properties = type.flags & ts.TypeFlags.Object ? type.getProperties() : [];
      return (
        properties.length > 0 &&
        depth < 4 &&
        properties.every(
          (property) =>
            property.declarations?.some(isOffice) === true ||
            isMade(checker.getNonNullableType(checker.getTypeOfSymbol(property)), depth + 1),
        )
      );
    };
    const type = checker.getNonNullableType(checker.getTypeAtLocation(node));
    if (!isMade(type, 0)) escape(node, "an own type for Office that is not made of its members");
  };

  // Screens have Office only through the doors that they are given: no text or object of theirs is handed to it.
  const isScreen = ({ fileName }: ts.SourceFile) => fileName.endsWith(".tsx");
  walk(files, (node) => {
    if (ts.isIdentifier(node)) {
      const isDeclared = isNameOf(node) && !ts.isPropertyAccessExpression(node.parent);
      if (isDeclared && ts.isShorthandPropertyAssignment(node.parent)) {
        take(checker.getShorthandAssignmentValueSymbol(node.parent)?.declarations, node);
      } else if (!isDeclared) {
        take(checker.getSymbolAtLocation(node)?.declarations, node);
      }
    }
    if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent)) {
      const name = node.propertyName ?? node.name;
      takeProperty(checker.getTypeAtLocation(node.parent), name.getText(), name);
    }
    if (isScreen(node.getSourceFile())) return;
    if (ts.isObjectLiteralElementLike(node) && node.name && ts.isObjectLiteralExpression(node.parent)) {
      const declarations = meant(node.parent).flatMap(
        (type) => type.getProperty(node.name?.getText() ?? "")?.declarations ?? [],
      );
      take(declarations, node.name);
    }
    if (ts.isStringLiteral(node)) takeText(node);
    if (ts.isPropertyAccessExpression(node)) {
      const receiver = checker.getTypeAtLocation(node.expression);
      const isLoad =
        node.name.text === "load" && ts.isCallExpression(node.parent) && node.parent.expression === node;
      if (isLoad && ofOffice(receiver)) takeLoad(node.parent as ts.CallExpression, receiver);
      if (receiver.flags & ts.TypeFlags.Any) escape(node, "a member of something whose type is any");
    }
    if (ts.isElementAccessExpression(node)) {
      const receiver = checker.getNonNullableType(checker.getTypeAtLocation(node.expression));
      if (!ofOffice(receiver) || receiver.getNumberIndexType()) return;
      const names = textsOf(node.argumentExpression);
      if (!names) escape(node, "nobody can tell which member");
      for (const name of names ?? []) takeProperty(receiver, name, node);
    }
    if (ts.isAsExpression(node)) {
      const from = checker.getNonNullableType(checker.getTypeAtLocation(node.expression));
      const to = checker.getNonNullableType(checker.getTypeAtLocation(node));
      const parts = to.isIntersection() ? to.types : [to];
      if (ofOffice(from) && from.flags & ts.TypeFlags.Object && !parts.some(ofOffice))
        escape(node, "a cast of Office's");
    }
    if (ts.isMethodSignature(node) && node.type && ofOffice(checker.getTypeFromTypeNode(node.type))) {
      escape(node, "an own type for a member of Office's");
    }
    if (ts.isPropertySignature(node) || ts.isVariableDeclaration(node)) {
      if (namespaces.has(node.name.getText())) takeMirror(node);
    }
    const isName = isNameOf(node) && !ts.isShorthandPropertyAssignment(node.parent);
    if (ts.isExpression(node) && !ts.isObjectLiteralExpression(node) && !isName) {
      const wanted = partsOf(checker.getContextualType(node));
      const own = partsOf(checker.getTypeAtLocation(node));
      if (wanted.some(ofOffice) && own.some(isAnonymous)) escape(node, "handed to Office without its type");
      if (wanted.length > 0 && wanted.every(isOwn) && own.some(ofOffice))
        escape(node, "taken as something else");
    }
  });
  return { uses, escapes: [...new Set(escapes)] };
}

/** A class of which Excel holds the objects. */
function isClientObject(declaration: ts.Node): boolean {
  return (
    ts.isClassDeclaration(declaration) &&
    (declaration.heritageClauses ?? []).some((clause) =>
      clause.getText().endsWith("OfficeExtension.ClientObject"),
    )
  );
}

function isNameOf(node: ts.Node): boolean {
  return (node.parent as Partial<ts.NamedDeclaration> | undefined)?.name === node;
}

function isComparedWithTrue(node: ts.Expression): boolean {
  const { parent } = node;
  return (
    ts.isBinaryExpression(parent) &&
    parent.operatorToken.kind === ts.SyntaxKind.EqualsEqualsEqualsToken &&
    parent.right.kind === ts.SyntaxKind.TrueKeyword
  );
}

function partsOf(type: ts.Type | undefined): readonly ts.Type[] {
  return type?.isUnion() ? type.types : type ? [type] : [];
}

/** An object of the add-in's own making. */
function isOwn(type: ts.Type): boolean {
  const { declarations = [] } = type.symbol ?? {};
  const isObject = declarations.some((each) => ts.isInterfaceDeclaration(each) || ts.isTypeLiteralNode(each));
  return isObject && declarations.every(({ parent }) => parent.getSourceFile().fileName.includes("/src/"));
}

/** An object that was made before anybody said what for. */
function isAnonymous(type: ts.Type): boolean {
  const { declarations } = type.symbol ?? {};
  return (declarations?.every(ts.isObjectLiteralExpression) ?? false) && type.getProperties().length > 0;
}

function isOlder(one: RequirementSet | null, other: RequirementSet | null): boolean {
  return one !== null && other !== null && one.name === other.name && isNewer(other.version, one.version);
}

/** With the namespaces and the class that it stands in. */
function nameOf(declaration: ts.Declaration): string {
  const names: string[] = [];
  for (let node: ts.Node = declaration; !ts.isSourceFile(node); node = node.parent) {
    const { name } = node as Partial<ts.NamedDeclaration>;
    if (name) names.unshift(name.getText());
  }
  return names.join(".");
}
