import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { answerWith, askForSession, poll } from '../../../tests/support/devices.ts';
import { refusalsFor } from '../../../tests/support/refusals.ts';
import { type Inventory, type Reply, startInventory } from '../../../tests/support/inventory.ts';
import { askWith } from '../../../tests/support/log-in.ts';
import {
  FORM,
  logOutClaims,
  type LogOutReceiver,
  sendForm,
  sendLogOutToken,
  startLogOutReceiver,
} from '../../../tests/support/log-out-receiver.ts';
import { authorized, logIn, logInByProvider, settingsFor } from '../../../tests/support/oidc-log-in.ts';
import { type Browser, type OidcServer, startOidcServer } from '../../../tests/support/oidc-server.ts';
import { newSigningKey, signedBy } from '../../../tests/support/program-tokens.ts';
import { LOG_INS_PER_MINUTE } from '../../store/credentials/log-in.ts';
import { BACK_CHANNEL_LOGOUT_PATH } from './contract.ts';
import { processDate } from '../../../tests/support/process-date.ts';
import { TEST_TIME, testTime } from '../../../tests/support/test-time.ts';

let receiver: LogOutReceiver;
let provider: OidcServer;
let inventory: Inventory;
/** Called before each call of the table, with its number since it was set. */
let beforeCall: ((number: number) => Promise<void>) | undefined;
let calls = 0;

const disturbed: Parameters<typeof startInventory>[0] = {
  table: (table) => {
    table.client.use((next) => async (called) => {
      const hook = beforeCall;
      calls += 1;
      if (hook !== undefined) await hook(calls);
      return next(called);
    });
    return table;
  },
};

beforeAll(async () => {
  receiver = await startLogOutReceiver();
  provider = await startOidcServer({ backChannelLogoutUri: receiver.url, time: testTime() });
  inventory = await startInventory({ ...disturbed, identityProviders: [await settingsFor(provider)] });
  receiver.inventory = inventory;
  const binding = { name: 'dba', provider: 'corporate', claims: { groups: ['dba'] }, role: 'Admin' };
  expect((await inventory.request('POST', '/v1/role-bindings', { body: binding })).status).toBe(201);
});
afterAll(async () => {
  await Promise.all([inventory.stop(), provider.stop(), receiver.stop()]);
});
beforeEach(() => {
  beforeCall = undefined;
  inventory.clock.now = undefined;
  processDate.set(testTime());
  provider.accounts.set('m-1', { preferred_username: 'maria', groups: ['dba'] });
  provider.accounts.set('o-1', { preferred_username: 'otto', groups: ['dba'] });
  provider.person = 'm-1';
  receiver.received = [];
});

type Claims = Record<string, unknown>;

const seconds = (offset = 0) => Math.floor((inventory.clock.now?.getTime() ?? TEST_TIME) / 1000) + offset;

const claimsOf = (more: Claims = {}) => logOutClaims(more, seconds());

const tokenOf = (more?: Claims, header?: Record<string, unknown>) => provider.sign(claimsOf(more), header);
const logOut = async (more: Claims): Promise<number> => (await sendLogOutToken(inventory, await tokenOf(more))).status;

const statusOf = async (key: string) => (await askWith(inventory, key, 'GET', '/v1/caller')).status;
const renew = (key: string) => logIn(inventory, { method: 'session', key });
const withoutId = ({ status, body: { request_id: _id, ...rest } }: Reply) => JSON.stringify([status, rest]);

const payloadOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

/** The `sid` that the provider gives a browser: from the log-out token that it sends at the end. */
async function endAtProvider(browser: Browser): Promise<Claims> {
  await browser.logOut();
  const { form } = receiver.received.at(-1)!;
  return payloadOf(new URLSearchParams(form).get('logout_token') ?? '');
}

async function logInWith(browser: Browser): Promise<string> {
  const { status, body } = await logInByProvider(inventory, browser);
  expect(status).toBe(201);
  return body.key;
}

const entriesOf = async (event: string): Promise<any[]> =>
  (await inventory.request('GET', `/v1/audit?event=${event}&page_size=100`)).body.entries;

describe('a log-out at the provider', () => {
  test('ends the sessions of that browser at once, also of other tabs, and no others', async () => {
    const [here, there] = [provider.newBrowser(), provider.newBrowser()];
    const [first, second] = [await logInWith(here), await logInWith(here)];
    const renewed: string = (await renew(second)).body.key;
    const elsewhere = await logInWith(there);
    provider.person = 'o-1';
    const otto = await logInWith(provider.newBrowser());
    await here.logOut();
    expect(receiver.received.map(({ status }) => status)).toEqual([200]);
    expect(await Promise.all([first, second, renewed].map(statusOf))).toEqual([401, 401, 401]);
    expect((await renew(renewed)).status).toBe(401);
    expect([await statusOf(elsewhere), await statusOf(otto)]).toEqual([200, 200]);
    expect((await renew(elsewhere)).status).toBe(201);
    const ended = (await entriesOf('session.removed')).filter(({ actor }) => actor.name === 'corporate');
    expect(ended).toHaveLength(2);
    expect(ended[0]).toMatchObject({ actor: { kind: 'system' }, after: { reason: 'provider_log_out' } });
  });

  test('keeps the session of a device that was approved in the browser', async () => {
    const browser = provider.newBrowser();
    const key = await logInWith(browser);
    const { body: codes } = await askForSession(inventory);
    await answerWith(inventory, key, { user_code: codes.user_code, answer: 'approve' });
    const { body: device } = await poll(inventory, codes.device_code);
    // An hour after the approval, whatever happens at the provider.
    expect(Date.parse(device.expires_at) - TEST_TIME).toBeLessThanOrEqual(60 * 60_000 + 1000);
    await browser.logOut();
    expect([await statusOf(key), await statusOf(device.key)]).toEqual([401, 200]);
  });

  test('does not end the next log-in of the same browser', async () => {
    const browser = provider.newBrowser();
    await logInWith(browser);
    await endAtProvider(browser);
    expect(await statusOf(await logInWith(browser))).toBe(200);
  });

  test('stores its token neither in the table nor in log, audit and reply', async () => {
    const browser = provider.newBrowser();
    await logInWith(browser);
    const { sid, jti } = await endAtProvider(browser);
    const { form } = receiver.received.at(-1)!;
    const { Items } = await inventory.table.client.send(
      new ScanCommand({ TableName: inventory.table.name, ConsistentRead: true }),
    );
    const stored = JSON.stringify([Items, inventory.logged]);
    for (const secret of [sid as string, jti as string, form.slice(-40)]) expect(stored).not.toContain(secret);
    expect(stored).toContain('endProviderSession');
  });
});

test('a token without a session ends all earlier sessions of the person, also of devices', async () => {
  const keys = [await logInWith(provider.newBrowser()), await logInWith(provider.newBrowser())];
  const { body: codes } = await askForSession(inventory);
  await answerWith(inventory, keys[0]!, { user_code: codes.user_code, answer: 'approve' });
  keys.push((await poll(inventory, codes.device_code)).body.key);
  provider.person = 'o-1';
  const otto = await logInWith(provider.newBrowser());
  expect(await Promise.all(keys.map(statusOf))).toEqual([200, 200, 200]);
  const token = await tokenOf({ sub: 'm-1' });
  const { status, headers, text } = await sendLogOutToken(inventory, token);
  expect([status, headers['Cache-Control'], headers['Content-Type'], text]).toEqual([200, 'no-store', undefined, '']);
  expect(await Promise.all(keys.map(statusOf))).toEqual([401, 401, 401]);
  expect(await statusOf(otto)).toBe(200);
  expect((await entriesOf('user.sessions_ended'))[0]).toMatchObject({ after: { reason: 'provider_log_out' } });
  provider.person = 'm-1';
  // The times of tokens have seconds: a log-in of the same second counts as before.
  inventory.clock.now = testTime(1100);
  processDate.set(inventory.clock.now);
  const later = await logInWith(provider.newBrowser());
  expect((await sendLogOutToken(inventory, token)).status).toBe(400);
  expect(await statusOf(later)).toBe(200);
});

test('an unknown person and an unknown session are successfully logged out, also with ids of one character', async () => {
  expect([await logOut({ sub: 'nobody' }), await logOut({ sid: 'unknown' })]).toEqual([200, 200]);
  expect([await logOut({ sub: 'n', jti: 'j' }), await logOut({ sid: 's', jti: 'k' })]).toEqual([200, 200]);
});

test('the mark of a used token is kept for an hour', async () => {
  inventory.clock.now = testTime(5000);
  expect(await logOut({ sub: 'nobody' })).toBe(200);
  const { Items = [] } = await inventory.table.client.send(
    new ScanCommand({ TableName: inventory.table.name, ConsistentRead: true }),
  );
  expect(Items.map(({ ttl }) => ttl)).toContain(seconds(3600));
});

test('a sid ends only its own session, and at another provider none', async () => {
  const other = await startOidcServer({ backChannelLogoutUri: receiver.url, time: testTime() });
  const both = await startInventory({
    identityProviders: [await settingsFor(provider), await settingsFor(other, { name: 'second' })],
  });
  try {
    for (const name of ['corporate', 'second']) {
      const body = { name, provider: name, claims: { groups: ['dba'] }, role: 'Editor' };
      expect((await both.request('POST', '/v1/role-bindings', { body })).status).toBe(201);
    }
    const { body } = await logInByProvider(both, provider);
    const sid = provider.lastSid;
    const { body: next } = await logInByProvider(both, provider);
    const statuses = () =>
      Promise.all([body, next].map(async ({ key }) => (await askWith(both, key, 'GET', '/v1/caller')).status));
    const send = async (by: OidcServer) =>
      (await sendLogOutToken(both, await by.sign(claimsOf({ sid, sub: 'm-1' })))).status;
    expect([await send(other), await statuses()]).toEqual([200, [200, 200]]);
    expect([await send(provider), await statuses()]).toEqual([200, [401, 200]]);
  } finally {
    await Promise.all([other.stop(), both.stop()]);
  }
});

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

describe('a token gets the same 400, ends no session, and the audit contains the reason:', () => {
  const sub = 'm-1';
  const cases: [string, () => Promise<string> | string, string][] = [
    ['no JWT', () => 'x', 'invalid_identity'],
    ['an empty token', () => '', 'invalid_identity'],
    ['another signature', async () => `${(await tokenOf({ sub })).slice(0, -8)}AAAAAAAA`, 'invalid_identity'],
    [
      'the algorithm none',
      async () => {
        const [, payload] = (await tokenOf({ sub })).split('.');
        return `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`;
      },
      'invalid_identity',
    ],
    [
      'a key that the provider has not published',
      async () =>
        signedBy(await newSigningKey('other'), { iss: provider.issuer, aud: 'inventory', sub, ...claimsOf() }),
      'unknown_key',
    ],
    ['an unknown issuer', () => tokenOf({ sub, iss: 'https://evil.example' }), 'wrong_issuer'],
    ['another client', () => tokenOf({ sub, aud: 'other' }), 'wrong_audience'],
    ['no audience', () => tokenOf({ sub, aud: undefined }), 'wrong_audience'],
    ['two audiences', () => tokenOf({ sub, aud: ['inventory', 'other'] }), 'wrong_audience'],
    ['another authorised party', () => tokenOf({ sub, azp: 'other' }), 'wrong_audience'],
    ['null as the type', () => tokenOf({ sub }, { typ: null }), 'invalid_identity'],
    ['an old time', () => tokenOf({ sub, iat: seconds(-340), exp: seconds(60) }), 'expired_identity'],
    ['a time in the future', () => tokenOf({ sub, iat: seconds(60) }), 'invalid_identity'],
    ['no time', () => tokenOf({ sub, iat: undefined }), 'invalid_identity'],
    ['a time that has passed', () => tokenOf({ sub, exp: seconds(-31) }), 'expired_identity'],
    ['no event', () => tokenOf({ sub, events: undefined }), 'invalid_identity'],
    ['another event', () => tokenOf({ sub, events: { 'http://example.com/other': {} } }), 'invalid_identity'],
    ['an event that is no object', () => tokenOf({ sub, events: { [EVENT]: true } }), 'invalid_identity'],
    ['neither person nor session', () => tokenOf(), 'invalid_identity'],
    ['an empty session', () => tokenOf({ sub, sid: '' }), 'invalid_identity'],
    ['a nonce, as in an ID token', () => tokenOf({ sub, nonce: 'x' }), 'invalid_identity'],
    ['no id', () => tokenOf({ sub, jti: undefined }), 'invalid_identity'],
    ['the type of an access token', () => tokenOf({ sub }, { typ: 'at+jwt' }), 'invalid_identity'],
  ];

  let maria: string;
  let refusal: string;
  beforeAll(async () => {
    provider.person = sub;
    maria = await logInWith(provider.newBrowser());
    refusal = withoutId(await sendLogOutToken(inventory, 'x'));
    expect(JSON.parse(refusal)[0]).toBe(400);
  });

  test.each(cases)('%s', async (_name, token, reason) => {
    const before = await refusalsFor(inventory, 'log_out.refused', reason);
    // Refusals are counted together for a second.
    inventory.passing.advance(1001);
    const reply = await sendLogOutToken(inventory, await token());
    expect([withoutId(reply), reply.headers['Cache-Control']]).toEqual([refusal, 'no-store']);
    expect(await refusalsFor(inventory, 'log_out.refused', reason)).toBe(before + 1);
    expect(await statusOf(maria)).toBe(200);
  });

  test('a used token', async () => {
    const token = await tokenOf({ sub: 'nobody' });
    expect((await sendLogOutToken(inventory, token)).status).toBe(200);
    expect(withoutId(await sendLogOutToken(inventory, token))).toBe(refusal);
  });

  test('a form without the field, or with it twice', async () => {
    const token = await tokenOf({ sub });
    for (const form of ['a=b', '', `logout_token=${token}&logout_token=${token}`])
      expect(withoutId(await sendForm(inventory, form))).toBe(refusal);
    expect(await statusOf(maria)).toBe(200);
  });
});

test.each(['logout+jwt', 'application/logout+jwt', 'JWT', undefined])('the type %s is accepted', async (typ) => {
  const token = await tokenOf({ sub: 'nobody', exp: undefined }, { typ });
  expect((await sendForm(inventory, `state=x&logout_token=${token}`)).status).toBe(200);
});

test('another form type gets a 415, and a larger form a 413', async () => {
  const send = (body: string, headers: Record<string, string>) =>
    inventory.request('POST', BACK_CHANNEL_LOGOUT_PATH, { as: null, body, headers });
  const token = await tokenOf({ sub: 'm-1' });
  expect((await send(JSON.stringify({ logout_token: token }), { 'Content-Type': 'application/json' })).status).toBe(
    415,
  );
  expect((await send('x'.repeat(32 * 1024 + 1), FORM)).status).toBe(413);
});

test('an address may send 60 refused tokens a minute, and valid ones do not count', async () => {
  inventory.clock.now = new Date(Math.ceil(TEST_TIME / 60_000) * 60_000);
  const sourceIp = '198.51.100.77';
  const send = async (more?: Claims) => {
    const { status, headers } = await sendLogOutToken(inventory, await tokenOf(more), sourceIp);
    return [status, headers['Retry-After']];
  };
  expect(await send({ sub: 'nobody' })).toEqual([200, undefined]);
  for (let attempt = 0; attempt < LOG_INS_PER_MINUTE; attempt += 1) expect(await send()).toEqual([400, undefined]);
  expect(await send()).toEqual([429, '60']);
  expect(await send({ sub: 'nobody' })).toEqual([200, undefined]);
});

test("a log-out without the provider's keys is a 503, and its token works later", async () => {
  const server = await startOidcServer();
  const fresh = await startInventory({ identityProviders: [await settingsFor(server)] });
  try {
    server.fault = () => ({ status: 503, body: '{}' });
    const token = await server.sign(claimsOf({ sub: 'nobody' }));
    expect((await sendLogOutToken(fresh, token)).status).toBe(503);
    server.fault = undefined;
    fresh.clock.now = testTime(10_000);
    expect((await sendLogOutToken(fresh, token)).status).toBe(200);
  } finally {
    await Promise.all([fresh.stop(), server.stop()]);
  }
});

describe('a log-out at any moment ends', () => {
  let persons = 0;
  /** A person whom no other log-out has named, in a browser of its own. */
  const newPerson = () => {
    provider.person = `p-${(persons += 1)}`;
    provider.accounts.set(provider.person, { preferred_username: provider.person, groups: ['dba'] });
    return { sub: provider.person, browser: provider.newBrowser() };
  };
  /** Later than all that the provider has signed, also within the same second. */
  const byThen = () => ({ iat: seconds(5) });

  /**
   * Does the work once for each of its calls of the table, and something else before that call.
   *
   * @param prepare returns both.
   */
  async function atEachCall(
    prepare: () => Promise<{
      work: () => Promise<unknown>;
      meanwhile: () => Promise<unknown>;
      check: () => Promise<void>;
    }>,
  ): Promise<number> {
    for (let number = 1; ; number += 1) {
      const { work, meanwhile, check } = await prepare();
      calls = 0;
      beforeCall = async (reached) => {
        if (reached < number) return;
        beforeCall = undefined;
        await meanwhile();
      };
      await work();
      beforeCall = undefined;
      // The work made fewer calls.
      if (calls < number) return number - 1;
      await check();
    }
  }

  const named = ['sid', 'sub'] as const;
  const claimOf = (by: (typeof named)[number], sub: string) => (by === 'sid' ? { sid: provider.lastSid } : { sub });

  test.each(named)('a log-in in progress, by %s', async (by) => {
    const tried = await atEachCall(async () => {
      const { sub, browser } = newPerson();
      const { body: proof } = await authorized(browser);
      const claim = claimOf(by, sub);
      let reply: Reply;
      let status: number;
      return {
        work: async () => (reply = await logIn(inventory, proof)),
        meanwhile: async () => (status = await logOut({ ...claim, ...byThen() })),
        check: async () => {
          expect(status).toBe(200);
          expect([201, 401]).toContain(reply.status);
          if (reply.status === 201) expect(await statusOf(reply.body.key)).toBe(401);
        },
      };
    });
    expect(tried).toBeGreaterThan(5);
  });

  test.each(named)('a session that begins in the meantime, by %s', async (by) => {
    const tried = await atEachCall(async () => {
      const { sub, browser } = newPerson();
      const keys = [await logInWith(browser)];
      const claim = claimOf(by, sub);
      const { body: proof } = await authorized(browser);
      let status: number;
      return {
        work: async () => (status = await logOut({ ...claim, ...byThen() })),
        meanwhile: async () => {
          const { body } = await logIn(inventory, proof);
          if (body.key !== undefined) keys.push(body.key);
        },
        check: async () => {
          expect(status).toBe(200);
          expect(new Set(await Promise.all(keys.map(statusOf)))).toEqual(new Set([401]));
        },
      };
    });
    expect(tried).toBeGreaterThan(4);
  });

  test.each(named)('a session that is renewed in the meantime, by %s', async (by) => {
    const tried = await atEachCall(async () => {
      const { sub, browser } = newPerson();
      const key = await logInWith(browser);
      const claim = claimOf(by, sub);
      let next: Reply;
      return {
        work: () => logOut({ ...claim, ...byThen() }),
        meanwhile: async () => (next = await renew(key)),
        check: async () => {
          const keys = [key, ...(next.status === 201 ? [next.body.key] : [])];
          expect(new Set(await Promise.all(keys.map(statusOf)))).toEqual(new Set([401]));
          expect((await renew(keys.at(-1))).status).toBe(401);
        },
      };
    });
    expect(tried).toBeGreaterThan(4);
  });

  test.each(named)('a renewal in progress, by %s', async (by) => {
    const tried = await atEachCall(async () => {
      const { sub, browser } = newPerson();
      const key = await logInWith(browser);
      const claim = claimOf(by, sub);
      let next: Reply;
      return {
        work: async () => (next = await renew(key)),
        meanwhile: () => logOut({ ...claim, ...byThen() }),
        check: async () => {
          expect([201, 401]).toContain(next.status);
          const keys = [key, ...(next.status === 201 ? [next.body.key] : [])];
          expect(new Set(await Promise.all(keys.map(statusOf)))).toEqual(new Set([401]));
        },
      };
    });
    expect(tried).toBeGreaterThan(5);
  });

  test.each(named)('the session at the second attempt after a failure of any call, by %s', async (by) => {
    const tried = await atEachCall(async () => {
      const { sub, browser } = newPerson();
      const key = await logInWith(browser);
      const token = await tokenOf({ ...claimOf(by, sub), ...byThen() });
      let first: Reply;
      return {
        work: async () => (first = await sendLogOutToken(inventory, token)),
        meanwhile: () => Promise.reject(new Error('the table is away')),
        check: async () => {
          expect(first.status).toBe(500);
          expect((await sendLogOutToken(inventory, token)).status).toBe(200);
          expect(await statusOf(key)).toBe(401);
        },
      };
    });
    expect(tried).toBeGreaterThan(4);
  });
});
