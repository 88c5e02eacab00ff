import ts from 'typescript';

export const mutantKinds = ['comparison', 'condition', 'number', 'returned', 'await', 'default', 'status'] as const;

export type MutantKind = (typeof mutantKinds)[number];

/** One small defect in a source text. */
export interface Mutant {
  kind: MutantKind;
  /** Offsets of the replaced text. */
  start: number;
  end: number;
  replacement: string;
  /** From 1. */
  line: number;
  /** The replaced text. */
  before: string;
}

const comparisons = new Map<ts.SyntaxKind, string>([
  [ts.SyntaxKind.LessThanToken, '<='],
  [ts.SyntaxKind.LessThanEqualsToken, '<'],
  [ts.SyntaxKind.GreaterThanToken, '>='],
  [ts.SyntaxKind.GreaterThanEqualsToken, '>'],
  [ts.SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, '==='],
]);

const STATUS_FIELDS = /^(status|code|state|reason|kind|outcome|event|exit)$/;

/** Another value of the same type; undefined for what is no literal. */
function otherLiteral(node: ts.Node): string | undefined {
  if (ts.isNumericLiteral(node)) return String(Number(node.text) + 1);
  if (node.kind === ts.SyntaxKind.TrueKeyword) return 'false';
  if (node.kind === ts.SyntaxKind.FalseKeyword) return 'true';
  return ts.isStringLiteral(node) ? (node.text === '' ? "'mutant'" : "''") : undefined;
}

/** Whether it is the first part of a text, `text.split(',')[0]`: there is always one, so that a default has no effect. */
function isFirstPart(node: ts.Expression): boolean {
  if (!ts.isElementAccessExpression(node) || node.argumentExpression.getText() !== '0') return false;
  const { expression: call } = node;
  if (!ts.isCallExpression(call) || !ts.isPropertyAccessExpression(call.expression)) return false;
  const [separator, limit] = call.arguments;
  return (
    call.expression.name.text === 'split' &&
    separator !== undefined &&
    ts.isStringLiteral(separator) &&
    separator.text !== '' &&
    (limit === undefined || limit.getText() === '1')
  );
}

type Change = [kind: MutantKind, replaced: ts.Node, replacement: string | undefined];

function ofBinary(node: ts.BinaryExpression, source: ts.SourceFile): Change[] {
  const { left, right, operatorToken: operator } = node;
  switch (operator.kind) {
    case ts.SyntaxKind.AmpersandAmpersandToken:
    case ts.SyntaxKind.BarBarToken:
      return [left, right].map((side) => ['condition', node, side.getText(source)]);
    case ts.SyntaxKind.QuestionQuestionToken: {
      if (isFirstPart(left)) return [];
      const other = otherLiteral(right);
      return [other === undefined ? ['default', node, left.getText(source)] : ['default', right, other]];
    }
    default:
      return [['comparison', operator, comparisons.get(operator.kind)]];
  }
}

/** Whether a text is a status or a code that clients read: `notFound`. A text with spaces is for people. */
function isStatus({ parent, text }: ts.StringLiteral): boolean {
  if (!/^[\w.]+$/.test(text)) return false;
  if (ts.isNewExpression(parent)) return /(Error|Refusal|Failure)$/.test(parent.expression.getText());
  return ts.isPropertyAssignment(parent) && STATUS_FIELDS.test(parent.name.getText());
}

const LAYOUT_FIELDS = /^(width|height|minWidth|maxWidth|minHeight|padding|gap|span|colspan)$/;

/** Whether a number is only the place or the size of something on a page. */
const isLayout = ({ parent }: ts.NumericLiteral): boolean =>
  ts.isJsxExpression(parent) || (ts.isPropertyAssignment(parent) && LAYOUT_FIELDS.test(parent.name.getText()));

/** Whether only the sign of a number counts, which another number would have too: `sort((a, b) => (a < b ? -1 : 1))`. */
function isOrder(number: ts.NumericLiteral): boolean {
  if (Number(number.text) === 0) return false;
  let node: ts.Node = number;
  // -1 would be -2.
  if (ts.isPrefixUnaryExpression(node.parent) && node.parent.operator === ts.SyntaxKind.MinusToken) node = node.parent;
  while (
    ts.isParenthesizedExpression(node.parent) ||
    (ts.isBinaryExpression(node.parent) && node.parent.operatorToken.kind === ts.SyntaxKind.BarBarToken) ||
    (ts.isConditionalExpression(node.parent) && node.parent.condition !== node)
  )
    node = node.parent;
  const order = ts.isReturnStatement(node.parent) ? node.parent.parent.parent : node.parent;
  if (!ts.isArrowFunction(order) || !ts.isCallExpression(order.parent)) return false;
  const { expression: method } = order.parent;
  return ts.isPropertyAccessExpression(method) && /^(sort|toSorted)$/.test(method.name.text);
}

function changesOf(node: ts.Node, source: ts.SourceFile): Change[] {
  if (ts.isBinaryExpression(node)) return ofBinary(node, source);
  if (ts.isIfStatement(node)) return [['condition', node.expression, `!(${node.expression.getText(source)})`]];
  if (ts.isConditionalExpression(node)) return [['condition', node.condition, `!(${node.condition.getText(source)})`]];
  if (ts.isNumericLiteral(node)) return isLayout(node) || isOrder(node) ? [] : [['number', node, otherLiteral(node)]];
  if (ts.isStringLiteral(node)) return isStatus(node) ? [['status', node, "'mutant'"]] : [];
  if (ts.isReturnStatement(node) && node.expression !== undefined)
    return [['returned', node.expression, otherLiteral(node.expression)]];
  if (ts.isArrowFunction(node)) return [['returned', node.body, otherLiteral(node.body)]];
  const isAwaitedCall =
    ts.isExpressionStatement(node) &&
    ts.isAwaitExpression(node.expression) &&
    ts.isCallExpression(node.expression.expression);
  return isAwaitedCall ? [['await', node, ';']] : [];
}

const isWithoutEffect = (node: ts.Node) =>
  ts.isTypeNode(node) ||
  ts.isImportDeclaration(node) ||
  ts.isExportDeclaration(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node);

/** All mutants of a source text. */
export function mutantsIn(text: string, path: string): Mutant[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const mutants: Mutant[] = [];
  const visit = (node: ts.Node) => {
    if (isWithoutEffect(node)) return;
    for (const [kind, replaced, replacement] of changesOf(node, source)) {
      if (replacement === undefined) continue;
      const [start, end] = [replaced.getStart(source), replaced.getEnd()];
      const line = source.getLineAndCharacterOfPosition(start).line + 1;
      mutants.push({ kind, start, end, replacement, line, before: text.slice(start, end) });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return mutants;
}

export const withMutant = (text: string, { start, end, replacement }: Mutant): string =>
  text.slice(0, start) + replacement + text.slice(end);
