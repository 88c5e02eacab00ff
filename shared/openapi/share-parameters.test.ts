import { shareParameters } from './share-parameters.ts';
import type { OpenApiDocument } from './specification.ts';

const parameter = (name: string, more: object = {}) => ({
  name,
  in: 'query',
  required: false,
  schema: { type: 'string' },
  ...more,
});

test('a parameter that several operations have is stated once; others stay, without their defaults', () => {
  const both = parameter('both');
  const reference = { $ref: '#/components/parameters/If-Match' };
  const operations = [[both, parameter('one'), reference], [both, parameter('must', { required: true })], undefined];
  const paths = Object.fromEntries(
    operations.map((parameters, index) => [`/${index}`, { get: parameters === undefined ? {} : { parameters } }]),
  );
  const components = { parameters: { 'If-Match': parameter('If-Match') } };
  const shared = shareParameters({ paths, components } as unknown as OpenApiDocument);
  const { required: _, ...brief } = both;
  const [first, second, third] = Object.values(shared.paths).map(({ get }) => get?.parameters);
  expect(first).toEqual([{ $ref: '#/components/parameters/both_in_query' }, { ...brief, name: 'one' }, reference]);
  expect(second).toEqual([{ $ref: '#/components/parameters/both_in_query' }, parameter('must', { required: true })]);
  expect(third).toBeUndefined();
  expect(shared.components.parameters).toEqual({ 'If-Match': { ...brief, name: 'If-Match' }, both_in_query: brief });
});

test('different parameters with one name get numbers, those with most uses first', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((description) => parameter('x', { required: true, description }));
  const uses = [a, b, b, b, a, c, c];
  const paths = Object.fromEntries(uses.map((one, index) => [`/${index}`, { get: { parameters: [one] } }]));
  const shared = shareParameters({ paths, components: { parameters: {} } } as unknown as OpenApiDocument);
  const names = Object.entries(shared.components.parameters).map(([name, { description }]) => [name, description]);
  expect(names).toEqual([
    ['x_in_query', 'b'],
    ['x_in_query_2', 'a'],
    ['x_in_query_3', 'c'],
  ]);
});
