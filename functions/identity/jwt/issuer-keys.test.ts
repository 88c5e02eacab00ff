import type { ServerResponse } from 'node:http';
import type { Inventory } from '../../../tests/support/inventory.ts';
import type { Fault, Issuer } from '../../../tests/support/issuer.ts';
import { logInProgram, programClaims as claims, startProgramLogins } from '../../../tests/support/program-logins.ts';
import { newSigningKey, signedBy } from '../../../tests/support/program-tokens.ts';
import { checkProviders } from '../check-providers.ts';
import { TEST_TIME, testTime } from '../../../tests/support/test-time.ts';

describe('keys of the issuer', () => {
  let ownIssuer: Issuer;
  let apart: Inventory;
  beforeEach(async () => {
    ({ issuer: ownIssuer, inventory: apart } = await startProgramLogins());
  });
  afterEach(async () => {
    await apart.stop();
    await ownIssuer.stop();
  });
  const by = async (key: Awaited<ReturnType<typeof newSigningKey>>) =>
    (await logInProgram(apart, await signedBy(key, claims({ iss: ownIssuer.issuer })))).status;
  const advance = (milliseconds: number) =>
    (apart.clock.now = new Date((apart.clock.now?.getTime() ?? TEST_TIME) + milliseconds));

  test('are read once for many log-ins, and after a rotation again, at most every five seconds', async () => {
    const [first] = ownIssuer.keys as [Awaited<ReturnType<typeof newSigningKey>>];
    apart.clock.now = testTime();
    for (let count = 0; count < 5; count += 1) expect(await by(first)).toBe(201);
    expect(ownIssuer.requests).toEqual(['/.well-known/openid-configuration', '/keys']);
    const second = await newSigningKey('second', 'RS256');
    ownIssuer.keys.push(second);
    expect(await by(second)).toBe(401);
    advance(6000);
    expect(await by(second)).toBe(201);
    expect(ownIssuer.requests).toHaveLength(4);
    for (let count = 0; count < 20; count += 1) expect(await by(await newSigningKey(`random-${count}`))).toBe(401);
    expect(ownIssuer.requests).toHaveLength(4);
  });

  test('work for 24 hours without the issuer, also in another process', async () => {
    const [first] = ownIssuer.keys as [Awaited<ReturnType<typeof newSigningKey>>];
    expect(await by(first)).toBe(201);
    ownIssuer.fault = (_, response) => response.destroy();
    const inHours = async (hours: number) => {
      apart.clock.now = testTime(hours * 3_600_000);
      const now = Math.floor(apart.clock.now.getTime() / 1000);
      const token = await signedBy(first, claims({ iss: ownIssuer.issuer, iat: now, nbf: now, exp: now + 300 }));
      return (await logInProgram(apart, token)).status;
    };
    expect([await inHours(1), await inHours(23), await inHours(25)]).toEqual([201, 201, 503]);
    const [entry] = apart.logged.filter(({ message }) => message === 'identity provider cannot be used');
    expect(entry?.['reason']).toMatch(/^Identity provider "ci": http:.* cannot be read \(.+\)\. Check the issuer/);
  });

  test('are read at most every five seconds while the issuer does not answer, and the last ones serve log-ins', async () => {
    const [first] = ownIssuer.keys as [Awaited<ReturnType<typeof newSigningKey>>];
    expect(await by(first)).toBe(201);
    ownIssuer.fault = (_, response) => response.destroy();
    advance(3_600_000);
    const now = Math.floor(apart.clock.now!.getTime() / 1000);
    const logInNow = async () => {
      const token = await signedBy(first, claims({ iss: ownIssuer.issuer, iat: now, nbf: now, exp: now + 300 }));
      return (await logInProgram(apart, token)).status;
    };
    const before = ownIssuer.requests.length;
    expect([await logInNow(), await logInNow()]).toEqual([201, 201]);
    advance(4999);
    expect([await logInNow(), ownIssuer.requests.length - before]).toEqual([201, 1]);
    advance(1);
    expect([await logInNow(), ownIssuer.requests.length - before]).toEqual([201, 2]);
  });

  const answers = (text: string) => (_: string, response: ServerResponse) => response.end(text);
  const metadata = (more = {}) =>
    JSON.stringify({ issuer: ownIssuer.issuer, jwks_uri: `${ownIssuer.issuer}/keys`, ...more });
  const status =
    (code: number, headers = {}) =>
    (_: string, response: ServerResponse) =>
      response.writeHead(code, headers).end();

  test.each<[string, Fault, RegExp]>([
    ['status 500', status(500), /\(status 500\)/],
    ['a redirect', status(302, { Location: '/elsewhere' }), /\(status 302\)/],
    ['no JSON', answers('<html>'), /\(the reply is no JSON\)/],
    [
      'another issuer',
      answers('{"issuer":"https://x.example","jwks_uri":"https://x.example"}'),
      /names another issuer/,
    ],
    ['5 MB', answers('x'.repeat(5_000_000)), /more than 150000 bytes/],
    ['no configuration', answers('{}'), /no usable OpenID configuration/],
    [
      'keys at another host without TLS',
      (path, response) => answers(metadata({ jwks_uri: 'http://169.254.169.254/keys' }))(path, response),
      /is no https URL/,
    ],
    [
      'no key set',
      (path, response) => answers(path === '/keys' ? '{}' : metadata())(path, response),
      /must be a JSON Web Key Set/,
    ],
  ])('are a 503 with one log line when the issuer answers with %s, while API keys work', async (...row) => {
    const [, fault, sentence] = row;
    ownIssuer.fault = fault;
    expect(await by(ownIssuer.keys[0]!)).toBe(503);
    const said = apart.logged.filter(({ message }) => message === 'identity provider cannot be used');
    expect(said.map(({ reason }) => reason)).toEqual([expect.stringMatching(sentence)]);
    expect((await apart.request('GET', '/v1/caller')).status).toBe(200);
    ownIssuer.fault = undefined;
    advance(6000);
    expect(await by(ownIssuer.keys[0]!)).toBe(201);
  });

  test.each([
    [600, 'ahead of'],
    [-600, 'behind'],
  ])('cause one log line for all log-ins that a clock wrong by %d seconds refuses', async (seconds, words) => {
    apart.clock.now = testTime(seconds * 1000);
    const token = await ownIssuer.sign(claims());
    for (let count = 0; count < 3; count += 1) expect((await logInProgram(apart, token)).status).toBe(401);
    const said = apart.logged.filter(({ message }) => message === 'identity provider cannot be used');
    expect(said.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(
        `^Identity provider "ci": the clock of this server is (599|600|601) seconds ${words} its clock. Set both clocks by NTP.$`,
      ),
    ]);
  });

  test('that are minutes old do not hide from a new process that the issuer is gone', async () => {
    expect(await checkProviders(apart.dependencies)).toEqual([]);
    ownIssuer.fault = (_, response) => response.destroy();
    advance(6000);
    expect(await checkProviders(apart.dependencies)).toEqual([
      expect.stringMatching(/^Identity provider "ci": http:.* cannot be read/),
    ]);
    expect(apart.logged.filter(({ level }) => level === 'error')).toEqual([]);
  });

  test('are not requested for text that is no token of the issuer', async () => {
    for (const token of ['x', 'a.b.c', await signedBy(ownIssuer.keys[0]!, claims({ iss: 'https://x.example' }))])
      expect((await logInProgram(apart, token)).status).toBe(401);
    expect(ownIssuer.requests).toEqual([]);
  });
});
