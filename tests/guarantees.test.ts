/** What every endpoint guarantees, generated from the table: a new endpoint is covered the moment it is in it. */
import { QueryCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import { endpoints } from '../functions/api/endpoints.ts';
import { examples } from '../functions/openapi/examples.ts';
import type { EndpointFunction } from '../functions/runtime/endpoint-function.ts';
import { findAccount, putAccount } from '../functions/store/credentials/accounts.ts';
import { useAttributes } from '../functions/store/table/keys.ts';
import { lambdaContext } from '../local/gateway/lambda-context.ts';
import { proxyEvent } from '../local/gateway/proxy-event.ts';
import { type Rank, type Role, roleAllows, roles } from '../shared/auth/roles.ts';
import type { CallerKind } from '../functions/contract/caller.ts';
import type { Endpoint } from '../functions/contract/endpoint.ts';
import { bodyFormatOf, maxBodyBytesOf, takesBody } from '../shared/http/http-contract.ts';
import { inFull } from '../shared/testing/extent.ts';
import { mediaTypes } from '../shared/core/format.ts';
import { MAX_NESTING } from '../shared/http/json-body.ts';
import type { Example } from '../shared/openapi/example.ts';
import {
  ADMIN_PASSWORD,
  type RequestOptions,
  type Inventory,
  type Reply,
  startInventory,
} from './support/inventory.ts';
import { type Id, story, Telling } from './support/story.ts';
import { TEST_TIME, testTime } from './support/test-time.ts';
import { useInventory } from './support/fixtures.ts';

const inventory = useInventory();

/** A path that fits the template and names nothing that is there. */
const pathOf = (template: string) => template.replaceAll(/\{[^}]+\}/g, '00000000-0000-4000-8000-000000000000');

async function everything({ client, name } = inventory.table): Promise<Record<string, unknown>> {
  const { Items = [] } = await client.send(new ScanCommand({ TableName: name, ConsistentRead: true }));
  // When a key was used last is written down, and requests and refusals are counted; that is no effect of the request itself.
  const effects = Items.filter(({ pk }) => pk !== 'AUDIT#REFUSED' && !String(pk).startsWith('RATE#'));
  return Object.fromEntries(
    effects.map((item) => [
      `${String(item['pk'])} ${String(item['sk'])}`,
      Object.fromEntries(Object.entries(item).filter(([name]) => !useAttributes.includes(name))),
    ]),
  );
}

function expectError(reply: Reply, http: number, code: number): void {
  expect(reply).toMatchObject({ status: http, body: { code, details: expect.any(Array) } });
  expect(Object.keys(reply.body)).toEqual(['code', 'status', 'error', 'message', 'details', 'request_id']);
  expect(reply.body.error).toBe(reply.body.message);
  expect(reply.body.request_id).toMatch(/\S/);
  expect(reply.headers).toMatchObject({ 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
}

const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

const malformedTags = ['foo', '1', '*, *', '"1" "2"', '"1",', '"1', "'1'", 'W/1', 'w/"1"', '""1""'];

const conditional = endpoints.filter(({ etag }) => etag !== undefined);

/**
 * Values that one parser refuses for all endpoints: each endpoint gets two of them, so that all values are tried together
 * and each endpoint shows that it uses the parser. In full each endpoint gets all.
 */
const someOf = <Value>(values: readonly Value[], index: number): readonly Value[] =>
  inFull(
    values,
    [2 * index, 2 * index + 1].map((at) => values[at % values.length]!),
  );

describe.each(endpoints.map((endpoint, index) => ({ endpoint, index, name: `${endpoint.method} ${endpoint.path}` })))(
  '$name',
  ({ endpoint, index }) => {
    const path = pathOf(endpoint.path);
    /** Enough rights, so that only what the test is about can be wrong. */
    const as: Role | null = endpoint.role === 'none' ? null : 'Admin';
    const type = { 'Content-Type': mediaTypes[bodyFormatOf(endpoint)] };
    const call = ({ headers, ...more }: RequestOptions = {}, query = '') =>
      inventory.request(endpoint.method, path + query, {
        as,
        headers: { ...(takesBody(endpoint) ? type : {}), ...headers },
        ...more,
      });
    const isForKeys = endpoint.callers === undefined || endpoint.callers.includes('api_key');

    // Read once: none of these requests may write, so that each finds what the ones before it found.
    let before: Record<string, unknown>;
    beforeAll(async () => (before = await everything()));
    const expectUnchanged = async () => expect(await everything()).toEqual(before);
    // After each request in full, which shows the request that wrote; else after the last one of an endpoint.
    const nothingWritten = inFull(expectUnchanged, () => Promise.resolve());
    // A request for the summary is answered, and keeps it.
    if (endpoint.partitions !== 'summary') afterAll(expectUnchanged);

    /** The handler itself, behind a gateway that let the request through with this context. */
    const invoke = async (
      authorizer: Record<string, unknown> | undefined,
      sent: Partial<APIGatewayProxyEvent> = {},
    ): Promise<Reply> => {
      const module = (await import(`../functions/api/${endpoint.folder}/handler.ts`)) as EndpointFunction;
      const event: APIGatewayProxyEvent = proxyEvent(
        { method: endpoint.method, url: path, rawHeaders: [], body: '', sourceIp: '' },
        { requestId: 'r', resource: endpoint.path, params: {}, authorizer },
      );
      const result = await module.handlerWith(inventory.dependencies)(
        { ...event, ...sent },
        lambdaContext('f', 'r', 1000),
      );
      return {
        status: result.statusCode,
        headers: result.headers as Record<string, string>,
        body: result.body === '' ? undefined : JSON.parse(result.body),
        text: result.body,
      };
    };

    if (endpoint.role !== 'none') {
      test('without credentials is a 401 with a challenge', async () => {
        const reply = await call({ as: null });
        expectError(reply, 401, 16);
        expect(reply.body.message).toBe('Unauthorized');
        expect(reply.headers['WWW-Authenticate']).toBe('Bearer realm="inventory"');
        await nothingWritten();
      });

      test("is refused without the authorizer's context, and with a malformed or expired one", async () => {
        const good = { kind: 'api_key', keyId: 'k', name: 'n', role: 'Admin' };
        const garbled = [
          {},
          { ...good, role: 'admin' },
          { ...good, kind: 'x' },
          { ...good, expiresAt: 'x' },
          { ...good, ratePerMinute: 'x' },
          // Bound to nothing, and bound without being a Registrar.
          { ...good, role: 'Registrar' },
          { ...good, role: 'Registrar', scope: '' },
          { ...good, scope: 'x' },
        ];
        for (const context of [undefined, ...someOf(garbled, index)]) expectError(await invoke(context), 401, 16);
        const expired = await invoke({ ...good, expiresAt: String(Math.floor(TEST_TIME / 1000)) });
        expect(expired.body.message).toBe('Expired API key');
        await nothingWritten();
      });

      test.each(roles)('accepts the role %s exactly when its contract says so', async (role) => {
        const reply = await call({ as: role, ...(takesBody(endpoint) ? { body: '' } : {}) }, '?no_such_parameter=1');
        const opened = {
          Registrar: endpoint.scoped === true,
          Relay: endpoint.relay === true,
          Gateway: endpoint.gateway === true,
        };
        const may =
          role in opened
            ? opened[role as keyof typeof opened]
            : roleAllows(role, endpoint.lowerRole?.role ?? (endpoint.role as Rank));
        if (isForKeys && may) expectError(reply, 400, 3);
        else expectError(reply, 403, 7);
        await nothingWritten();
      });
    }

    if (!isForKeys) return;

    test('refuses an unknown query parameter by name, with the known ones', async () => {
      const reply = await call(takesBody(endpoint) ? { body: {} } : {}, '?no_such_parameter=1');
      expectError(reply, 400, 3);
      const parameterNames = Object.keys(z.toJSONSchema(endpoint.query, { io: 'input' }).properties ?? {}).sort();
      const words = parameterNames.length === 0 ? 'This operation has none.' : `Known: ${parameterNames.join(', ')}.`;
      expect(reply.body.details).toContainEqual({
        ...{ field: 'no_such_parameter', reason: 'unknown_field', message: `Unknown parameter. ${words}` },
      });
      await nothingWritten();
    });

    test('refuses a repeated query parameter', async () => {
      const reply = await call(takesBody(endpoint) ? { body: {} } : {}, '?a=1&a=1');
      expect(reply.body.details).toContainEqual(expect.objectContaining({ field: 'a', reason: 'duplicate' }));
      expectError(reply, 400, 3);
    });

    test('refuses a query parameter that is no percent-encoded UTF-8 by its name', async () => {
      for (const query of someOf(['?a=%', '?a=%zz', '?a=%ff', '?a=%c3%28', '?a=%ed%a0%80', '?%ff=a'], index))
        expect([query, (await call(takesBody(endpoint) ? { body: {} } : {}, query)).body.details]).toEqual([
          query,
          expect.arrayContaining([
            {
              field: query.endsWith('=a') ? '\ufffd' : 'a',
              reason: 'invalid_format',
              message: 'Is not percent-encoded UTF-8.',
            },
          ]),
        ]);
    });

    if (endpoint.etag !== undefined)
      test('refuses a malformed or repeated precondition by name, without a write', async () => {
        const conditions = endpoint.etag === 'revision' ? ['If-Match', 'If-None-Match'] : ['If-None-Match'];
        for (const field of conditions) {
          for (const value of someOf(malformedTags, conditional.indexOf(endpoint))) {
            const reply = await call({ ...(takesBody(endpoint) ? { body: {} } : {}), headers: { [field]: value } });
            expectError(reply, 400, 3);
            expect(reply.body.details).toContainEqual({
              field,
              reason: 'invalid_format',
              message: 'Must be * or entity tags in double quotes, such as "3" or "3", "4".',
            });
          }
          const twice = { [field]: '"1"', [field.toLowerCase()]: '"1"' };
          const reply = await call({ ...(takesBody(endpoint) ? { body: {} } : {}), headers: twice });
          expect(reply.body.details).toContainEqual({ field, reason: 'duplicate', message: 'Given more than once.' });
        }
        await nothingWritten();
      });

    if (endpoint.idempotent !== true)
      test('refuses an Idempotency-Key, unless the operation only reads', async () => {
        const reply = await call({ ...(takesBody(endpoint) ? { body: {} } : {}), headers: { 'Idempotency-Key': 'k' } });
        const refusal = {
          field: 'Idempotency-Key',
          reason: 'not_allowed',
          message: 'This operation does not support it.',
        };
        if (endpoint.method === 'GET') expect(reply.body.details ?? []).not.toContainEqual(refusal);
        else expect(reply.body.details).toContainEqual(refusal);
        // A request for the summary is answered, and keeps it.
        if (endpoint.partitions !== 'summary') await nothingWritten();
      });

    test('is a 405 with the allowed methods for another one', async () => {
      const others = endpoints.filter((other) => other.path === endpoint.path).map(({ method }) => method);
      const allowed = others.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
      const reply = await inventory.request('TRACE', path, {});
      expectError(reply, 405, 12);
      expect(reply.headers['Allow']!.split(', ').sort()).toEqual(allowed.sort());
    });

    if (!takesBody(endpoint)) return;

    const unreadable = [
      ['no body', ''],
      ['malformed JSON', '{"a":'],
      ['an array', '[]'],
      ['null', 'null'],
      ['a text', '"x"'],
      ['a number beyond all numbers', '{"name": 1e999}'],
      ['a prototype deep inside', '{"custom_labels": {"__proto__": "x"}}'],
    ] as const;
    test.each(someOf(unreadable, index))('with %s as body is a 400 without a write', async (_, body) => {
      expectError(await call({ body }), 400, 3);
      await nothingWritten();
    });

    const hostile = [
      ['nesting deeper than the limit', deep(MAX_NESTING + 1), 'too_deep'],
      ['nesting far deeper than the stack', deep(40_000), 'too_deep'],
      ['a prototype', '{"__proto__": {"admin": true}}', 'not_allowed'],
      ['a prototype deep inside', '{"custom_labels": {"constructor": {"prototype": 1}}}', 'not_allowed'],
      ['a name that is given twice', '{"a": 1, "b": {"c": 1, "c": 1}, "a": 2}', 'duplicate'],
    ] as const;
    test.each(someOf(hostile, index))(
      'refuses %s in a body by its reason, not as malformed JSON, without a write',
      async (_, body, reason) => {
        const reply = await call({ body });
        expectError(reply, 400, 3);
        expect(new Set(reply.body.details.map((detail: { reason: string }) => detail.reason))).toEqual(
          new Set([reason]),
        );
        expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
        await nothingWritten();
      },
    );

    test('refuses every field of the server, and unknown ones, by name', async () => {
      const fields = ['no_such_field', ...Object.keys(endpoint.refused ?? {})];
      // Only the schema of a type says which fields are unknown.
      const valid = {
        nodes: ['node_type', 'generic'],
        services: ['service_type', 'mysql'],
        agents: ['agent_type', 'mysqld_exporter'],
        logins: ['method', 'password'],
      };
      const body = Object.fromEntries(fields.map((field) => [field, 'x']));
      const [discriminator] = Object.entries(valid).flatMap(([name, field]) => (path.includes(name) ? [field] : []));
      const isAddition = ['POST', 'PUT'].includes(endpoint.method) && discriminator !== undefined;
      const isLines = bodyFormatOf(endpoint) === 'ndjson';
      const sent = isLines ? { kind: 'end', complete: true, ...body } : body;
      const reply = await call({ body: isAddition ? { ...sent, [discriminator[0]!]: discriminator[1] } : sent });
      expectError(reply, 400, 3);
      const named = reply.body.details.map(({ field }: { field: string }) => field);
      expect(named).toEqual(expect.arrayContaining(fields.map((field) => (isLines ? `0.${field}` : field))));
      await nothingWritten();
    });

    test('refuses a body that is not UTF-8, which the gateway admits, with a 400', async () => {
      const caller = { kind: 'api_key', keyId: 'k', name: 'n', role: 'Admin' };
      const body = Buffer.concat([Buffer.from('{"name": "'), Buffer.from([0xe9, 0x22, 0x7d])]).toString('base64');
      const reply = await invoke(caller, {
        body,
        isBase64Encoded: true,
        headers: type,
      });
      expectError(reply, 400, 3);
      expect(reply.body.details).toMatchObject([{ reason: 'malformed_json' }]);
      await nothingWritten();
    });

    test("refuses a content type other than the contract's with a 415", async () => {
      const others = [
        'text/plain',
        'application/jsonl',
        'application/x-www-form-urlencoded',
        'multipart/form-data',
        '',
      ];
      for (const type of someOf(others, index))
        expectError(await call({ body: {}, headers: { 'Content-Type': type } }), 415, 3);
      await nothingWritten();
    });

    test('refuses a body above the limit with a 413, and reads one at the limit', async () => {
      const body = (bytes: number) =>
        `{"no_such_field":"${'é'.repeat((bytes - 20) / 2)}"}`.padEnd(bytes - (bytes - 20) / 2);
      expectError(await call({ body: body(maxBodyBytesOf(endpoint) + 2) }), 413, 8);
      expectError(await call({ body: body(maxBodyBytesOf(endpoint)) }), 400, 3);
      await nothingWritten();
    });
  },
);

test('an unexpected error is INTERNAL with the request id, and only the log contains its cause', async () => {
  const broken: Inventory = await startInventory({
    table: ({ name }) => ({ name, client: { send: () => Promise.reject(new Error('the cause')) } as never }),
  });
  try {
    const reply = await broken.request('GET', '/v1/nodes', {});
    // The authorizer meets the broken table first, and never lets anybody in because of it.
    expectError(reply, 503, 14);
    expect(reply.headers['Retry-After']).toBe('1');
    const { default: fn } = { default: await import('../functions/api/nodes/list/handler.ts') };
    const services = {
      ...broken.dependencies,
      table: { name: 'x', client: { send: () => Promise.reject(new Error('the cause')) } as never },
    };
    const event = proxyEvent(
      { method: 'GET', url: '/v1/nodes', rawHeaders: [], body: '', sourceIp: '' },
      {
        requestId: 'request 7',
        resource: '/v1/nodes',
        params: {},
        authorizer: { kind: 'api_key', keyId: 'k', name: 'n', role: 'Viewer' },
      },
    );
    const result = await fn.handlerWith(services)(event, lambdaContext('f', 'r', 1000));
    expect(result.statusCode).toBe(500);
    expect(JSON.parse(result.body)).toEqual({
      code: 13,
      status: 'INTERNAL',
      error: 'Internal server error.',
      message: 'Internal server error.',
      details: [],
      request_id: 'request 7',
    });
    expect(broken.logged.at(-1)).toMatchObject({ level: 'error', request_id: 'request 7' });
    expect(broken.logged.at(-1)!['cause']).toContain('the cause');
  } finally {
    await broken.stop();
  }
});

describe('credentials behind a gateway with an authorizer cache', () => {
  let cached: Inventory;
  beforeAll(async () => (cached = await startInventory({ authorizerCacheSeconds: 3600 })));
  afterAll(() => cached.stop());

  const basic = (user: string) => `Basic ${Buffer.from(`${user}:${ADMIN_PASSWORD}`).toString('base64')}`;
  const as = (Authorization: string, method: string, path: string, body?: unknown) =>
    cached.request(method, path, { as: null, headers: { Authorization }, ...(body === undefined ? {} : { body }) });
  const done = async (...call: Parameters<typeof as>) => {
    const reply = await as(...call);
    expect([...call, reply.status < 300]).toEqual([...call, true]);
    return reply.body;
  };

  let made = 0;
  const later = () => testTime(1000).toISOString();
  const newKey = async (more: object = {}) => {
    made += 1;
    const body = { name: `${made}`, role: 'Admin', ...more };
    const { key, key_id: id } = await done(basic('admin'), 'POST', '/v1/api-keys', body);
    await done(`Bearer ${key}`, 'GET', '/v1/caller');
    return { authorization: `Bearer ${key}`, path: `/v1/api-keys/${id}` };
  };

  /** Credentials that the gateway lets in although they may not change credentials, by the kind of caller. */
  const refused: Record<CallerKind, Record<string, () => Promise<string>>> = {
    api_key: {
      'a key that was removed': async () => {
        const { authorization, path } = await newKey();
        await done(basic('admin'), 'DELETE', path);
        return authorization;
      },
      'a secret that was rotated away': async () => {
        const { authorization, path } = await newKey();
        await done(basic('admin'), 'POST', `${path}/rotate`, { overlap: '0s' });
        return authorization;
      },
      'a secret that was superseded': async () => {
        const { authorization, path } = await newKey();
        await done(basic('admin'), 'POST', `${path}/rotate`, { overlap: '1h' });
        return authorization;
      },
      'a key with an end': async () => (await newKey({ time_to_live: '5m' })).authorization,
    },
    session: {
      'a session from before the password was changed': async () => {
        made += 1;
        const account = (await findAccount(cached.table, 'admin'))!;
        const user = `user-${made}`;
        await putAccount(cached.table, { ...account, name: user });
        const { key } = await done(basic(user), 'POST', '/v1/sessions');
        await done(`Bearer ${key}`, 'GET', '/v1/caller');
        await putAccount(cached.table, { ...account, name: user, updated_at: later() });
        return `Bearer ${key}`;
      },
      'a session that was ended': async () => {
        const { key } = await done(basic('admin'), 'POST', '/v1/sessions');
        await done(`Bearer ${key}`, 'GET', '/v1/caller');
        await done(`Bearer ${key}`, 'DELETE', '/v1/sessions');
        return `Bearer ${key}`;
      },
    },
    user: {
      'a password that was changed': async () => {
        made += 1;
        const account = (await findAccount(cached.table, 'admin'))!;
        const user = `user-${made}`;
        await putAccount(cached.table, { ...account, name: user });
        await done(basic(user), 'GET', '/v1/caller');
        await putAccount(cached.table, { ...account, name: user, updated_at: later() });
        return basic(user);
      },
    },
  };

  /** Each of them is made once: what is refused changes nothing, so that it serves for every endpoint. */
  const authorizations = new Map<string, string>();

  /** The refusals that are not those of a credential that has ended. */
  const denials: Record<string, string> = {
    'a secret that was superseded': 'was superseded',
    'a key with an end': 'for a longer time',
  };

  /** Whether the endpoint changes silences or saved filters: they are no credentials. */
  const isNoCredential = ({ accessEvents = [] }: Endpoint) =>
    accessEvents.every((event) => /^(silence|saved_filter)\./.test(event));

  /** Whether the endpoint makes a secret that can end later than the calling key: its own rotation keeps its end. */
  const outlivesCaller = (endpoint: Endpoint) => {
    const { id, accessEvents = [] } = endpoint;
    return (
      id !== 'rotateOwnApiKey' &&
      !isNoCredential(endpoint) &&
      accessEvents.some((event) => /\.(added|rotated)$/.test(event))
    );
  };

  async function isRefused(endpoint: Endpoint, url: string, body: unknown): Promise<void> {
    const before = await everything(cached.table);
    for (const [kind, makers] of Object.entries(refused)) {
      if (endpoint.callers?.some((caller) => caller === kind) === false) continue;
      for (const what of Object.keys(makers)) {
        if (what === 'a key with an end' && !outlivesCaller(endpoint)) continue;
        if (what === 'a secret that was superseded' && isNoCredential(endpoint)) continue;
        const { status, body: refusal } = await as(authorizations.get(what)!, endpoint.method, url, body);
        const denial = denials[what];
        expect([endpoint.id, what, status, refusal?.message]).toEqual([
          endpoint.id,
          what,
          denial === undefined ? 401 : 403,
          denial === undefined ? expect.any(String) : expect.stringContaining(denial),
        ]);
      }
    }
    expect(await everything(cached.table)).toEqual(before);
  }

  /** The access events of the table by their keys: their partitions alone, which are read after each request. */
  const accessEvents = async () => {
    const { client, name: TableName } = cached.table;
    const read = async (partition: string) => {
      const input = { KeyConditionExpression: 'pk = :events', ExpressionAttributeValues: { ':events': partition } };
      const { Items = [], LastEvaluatedKey } = await client.send(
        new QueryCommand({ TableName, ...input, ConsistentRead: true }),
      );
      expect(LastEvaluatedKey).toBeUndefined();
      return Items;
    };
    const events = (await Promise.all(['AUDIT#ACCESS', 'AUDIT#ANNOTATED'].map(read))).flat();
    return new Map(events.map(({ sk, event }) => [String(sk), String(event)]));
  };

  test('are changed by endpoints that each write one access event, and no other endpoint writes any; an ended, superseded or outlived credential is refused and changes nothing', async () => {
    expect(endpoints.filter(({ accessEvents = [] }) => accessEvents.length > 0).length).toBeGreaterThan(8);
    for (const [what, make] of Object.values(refused).flatMap((makers) => Object.entries(makers))) {
      authorizations.set(what, await make());
      expect([what, (await as(authorizations.get(what)!, 'GET', '/v1/caller')).status]).toEqual([what, 200]);
    }
    const telling = new Telling();
    let before = await accessEvents();
    for (const endpoint of story.map((id) => endpoints.find((candidate) => candidate.id === id)!)) {
      const id = endpoint.id as Id;
      for (const example of Object.values<Example>(examples[id])) {
        const { method, url, type, body, status, key } = telling.requestOf(id, example);
        if (endpoint.accessEvents !== undefined && endpoint.role !== 'none') await isRefused(endpoint, url, body);
        const headers = {
          Authorization: key === undefined ? basic('admin') : `Bearer ${key}`,
          ...(body === undefined ? {} : { 'Content-Type': type }),
        };
        const reply = await cached.request(method, url, { as: null, headers, body });
        // A log-in changes the password of its user only where the body has another one.
        const isNewPassword = id === 'logIn' && body.new_password !== undefined;
        const events = [...(endpoint.accessEvents ?? []), ...(isNewPassword ? ['user.password_set'] : [])];
        const after = await accessEvents();
        const added = [...after].flatMap(([key, event]) => (before.has(key) ? [] : [event]));
        before = after;
        expect([id, reply.status, added.sort()]).toEqual([id, status, events.sort()]);
        if (reply.body !== undefined) telling.learn(id, example, reply.body);
      }
    }
  });
});
