import { changesNothing } from './changes-nothing.ts';

const contract = { method: 'POST', access: 'write' } as const;
const lowerRole = { role: 'Viewer', field: 'mode', value: 'plan' } as const;

test.each([
  ['a GET', { ...contract, method: 'GET' }, {}, true],
  ['a POST that reads', { ...contract, access: 'read' }, {}, true],
  ['any other POST', contract, {}, false],
  ['a dry run by the query', contract, { query: { dry_run: true } }, true],
  ['a dry run by the body', contract, { body: { dry_run: true } }, true],
  ['no dry run', contract, { query: { dry_run: false }, body: { dry_run: false } }, false],
  ['what a lower role may ask', { ...contract, lowerRole }, { body: { mode: 'plan' } }, true],
  ['what it may not ask', { ...contract, lowerRole }, { body: { mode: 'apply' } }, false],
  ['the same field of another endpoint', contract, { body: { mode: 'plan' } }, false],
] as const)('%s', (_, endpoint, more, expected) => {
  expect(changesNothing(endpoint, { query: undefined, body: undefined, ...more })).toBe(expected);
});
