import { withoutDocumentation } from './without-documentation.ts';

const without = (code: string) => withoutDocumentation('schema.ts', code);

test.each([
  ["z.string().check(z.meta({ description: 'Name.' }))", 'z.string()'],
  ["z.int().check(z.minimum(1), z.meta({ description: 'Port.' }))", 'z.int().check(z.minimum(1),)'],
  ["z.int().check(z.meta({ description: 'Port.' }), z.minimum(1))", 'z.int().check( z.minimum(1))'],
  ["z.int().check(a, z.meta({ description: 'Port.' }), b)", 'z.int().check(a, b)'],
  ["z.object({ a: z.int().check(z.meta({})) }).register(z.globalRegistry, { id: 'A' })", 'z.object({ a: z.int() })'],
  ["z.int().register(z.globalRegistry, { id: 'A', inner: z.int().check(z.meta({})) }).check(a)", 'z.int().check(a)'],
  ['z.int().check(z.meta({})); names.register(name, value)', 'z.int(); names.register(name, value)'],
])('%s becomes %s', (code, expected) => {
  expect(without(code)).toBe(expected);
});

test('the lines after the documentation keep their places', () => {
  const code =
    "const name = z.string().check(\n  isLegible(),\n  z.meta({\n    description: 'Name.',\n  }),\n);\nlast();";
  expect(without(code).split('\n').indexOf('last();')).toBe(code.split('\n').indexOf('last();'));
});

test('code without documentation is unchanged', () => {
  const code = 'const checked = values.check(isLegible()); registry.register(name, value);';
  expect(without(code)).toBe(code);
});
