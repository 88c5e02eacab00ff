import { roles } from '../../../../shared/auth/roles.ts';
import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { newApiKeySecret, newEnrolmentTokenSecret } from '../../../../shared/auth/api-key-text.ts';
import { scan } from '../../../../tests/consistency/invariants.ts';
import { addHost, addNode } from '../../../../tests/support/add.ts';
import { ADMIN_PASSWORD, type Inventory, type Reply, startInventory } from '../../../../tests/support/inventory.ts';
import { turnOfTheLoop } from '../../../../tests/support/manual-clock.ts';
import { sendLogOutToken } from '../../../../tests/support/log-out-receiver.ts';
import { lambdaContext } from '../../../../local/gateway/lambda-context.ts';
import { proxyEvent } from '../../../../local/gateway/proxy-event.ts';
import { accessEvents, refusalEvents } from '../../../domain/records/audit-events.ts';
import { recordRefusal, writeWaitingRefusals } from '../../../store/audit/refusals.ts';
import { handlerWith } from './handler.ts';
import { TEST_TIME, testTime } from '../../../../tests/support/test-time.ts';
import { withSend } from '../../../../tests/support/table.ts';

let inventory: Inventory;
beforeEach(async () => (inventory = await startInventory()));
afterEach(() => inventory.stop());

type AuditEntry = Record<string, any>;

async function page(query: Record<string, string> = {}): Promise<{ entries: AuditEntry[]; next_page_token?: string }> {
  const reply = await inventory.request('GET', `/v1/audit?${new URLSearchParams(query).toString()}`);
  expect(reply.status).toBe(200);
  return reply.body;
}

async function all(query: Record<string, string> = {}): Promise<AuditEntry[]> {
  const entries: AuditEntry[] = [];
  for (let token: string | undefined, pages = 0; pages < 200; pages += 1) {
    const reply = await page({ ...query, ...(token === undefined ? {} : { page_token: token }) });
    entries.push(...reply.entries);
    token = reply.next_page_token;
    if (token === undefined) return entries;
  }
  throw new Error('endless');
}

async function done(method: string, path: string, body?: unknown, more: object = {}): Promise<any> {
  const reply = await inventory.request(method, path, { ...(body === undefined ? {} : { body }), ...more });
  if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`);
  return { ...reply.body, request_id: reply.headers['X-Request-Id'] };
}

const bearer = (key: string) => ({ as: null, headers: { Authorization: `Bearer ${key}` } });
const basic = (user: string, password: string) => ({
  as: null,
  headers: { Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` },
});
const refused = async (method: string, path: string, call: object, status: number) =>
  expect((await inventory.request(method, path, call)).status).toBe(status);

const admin = { kind: 'api_key', name: 'test Admin', id: expect.any(String) };
const user = { kind: 'user', id: 'admin', name: 'admin' };
const minuteOf = (time: string) => new Date(Math.floor(Date.parse(time) / 60_000) * 60_000).toISOString();

test('contains every change of keys, tokens and sessions, with its author and result', async () => {
  const key = await done('POST', '/v1/api-keys', { name: 'k', role: 'Editor', time_to_live: '1d' });
  await done('PATCH', `/v1/api-keys/${key.key_id}`, { rate_limit_per_minute: 7 });
  const rotated = await done('POST', `/v1/api-keys/${key.key_id}/rotate`, { overlap: '1h' });
  const ownRotation = await done('POST', '/v1/caller/rotate', { overlap: '0s' }, bearer(rotated.key));
  await done('DELETE', `/v1/api-keys/${key.key_id}`);
  const unused = await done('POST', '/v1/enrolment-tokens', { name: 'unused' });
  await done('DELETE', `/v1/enrolment-tokens/${unused.token_id}`);
  const token = await done('POST', '/v1/enrolment-tokens', { name: 'used', allowed_addresses: ['a'] });
  const host = { node_type: 'generic', node_name: 'host', address: 'a' };
  const enrolled = await done('POST', '/v1/enrolment', { token: token.token, node: host }, { as: null });
  const again = await done('POST', '/v1/enrolment-tokens', { name: 'again', node_name: 'host' });
  const anew = await done('POST', '/v1/enrolment', { token: again.token, node: host }, { as: null });
  const session = await done('POST', '/v1/sessions', undefined, basic('admin', ADMIN_PASSWORD));
  for (const answer of ['approve', 'deny']) {
    const { user_code } = await done('POST', '/v1/device-authorizations', { client_name: 'a program' }, { as: null });
    await done('POST', '/v1/device-authorizations/answer', { user_code, answer }, bearer(session.key));
  }
  await done('DELETE', '/v1/sessions', undefined, bearer(session.key));

  await done('POST', '/v1/management/annotations', { text: 'deployed', tags: ['t'] });
  const maria = await done('POST', '/v1/users', { user_name: 'maria', role: 'Editor' });
  const { invitation } = maria;
  const accept = { method: 'invitation', user_name: 'maria', invitation, new_password: 'a quiet long sentence' };
  const loggedIn = await done('POST', '/v1/logins', accept, { as: null });
  await done('PATCH', '/v1/users/maria', { role: 'Viewer' });
  await done('DELETE', '/v1/users/maria/sessions');
  const anewInvited = await done('POST', '/v1/users/maria/invite', {});
  await done('DELETE', '/v1/users/maria');
  const claims = { repository_id: ['74129'] };
  const bound = { name: 'pipeline', provider: 'github', claims, role: 'Editor' };
  await done('POST', '/v1/role-bindings', bound);
  await done('PATCH', '/v1/role-bindings/pipeline', { role: 'Viewer' });
  await done('DELETE', '/v1/role-bindings/pipeline');
  const planned = await done('POST', '/v1/silences', {
    selector: 'node_type in (container,generic)',
    reason: 'Upgrade',
    time_to_live: '1h',
  });
  await done('DELETE', `/v1/silences/${planned.silence_id}`);
  const filter = { name: 'f', list: 'nodes', parameters: { state: 'offline' } };
  const { saved_filter_id: filterId } = await done('POST', '/v1/saved-filters', filter);
  await done('PATCH', `/v1/saved-filters/${filterId}`, { shared: true, pinned: true });
  await done('DELETE', `/v1/saved-filters/${filterId}`);
  const account = await done('POST', '/graph/api/serviceaccounts', { name: 'operator', role: 'Editor' });
  await done('DELETE', `/graph/api/serviceaccounts/${account.id}`);

  const entries = (await all()).filter(({ request_id: id }) => id !== 'set up').reverse();
  const annotation = { kind: 'annotation', id: expect.any(String), name: 'deployed' };
  const operator = { kind: 'service_account', id: String(account.id), name: 'operator' };
  const k = { kind: 'api_key', id: key.key_id, name: 'k' };
  const { node_id } = enrolled.node;
  const tokenOf = ({ token_id: id, name }: AuditEntry) => ({ kind: 'enrolment_token', id, name });
  const registrar = ({ api_key: { key_id: id, name } }: AuditEntry) => ({ kind: 'api_key', id, name });
  const sessionItself = { kind: 'session', id: session.session_id, name: 'admin' };
  const device = { kind: 'device', id: expect.stringMatching(/^[0-9a-f]{16}$/), name: 'a program' };
  const person = { kind: 'user', id: 'maria', name: 'maria' };
  const sessionOfMaria = { kind: 'session', id: loggedIn.session_id, name: 'maria' };
  const pipeline = { kind: 'role_binding', id: 'pipeline', name: 'pipeline' };
  const silence = { kind: 'silence', id: planned.silence_id, name: 'node_type in (container,generic)' };
  const savedFilter = { kind: 'saved_filter', id: filterId, name: 'f' };
  const { list, parameters } = filter;
  const rotatedTo = (
    rotated_by: string,
    from: AuditEntry,
    { prefix, expires_at, previous_expires_at }: AuditEntry,
  ) => ({
    ...{ rotated_by, prefix, superseded_prefix: from['prefix'], expires_at },
    ...(previous_expires_at === undefined ? {} : { previous_expires_at }),
  });
  const expected: [string, object, object, object | undefined][] = [
    ['api_key.added', admin, k, { role: 'Editor', expires_at: key.expires_at }],
    ['api_key.changed', admin, k, { rate_limit_per_minute: 7 }],
    ['api_key.rotated', admin, k, rotatedTo('admin', key, rotated)],
    ['api_key.rotated', k, k, rotatedTo('key', rotated, ownRotation)],
    ['api_key.removed', admin, k, undefined],
    ['enrolment_token.added', admin, tokenOf(unused), { expires_at: unused.expires_at }],
    ['enrolment_token.removed', admin, tokenOf(unused), undefined],
    ['enrolment_token.added', admin, tokenOf(token), { expires_at: token.expires_at, allowed_addresses: 'a' }],
    ['enrolment_token.used', tokenOf(token), tokenOf(token), { node_id }],
    ['api_key.added', tokenOf(token), registrar(enrolled), { role: 'Registrar', node_id }],
    ['node.added', tokenOf(token), { kind: 'node', id: node_id, name: 'host' }, enrolled.node],
    ['enrolment_token.added', admin, tokenOf(again), { expires_at: again.expires_at, node_name: 'host' }],
    ['enrolment_token.used', tokenOf(again), tokenOf(again), { node_id }],
    ['api_key.removed', tokenOf(again), registrar(enrolled), undefined],
    ['api_key.added', tokenOf(again), registrar(anew), { role: 'Registrar', node_id }],
    ['session.added', user, sessionItself, { role: 'Admin', expires_at: session.expires_at }],
    [
      'device.approved',
      sessionItself,
      device,
      { device_ip: expect.any(String), role: 'Admin', expires_at: session.expires_at },
    ],
    ['device.denied', sessionItself, device, { device_ip: expect.any(String) }],
    ['session.removed', sessionItself, sessionItself, undefined],
    ['annotation.added', admin, annotation, { text: 'deployed', tags: ['t'] }],
    ['user.added', admin, person, { role: 'Editor', invitation_expires_at: maria.invitation_expires_at }],
    ['user.password_set', person, person, undefined],
    ['session.added', person, sessionOfMaria, { role: 'Editor', expires_at: loggedIn.expires_at }],
    ['user.changed', admin, person, { role: 'Viewer', disabled: false }],
    ['user.sessions_ended', admin, person, undefined],
    ['user.invited', admin, person, { invitation_expires_at: anewInvited.invitation_expires_at }],
    ['user.removed', admin, person, undefined],
    ['role_binding.added', admin, pipeline, { provider: 'github', role: 'Editor', claims }],
    ['role_binding.changed', admin, pipeline, { provider: 'github', role: 'Viewer', claims }],
    ['role_binding.removed', admin, pipeline, undefined],
    ['silence.added', admin, silence, { reason: 'Upgrade', until: planned.until }],
    ['silence.removed', admin, silence, undefined],
    ['saved_filter.added', admin, savedFilter, { list, parameters, shared: false }],
    ['saved_filter.changed', admin, savedFilter, { list, parameters, shared: true }],
    ['saved_filter.removed', admin, savedFilter, undefined],
    ['service_account.added', admin, operator, { role: 'Editor' }],
    ['service_account.removed', admin, operator, undefined],
  ];
  // The events of one transaction have the same millisecond, and no order.
  const shown = ({ event, actor, subject, after }: AuditEntry) => [event, actor, subject, after];
  expect(entries.map(shown)).toHaveLength(expected.length);
  expect(entries.map(shown)).toEqual(expect.arrayContaining(expected));
  const firstOfEach = ({ time }: AuditEntry) => time;
  expect(entries.map(firstOfEach)).toEqual(entries.map(firstOfEach).toSorted());
  for (const { request_id: id } of entries) expect(id).toMatch(/\S/);
  const requestIds = new Set(entries.map(({ request_id: id }) => id));
  expect(requestIds.size).toBe(32);
  // The list of events contains exactly the events that occur. Only an identity provider changes sessions (by-code.test.ts).
  expect(new Set(entries.map(({ event }) => event).filter((event) => !event.startsWith('node')))).toEqual(
    new Set(accessEvents.filter((event) => event !== 'session.changed')),
  );
});

test('counts every refusal by caller or address, and by reason', async () => {
  const unknown = newApiKeySecret(randomBytes);
  const short = await done('POST', '/v1/api-keys', { name: 'short', role: 'Viewer', time_to_live: '1d' });
  inventory.clock.now = testTime(2 * 86_400_000);
  await refused('GET', '/v1/nodes', { as: null }, 401);
  await refused('GET', '/v1/nodes', bearer(unknown), 401);
  await refused('GET', '/v1/nodes', bearer(short.key), 401);
  await refused('GET', '/v1/nodes', basic('admin', 'wrong password'), 401);
  await refused('GET', '/v1/nodes', basic('mistyped-secret', 'wrong password'), 401);
  await refused('GET', '/v1/audit', { as: 'Viewer' }, 403);
  await refused('GET', '/v1/audit', { as: 'Editor' }, 403);
  await refused('POST', '/v1/sessions', {}, 403);
  await refused('GET', `/v1/nodes/${(await addNode(inventory)).node_id}`, { as: 'Registrar' }, 403);
  const host = { node_type: 'generic', node_name: 'h', address: 'a' };
  const token = await done('POST', '/v1/enrolment-tokens', { name: 't', node_name: 'other' });
  const node = (text: string) => ({ as: null, body: { token: text, node: host } });
  await refused('POST', '/v1/enrolment', node(newEnrolmentTokenSecret(randomBytes)), 401);
  await refused('POST', '/v1/enrolment', node(token.token), 403);
  expect((await sendLogOutToken(inventory, 'no-token', '127.0.0.1')).status).toBe(400);
  const limited = await done('POST', '/v1/api-keys', { name: 'limited', role: 'Viewer', rate_limit_per_minute: 1 });
  await done('GET', '/v1/version', undefined, bearer(limited.key));
  await refused('GET', '/v1/version', bearer(limited.key), 429);

  const entries = (await all()).filter(({ event }) => event.endsWith('.refused'));
  const key = (name: string) => ({ kind: 'api_key', id: expect.any(String), name });
  const endpoint = (id: string, name: string) => ({ kind: 'endpoint', id, name });
  const audit = endpoint('listAudit', 'GET /v1/audit');
  const enrolment = endpoint('enrolNode', 'POST /v1/enrolment');
  const expected: [string, string, object | undefined, object | undefined][] = [
    ['api_key.refused', 'invalid_key', undefined, undefined],
    ['api_key.refused', 'expired_key', undefined, { kind: 'api_key', id: short.key_id, name: 'short' }],
    ['sign_in.refused', 'wrong_password', undefined, user],
    // An unknown name may be a password in the wrong field.
    ['sign_in.refused', 'wrong_password', undefined, undefined],
    ['log_out.refused', 'invalid_identity', undefined, undefined],
    ['call.refused', 'role', key('test Viewer'), audit],
    ['call.refused', 'role', key('test Editor'), audit],
    ['call.refused', 'role', key('test Admin'), endpoint('addSession', 'POST /v1/sessions')],
    ['call.refused', 'rate_limit', key('limited'), endpoint('getVersion', 'GET /v1/version')],
    ['call.refused', 'scope', key('test Registrar'), endpoint('getNode', 'GET /v1/nodes/{node_id}')],
    ['enrolment.refused', 'invalid_token', undefined, enrolment],
    ['enrolment.refused', 'other_node', undefined, enrolment],
  ];
  expect(entries).toHaveLength(expected.length);
  expect(entries.map(({ event, reason, actor, subject }) => [event, reason, actor, subject])).toEqual(
    expect.arrayContaining(expected),
  );
  for (const entry of entries)
    expect(entry).toMatchObject({
      count: 1,
      source_ip: '127.0.0.1',
      request_id: expect.stringMatching(/\S/),
      time: minuteOf(entry['first_time']),
      last_time: entry['first_time'],
    });
  expect(new Set(entries.map(({ event }) => event))).toEqual(new Set(refusalEvents));
});

test('contains changes as the change feed does', async () => {
  const { node_id: id } = await addNode(inventory, { node_name: 'one' });
  await done('PATCH', `/v1/nodes/${id}`, { distro: 'x' });
  await done('DELETE', `/v1/nodes/${id}`);
  const { changes } = (await inventory.request('GET', '/v1/changes')).body;
  const entries = await all({ object_id: id });
  expect(entries).toEqual(
    changes.toReversed().map(({ change_id, kind, id: of, action, ...change }: AuditEntry) => ({
      ...change,
      audit_id: change_id,
      event: `${kind}.${action}`,
      subject: { kind, id: of, ...(action === 'changed' ? {} : { name: 'one' }) },
    })),
  );
  expect(entries.map(({ event }) => event)).toEqual(['node.removed', 'node.changed', 'node.added']);
});

test('a restored object has the event "restored" rather than "added", also as a filter and in its history', async () => {
  const { node_id: id } = await addNode(inventory, { node_name: 'one' });
  await done('DELETE', `/v1/nodes/${id}`);
  const { removals } = (await inventory.request('GET', '/v1/removed')).body;
  await done('POST', `/v1/removed/${removals[0].removal_id}/restore`);
  const events = async (query: Record<string, string> = {}) =>
    (await all({ object_id: id, ...query })).map(({ event, restored }) => [event, restored]);
  expect(await events()).toEqual([
    ['node.restored', undefined],
    ['node.removed', undefined],
    ['node.added', undefined],
  ]);
  expect(await events({ event: 'node.restored' })).toEqual([['node.restored', undefined]]);
  expect(await events({ event: 'node.added' })).toEqual([['node.added', undefined]]);
  const { changes } = (await inventory.request('GET', `/v1/nodes/${id}/history`)).body;
  expect(changes.map(({ action, restored }: AuditEntry) => [action, restored])).toEqual([
    ['added', true],
    ['removed', undefined],
    ['added', undefined],
  ]);
});

test('contains no part or digest of a key, token or password', async () => {
  const key = await done('POST', '/v1/api-keys', { name: 'k', role: 'Admin' });
  const rotated = await done('POST', `/v1/api-keys/${key.key_id}/rotate`, { overlap: '1h' });
  const token = await done('POST', '/v1/enrolment-tokens', { name: 't', allowed_addresses: ['a'] });
  const host = { node_type: 'generic', node_name: 'h', address: 'a' };
  const enrolled = await done('POST', '/v1/enrolment', { token: token.token, node: host }, { as: null });
  const session = await done('POST', '/v1/sessions', undefined, basic('admin', ADMIN_PASSWORD));
  const unknown = newApiKeySecret(randomBytes);
  await refused('GET', '/v1/nodes', bearer(unknown), 401);
  await refused('GET', '/v1/nodes', bearer(`${session.key}x`), 401);
  await refused('GET', '/v1/nodes', basic('admin', 'wrong password'), 401);
  await refused('GET', '/v1/nodes', basic('hunter2', 'x'), 401);
  const text = JSON.stringify(await all());
  expect(text).toContain('session.added');
  // Except the prefix that lists show.
  expect(text).not.toMatch(/minv_(?![0-9A-Za-z]{4}")/);
  const secrets = [key.key, rotated.key, token.token, enrolled.api_key.key, session.key, unknown];
  for (const secret of secrets) {
    const [, body = ''] = /^minv_(?:enrol_)?([0-9A-Za-z]+)_/.exec(secret)!;
    expect(text).not.toContain(body.slice(0, 12));
  }
  for (const word of [ADMIN_PASSWORD, 'wrong password', 'hunter2']) expect(text).not.toContain(word);
  for (const item of await scan(inventory.table)) {
    const [, digest] = /^(?:KEY|ENROLMENT)#(.+)$/.exec(String(item['pk'])) ?? [];
    if (digest !== undefined) expect(text).not.toContain(digest.slice(0, 12));
  }
});

describe('pages and filters', () => {
  /** Adds entries of all three kinds, in every partition, over three days. */
  async function fill(): Promise<{ nodes: string[]; keyId: string }> {
    const start = TEST_TIME - 3 * 86_400_000;
    const nodes: string[] = [];
    let keyId = '';
    for (let index = 0; index < 15; index += 1) {
      inventory.clock.now = new Date(start + index * 16_000_000);
      nodes.push((await addNode(inventory)).node_id);
      if (index % 3 === 0) keyId = (await done('POST', '/v1/api-keys', { name: `k${index}`, role: 'Viewer' })).key_id;
      if (index % 5 === 0) await refused('POST', '/v1/nodes', { as: 'Viewer', body: {} }, 403);
    }
    inventory.clock.now = undefined;
    return { nodes, keyId };
  }

  /** 15 nodes, 5 keys and 3 refusals; and the keys of the tests themselves. */
  const TOTAL = 15 + 5 + 3 + roles.length;

  test('pages of any size contain each entry once, newest first', async () => {
    await fill();
    const whole = await all({ page_size: '1000' });
    expect(whole).toHaveLength(TOTAL);
    expect(whole.map(({ time }) => time)).toEqual(
      whole
        .map(({ time }) => time)
        .toSorted()
        .reverse(),
    );
    for (const size of ['1', '3', '7', String(TOTAL - 1), String(TOTAL)])
      expect(await all({ page_size: size })).toEqual(whole);
    expect(new Set(whole.map(({ audit_id: id }) => id)).size).toBe(TOTAL);
  });

  test('filters select the right entries, alone and together, also on small pages', async () => {
    const { nodes, keyId } = await fill();
    const whole = await all({ page_size: '1000' });
    const only = async (query: Record<string, string>, is: (entry: AuditEntry) => boolean, count: number) => {
      const expected = whole.filter(is);
      expect([query, expected.length]).toEqual([query, count]);
      for (const size of ['2', '1000'])
        expect([query, await all({ ...query, page_size: size })]).toEqual([query, expected]);
    };
    const viewer = whole.find(({ actor }) => actor?.name === 'test Viewer')!['actor'].id;
    await only({ actor_id: viewer }, ({ actor }) => actor?.id === viewer, 3);
    await only({ actor_id: 'set up' }, ({ actor }) => actor?.id === 'set up', roles.length);
    await only({ object_id: nodes[4]! }, ({ subject }) => subject?.id === nodes[4], 1);
    await only({ object_id: keyId }, ({ subject }) => subject?.id === keyId, 1);
    await only({ object_id: 'addNode' }, ({ subject }) => subject?.id === 'addNode', 3);
    await only({ event: 'node.added' }, ({ event }) => event === 'node.added', 15);
    await only({ event: 'api_key.added' }, ({ event }) => event === 'api_key.added', 5 + roles.length);
    await only({ event: 'call.refused' }, ({ event }) => event === 'call.refused', 3);
    await only({ event: 'node.removed' }, () => false, 0);
    await only({ object_id: 'nobody' }, () => false, 0);
    const [since, until] = [whole[20]!['time'], whole[5]!['time']];
    const isBetween = ({ time, first_time: first, last_time: last }: AuditEntry) =>
      (last ?? time) >= since && (first ?? time) < until;
    await only({ since, until }, isBetween, whole.filter(isBetween).length);
    expect(whole.filter(isBetween).length).toBeGreaterThan(10);
    await only(
      { since, until, event: 'node.added', object_id: nodes[12]! },
      ({ subject }) => subject?.id === nodes[12],
      1,
    );
    await only({ since: '2999-01-01T00:00:00+02:00' }, () => false, 0);
    await only({ until: '2001-01-01T00:00:00Z' }, () => false, 0);
  });

  test('refusals are selected by the part of the minute in which they happened', async () => {
    const minute = Math.floor(TEST_TIME / 60_000) * 60_000;
    const at = (seconds: number) => new Date(minute + seconds * 1000);
    inventory.clock.now = at(30);
    await refused('POST', '/v1/nodes', { as: 'Viewer', body: {} }, 403);
    inventory.clock.now = at(90);
    const event = 'call.refused';
    const between = async (since: number, until: number) =>
      (await all({ event, since: at(since).toISOString(), until: at(until).toISOString() })).length;
    expect([await between(0, 60), await between(30, 31), await between(31, 60), await between(0, 30)]).toEqual([
      1, 1, 0, 0,
    ]);
  });

  test('entries older than 30 days are not shown, even before they are deleted', async () => {
    inventory.clock.now = testTime(-31 * 86_400_000);
    await addHost(inventory);
    await refused('POST', '/v1/nodes', { as: 'Viewer', body: {} }, 403);
    await done('POST', '/v1/api-keys', { name: 'old', role: 'Viewer' });
    inventory.clock.now = undefined;
    expect(await all({ since: '2001-01-01T00:00:00Z' })).toHaveLength(roles.length);
  });

  test('a page makes one query for each partition, all in parallel', async () => {
    const sent: string[] = [];
    let most = 0;
    let inFlight = 0;
    const watched = await startInventory({
      table: (table) =>
        withSend(table, async (command: any) => {
          if (command.constructor.name === 'QueryCommand') sent.push(command.input.ExpressionAttributeValues[':pk']);
          most = Math.max(most, (inFlight += 1));
          try {
            return await table.client.send(command);
          } finally {
            inFlight -= 1;
          }
        }),
    });
    try {
      expect((await watched.request('GET', '/v1/audit')).status).toBe(200);
      expect(sent.sort()).toEqual([
        ...['AUDIT#ACCESS', 'AUDIT#ANNOTATED', 'AUDIT#REFUSED', 'CHANGE#0', 'CHANGE#1', 'CHANGE#2', 'CHANGE#3'],
      ]);
      expect(most).toBeGreaterThanOrEqual(6);
    } finally {
      await watched.stop();
    }
  });

  test('a page token of other filters, an unknown event and a malformed time are refused', async () => {
    await fill();
    const { next_page_token: token } = await page({ page_size: '1' });
    const wrong: Record<string, string>[] = [
      { page_token: token!, event: 'node.added' },
      { event: 'node.deleted' },
      { since: 'yesterday' },
      { actor_id: '' },
    ];
    for (const query of wrong) await refused('GET', `/v1/audit?${new URLSearchParams(query).toString()}`, {}, 400);
  });
});

test('repeated refusals of a caller make one entry a minute, and at most one write a second', async () => {
  let writes = 0;
  const flooded = await startInventory({
    table: (table) =>
      withSend(table, (command: any) => {
        if (command.input.Key?.pk === 'AUDIT#REFUSED') writes += 1;
        return table.client.send(command);
      }),
  });
  try {
    const minute = Math.floor(TEST_TIME / 60_000) * 60_000;
    flooded.clock.now = new Date(minute);
    const call = () => flooded.request('POST', '/v1/nodes', { as: 'Viewer', body: {} });
    for (let index = 0; index < 50; index += 1) expect((await call()).status).toBe(403);
    expect(writes).toBe(1);
    // Waiting counts are written without another refusal.
    const counts = async () => {
      const { entries } = (await flooded.request('GET', '/v1/audit?event=call.refused')).body;
      return entries.map(({ count, first_time, last_time }: AuditEntry) => [count, first_time, last_time]);
    };
    const text = (seconds: number) => new Date(minute + seconds * 1000).toISOString();
    const until = async (expected: unknown) => {
      for (let tries = 0; tries < 500 && !isDeepStrictEqual(await counts(), expected); tries += 1)
        await turnOfTheLoop();
      expect(await counts()).toEqual(expected);
    };
    flooded.passing.advance(1001);
    await until([[50, text(0), text(0)]]);
    flooded.clock.now = new Date(minute + 59_000);
    await call();
    flooded.clock.now = new Date(minute + 60_000);
    await call();
    flooded.passing.advance(1001);
    await until([
      [1, text(60), text(60)],
      [51, text(0), text(59)],
    ]);
  } finally {
    await flooded.stop();
  }
});

test('a process writes waiting refusals before it ends', async () => {
  const stopping = await startInventory();
  try {
    stopping.clock.now = testTime();
    for (let index = 0; index < 5; index += 1)
      expect((await stopping.request('POST', '/v1/nodes', { as: 'Viewer', body: {} })).status).toBe(403);
    await writeWaitingRefusals(stopping.dependencies, 2000);
    const { entries } = (await stopping.request('GET', '/v1/audit?event=call.refused')).body;
    expect(entries).toMatchObject([{ count: 5 }]);
  } finally {
    await stopping.stop();
  }
});

test.each([
  ['fails', () => Promise.reject(new Error('no table')), 0],
  ['hangs', () => new Promise(() => undefined), 500],
])(
  'a table that %s at the count changes no reply, and the next counted refusal includes the lost one',
  async (_, fault, milliseconds) => {
    let isFaulty = true;
    const faulty = await startInventory({
      table: (table) =>
        withSend(table, (command: any) =>
          isFaulty && command.input.Key?.pk === 'AUDIT#REFUSED' ? fault() : table.client.send(command),
        ),
    });
    try {
      const within = async (request: Promise<Reply>) => {
        if (isFaulty && milliseconds > 0) await faulty.passing.untilWaiting(milliseconds);
        faulty.passing.advance(milliseconds);
        return request;
      };
      const forbidden = () => within(faulty.request('POST', '/v1/nodes', { as: 'Viewer', body: {} }));
      const unknown = () =>
        within(faulty.request('GET', '/v1/nodes', { as: null, headers: { Authorization: 'Bearer x' } }));
      expect(await forbidden()).toMatchObject({ status: 403, body: { message: 'Access denied.' } });
      expect(await unknown()).toMatchObject({ status: 401, body: { message: 'Invalid API key' } });
      expect(faulty.logged.filter(({ message }) => message === 'refusal was not recorded')).toHaveLength(2);
      isFaulty = false;
      faulty.passing.advance(1050);
      await Promise.all([forbidden(), unknown()]);
      const { entries } = (await faulty.request('GET', '/v1/audit')).body;
      const counted = entries.filter(({ count }: AuditEntry) => count !== undefined);
      // A minute may have ended in between.
      for (const event of ['call.refused', 'api_key.refused']) {
        const counts = counted.flatMap((entry: AuditEntry) => (entry['event'] === event ? [entry['count']] : []));
        expect([event, counts.reduce((sum: number, count: number) => sum + count, 0)]).toEqual([event, 2]);
      }
    } finally {
      await faulty.stop();
    }
  },
);

describe('any number of refusals from any number of addresses', () => {
  const minute = Math.floor(TEST_TIME / 60_000) * 60_000;
  const log = () => undefined;
  const clock = () => new Date(minute + 1000);
  const refusal = (sourceIp: string) => ({
    event: 'api_key.refused' as const,
    reason: 'invalid_key' as const,
    sourceIp,
    requestId: `from ${sourceIp}`,
  });
  /** The table as a new process has it, without counts. */
  const fresh = () => ({ ...inventory.table });
  const counted = async () =>
    (await scan(inventory.table)).filter(({ pk }) => pk === 'AUDIT#REFUSED') as Record<string, any>[];
  const sum = (items: Record<string, any>[]) => items.reduce((total, { count }) => total + Number(count), 0);

  test('have 65 entries a minute for addresses, also when each process counts one, and none is lost', async () => {
    const addresses = Array.from({ length: 300 }, (_, index) => `2001:db8::${index.toString(16)}`);
    while (addresses.length > 0)
      await Promise.all(
        addresses.splice(-20).map((ip) => recordRefusal({ table: fresh(), clock, log }, refusal(ip), 60_000)),
      );
    const items = await counted();
    expect(items.length).toBeGreaterThan(50);
    expect(items.length).toBeLessThanOrEqual(65);
    expect(sum(items)).toBe(300);
    // An entry with an address counts this address only.
    for (const { source_ip: ip, count, request_id: id } of items)
      if (ip !== undefined) expect([count, id]).toEqual([1, `from ${ip}`]);
    expect((await page({ event: 'api_key.refused', page_size: '1000' })).entries).toHaveLength(items.length);
  });

  test('cause ten writes of a process at once and then one a second', async () => {
    let writes = 0;
    const table = withSend(inventory.table, (command: any) => ((writes += 1), inventory.table.client.send(command)));
    const seconds = 4;
    for (let index = 0; index < 2000; index += 1) {
      await recordRefusal({ table, clock, log }, refusal(`10.0.${index >> 8}.${index & 255}`), 60_000);
      inventory.passing.advance((seconds * 1000) / 2000);
    }
    // A refusal whose slot is taken needs two writes.
    expect(writes).toBeLessThanOrEqual(2 * (10 + seconds));
    expect((await counted()).length).toBeLessThanOrEqual(10 + seconds);
  });

  test('are counted once when the SDK repeats a write whose reply was lost', async () => {
    const twice = withSend(inventory.table, async (command: any) => {
      await inventory.table.client.send(command);
      return inventory.table.client.send(command);
    });
    await recordRefusal({ table: twice, clock, log }, refusal('192.0.2.1'), 60_000);
    expect((await counted()).map(({ source_ip: ip, count }) => [ip, count])).toEqual([['192.0.2.1', 1]]);
  });

  test('contain no value that the caller chose: no user name, path or header', async () => {
    const long = 'x'.repeat(600);
    const headers = { 'X-Forwarded-For': '203.0.113.9', 'User-Agent': long, 'X-Request-Id': long };
    const basicOf = (user: string) => `Basic ${Buffer.from(`${user}:hunter2`).toString('base64')}`;
    for (const Authorization of [basicOf('admin'), basicOf('mistyped'), `Bearer ${long}`])
      await refused('GET', `/v1/nodes/${long}?a=${long}`, { as: null, headers: { ...headers, Authorization } }, 401);
    await refused('DELETE', `/v1/nodes/${long}`, { as: 'Viewer', headers }, 403);
    const items = await counted();
    expect(items.map(({ source_ip: ip }) => ip)).toEqual(items.map(() => '127.0.0.1'));
    expect(sum(items)).toBe(4);
    expect(JSON.stringify(items)).not.toMatch(/xxxx|mistyped|hunter2|203\.0/);
    for (const item of items) expect(JSON.stringify(item).length).toBeLessThan(700);
  });
});

test('a key that ends while the gateway caches its admission is refused as expired', async () => {
  const event = proxyEvent(
    { method: 'GET', url: '/v1/audit', rawHeaders: [], body: '', sourceIp: '192.0.2.7' },
    {
      requestId: 'late',
      resource: '/v1/audit',
      params: {},
      authorizer: { kind: 'api_key', keyId: 'id', name: 'k', role: 'Admin', expiresAt: '1' },
    },
  );
  const reply = await handlerWith(inventory.dependencies)(event, lambdaContext('f', 'late', 1000));
  expect(reply.statusCode).toBe(401);
  expect(await all({ event: 'api_key.refused' })).toMatchObject([
    { reason: 'expired_key', subject: { kind: 'api_key', id: 'id', name: 'k' }, source_ip: '192.0.2.7', count: 1 },
  ]);
});
