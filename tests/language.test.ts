import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../', import.meta.url));

/** Private terms and the standard terms that replace them: in code, comments and documents, tests included. */
const terms: [RegExp, string][] = [
  [/max_share|maxShare|max_removals\b|\bbrake/i, 'safety threshold, max_removals_percent'],
  [/\bbraked\b/, 'threshold_exceeded'],
  [/\bblamed?\b|nobodys/, 'attributeTo'],
  [/withPatience/, 'retryOnContention'],
  [/inOneGo/, 'assertFitsOneTransaction'],
  [/takeTurns?\b/, 'consumeRateLimit'],
  [/\bgoOn\b/, 'resume'],
  [/planSame|planOpen/, 'assertUnchanged, assertNotRemoving'],
  [/\bunmarked\b/, 'withoutInternalFields'],
  [/cutDown/, 'projectFields'],
  [/\bfacets?\b|facetText/i, 'label index entry'],
  [/\blanes?\b/i, 'shard'],
  [/olderTexts/, 'previous secrets'],
  [/\b[sS]urroundingsOf\b|\bSurroundings\b/, 'scope snapshot, context'],
  [/allOrNone|all-or-none/, 'atomic batch'],
  // A database may have this name.
  [/\bledger\b(?!['-])/i, 'outcomes, recorder'],
  [/\b(un)?settled?(Ms)?\b|SETTLED?_MS/, 'wait, finish, catch up; recent'],
  [/\b(un)?touched\b|\btouches\b/, 'conflictKeys, affected'],
  [/\bdigested\b|\bsparse\b(?! index)/, 'etag, projection'],
];

/** Phrases that have a plain alternative: in everything that clients and users read, and in all comments. */
const phrases: [RegExp, string][] = [
  [/unless told/i, 'Default: ...'],
  [/\bfor ever\b/i, 'never expires, unlimited'],
  [/\bwhoever\b/i, 'the caller, the operator, the user'],
  [/\bso many\b/i, 'the number of, this many'],
  [/\b(is|are) not there\b/i, 'does not exist'],
  [/\bis there (already|with|,)/i, 'already exists'],
  [/\bnot be had again\b/i, 'is shown only once'],
  [/\blast way in\b/i, 'last permanent Admin credential'],
  [/\bolder texts?\b/i, 'previous secrets'],
  [/\bmeanwhile\b/i, 'in the meantime'],
  [/\bMost (requests|objects|changes)\b/, 'Maximum number of'],
  [/\bWhat became of\b/, 'Result of'],
];

/** Clauses in place of the subject, in test names and in production comments. */
const subjects: [RegExp, string][] = [
  [/^(of what|what|whatever|whoever|who) /m, 'a noun as the subject'],
  [/^ *(\/\*\*?|\/\/|\*) (Of what|What|Whatever|Whoever|Who) /m, 'a noun as the subject'],
];

/** Verbs that say little: in names of tests and in comments of production code. */
const verbs: [RegExp, string][] = [
  [/[,;:] (of )?what (is|was|has|goes|comes|went|came|cannot|follows|fails|depends)\b/i, 'a noun as the subject'],
  [/\b(is|are|was|were|be|been) told\b/i, 'is reported, is listed, has a message'],
  [/\b(is|are|was|were|be|not) there\b/i, 'exists, is stored, is shown; is missing'],
  [/\b(goes|went)\b|\bcomes\b(?! (first|before|after|from)\b)/i, 'is removed, is sent, is returned'],
];

const irregular =
  'Begun|Bound|Broken|Brought|Built|Caught|Chosen|Done|Drawn|Driven|Fallen|Forgotten|Found|Frozen|Given|Gone|Grown|Held|Hidden|' +
  'Kept|Known|Left|Lost|Made|Meant|Met|Paid|Read|Said|Seen|Sent|SetUp|Shown|Sold|Sought|Spent|Spoken|Taken|Thrown|Told|Won|Written';
/** Nouns that look like participles. */
const nouns = 'Feed|Need|Seed|Speed|StaleRead';

/** Types whose name says when a value exists, not what it is: a participle, also with "Up", "By..." or "Within". */
const typeNames: [RegExp, string][] = [
  [
    new RegExp(
      '^ *(export )?((declare|abstract) )*(type|interface|class) ' +
        `(?!\\w*(${nouns})\\b)(\\w*[a-z0-9])?([A-Z][a-z]*ed|${irregular})((Up|By|Within)([A-Z]\\w*)?)?(?=[ <])`,
      'm',
    ),
    'a noun: a request, a result, a plan ...',
  ],
  [/^ *(export )?(type|interface|class) (Entry|Call|Place|Target|Unit)\b(?=[ <])/m, 'the word of the domain, too'],
];

const COMMENTS = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm;

async function pathsIn(...folders: string[]): Promise<string[]> {
  const names = folders.map(async (folder) =>
    (await readdir(join(root, folder), { recursive: true })).map((name) => join(folder, name)),
  );
  return (await Promise.all(names)).flat().sort();
}

const folders = ['functions', 'shared', 'infra', 'local', 'console', 'tools', 'tests', 'bench', 'clients', 'gateway'];
const files = (await pathsIn(...folders)).filter(
  // This file contains what it looks for.
  (path) => /\.(tsx?|mjs|css)$/.test(path) && !path.includes('node_modules/') && path !== 'tests/language.test.ts',
);
const isTest = (path: string) => /^(tests|bench)\/|\.test\.tsx?$|\/testing\//.test(path);
const documents = ['README.md', 'CONTRIBUTING.md', ...(await pathsIn('docs', 'swagger-static'))].filter(
  (path) => /\.(md|json|html)$/.test(path) && path !== 'docs/released-openapi.json',
);

const lineOf = (text: string, index: number) => text.slice(0, index).split('\n').length;

function findingsIn(text: string, path: string, rules: readonly [RegExp, string][]): string[] {
  return rules.flatMap(([pattern, standard]) => {
    const match = pattern.exec(text);
    return match === null ? [] : [`${path}:${lineOf(text, match.index)}: "${match[0]}": write "${standard}"`];
  });
}

/** The comments, in their lines. */
function commentsIn(text: string): string {
  const blank = (code: string) => code.replace(/[^\n]/g, ' ');
  let end = 0;
  const parts = [...text.matchAll(COMMENTS)].map(({ 0: comment, index }) => {
    const before = blank(text.slice(end, index));
    end = index + comment.length;
    return before + comment;
  });
  return parts.join('');
}

/** The names of the tests and groups, in their lines. */
function testNamesIn(text: string): string {
  const source = ts.createSourceFile('test.ts', text, ts.ScriptTarget.Latest);
  const lines = text.split('\n').map(() => '');
  const visit = (node: ts.Node) => {
    const name = ts.isCallExpression(node) && isTestFunction(node.expression) ? node.arguments[0] : undefined;
    if (name !== undefined && (ts.isStringLiteralLike(name) || ts.isTemplateExpression(name)))
      lines[lineOf(text, name.getStart(source)) - 1] = name.getText(source).slice(1, -1);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return lines.join('\n');
}

/** `test`, `describe.each(cases)` and the like. */
function isTestFunction(called: ts.Expression): boolean {
  if (ts.isIdentifier(called)) return ['test', 'it', 'describe'].includes(called.text);
  return (
    (ts.isCallExpression(called) || ts.isPropertyAccessExpression(called) || ts.isTaggedTemplateExpression(called)) &&
    isTestFunction(ts.isTaggedTemplateExpression(called) ? called.tag : called.expression)
  );
}

async function findings(
  paths: readonly string[],
  rules: readonly [RegExp, string][],
  part: (text: string) => string = (text) => text,
): Promise<string[]> {
  const findings = paths.map(async (path) => findingsIn(part(await readFile(join(root, path), 'utf8')), path, rules));
  return (await Promise.all(findings)).flat();
}

test('code, comments and documents use the standard terms', async () => {
  expect(await findings([...files, ...documents], terms)).toEqual([]);
});

test('texts for clients and users are in plain technical English', async () => {
  const production = files.filter((path) => !isTest(path));
  expect(await findings([...production, ...documents], phrases)).toEqual([]);
});

test('comments of tests and benchmarks are in plain technical English', async () => {
  expect(await findings(files.filter(isTest), phrases, commentsIn)).toEqual([]);
});

test('names of tests are in plain technical English', async () => {
  const tests = files.filter((path) => path.endsWith('.test.ts'));
  expect(tests.length).toBeGreaterThan(300);
  expect(await findings(tests, [...phrases, ...subjects, ...verbs], testNamesIn)).toEqual([]);
});

test('comments of production code name the subject and the act', async () => {
  const production = files.filter((path) => !isTest(path) && !path.startsWith('clients/typescript/src/generated/'));
  expect(await findings(production, [...subjects, ...verbs], commentsIn)).toEqual([]);
});

test('types are named for what they are, not for when they exist', async () => {
  // The client's names are those of the released document's schemas.
  const sources = files.filter((path) => /\.tsx?$/.test(path) && !path.startsWith('clients/typescript/src/generated/'));
  expect(await findings(sources, typeNames)).toEqual([]);
});
