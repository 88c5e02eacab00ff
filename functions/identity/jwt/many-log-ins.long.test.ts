/** Many programs log in at once, also while their issuer changes its keys. */
import { countFrom } from '../../../tests/consistency/random.ts';
import type { Inventory } from '../../../tests/support/inventory.ts';
import type { Issuer } from '../../../tests/support/issuer.ts';
import { logInProgram, programClaims as claims, startProgramLogins } from '../../../tests/support/program-logins.ts';
import { AUDIENCE, newSigningKey, signedBy } from '../../../tests/support/program-tokens.ts';
import { verifyToken } from './verify-token.ts';
import { TEST_TIME } from '../../../tests/support/test-time.ts';

/** Log-ins in a second of the clock of the service. */
const RATE = countFrom('LOG_INS_PER_SECOND', 20);

/** A process asks an issuer at most once in this time. */
const INTERVAL_SECONDS = 5;

const MINUTE_MS = 60_000;

/** The requests that read the documents of the issuer once. */
const REQUESTS = 2;

let issuer: Issuer;
let inventory: Inventory;
let begin: number;
beforeEach(async () => {
  ({ issuer, inventory } = await startProgramLogins());
  begin = Math.floor(TEST_TIME / 1000) * 1000;
});
afterEach(async () => {
  await inventory.stop();
  await issuer.stop();
});

/** Sets the clock of the service. */
function at(milliseconds: number): void {
  inventory.clock.now = new Date(begin + milliseconds);
}

/** The claims at the begin: they are valid for the whole minute. */
const minuteClaims = () =>
  claims({ iss: issuer.issuer, iat: begin / 1000, nbf: begin / 1000, exp: begin / 1000 + 300 });

test(`of ${RATE} log-ins a second for a minute with three new keys, none is refused five seconds after a new key`, async () => {
  const rotations = [15_000, 30_000, 45_000];
  const refused: number[] = [];
  const asked: number[] = [];
  let rotated = 0;
  for (let count = 0; count < RATE * 60; count += 1) {
    const time = (count * 1000) / RATE;
    at(time);
    if (rotations[rotated] !== undefined && time >= rotations[rotated]!)
      issuer.keys = [await newSigningKey(`key-${(rotated += 1)}`)];
    const before = issuer.requests.length;
    const { status } = await logInProgram(inventory, await issuer.sign(minuteClaims()));
    if (issuer.requests.length > before) asked.push(time);
    if (status !== 201) refused.push(time);
  }
  const isLate = (time: number) =>
    !rotations.some((rotatedAt) => time >= rotatedAt && time < rotatedAt + INTERVAL_SECONDS * 1000);
  expect(refused.filter(isLate)).toEqual([]);
  // Each new key is read at the first token that has it: the last request was longer ago than the interval.
  expect(asked).toHaveLength(1 + rotations.length);
  expect(issuer.requests).toHaveLength(asked.length * REQUESTS);
});

test('10,000 tokens of unknown keys in a minute cause at most 12 reads of the documents of the issuer', async () => {
  const tokens = 10_000;
  const provider = { name: 'ci', kind: 'jwt', issuer: issuer.issuer, audience: AUDIENCE } as const;
  const key = await newSigningKey('x');
  for (let count = 0; count < tokens; count += 1) {
    at((count * MINUTE_MS) / tokens);
    const token = await signedBy({ ...key, kid: `random-${count}` }, minuteClaims());
    await expect(verifyToken(token, provider, inventory.dependencies)).rejects.toMatchObject({ reason: 'unknown_key' });
  }
  expect(issuer.requests.length / REQUESTS).toBeGreaterThan(1);
  expect(issuer.requests.length / REQUESTS).toBeLessThanOrEqual(MINUTE_MS / 1000 / INTERVAL_SECONDS);
});

test('1,000 log-ins of one role binding in a minute, 20 at once: each gets a key', async () => {
  at(0);
  const statuses: number[] = [];
  const worker = async () => {
    for (let count = 0; count < 50; count += 1)
      statuses.push((await logInProgram(inventory, await issuer.sign(minuteClaims()))).status);
  };
  await Promise.all(Array.from({ length: 20 }, worker));
  expect([statuses.length, new Set(statuses)]).toEqual([1000, new Set([201])]);
});
