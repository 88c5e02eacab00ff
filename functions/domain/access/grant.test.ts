import fc from '../../../shared/testing/fast-check.ts';
import { claimOf, combinedGrant, missingClaims } from './grant.ts';
import { type BindingRules, grantedRoles } from './role-binding.ts';

const binding = (more: Partial<BindingRules> = {}): BindingRules => ({
  provider: 'p',
  claims: { sub: ['x'] },
  role: 'Editor',
  ...more,
});

test('a name that begins with a slash is a JSON pointer', () => {
  const claims = {
    'kubernetes.io': { namespace: 'shop' },
    'https://sts.amazonaws.com/': { aws_account: '111122223333' },
    '/odd': 'never',
  };
  expect(claimOf(claims, '/kubernetes.io/namespace')).toBe('shop');
  expect(claimOf(claims, '/https:~1~1sts.amazonaws.com~1/aws_account')).toBe('111122223333');
  expect(claimOf(claims, '/odd')).toBeUndefined();
  for (const name of ['__proto__', 'constructor', '/constructor/name', '/kubernetes.io/namespace/length'])
    expect([name, claimOf(claims, name)]).toEqual([name, undefined]);
});

test.each([
  ['the same text', 'x', true],
  ['another case', 'X', false],
  ['a part', 'x/y', false],
  ['an element of a list', ['a', 'x'], true],
  ['an empty list', [], false],
  ['an object', { x: 'x' }, false],
  ['a list in a list', [['x']], false],
  ['null', null, false],
])('%s: %j', (_, sub, isMatch) => {
  expect(missingClaims(binding(), { sub })).toEqual(isMatch ? [] : ['sub']);
});

test('numbers and truth values compare as their JSON text', () => {
  const bound = binding({ claims: { project_id: ['22'], ref_protected: ['true'] } });
  expect(missingClaims(bound, { project_id: 22, ref_protected: true })).toEqual([]);
  expect(missingClaims(bound, { project_id: '22', ref_protected: 'true' })).toEqual([]);
  expect(missingClaims(bound, { project_id: 220, ref_protected: false })).toEqual(['project_id', 'ref_protected']);
});

test('owners of equal roles are united; a binding without owners limits nothing; weaker roles do not count', () => {
  const grant = (...bindings: Partial<BindingRules>[]) => combinedGrant(bindings.map(binding), { sub: 'x' });
  expect(grant({ owners: ['b'] }, { owners: ['a'] })?.owners).toEqual(['a', 'b']);
  expect(grant({ owners: ['b'] }, {})?.owners).toBeUndefined();
  expect(grant({ owners: ['b'] }, { role: 'Viewer' })).toMatchObject({ role: 'Editor', owners: ['b'] });
  expect(grant({ owners: ['b'] }, { role: 'Admin' })?.owners).toBeUndefined();
});

test('any order of bindings gives the same grant, and another binding never lowers the role', () => {
  const value = fc.constantFrom('a', 'b', 'c');
  const anyBinding = fc.record({
    provider: fc.constant('p'),
    claims: fc.dictionary(fc.constantFrom('x', 'y'), fc.uniqueArray(value, { minLength: 1 }), { maxKeys: 2 }),
    role: fc.constantFrom(...grantedRoles),
    owners: fc.option(fc.uniqueArray(value, { minLength: 1 }), { nil: undefined }),
  });
  const claims = fc.dictionary(fc.constantFrom('x', 'y'), fc.array(value));
  fc.assert(
    fc.property(fc.array(anyBinding), anyBinding, claims, (bindings, more, identity) => {
      const grant = combinedGrant(bindings, identity);
      const reversed = combinedGrant(bindings.toReversed(), identity);
      expect([reversed?.role, reversed?.owners]).toEqual([grant?.role, grant?.owners]);
      const rank = (role?: (typeof grantedRoles)[number]) => (role === undefined ? -1 : grantedRoles.indexOf(role));
      expect(rank(combinedGrant([...bindings, more], identity)?.role)).toBeGreaterThanOrEqual(rank(grant?.role));
      expect(grant === undefined).toBe(bindings.every((one) => missingClaims(one, identity).length > 0));
    }),
  );
});
