import { parseSelector } from '../../../shared/selector/parse-selector.ts';
import { isOwnObject, isOwnSelector } from './owned-objects.ts';

const limit = { label: 'team', owners: ['a', 'b'] };

test('an own object has one of the owners as its owner label, which can be an attribute', () => {
  const isOwn = (labels: Record<string, string>) => isOwnObject(limit, 'node', { custom_labels: labels });
  expect([{ team: 'a' }, { team: 'b' }, { team: 'c' }, {}].map((labels) => isOwn({ ...labels }))).toEqual([
    ...[true, true, false, false],
  ]);
  expect(isOwnObject(undefined, 'node', { custom_labels: {} })).toBe(true);
  const production = { environment: 'prod', custom_labels: {} };
  expect(isOwnObject({ label: 'environment', owners: ['prod'] }, 'service', production)).toBe(true);
});

test("an owned selector requires one of the caller's owners", () => {
  const isOwn = (text: string) => isOwnSelector(limit, parseSelector(text));
  expect(['team=a', 'team in (a, b)', 'tier=x,team=b'].map(isOwn)).toEqual([true, true, true]);
  expect(['team in (a, c)', 'team!=c', 'team', 'tier=a', 'tier=x'].map(isOwn)).toEqual(Array(5).fill(false));
  expect(isOwnSelector(undefined, parseSelector('tier=x'))).toBe(true);
});
