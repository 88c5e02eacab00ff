import { useTable } from '../../../tests/support/fixtures.ts';
import { testTime } from '../../../tests/support/test-time.ts';
import { addRoleBinding, type RoleBinding } from '../../store/credentials/role-bindings.ts';
import type { Identity } from './identity.ts';
import { grantOfPerson, userOfIdentity } from './person.ts';
import type { OidcProvider } from './provider.ts';

const { table } = useTable(/ROLE_BINDINGS/);

const settings = (name: string) => ({ kind: 'oidc', name, issuer: 'https://i.example', clientId: 'c' }) as OidcProvider;

const identity = (claims: Identity['claims'] = {}, subject = 's-1'): Identity => ({
  ...{ subject, claims, refreshToken: undefined, sid: undefined, issuedAt: 0 },
});

describe('the name of a person', () => {
  const nameOf = (claims: Identity['claims'], provider = settings('corp')) =>
    userOfIdentity(provider, identity(claims)).user_name;

  test('is the first readable claim, else the subject', () => {
    const claims = { preferred_username: 'maria', email: 'm@example.com', name: 'Maria' };
    expect(nameOf(claims)).toBe('corp/maria');
    expect(nameOf({ ...claims, preferred_username: 'a\nb' })).toBe('corp/m@example.com');
    expect(nameOf({ name: 'Maria' })).toBe('corp/Maria');
    expect(nameOf({ nickname: 'mia' })).toBe('corp/s-1');
  });

  test('is the claim of the settings alone, if they have one', () => {
    const provider = { ...settings('corp'), usernameClaim: 'upn' };
    expect(nameOf({ preferred_username: 'maria', upn: 'm-7' }, provider)).toBe('corp/m-7');
    expect(nameOf({ preferred_username: 'maria' }, provider)).toBe('corp/s-1');
  });

  test('has 64 characters at most after that of the provider', () => {
    expect(nameOf({ preferred_username: 'x'.repeat(64) })).toBe(`corp/${'x'.repeat(64)}`);
    expect(nameOf({ preferred_username: 'x'.repeat(65), name: 'Maria' })).toBe('corp/Maria');
    const { user_name: name } = userOfIdentity(settings('corp'), identity({}, 'x'.repeat(65)));
    expect(name).toMatch(/^corp\/x+~[0-9a-f]{32}$/);
    expect(name).toHaveLength('corp/'.length + 64);
  });
});

test('a user is the subject at the issuer, whatever its name', () => {
  const idOf = (claims: object, subject: string) =>
    userOfIdentity(settings('corp'), identity({ ...claims }, subject)).user_id;
  expect(idOf({ name: 'a' }, 's-1')).toBe(idOf({ name: 'b' }, 's-1'));
  expect(idOf({ name: 'a' }, 's-1')).not.toBe(idOf({ name: 'a' }, 's-2'));
});

describe('the grant of a person', () => {
  const actor = { kind: 'system' as const, id: 'test', name: 'test' };
  const time = testTime().toISOString();

  /** Adds bindings of the provider for the group `all`, numbered from 0. */
  async function bind(provider: string, count: number, binding: (index: number) => Partial<RoleBinding>) {
    for (let index = 0; index < count; index += 1)
      await addRoleBinding(
        table,
        {
          ...{ name: `${provider}-${index}`, provider, claims: { groups: ['all'] }, role: 'Editor' },
          ...{ created_by: actor, created_at: time, updated_at: time, revision: 1 },
          ...binding(index),
        },
        { actor, requestId: 'test', now: testTime() },
      );
  }

  const grant = (provider: string, claims: object = { groups: ['all'] }) =>
    grantOfPerson(settings(provider), identity({ ...claims, name: 'Maria' }), { table });
  const refused = (reason: string, provider: string) => ({
    ...{ reason, subject: expect.objectContaining({ kind: 'user', name: `${provider}/Maria` }) },
  });

  test('has the owners of its bindings, and rests on them', async () => {
    await bind('owners', 2, (index) => ({ owners: [`o-${index}`] }));
    const { role, owners, bindings, rests_on: restsOn } = await grant('owners');
    expect([role, owners?.toSorted(), bindings.toSorted()]).toEqual([
      'Editor',
      ['o-0', 'o-1'],
      ['owners-0', 'owners-1'],
    ]);
    expect(Object.keys(restsOn).toSorted()).toEqual(['owners-0', 'owners-1']);
  });

  test('names the bindings that give its role, ten at most, and no others', async () => {
    await bind('many', 13, (index) => (index === 0 ? { role: 'Viewer' } : {}));
    const { role, owners, bindings } = await grant('many');
    expect([role, owners, bindings.length]).toEqual(['Editor', undefined, 10]);
    expect(bindings).not.toContain('many-0');
  });

  test('rests on 20 bindings at most', async () => {
    await bind('twenty', 20, (index) => ({ owners: [`o-${index}`] }));
    expect(Object.keys((await grant('twenty')).rests_on)).toHaveLength(20);
    await bind('more', 21, (index) => ({ owners: [`o-${index}`] }));
    await expect(grant('more')).rejects.toMatchObject(refused('too_many_owners', 'more'));
  });

  test('is refused without a binding, and with that of a Registrar alone, because people enrol no hosts', async () => {
    await expect(grant('none')).rejects.toMatchObject(refused('unbound_identity', 'none'));
    await bind('hosts', 1, () => ({ role: 'Registrar' }));
    await expect(grant('hosts')).rejects.toMatchObject(refused('unbound_identity', 'hosts'));
  });

  test('is refused when the provider has left groups out', async () => {
    await bind('entra', 1, () => ({}));
    for (const claims of [{ _claim_names: { groups: 'src1' } }, { hasgroups: true }])
      await expect(grant('entra', { groups: ['all'], ...claims })).rejects.toMatchObject(
        refused('too_many_groups', 'entra'),
      );
    expect((await grant('entra', { groups: ['all'], hasgroups: false })).role).toBe('Editor');
  });
});
