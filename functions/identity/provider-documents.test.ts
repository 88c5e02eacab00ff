import type { Table } from '../../shared/db/table.ts';
import { useTable } from '../../tests/support/fixtures.ts';
import { type Issuer, startIssuer } from '../../tests/support/issuer.ts';
import { testTime } from '../../tests/support/test-time.ts';
import type { LogEntry } from '../../shared/core/log.ts';
import type { IdentityProvider } from '../domain/fields/identity-providers.ts';
import { issuerKeysSchema } from '../store/credentials/issuer-documents.ts';
import { documentCache } from './provider-documents.ts';
import { ProviderFailure } from './provider-failure.ts';

let issuer: Issuer;
let logged: LogEntry[];
let now: Date;
beforeEach(async () => {
  [issuer, logged, now] = [await startIssuer(), [], testTime()];
});
afterEach(() => issuer.stop());

const { table } = useTable();

/** The cache of a process. @param stored the table; by default it keeps documents in memory only. */
function start(schema: unknown = issuerKeysSchema, stored?: Table) {
  const cache = documentCache<IdentityProvider, never>({ schema: schema as never, used: ['token_endpoint'] });
  const provider = { name: 'ci', kind: 'jwt', issuer: issuer.issuer } as IdentityProvider;
  const services = { table: stored, clock: () => now, log: (entry: LogEntry) => logged.push(entry) } as never;
  const outcomeOf = (asking: Promise<unknown>) =>
    asking.then(
      (documents: any) => documents?.fetched_at,
      (error: unknown) => (error instanceof ProviderFailure ? error.sentence : error),
    );
  const problem = () =>
    cache.documentsOf(provider, services).then(String, (error: unknown) => (error as ProviderFailure).problem);
  return {
    problem,
    ask: () => outcomeOf(cache.documentsOf(provider, services)),
    askForNewer: () => outcomeOf(cache.newerDocumentsOf(provider, services)),
  };
}

const seconds = (after: number) => testTime().getTime() / 1000 + after;
const advance = (after: number) => (now = testTime(after * 1000));
/** The configuration and the keys are two requests. */
const times = () => issuer.requests.length / 2;

test('documents are used for ten minutes and read again', async () => {
  const { ask } = start();
  expect(await Promise.all([ask(), ask()])).toEqual([seconds(0), seconds(0)]);
  advance(599);
  expect([await ask(), times()]).toEqual([seconds(0), 1]);
  advance(600);
  expect([await ask(), times()]).toEqual([seconds(600), 2]);
});

test('a new process uses the stored documents without the provider', async () => {
  expect(await start(issuerKeysSchema, table).ask()).toBe(seconds(0));
  issuer.fault = (_, response) => response.destroy();
  advance(60);
  expect(await start(issuerKeysSchema, table).ask()).toBe(seconds(0));
  expect(await start().ask()).toMatch(/^Identity provider "ci": /);
});

test('cached documents are used for a day without the provider, which is asked every five seconds', async () => {
  const { ask } = start();
  await ask();
  issuer.fault = (_, response) => response.destroy();
  advance(3600);
  expect([await ask(), await ask(), issuer.requests.length]).toEqual([seconds(0), seconds(0), 3]);
  advance(3604);
  expect([await ask(), issuer.requests.length]).toEqual([seconds(0), 3]);
  advance(3605);
  expect([await ask(), issuer.requests.length]).toEqual([seconds(0), 4]);
  expect(logged.map(({ message }) => message)).toContain('identity provider cannot be used');
  advance(24 * 3600 - 1);
  expect(await ask()).toBe(seconds(0));
  advance(24 * 3600 + 5);
  expect(await ask()).toMatch(/^Identity provider "ci": http:.* cannot be read/);
});

test('a provider that did not answer is asked again after five seconds', async () => {
  const { ask } = start();
  issuer.fault = (_, response) => response.writeHead(500).end();
  expect([await ask(), await ask()]).toEqual([
    expect.stringMatching(/status 500/),
    expect.stringMatching(/status 500/),
  ]);
  expect(issuer.requests).toHaveLength(1);
  issuer.fault = undefined;
  advance(5);
  expect(await ask()).toBe(seconds(5));
});

test('after an internal fault, documents are unknown for five seconds', async () => {
  const fault = new TypeError('a fault');
  const { ask } = start({
    get _zod() {
      throw fault;
    },
  });
  expect(await ask()).toBe(fault);
  expect(await ask()).toBe('Identity provider "ci": its documents are not known.');
});

test('an unknown key causes a new read, unless the provider was just asked or does not answer', async () => {
  const { ask, askForNewer } = start();
  await ask();
  expect([await askForNewer(), times()]).toEqual([undefined, 1]);
  advance(5);
  expect([await askForNewer(), times()]).toEqual([seconds(5), 2]);
  issuer.fault = (_, response) => response.destroy();
  advance(10);
  expect(await askForNewer()).toBeUndefined();
  expect(logged.map(({ message }) => message)).toContain('identity provider cannot be used');
});

test('after the clock was set back, documents are old and the provider may be asked', async () => {
  const { ask } = start();
  await ask();
  advance(-600);
  expect([await ask(), times()]).toEqual([seconds(-600), 2]);
});

/** A process whose provider has a configuration with these fields as well. */
function startWith(more: object) {
  const configuration = { issuer: issuer.issuer, jwks_uri: `${issuer.issuer}/keys`, ...more };
  const keys = issuer.keys.map(({ publicJwk }) => publicJwk);
  issuer.fault = (path, response) => response.end(JSON.stringify(path === '/keys' ? { keys } : configuration));
  return start();
}

test.each<[string, unknown]>([
  ['is no text', 7],
  ['is no URL', 'token'],
  ['is without TLS on another machine', 'http://other.example/token'],
  ['contains a user name', 'https://user@other.example/token'],
  ['contains a password', 'https://:secret@other.example/token'],
])('an address of the configuration that %s is refused', async (_, address) => {
  const sentence = / token_endpoint of the OpenID configuration of .* is no https URL, or contains a password\.$/;
  expect(await startWith({ token_endpoint: address }).ask()).toMatch(sentence);
});

test('an address of the configuration is absent, has TLS, or belongs to an issuer on this machine', async () => {
  const here = { token_endpoint: `${issuer.issuer}/token` };
  for (const addresses of [{}, here, { token_endpoint: 'https://other.example/token' }])
    expect(await startWith(addresses).ask()).toBe(seconds(0));
});

test('a failure says whether the provider may answer again, or its configuration is to be repaired', async () => {
  for (const more of [{ issuer: 'https://other.example' }, { jwks_uri: undefined }, { token_endpoint: 7 }])
    expect(await startWith(more).problem()).toBe('metadata');
  issuer.fault = (_, response) => response.writeHead(500).end();
  expect(await start().problem()).toBe('unreachable');
});

test('a clock of the issuer that differs by more than the tolerance is in the log', async () => {
  advance(30);
  await start().ask();
  expect(logged).toEqual([]);
  advance(31);
  await start().ask();
  expect(logged).toMatchObject([{ problem: 'clock' }]);
});
