import ts from 'typescript';

/** `z.meta(...)`. */
const isMeta = (node: ts.Node) =>
  ts.isCallExpression(node) &&
  ts.isPropertyAccessExpression(node.expression) &&
  ts.isIdentifier(node.expression.expression) &&
  node.expression.expression.text === 'z' &&
  node.expression.name.text === 'meta';

/** `z.globalRegistry`. */
const isRegistry = (node: ts.Node | undefined) =>
  node !== undefined && ts.isPropertyAccessExpression(node) && node.name.text === 'globalRegistry';

/** A part of a module: from a position up to another one. */
type Part = readonly [start: number, end: number];

/** The parts of a call of a method of a schema that only document it. */
function documentationIn(call: ts.CallExpression): Part[] {
  if (!ts.isPropertyAccessExpression(call.expression)) return [];
  const { expression: schema, name } = call.expression;
  const all: Part = [schema.end, call.end];
  if (name.text === 'register' && isRegistry(call.arguments[0])) return [all];
  if (name.text !== 'check' || !call.arguments.some(isMeta)) return [];
  if (call.arguments.every(isMeta)) return [all];
  // With the comma before or after it.
  return call.arguments.flatMap((argument, index) => {
    if (!isMeta(argument)) return [];
    const next = call.arguments[index + 1];
    return [[argument.pos, next === undefined ? call.arguments.end : next.pos] as const];
  });
}

/**
 * Removes what only documents a schema: `z.meta(...)`, and names in `z.globalRegistry`. The lines stay where they are.
 * Functions do not use it, but each `check(z.meta(...))` would create a second schema when they are loaded, and take
 * time in each validation.
 */
export function withoutDocumentation(path: string, code: string): string {
  if (!code.includes('z.meta(') && !code.includes('z.globalRegistry')) return code;
  const parts: Part[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isCallExpression(node)) parts.push(...documentationIn(node));
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, code, ts.ScriptTarget.Latest));
  let end = 0;
  let kept = '';
  for (const [from, to] of parts.sort(([left], [right]) => left - right)) {
    if (from < end) continue;
    kept += code.slice(end, from) + code.slice(from, to).replaceAll(/[^\n]/g, '');
    end = to;
  }
  return kept + code.slice(end);
}
