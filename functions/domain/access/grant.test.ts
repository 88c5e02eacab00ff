import fc from '../../../shared/testing/fast-check.ts';
import { type Claims, claimOf, combinedGrant, missingClaims, narrows, sufficientBindings } from './grant.ts';
import { grantedRoles } from '../../../shared/auth/roles.ts';
import type { BindingRules } from './role-binding.ts';

const binding = (more: Partial<BindingRules> = {}): BindingRules => ({
  provider: 'p',
  claims: { sub: ['x'] },
  role: 'Editor',
  ...more,
});

test('a claim name that begins with a slash is a JSON pointer', () => {
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

test('bindings with equal roles combine their owners; one without owners removes the limit; weaker roles are ignored', () => {
  const grant = (...bindings: Partial<BindingRules>[]) => combinedGrant(bindings.map(binding), { sub: 'x' });
  expect(grant({ owners: ['b'] }, { owners: ['a'] })?.owners).toEqual(['a', 'b']);
  expect(grant({ owners: ['b'] }, {})?.owners).toBeUndefined();
  expect(grant({ owners: ['b'] }, { role: 'Viewer' })).toMatchObject({ role: 'Editor', owners: ['b'] });
  expect(grant({ owners: ['b'] }, { role: 'Admin' })?.owners).toBeUndefined();
});

const value = fc.constantFrom('a', 'b', 'c');
const anyBinding = fc.record({
  provider: fc.constant('p'),
  claims: fc.dictionary(fc.constantFrom('x', 'y'), fc.uniqueArray(value, { minLength: 1 }), { maxKeys: 2 }),
  role: fc.constantFrom(...grantedRoles),
  owners: fc.option(fc.uniqueArray(value, { minLength: 1 }), { nil: undefined }),
});
const claims = fc.dictionary(fc.constantFrom('x', 'y'), fc.array(value));

test('any order of bindings gives the same grant, and another binding never lowers the role', () => {
  fc.assert(
    fc.property(fc.array(anyBinding), anyBinding, claims, (bindings, more, identity) => {
      const grant = combinedGrant(bindings, identity);
      const reversed = combinedGrant(bindings.toReversed(), identity);
      expect([reversed?.role, reversed?.owners]).toEqual([grant?.role, grant?.owners]);
      const rank = (role?: (typeof grantedRoles)[number]) => (role === undefined ? -1 : grantedRoles.indexOf(role));
      expect(rank(combinedGrant([...bindings, more], identity)?.role)).toBeGreaterThanOrEqual(rank(grant?.role));
      expect(grant === undefined).toBe(bindings.every((binding) => missingClaims(binding, identity).length > 0));
    }),
  );
});

test('the recorded bindings give the same grant, with at most one for each owner', () => {
  fc.assert(
    fc.property(fc.array(anyBinding), claims, (bindings, identity) => {
      const grant = combinedGrant(bindings, identity);
      if (grant === undefined) return;
      const enough = sufficientBindings(grant);
      expect(combinedGrant(enough, identity)).toMatchObject({ role: grant.role, owners: grant.owners });
      expect(enough.length).toBeLessThanOrEqual(grant.owners?.length ?? 1);
    }),
  );
});

/** Whether an identity has by the second binding all that it has by the first one. */
function keeps(before: BindingRules, after: BindingRules, identity: Claims): boolean {
  const [former, next] = [combinedGrant([before], identity), combinedGrant([after], identity)];
  if (former === undefined) return true;
  if (next === undefined) return false;
  const [rank, nextRank] = [former, next].map(({ role }) => grantedRoles.indexOf(role)) as [number, number];
  const isRoleKept = rank === 0 ? nextRank === 0 : nextRank >= rank;
  const areOwnersKept =
    next.owners === undefined || former.owners?.every((owner) => next.owners?.includes(owner)) === true;
  return isRoleKept && areOwnersKept;
}

test('a change that removes a grant of an identity narrows the binding', () => {
  fc.assert(
    fc.property(anyBinding, anyBinding, claims, (before, after, identity) => {
      if (!keeps(before, after, identity)) expect(narrows(before, after)).toBe(true);
    }),
    { numRuns: 1000 },
  );
});

test.each<[string, Partial<BindingRules>, Partial<BindingRules>, boolean]>([
  ['nothing', {}, {}, false],
  ['a stronger role', {}, { role: 'Admin' }, false],
  ['a weaker role', {}, { role: 'Viewer' }, true],
  ['a Registrar', {}, { role: 'Registrar' }, true],
  ['a role instead of a Registrar', { role: 'Registrar' }, { role: 'Admin' }, true],
  ['one more owner', { owners: ['a'] }, { owners: ['a', 'b'] }, false],
  ['no limit of owners', { owners: ['a'] }, {}, false],
  ['another owner', { owners: ['a'] }, { owners: ['b'] }, true],
  ['a limit of owners', {}, { owners: ['a'] }, true],
  ['one more value', {}, { claims: { sub: ['x', 'y'] } }, false],
  ['another value', {}, { claims: { sub: ['y'] } }, true],
  ['one claim less', { claims: { sub: ['x'], ref: ['m'] } }, {}, false],
  ['one claim more', {}, { claims: { sub: ['x'], ref: ['m'] } }, true],
  ['another claim of the name', {}, { node_name_claim: 'name' }, true],
])('a change to %s', (_, before, after, isNarrower) => {
  expect(narrows(binding(before), binding(after))).toBe(isNarrower);
});
