import { allAreas, filesOfAreas } from '../tools/mutants/areas.ts';
import { drawMutants } from '../tools/mutants/draw-mutants.ts';
import { type Mutant, mutantKinds, mutantsIn, withMutant } from '../tools/mutants/mutants-in.ts';
import { nearestTests } from '../tools/mutants/nearest-tests.ts';
import { Random } from './consistency/random.ts';

/** The texts with one mutant each, by its kind. */
const changed = (text: string, kind?: Mutant['kind']) =>
  mutantsIn(text, 'a.ts')
    .filter((mutant) => kind === undefined || mutant.kind === kind)
    .map((mutant) => withMutant(text, mutant));

test.each<[Mutant['kind'], string, string[]]>([
  ['comparison', 'x(a < b);', ['x(a <= b);']],
  ['comparison', 'x(a >= b);', ['x(a > b);']],
  ['comparison', 'x(a === b);', ['x(a !== b);']],
  ['condition', 'x(a && b);', ['x(a);', 'x(b);']],
  ['condition', 'if (a) b();', ['if (!(a)) b();']],
  ['condition', 'x(a ? 1 : 2);', ['x(!(a) ? 1 : 2);']],
  ['number', 'const MAX = 500;', ['const MAX = 501;']],
  ['number', 'x(0o077);', ['x(64);']],
  ['returned', 'function f() { return true; }', ['function f() { return false; }']],
  ['returned', "const f = () => 'a';", ["const f = () => '';"]],
  ['await', 'async () => { await f(); return 1; };', ['async () => { ; return 1; };']],
  ['default', 'x(a ?? 0);', ['x(a ?? 1);']],
  ['default', 'x(a ?? b);', ['x(a);']],
  ['default', "x(a.split('')[0] ?? b);", ["x(a.split('')[0]);"]],
  ['default', 'x(a.split(c)[0] ?? b);', ['x(a.split(c)[0]);']],
  ['default', "x(a.part(',')[0] ?? b);", ["x(a.part(',')[0]);"]],
  ['status', "throw new ApiError('notFound', m);", ["throw new ApiError('mutant', m);"]],
  ['status', "f({ status: 'done', name: 'x' });", ["f({ status: 'mutant', name: 'x' });"]],
])('a mutant of the kind %s of %s', (kind, text, mutants) => {
  expect(changed(text, kind)).toEqual(mutants);
});

test('types, imports, sizes on a page and other texts have no mutants', () => {
  const texts = [
    "import { a } from 'x';",
    'type A = 1 | 2;',
    "interface A { status: 'done' }",
    "let a: 'x' | 7;",
    'f({ width: 100 });',
    "f('Not found.');",
    "throw new CommandError('Not found.');",
    'const a = <B c={7} />;',
  ];
  const mutants = texts.flatMap((text) => mutantsIn(text, 'a.tsx').map(({ before }) => before));
  expect(mutants).toEqual([]);
});

test('code that another value cannot change has no mutant: the sign in an order, a default for the first part of a text', () => {
  expect(changed('x.sort((a, b) => (f(a) ? -1 : g(b) ? 1 : 0));', 'number')).toEqual([
    'x.sort((a, b) => (f(a) ? -1 : g(b) ? 1 : 1));',
  ]);
  expect(changed('x.sort((a, b) => f(a) || (g(b) ? -1 : 1));', 'number')).toEqual([]);
  expect(changed('x.sort((a, b) => { return f(a) ? -1 : 1; });', 'number')).toEqual([]);
  expect(changed('x.map((a) => (f(a) ? -1 : b));', 'number')).toHaveLength(1);
  expect(changed('x.toSorted((a, b) => (f(1) ? g(1) : 1));', 'number')).toHaveLength(2);
  expect(changed("x(a.split(',')[0] ?? b);", 'default')).toEqual([]);
});

test('a mutant has the line and the text that it replaces', () => {
  expect(mutantsIn('a();\nb(\n  c > 1,\n);', 'a.ts')).toMatchObject([
    { kind: 'comparison', line: 3, before: '>', replacement: '>=' },
    { kind: 'number', line: 3, before: '1', replacement: '2' },
  ]);
});

describe('the areas of a draw', () => {
  const paths = [
    'console/ui/a.tsx',
    'console/ui/a.test.tsx',
    'console/users/b.ts',
    'console/users/styles.d.ts',
    'functions/store/c.ts',
    'functions/store-other/d.ts',
    'clients/cli/src/generated/e.ts',
    'README.md',
  ];

  test('are names, or folders and files that are drawn from as one area, without tests and generated files', () => {
    expect(filesOfAreas('store,console/users/b.ts+console/ui+console', paths)).toEqual([
      ['functions/store/c.ts'],
      ['console/ui/a.tsx', 'console/users/b.ts'],
    ]);
  });

  test.each([allAreas, 'stor', 'console/u', 'README.md', ''])('refuse a place without production files: %s', (list) => {
    expect(() => filesOfAreas(list, paths)).toThrow('--over takes store,api,gateway,cli,console, folders and files');
  });
});

describe('a draw', () => {
  const text = mutantKinds.map((_, index) => `f${index}(a < ${index}); if (b && c) d(e ?? 1);`).join('\n');
  const area = (name: string, files: number) =>
    new Map(Array.from({ length: files }, (_, index) => [`${name}/${index}.ts`, text] as const));
  const areas = [area('large', 300), area('small', 20)];

  test('is the same for the same seed, and another one for another seed', () => {
    const draw = (seed: number) => drawMutants(areas, 20, new Random(seed));
    expect(draw(1)).toEqual(draw(1));
    expect(draw(1)).not.toEqual(draw(2));
  });

  test('has as many mutants of a small area as of a large one, and one for each file', () => {
    const paths = drawMutants(areas, 40, new Random(1)).map(({ path }) => path);
    expect(new Set(paths).size).toBe(40);
    expect(paths.filter((path) => path.startsWith('small/'))).toHaveLength(20);
  });

  test('has the kinds of the sources in about equal shares', () => {
    const kinds = drawMutants([area('large', 300)], 200, new Random(1)).map(({ kind }) => kind);
    for (const kind of ['comparison', 'condition', 'number', 'default'])
      expect(kinds.filter((drawnKind) => drawnKind === kind).length).toBeGreaterThan(20);
  });

  test('has no mutant without an effect on the program', () => {
    const small = [new Map([['a.ts', 'f(a < 1);']])];
    const equivalent = { path: 'a.ts', before: '<', replacement: '<=', reason: 'a is never 1' };
    expect(drawMutants(small, 5, new Random(1), [equivalent])).toMatchObject([{ before: '1' }]);
    expect(
      drawMutants(small, 5, new Random(1), [equivalent, { ...equivalent, before: '1', replacement: '2' }]),
    ).toEqual([]);
  });
});

describe('the nearest tests of a file', () => {
  const sources = new Map(
    Object.entries({
      'shared/a/one.ts': [],
      'shared/a/one.test.ts': ['shared/a/one.ts'],
      'shared/a/two.test.ts': ['shared/a/one.ts', 'shared/a/three.ts'],
      'shared/b/other.test.ts': ['shared/a/three.ts', 'shared/c/four.ts'],
      'tests/far.test.ts': ['shared/c/four.ts'],
      'tests/slow.long.test.ts': ['shared/c/four.ts', 'shared/c/five.ts'],
      'tests/browser/page.test.ts': ['shared/c/five.ts'],
      'shared/d/tested.ts': ['shared/d/rule.ts'],
      'shared/d/tested.test.ts': ['shared/d/tested.ts'],
      'shared/d/untested.ts': ['shared/d/rule.ts'],
      'shared/e/user.ts': ['shared/d/untested.ts'],
      'shared/e/user.test.ts': ['shared/e/user.ts'],
      'functions/api/nodes/get/handler.test.ts': [],
      'functions/api/nodes/get/handler.ts': ['functions/api/nodes/shared.ts'],
      'functions/api/nodes/list/handler.ts': ['functions/api/nodes/shared.ts'],
      'functions/api/nodes/shared.ts': ['functions/api/nodes/rules.ts'],
      'functions/api/nodes/requests.test.ts': [],
      'functions/api/nodes/rules.ts': ['functions/api/nodes/shared.ts'],
      'functions/api/logins/a.test.ts': [],
      'functions/api/logins/token.test.ts': ['functions/api/logins/token.ts'],
      'console/list/page.test.tsx': ['console/testing/site.tsx'],
      'console/list/address.test.ts': ['console/list/address.ts'],
      'console/list/list.tsx': ['console/list/address.ts', 'console/list/filter.ts'],
    }).map(([path, imports]) => [path, { imports }] as const),
  );

  test.each([
    [
      'the one beside it and those in its folder that import it',
      'shared/a/one.ts',
      ['shared/a/one.test.ts', 'shared/a/two.test.ts'],
    ],
    [
      'those that import it, of its folder and of others, without one beside it',
      'shared/a/three.ts',
      ['shared/a/two.test.ts', 'shared/b/other.test.ts'],
    ],
    [
      'those of each importing file, also where another one has a test and this one has none',
      'shared/d/rule.ts',
      ['shared/d/tested.test.ts', 'shared/e/user.test.ts'],
    ],
    ['those that import it, the nearest first', 'shared/c/four.ts', ['shared/b/other.test.ts', 'tests/far.test.ts']],
    ['none outside of npm test', 'shared/c/five.ts', []],
    [
      'those of the folder of its endpoint and of all contracts',
      'functions/api/nodes/get/endpoint.ts',
      ['functions/api/nodes/get/handler.test.ts', 'tests/openapi.test.ts'],
    ],
    [
      'those of requests beside it, and those about the files that import it',
      'functions/api/nodes/shared.ts',
      ['functions/api/nodes/requests.test.ts', 'functions/api/nodes/get/handler.test.ts'],
    ],
    [
      'those of requests beside it, and those along the files that import it',
      'functions/api/nodes/rules.ts',
      ['functions/api/nodes/requests.test.ts', 'functions/api/nodes/get/handler.test.ts'],
    ],
    [
      'the one beside it before those of requests beside it',
      'functions/api/logins/token.ts',
      ['functions/api/logins/token.test.ts', 'functions/api/logins/a.test.ts'],
    ],
    [
      'the one beside it before those of pages beside it',
      'console/list/address.ts',
      ['console/list/address.test.ts', 'console/list/page.test.tsx'],
    ],
    ['those of pages beside it', 'console/list/list.tsx', ['console/list/page.test.tsx']],
    [
      'those of pages beside it and not those of other modules in its folder',
      'console/list/filter.ts',
      ['console/list/page.test.tsx'],
    ],
    ['none if nothing imports it', 'shared/c/alone.ts', []],
  ])('are %s', (_, path, tests) => expect(nearestTests(path, sources)).toEqual(tests));
});
