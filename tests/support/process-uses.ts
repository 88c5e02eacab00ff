import ts from 'typescript';

/** A place in a source that uses what the process shares with the machine. */
export interface ProcessUse {
  line: number;
  /** `starts a process`: also a browser or a server in one. */
  kind: 'starts a process' | 'reads the clock' | 'sets a timer';
  /** As in the source: `Date.now`. */
  what: string;
}

/** Packages and modules that start a process; esbuild has its compiler in one. */
const STARTERS = /^((node:)?(child_process|cluster)|esbuild|execa|playwright(-core)?|@axe-core\/playwright)$/;
const TIMERS = /^(node:)?timers(\/promises)?$/;

/** No source without one of these has a use: most need not be parsed. */
const HINT =
  /child_process|cluster|esbuild|execa|playwright|timers|setTimeout|setInterval|\.now\b|new [\w.]*Date\b|hrtime|uptime|\.timeout\b|Atomics/;

/** Members of globals, and what they are. */
const MEMBERS: Readonly<Record<string, ProcessUse['kind']>> = {
  'Date.now': 'reads the clock',
  'performance.now': 'reads the clock',
  'process.hrtime': 'reads the clock',
  'process.uptime': 'reads the clock',
  'AbortSignal.timeout': 'sets a timer',
  'Atomics.wait': 'sets a timer',
  'Atomics.waitAsync': 'sets a timer',
};

const isTimer = (name: string) => name === 'setTimeout' || name === 'setInterval';

/** The name of a property of the global object, with or without the object. */
const globalName = (text: string) => text.replace(/^(globalThis|global|window)\./, '');

/** What an import brings in; of modules of timers, everything but `setImmediate`. */
function importUse(node: ts.Node): Omit<ProcessUse, 'line'> | undefined {
  const from = ts.isImportDeclaration(node) || ts.isExportDeclaration(node) ? node.moduleSpecifier : undefined;
  const loaded =
    ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword ? node.arguments[0] : from;
  if (loaded === undefined || !ts.isStringLiteralLike(loaded)) return undefined;
  if (ts.isImportDeclaration(node) && node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword) return undefined;
  if (STARTERS.test(loaded.text)) return { kind: 'starts a process', what: loaded.text };
  if (!TIMERS.test(loaded.text)) return undefined;
  const names = ts.isImportDeclaration(node) ? node.importClause?.namedBindings : undefined;
  const isTurnOnly =
    names !== undefined &&
    ts.isNamedImports(names) &&
    names.elements.every(({ name, propertyName = name }) => propertyName.text === 'setImmediate');
  return isTurnOnly ? undefined : { kind: 'sets a timer', what: loaded.text };
}

function useAt(node: ts.Node): Omit<ProcessUse, 'line'> | undefined {
  if (ts.isPropertyAccessExpression(node)) {
    const what = globalName(node.getText());
    const kind = isTimer(what) ? 'sets a timer' : Object.hasOwn(MEMBERS, what) ? MEMBERS[what] : undefined;
    return kind === undefined ? undefined : { kind, what };
  }
  if (ts.isNewExpression(node) && globalName(node.expression.getText()) === 'Date' && !node.arguments?.length)
    return { kind: 'reads the clock', what: 'new Date()' };
  if (ts.isIdentifier(node) && isTimer(node.text)) {
    const { parent } = node;
    // A name of something else: a member, a key, a parameter of a type.
    const isMember = ts.isPropertyAccessExpression(parent) && parent.name === node;
    const isKey = (ts.isPropertyAssignment(parent) || ts.isPropertySignature(parent)) && parent.name === node;
    const isImport = ts.isImportSpecifier(parent);
    return isMember || isKey || isImport ? undefined : { kind: 'sets a timer', what: node.text };
  }
  return importUse(node);
}

/** Where a source starts a process, reads the clock of the process or sets a timer, in order. */
export function processUses(text: string): ProcessUse[] {
  if (!HINT.test(text)) return [];
  const source = ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest, true);
  const uses: ProcessUse[] = [];
  const visit = (node: ts.Node) => {
    const use = useAt(node);
    if (use !== undefined) uses.push({ line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1, ...use });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return uses;
}
