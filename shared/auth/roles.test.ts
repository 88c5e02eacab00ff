import fc from 'fast-check';
import { isRole, roleAllows, roles, type Role } from './roles.ts';

test.each<[Role, Role[]]>([
  ['Viewer', ['Viewer']],
  ['Editor', ['Viewer', 'Editor']],
  ['Admin', ['Viewer', 'Editor', 'Admin']],
])('%s may do what takes one of %j, and nothing else', (mine, allowed) => {
  expect(roles.filter((minimum) => roleAllows(mine, minimum))).toEqual(allowed);
});

test('roles are in a total order', () => {
  const role = fc.constantFrom(...roles);
  fc.assert(
    fc.property(role, role, role, (a, b, c) => {
      expect(roleAllows(a, a)).toBe(true);
      expect(roleAllows(a, b) || roleAllows(b, a)).toBe(true);
      if (roleAllows(a, b) && roleAllows(b, a)) expect(a).toBe(b);
      if (roleAllows(a, b) && roleAllows(b, c)) expect(roleAllows(a, c)).toBe(true);
    }),
  );
});

test('what is not a role allows nothing and is allowed to no one, even where the types are bypassed', () => {
  for (const notARole of ['', 'admin', 'Owner', '__proto__', undefined] as unknown[] as Role[]) {
    for (const role of roles) {
      expect(roleAllows(notARole, role)).toBe(false);
      expect(roleAllows(role, notARole)).toBe(false);
    }
    expect(roleAllows(notARole, notARole)).toBe(false);
  }
});

test.each(['Viewer', 'Editor', 'Admin'])('%s is a role', (role) => {
  expect(isRole(role)).toBe(true);
});

test.each([['viewer'], ['ADMIN'], [' Admin'], ['Admin '], ['Admin\n'], ['Owner'], ['None'], [''], ['0'], ['length']])(
  'another spelling is no role: %j',
  (text) => {
    expect(isRole(text)).toBe(false);
  },
);

test('nothing but a string is a role', () => {
  fc.assert(fc.property(fc.anything(), (value) => !isRole(value) || typeof value === 'string'));
  for (const value of [['Admin'], { role: 'Admin' }, new String('Admin'), { toString: () => 'Admin' }, 0, null]) {
    expect(isRole(value)).toBe(false);
  }
});
