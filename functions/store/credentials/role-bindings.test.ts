import { addKey, apiKey, causeAt } from '../../../tests/support/credentials.ts';
import { clear, disturbed, itemAt, putItem } from '../../../tests/support/table.ts';
import { testTime } from '../../../tests/support/test-time.ts';
import { newRecord } from '../../domain/fields/record.ts';
import { MAX_ROLE_BINDINGS } from '../../domain/access/role-binding.ts';
import { ACCESS_EVENTS_PARTITION, roleBindingKey } from '../table/keys.ts';
import { readCollection } from '../table/read.ts';
import {
  addRoleBinding,
  bindingsOf,
  changeRoleBinding,
  getRoleBinding,
  grantOf,
  listRoleBindings,
  removeRoleBinding,
  type RoleBinding,
  versionsFor,
} from './role-bindings.ts';
import { useTable } from '../../../tests/support/fixtures.ts';

// An addition counts the bindings with an eventually consistent read.
const { table } = useTable(/ROLE_BINDINGS/);
beforeEach(() => clear(table));

const now = testTime();
const cause = causeAt(now);
const { created_by } = apiKey();

const binding = (name: string, more: Partial<RoleBinding> = {}): RoleBinding => ({
  name,
  provider: 'company',
  claims: { groups: ['dba'] },
  role: 'Editor',
  created_by,
  ...newRecord(now),
  ...more,
});

async function add(name: string, more: Partial<RoleBinding> = {}): Promise<RoleBinding> {
  const added = binding(name, more);
  await addRoleBinding(table, added, cause);
  return added;
}

const target = (name: string, ifMatch?: number) => ({
  name,
  ifMatch: ifMatch === undefined ? undefined : ([ifMatch] as const),
});
const described = (text: string) => (present: RoleBinding) => ({
  ...present,
  description: text,
  revision: present.revision + 1,
});
const narrowed = (present: RoleBinding) => ({
  ...present,
  owners: ['a'],
  revision: present.revision + 1,
});

const events = async () =>
  (await readCollection(table, ACCESS_EVENTS_PARTITION))
    .map(({ event, subject_id: id }) => `${String(event)} ${String(id)}`)
    .sort();

/** What a caller does whose key was removed while the gateway still admits it. */
function causeOfRemovedKey() {
  const { key_id: id, name } = apiKey();
  return causeAt(now, { actor: { kind: 'api_key', id, name }, credential: { secret: { digest: id, keyId: id } } });
}

test('an added binding is read by name and listed by name across pages, with an event', async () => {
  const b = await add('b', { owners: ['x'], description: 'text' });
  const a = await add('a');
  expect(await getRoleBinding(table, 'b')).toEqual(b);
  const first = await listRoleBindings(table, { size: 1, after: undefined });
  expect(first).toEqual({ objects: [a], next: ['a', 'a'] });
  expect(await listRoleBindings(table, { size: 1, after: first.next })).toEqual({ objects: [b], next: undefined });
  expect(await listRoleBindings(table, { size: 2, after: undefined })).toEqual({ objects: [a, b], next: undefined });
  expect(await events()).toEqual(['role_binding.added a', 'role_binding.added b']);
});

test('a missing binding is not found by any call', async () => {
  const notFound = { kind: 'notFound', message: 'Role binding with ID "x" not found.' };
  await expect(getRoleBinding(table, 'x')).rejects.toMatchObject(notFound);
  await expect(changeRoleBinding(table, target('x'), narrowed, cause)).rejects.toMatchObject(notFound);
  await expect(removeRoleBinding(table, target('x'), cause)).rejects.toMatchObject(notFound);
});

test('a second binding with the name is refused and changes nothing', async () => {
  const first = await add('a');
  await expect(add('a', { role: 'Viewer' })).rejects.toMatchObject({ kind: 'alreadyExists' });
  expect(await getRoleBinding(table, 'a')).toEqual(first);
  expect(await events()).toEqual(['role_binding.added a']);
});

test('bindings are added up to the maximum', async () => {
  for (let index = 1; index < MAX_ROLE_BINDINGS; index += 1)
    await putItem(table, { ...binding(`b${index}`), ...roleBindingKey(`b${index}`) });
  await add('last');
  await expect(add('too many')).rejects.toMatchObject({
    kind: 'resourceExhausted',
    message: expect.stringContaining(`maximum of ${MAX_ROLE_BINDINGS} `),
  });
});

test("an identity's grant comes from the bindings of its provider, with their versions", async () => {
  const company = await add('company');
  await add('other', { provider: 'other', role: 'Admin' });
  expect(await bindingsOf(table, 'company')).toEqual([company]);
  const grant = await grantOf(table, 'company', { groups: ['dba'] });
  expect(grant).toMatchObject({ role: 'Editor', bindings: [{ name: 'company' }] });
  expect(versionsFor(grant!)).toEqual({ company: company.created_at });
  expect(await grantOf(table, 'company', { groups: ['guest'] })).toBeUndefined();
});

test('a narrowing change ends dependent credentials, a description does not', async () => {
  const { created_at } = await add('a');
  const versions = async () => versionsFor((await grantOf(table, 'company', { groups: ['dba'] }))!);
  const text = await changeRoleBinding(table, target('a'), described('text'), cause);
  expect(await getRoleBinding(table, 'a')).toEqual(text);
  expect(await versions()).toEqual({ a: created_at });
  await changeRoleBinding(table, target('a'), narrowed, cause);
  expect(await getRoleBinding(table, 'a')).toMatchObject({ owners: ['a'], revision: 3 });
  expect(await versions()).toEqual({ a: `${created_at}/3` });
  expect(await events()).toEqual(['role_binding.added a', 'role_binding.changed a', 'role_binding.changed a']);
});

test('a change without an effect writes nothing', async () => {
  const added = await add('a');
  expect(await changeRoleBinding(table, target('a'), (present) => present, cause)).toEqual(added);
  expect(await events()).toEqual(['role_binding.added a']);
});

test("a change and a removal require the caller's revision", async () => {
  const added = await add('a');
  const mismatch = { kind: 'revisionMismatch' };
  await expect(changeRoleBinding(table, target('a', 2), narrowed, cause)).rejects.toMatchObject(mismatch);
  await expect(removeRoleBinding(table, target('a', 2), cause)).rejects.toMatchObject(mismatch);
  expect(await getRoleBinding(table, 'a')).toEqual(added);
  expect(await changeRoleBinding(table, target('a', 1), narrowed, cause)).toMatchObject({ revision: 2 });
  await removeRoleBinding(table, target('a', 2), cause);
  expect(await itemAt(table, roleBindingKey('a'))).toBeUndefined();
  expect(await events()).toContain('role_binding.removed a');
});

test('simultaneous changes both take effect', async () => {
  await add('a');
  const during = () => changeRoleBinding(table, target('a'), narrowed, cause);
  await changeRoleBinding(disturbed(table, during), target('a'), described('text'), cause);
  expect(await getRoleBinding(table, 'a')).toMatchObject({ owners: ['a'], description: 'text', revision: 3 });
  await removeRoleBinding(
    disturbed(table, () => changeRoleBinding(table, target('a'), described('new'), cause)),
    target('a'),
    cause,
  );
  await expect(getRoleBinding(table, 'a')).rejects.toMatchObject({ kind: 'notFound' });
});

test('a caller with an ended key cannot add, change or remove a binding', async () => {
  const added = await add('a');
  const by = causeOfRemovedKey();
  const ended = { kind: 'unauthenticated' };
  await expect(addRoleBinding(table, binding('b'), by)).rejects.toMatchObject(ended);
  await expect(changeRoleBinding(table, target('a'), narrowed, by)).rejects.toMatchObject(ended);
  await expect(removeRoleBinding(table, target('a'), by)).rejects.toMatchObject(ended);
  expect((await listRoleBindings(table, { size: 9, after: undefined })).objects).toEqual([added]);
});

test('a key with an end cannot give identities permanent access, but can remove it', async () => {
  const { key_id: id, name } = await addKey(table, { role: 'Admin', expires_at: now.getTime() / 1000 + 60 });
  const by = causeAt(now, {
    actor: { kind: 'api_key', id, name },
    credential: { secret: { digest: id, keyId: id } },
  });
  await add('a');
  const denied = { kind: 'permissionDenied' };
  await expect(addRoleBinding(table, binding('b'), by)).rejects.toMatchObject(denied);
  await expect(changeRoleBinding(table, target('a'), narrowed, by)).rejects.toMatchObject(denied);
  await removeRoleBinding(table, target('a'), by);
  expect((await listRoleBindings(table, { size: 9, after: undefined })).objects).toEqual([]);
});
