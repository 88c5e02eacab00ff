import { clusterToken } from '../../../../tests/support/identity-providers.ts';
import { logInProgram } from '../../../../tests/support/program-logins.ts';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { checkInvariants } from '../../../../tests/consistency/invariants.ts';
import { startInventory } from '../../../../tests/support/inventory.ts';
import { withSend } from '../../../../tests/support/table.ts';
import { useInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useInventory();

const add = async (body: object) => (await inventory.request('POST', '/v1/api-keys', { body })).body;
const withKey = (key: string, method: string, path: string, body?: unknown) =>
  inventory.request(method, path, {
    as: null,
    headers: { Authorization: `Bearer ${key}` },
    ...(body === undefined ? {} : { body }),
  });

test('a key of every role rotates itself and keeps its properties', async () => {
  for (const role of ['Viewer', 'Editor', 'Admin', 'Registrar'] as const) {
    const key = inventory.keys[role];
    const { status, body } = await withKey(key, 'POST', '/v1/caller/rotate', { overlap: '1h' });
    expect([role, status]).toEqual([role, 200]);
    const [before, after] = await Promise.all([key, body.key].map((secret) => withKey(secret, 'GET', '/v1/caller')));
    expect(after!.body).toMatchObject({ role, id: before!.body.id, name: `test ${role}` });
    inventory.keys[role] = body.key;
  }
});

test('a Gateway key rotates itself, and the new secret reads', async () => {
  const { body } = await withKey(inventory.keys.Gateway, 'POST', '/v1/caller/rotate', { overlap: '1h' });
  expect((await withKey(body.key, 'GET', '/v1/nodes')).status).toBe(200);
  inventory.keys.Gateway = body.key;
});

test('no rotation prolongs the life of a key; an Admin can renew it', async () => {
  inventory.clock.now = new Date('2026-05-01T10:00:00Z');
  const { key, key_id: id, expires_at: end } = await add({ name: 'brief', role: 'Viewer', time_to_live: '1d' });
  inventory.clock.now = new Date('2026-05-01T20:00:00Z');
  const { body } = await withKey(key, 'POST', '/v1/caller/rotate', { overlap: '1m' });
  expect(body.expires_at).toBe(end);
  expect((await withKey(body.key, 'POST', '/v1/caller/rotate', { overlap: '1m' })).body.expires_at).toBe(end);
  const renewed = await inventory.request('POST', `/v1/api-keys/${id}/rotate`, { body: { overlap: '1m' } });
  expect(renewed.body.expires_at).toBe('2026-05-02T20:00:00.000Z');
  inventory.clock.now = undefined;
});

test('a caller with a password or a session cannot rotate a key', async () => {
  const login = { Authorization: `Basic ${Buffer.from('admin:correct horse battery staple').toString('base64')}` };
  const rotate = (headers: Record<string, string>) =>
    inventory.request('POST', '/v1/caller/rotate', { as: null, headers, body: { overlap: '1h' } });
  expect((await rotate(login)).status).toBe(403);
  const { body } = await inventory.request('POST', '/v1/sessions', { as: null, headers: login });
  expect((await rotate({ Authorization: `Bearer ${body.key}` })).status).toBe(403);
});

describe('a superseded secret', () => {
  const rotateOwn = (key: string, overlap = '1h') => withKey(key, 'POST', '/v1/caller/rotate', { overlap });
  const statusWith = async (key: string) => (await withKey(key, 'GET', '/v1/caller')).status;
  const refusal = { status: 403, body: { code: 7, message: expect.stringContaining('was superseded') } };
  let count = 0;
  const rotatedOnce = async (more: object = {}) => {
    count += 1;
    const old = await add({ name: `superseded ${count}`, role: 'Viewer', ...more });
    const { body: next } = await rotateOwn(old.key);
    return { old, next, id: old.key_id as string };
  };
  afterEach(() => (inventory.clock.now = undefined));

  test('cannot rotate after the first use of the newer secret, which keeps working', async () => {
    const { old, next, id } = await rotatedOnce();
    expect(await statusWith(next.key)).toBe(200);
    expect(await rotateOwn(old.key)).toMatchObject(refusal);
    expect([await statusWith(old.key), await statusWith(next.key)]).toEqual([200, 200]);
    const { body } = await inventory.request('GET', `/v1/audit?event=call.refused&actor_id=${id}`);
    expect(body.entries).toMatchObject([
      { reason: 'superseded_secret', actor: { id }, subject: { id: 'rotateOwnApiKey' } },
    ]);
  });

  test('repeats a rotation whose reply was lost: the newest secret works, and the lost one ends with it', async () => {
    const { old, next, id } = await rotatedOnce();
    const { status, body: repeated } = await rotateOwn(old.key, '30d');
    expect(status).toBe(200);
    expect(repeated).toMatchObject({ key_id: id, expires_at: next.previous_expires_at });
    for (const { key } of [old, repeated]) expect(await statusWith(key)).toBe(200);
    const listed = (await inventory.request('GET', '/v1/api-keys?page_size=1000')).body.api_keys;
    expect(listed.find((key: { key_id: string }) => key.key_id === id)).toMatchObject({ prefix: next.prefix });
    inventory.clock.now = new Date(next.previous_expires_at);
    for (const { key } of [old, repeated]) expect(await statusWith(key)).toBe(401);
    expect(await statusWith(next.key)).toBe(200);
  });

  test('repeats again until the repeated secret is used, and that secret cannot rotate', async () => {
    const { old, next } = await rotatedOnce();
    const lost = (await rotateOwn(old.key)).body;
    const second = (await rotateOwn(old.key)).body;
    expect(await statusWith(second.key)).toBe(200);
    expect(await statusWith(lost.key)).toBe(401);
    for (const { key } of [old, second]) expect(await rotateOwn(key)).toMatchObject(refusal);
    expect(await statusWith(next.key)).toBe(200);
  });

  test('cannot repeat with an overlap of 0s, and cannot undo the rotation of an Admin', async () => {
    const { old, next, id } = await rotatedOnce();
    expect(await rotateOwn(old.key, '0s')).toMatchObject(refusal);
    await inventory.request('POST', `/v1/api-keys/${id}/rotate`, { body: { overlap: '1h' } });
    for (const { key } of [old, next]) expect(await rotateOwn(key)).toMatchObject(refusal);
  });

  test('of an Admin cannot rotate its own key by the endpoint of Admins either', async () => {
    const { old, id } = await rotatedOnce({ role: 'Admin' });
    const asAdmin = await withKey(old.key, 'POST', `/v1/api-keys/${id}/rotate`, { overlap: '1h' });
    expect(asAdmin).toMatchObject(refusal);
  });

  test('ends with every other secret of the key, also one that a repetition led to', async () => {
    for (const end of ['remove', 'rotate'] as const) {
      const { old, id } = await rotatedOnce();
      const repeated = (await rotateOwn(old.key)).body;
      const path = `/v1/api-keys/${id}`;
      if (end === 'remove') await inventory.request('DELETE', path);
      else await inventory.request('POST', `${path}/rotate`, { body: { overlap: '0s' } });
      for (const { key } of [old, repeated]) expect(await statusWith(key)).toBe(401);
    }
    const { old, id } = await rotatedOnce();
    const repeated = (await rotateOwn(old.key)).body;
    await inventory.request('PATCH', `/v1/api-keys/${id}`, { body: { rate_limit_per_minute: 7 } });
    expect((await withKey(repeated.key, 'GET', '/v1/caller')).body).toMatchObject({ rate_limit_per_minute: 7 });
    expect(await checkInvariants(inventory.table)).toEqual([]);
  });

  test('that is repeated and used at the same time never locks out the owner of the newest secret', async () => {
    for (let round = 0; round < 8; round += 1) {
      const { old, next } = await rotatedOnce();
      const [repeated, used] = await Promise.all([rotateOwn(old.key), statusWith(next.key)]);
      expect(used).toBe(200);
      expect([200, 403]).toContain(repeated.status);
      if (repeated.status === 200) expect(repeated.body.expires_at).toBe(next.previous_expires_at);
      expect(await rotateOwn(old.key)).toMatchObject(refusal);
    }
  });

  test('two simultaneous rotations with one secret both return a secret that works', async () => {
    const old = await add({ name: 'at once', role: 'Viewer' });
    const replies = await Promise.all([rotateOwn(old.key), rotateOwn(old.key)]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    for (const { body } of replies) expect(await statusWith(body.key)).toBe(200);
    expect(await checkInvariants(inventory.table)).toEqual([]);
  });

  test('the audit contains who rotated and the prefix of the secret', async () => {
    const { old, next, id } = await rotatedOnce();
    const repeated = (await rotateOwn(old.key)).body;
    const byAdmin = (await inventory.request('POST', `/v1/api-keys/${id}/rotate`, { body: { overlap: '1h' } })).body;
    const { body } = await inventory.request('GET', `/v1/audit?object_id=${id}&event=api_key.rotated`);
    expect(body.entries.map(({ after }: { after: object }) => after)).toEqual([
      expect.objectContaining({ rotated_by: 'admin', prefix: byAdmin.prefix, superseded_prefix: next.prefix }),
      expect.objectContaining({
        rotated_by: 'key',
        prefix: repeated.prefix,
        superseded_prefix: old.prefix,
        repeated: true,
      }),
      expect.objectContaining({ rotated_by: 'key', prefix: next.prefix, superseded_prefix: old.prefix }),
    ]);
  });
});

test('a newer secret whose first use cannot be recorded is refused, because only that record prevents a later repetition', async () => {
  let isCut = false;
  const cut = await startInventory({
    table: (table) =>
      withSend(table, (command: any) =>
        isCut && command instanceof UpdateCommand && command.input.UpdateExpression?.includes('last_used_at')
          ? Promise.reject(new Error('cut off'))
          : table.client.send(command),
      ),
  });
  try {
    const callWith = (key: string) =>
      cut.request('GET', '/v1/caller', { as: null, headers: { Authorization: `Bearer ${key}` } });
    const old = (await cut.request('POST', '/v1/api-keys', { body: { name: 'old', role: 'Viewer' } })).body;
    isCut = true;
    // The first use of a secret that no other secret can replace is only informative.
    expect((await callWith(old.key)).status).toBe(200);
    const headers = { Authorization: `Bearer ${old.key}` };
    const next = await cut.request('POST', '/v1/caller/rotate', { as: null, headers, body: { overlap: '1h' } });
    expect((await callWith(next.body.key)).status).toBe(503);
    isCut = false;
    expect((await callWith(next.body.key)).status).toBe(200);
  } finally {
    await cut.stop();
  }
});

test('the key of a program cannot rotate, and the 403 explains the remedy', async () => {
  const claims = { purpose: ['rotates'] };
  const body = { name: 'rotates', provider: 'cluster', claims, role: 'Viewer' };
  await inventory.request('POST', '/v1/role-bindings', { body });
  const { body: program } = await logInProgram(inventory, await clusterToken({ purpose: 'rotates' }), 'cluster');
  const reply = await withKey(program.key, 'POST', '/v1/caller/rotate', { overlap: '1m' });
  expect([reply.status, reply.body.message]).toEqual([403, expect.stringContaining('Log in again')]);
  expect((await withKey(program.key, 'GET', '/v1/caller')).status).toBe(200);
});

test('a superseded secret may write objects, but no credentials', async () => {
  const { body: old } = await inventory.request('POST', '/v1/api-keys', { body: { name: 'overlaps', role: 'Editor' } });
  await inventory.request('POST', `/v1/api-keys/${old.key_id}/rotate`, { body: { overlap: '1h' } });
  const ask = async (method: string, path: string, body?: object) => {
    const reply = await withKey(old.key, method, path, body);
    expect([method, path, reply.status < 300]).toEqual([method, path, true]);
    return reply.body;
  };
  await ask('POST', '/v1/nodes', { node_type: 'generic', node_name: 'in-the-overlap', address: 'a' });
  const { silence_id } = await ask('POST', '/v1/silences', {
    selector: 'node_name=in-the-overlap',
    reason: 'r',
    time_to_live: '1h',
  });
  await ask('DELETE', `/v1/silences/${silence_id}`);
  const filter = { name: 'f', list: 'nodes', parameters: { region: 'r' }, shared: false };
  const { saved_filter_id: id } = await ask('POST', '/v1/saved-filters', filter);
  await ask('PATCH', `/v1/saved-filters/${id}`, { pinned: true, shared: true });
  await ask('DELETE', `/v1/saved-filters/${id}`);
  const key = await withKey(old.key, 'POST', '/v1/caller/rotate', { overlap: '1h' });
  expect(key.status).toBe(403);
});
