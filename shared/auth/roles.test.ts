import fc from '../testing/fast-check.ts';
import { isRank, type Rank, ranks, roleAllows, roles, type Role } from './roles.ts';

test.each<[Role, Rank[]]>([
  ['Viewer', ['Viewer']],
  ['Editor', ['Viewer', 'Editor']],
  ['Admin', ['Viewer', 'Editor', 'Admin']],
  ['Registrar', []],
  ['Relay', []],
  ['Gateway', []],
])('%s may do what requires one of %j, and nothing else', (mine, allowed) => {
  expect(ranks.filter((minimum) => roleAllows(mine, minimum))).toEqual(allowed);
});

test('ranks have a total order', () => {
  const role = fc.constantFrom(...ranks);
  fc.assert(
    fc.property(role, role, role, (a, b, c) => {
      expect(roleAllows(a, a)).toBe(true);
      expect(roleAllows(a, b) || roleAllows(b, a)).toBe(true);
      if (roleAllows(a, b) && roleAllows(b, a)) expect(a).toBe(b);
      if (roleAllows(a, b) && roleAllows(b, c)) expect(roleAllows(a, c)).toBe(true);
    }),
  );
});

test('an unknown role allows nothing and satisfies no requirement, even without types', () => {
  for (const notARole of ['', 'admin', 'Owner', '__proto__', undefined] as unknown[] as Rank[]) {
    for (const rank of ranks) expect(roleAllows(notARole, rank)).toBe(false);
    for (const role of roles) expect(roleAllows(role, notARole)).toBe(false);
    expect(roleAllows(notARole, notARole)).toBe(false);
  }
});

test.each(['Viewer', 'Editor', 'Admin'])('%s is a rank', (role) => {
  expect(isRank(role)).toBe(true);
});

test.each([
  ['viewer'],
  ['ADMIN'],
  [' Admin'],
  ['Admin '],
  ['Admin\n'],
  ['Owner'],
  ['None'],
  ['Registrar'],
  [''],
  ['0'],
  ['length'],
])('%j is no rank', (text) => {
  expect(isRank(text)).toBe(false);
});

test('only a string can be a rank', () => {
  fc.assert(fc.property(fc.anything(), (value) => !isRank(value) || typeof value === 'string'));
  for (const value of [['Admin'], { role: 'Admin' }, new String('Admin'), { toString: () => 'Admin' }, 0, null]) {
    expect(isRank(value)).toBe(false);
  }
});
