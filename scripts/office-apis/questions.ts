import ts from "typescript";
import { isOffice, type Source, walk } from "./program";
import { isNewer, type RequirementSet } from "./requirement-sets";

/** Where Excel is asked, before something of a requirement set happens: the files. */
export type AskedAt = ReadonlySet<string>;

/**
 * Shows that Excel has been asked for a requirement set before a node's code can run: the node stands behind a question,
 * or every call of the function that it stands in does. `askedBefore` gives the files that ask, or null where it can't be
 * shown. A question is a call of `hasExcelApi` or `isSetSupported` with the set's version or a newer one, what is kept of
 * its answer, and the parameters and properties that it is handed on in.
 */
export function questionsOf({ files, checker, fileOf }: Source) {
  /** Where a declaration is used. */
  const references = new Map<ts.Node, ts.Node[]>();
  /** What a parameter, or a property of an object, is given. */
  const given = new Map<ts.Node, ts.Expression[]>();
  const add = <Item>(map: Map<ts.Node, Item[]>, declarations: readonly ts.Node[] | undefined, item: Item) => {
    for (const declaration of declarations ?? []) {
      if (isOffice(declaration)) continue;
      const items = map.get(declaration);
      if (items) items.push(item);
      else map.set(declaration, [item]);
    }
  };
  const declarationsOf = (symbol: ts.Symbol | undefined) =>
    symbol && (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol).declarations;
  const propertyOf = (binding: ts.BindingElement) =>
    ts.isObjectBindingPattern(binding.parent)
      ? declarationsOf(
          checker
            .getNonNullableType(checker.getTypeAtLocation(binding.parent))
            .getProperty((binding.propertyName ?? binding.name).getText()),
        )
      : undefined;
  const contextual = (node: ts.Expression, name: string) => {
    const type = checker.getContextualType(node);
    return (type?.isUnion() ? type.types : [type]).flatMap(
      (one) => declarationsOf(one?.getProperty(name)) ?? [],
    );
  };

  walk(files, (node) => {
    if (ts.isIdentifier(node)) {
      const { parent } = node;
      if (ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent)) return;
      if (ts.isBindingElement(parent)) return;
      const isDeclared = (parent as Partial<ts.NamedDeclaration>).name === node;
      if (ts.isShorthandPropertyAssignment(parent)) {
        add(references, declarationsOf(checker.getShorthandAssignmentValueSymbol(parent)), node);
        add(given, contextual(parent.parent, node.text), node);
      } else if (!isDeclared || ts.isPropertyAccessExpression(parent)) {
        for (const declaration of declarationsOf(checker.getSymbolAtLocation(node)) ?? []) {
          add(references, [declaration], node);
          // What was taken out of a module or an object is what it was there.
          if (ts.isBindingElement(declaration)) add(references, propertyOf(declaration), node);
        }
      }
    }
    if (ts.isPropertyAssignment(node))
      add(given, contextual(node.parent, node.name.getText()), node.initializer);
    if (ts.isMethodDeclaration(node) && ts.isObjectLiteralExpression(node.parent))
      add(given, contextual(node.parent, node.name.getText()), node as unknown as ts.Expression);
    if (ts.isCallExpression(node)) {
      const declaration = checker.getResolvedSignature(node)?.declaration;
      declaration?.parameters.forEach((parameter, place) => {
        const argument = (node.arguments ?? [])[place];
        if (argument && ts.isParameter(parameter)) add(given, [parameter], argument);
      });
    }
  });

  /** The interface's method that a function in an object stands for. */
  const methodOf = (made: ts.Node): readonly ts.Node[] => {
    const property = ts.isMethodDeclaration(made) ? made : made.parent;
    const isProperty = ts.isPropertyAssignment(property) || ts.isMethodDeclaration(property);
    return isProperty && ts.isObjectLiteralExpression(property.parent)
      ? contextual(property.parent, property.name.getText())
      : [];
  };

  const namedBy = (node: ts.Expression) =>
    declarationsOf(
      ts.isShorthandPropertyAssignment(node.parent)
        ? checker.getShorthandAssignmentValueSymbol(node.parent)
        : checker.getSymbolAtLocation(node),
    ) ?? [];
  /** The functions that an expression may be. */
  const functionsOf = (expression: ts.Expression): ts.SignatureDeclaration[] => {
    if (ts.isFunctionLike(expression)) return [expression];
    const declarations = namedBy(expression);
    const origins = declarations.flatMap((each) =>
      ts.isBindingElement(each) ? (propertyOf(each) ?? []) : [each],
    );
    return origins.flatMap((each) => {
      if (ts.isFunctionDeclaration(each)) return [each];
      if (ts.isVariableDeclaration(each) && each.initializer) return functionsOf(each.initializer);
      return (given.get(each) ?? []).filter((value) => value !== expression).flatMap(functionsOf);
    });
  };

  const textOf = (node: ts.Expression | undefined) => {
    const type = node && checker.getTypeAtLocation(node);
    return type?.isStringLiteral() ? type.value : undefined;
  };

  return function askedBefore(at: ts.Node, wanted: RequirementSet): AskedAt | null {
    const open = new Set<ts.Node>();

    const isQuestion = ({ expression, arguments: [first, second] }: ts.CallExpression) => {
      const name = ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText();
      const [set, version] =
        name === "hasExcelApi"
          ? ["ExcelApi", textOf(first)]
          : name === "isSetSupported"
            ? [textOf(first), textOf(second)]
            : [];
      return set === wanted.name && version !== undefined && !isNewer(wanted.version, version);
    };

    const all = <Item>(items: readonly Item[], find: (item: Item) => AskedAt | null): AskedAt | null => {
      const files = items.map(find);
      return items.length > 0 && files.every((each) => each !== null)
        ? new Set(files.flatMap((each) => [...(each ?? [])]))
        : null;
    };
    const once = (node: ts.Node, find: () => AskedAt | null): AskedAt | null => {
      if (open.has(node)) return null;
      open.add(node);
      const found = find();
      open.delete(node);
      return found;
    };

    /** Whether Excel has been asked and said yes, where this expression counts as true, or as false. */
    const saysYes = (node: ts.Expression, as: boolean): AskedAt | null => {
      if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node)) return saysYes(node.expression, as);
      if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
        return saysYes(node.operand, !as);
      if (node.kind === ts.SyntaxKind.FalseKeyword || node.kind === ts.SyntaxKind.NullKeyword)
        return as ? new Set() : null;
      if (ts.isConditionalExpression(node)) {
        const whenTrue = saysYes(node.condition, true) ?? saysYes(node.whenTrue, as);
        const whenFalse = saysYes(node.condition, false) ?? saysYes(node.whenFalse, as);
        return whenTrue && whenFalse && new Set([...whenTrue, ...whenFalse]);
      }
      if (ts.isBinaryExpression(node)) {
        const { left, right, operatorToken } = node;
        const isAnd = operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken;
        if (isAnd || operatorToken.kind === ts.SyntaxKind.BarBarToken) {
          if (isAnd === as) return saysYes(left, as) ?? saysYes(right, as);
          return all([left, right], (each) => saysYes(each, as));
        }
        const isEqual = operatorToken.kind === ts.SyntaxKind.EqualsEqualsEqualsToken;
        const isUnequal = operatorToken.kind === ts.SyntaxKind.ExclamationEqualsEqualsToken;
        if ((isEqual || isUnequal) && right.kind === ts.SyntaxKind.NullKeyword)
          return isEqual === as ? null : saysYes(left, true);
        return null;
      }
      if (ts.isCallExpression(node)) {
        if (isQuestion(node)) return as ? new Set([fileOf(node)]) : null;
        return once(node, () => all(functionsOf(node.expression), (made) => returnsYes(made, as)));
      }
      if (!ts.isIdentifier(node) && !ts.isPropertyAccessExpression(node)) return null;
      return all(namedBy(node), (declaration) => once(declaration, () => keeps(declaration, as)));
    };

    /** Whether what is kept under this name is the answer. */
    const keeps = (declaration: ts.Node, as: boolean): AskedAt | null => {
      if (ts.isVariableDeclaration(declaration) && declaration.initializer)
        return saysYes(declaration.initializer, as);
      if (ts.isBindingElement(declaration))
        return all(propertyOf(declaration) ?? [], (each) => keeps(each, as));
      const passed = given.get(declaration) ?? [];
      // The same parameter in the interface that the function stands for.
      const inherited = ts.isParameter(declaration)
        ? methodOf(declaration.parent).flatMap((method) => {
            const { parameters } = method as ts.MethodSignature;
            return given.get(parameters[declaration.parent.parameters.indexOf(declaration)] as ts.Node) ?? [];
          })
        : [];
      return all([...passed, ...inherited], (value) => saysYes(value, as));
    };

    const returnsYes = (made: ts.SignatureDeclaration, as: boolean): AskedAt | null => {
      const { body } = made as ts.FunctionLikeDeclaration;
      if (!body) return null;
      if (!ts.isBlock(body)) return saysYes(body, as);
      const returned: (ts.Expression | undefined)[] = [];
      const visit = (node: ts.Node) => {
        if (ts.isReturnStatement(node)) returned.push(node.expression);
        else if (!ts.isFunctionLike(node)) ts.forEachChild(node, visit);
      };
      visit(body);
      return all(returned, (value) => (value ? saysYes(value, as) : as ? new Set<string>() : null));
    };

    const leaves = (statement: ts.Statement): boolean => {
      if (ts.isBlock(statement)) return statement.statements.some(leaves);
      return (
        ts.isReturnStatement(statement) ||
        ts.isThrowStatement(statement) ||
        ts.isContinueStatement(statement) ||
        ts.isBreakStatement(statement)
      );
    };

    /** From the node outwards. */
    const behind = (from: ts.Node): AskedAt | null => {
      for (let node = from; node.parent !== undefined; node = node.parent) {
        const { parent } = node;
        const found =
          ts.isIfStatement(parent) && node !== parent.expression
            ? saysYes(parent.expression, node === parent.thenStatement)
            : ts.isConditionalExpression(parent) && node !== parent.condition
              ? saysYes(parent.condition, node === parent.whenTrue)
              : ts.isBinaryExpression(parent) && node === parent.right
                ? parent.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken
                  ? saysYes(parent.left, true)
                  : parent.operatorToken.kind === ts.SyntaxKind.BarBarToken
                    ? saysYes(parent.left, false)
                    : null
                : // A switch whose value is the question's answer.
                  ts.isPropertyAssignment(parent) && node === parent.name
                  ? saysYes(parent.initializer, true)
                  : null;
        if (found) return found;
        if (ts.isBlock(parent) || ts.isSourceFile(parent)) {
          for (const statement of parent.statements) {
            if (statement === node) break;
            if (!ts.isIfStatement(statement) || statement.elseStatement || !leaves(statement.thenStatement))
              continue;
            const left = saysYes(statement.expression, false);
            if (left) return left;
          }
        }
        if (!ts.isFunctionLike(node)) continue;
        const called = once(node, () => {
          const named = ts.isVariableDeclaration(parent) ? [parent] : [node, ...methodOf(node)];
          return all(
            named.flatMap((each) => references.get(each) ?? []),
            behind,
          );
        });
        if (called) return called;
      }
      return null;
    };
    return behind(at);
  };
}
