/** Each kind of credential succeeds with each operation that it is permitted, and with no other; no request has an error of the service. */
import { endpoints } from '../../functions/api/endpoints.ts';
import type { Endpoint } from '../../functions/contract/endpoint.ts';
import { inFull, testInFull, testSeed } from '../../shared/testing/extent.ts';
import { Random } from '../consistency/random.ts';
import type { Reply } from '../support/inventory.ts';
import { type Kind, kinds } from './credential-kinds.ts';
import { documentedStatuses } from './documented-operations.ts';
import { requestOf, sendRequest } from './generated-requests.ts';
import { type Permission, permissionOf } from './permitted.ts';
import { allProofs } from './proofs.ts';
import { Scene } from './scene.ts';
import { type Scenery, startScenery } from './scenery.ts';
import { spoiled } from './spoiled-requests.ts';

const random = new Random(testSeed);

/** In the short form a few: a key, a session, and no credential. */
const someKinds = inFull(kinds, [random.pick(kinds.slice(0, 20)), random.pick(kinds.slice(20, -1)), kinds.at(-1)!]);

/** The least number of requests for one kind; in full, all kinds have 20,000. */
const LEAST_REQUESTS = Math.ceil(inFull(20_000 / someKinds.length, endpoints.length));

/** Of a request that nothing should hinder, the attempts until one succeeds. */
const MAX_ATTEMPTS = 15;

let scenery: Scenery;
beforeAll(async () => (scenery = await startScenery()));
afterAll(() => scenery.stop());

/** The result of all requests with one kind of credential for an operation. */
interface Pair {
  kind: Kind;
  endpoint: Endpoint;
  permission: Permission;
  successes: number;
  /** The last replies that are no success. */
  refusals: string[];
}

const pairsOf = (kind: Kind): Pair[] =>
  endpoints.map((endpoint) => ({
    ...{ kind, endpoint, successes: 0, refusals: [] },
    permission: permissionOf(endpoint, kind),
  }));

/** The proofs of identity in bodies that have succeeded. */
const proofs = new Set<string>();
let requests = 0;

const isSuccess = ({ status }: Reply) => status < 300;

/** What is wrong with a reply; undefined if nothing is. */
function faultOf({ kind, endpoint, permission }: Pair, reply: Reply, isSpoiled: boolean): string | undefined {
  const { status } = reply;
  if (status >= 500) return 'is an error of the service';
  if (permission !== 'yes' && isSuccess(reply)) return 'succeeds without permission';
  if (permission === 'never') {
    const expected = kind.caller === 'none' ? 401 : 403;
    return status === expected ? undefined : `is not refused with ${expected}`;
  }
  if (isSuccess(reply) || documentedStatuses(endpoint.id).includes(status)) {
    const isOwnProof = endpoint.role === 'none';
    return status === 401 && !isOwnProof ? 'refuses a credential that is alive' : undefined;
  }
  // The path is another one, or the method has none.
  if (isSpoiled && (status === 404 || status === 405)) return undefined;
  return 'has a status that the document does not state';
}

/** Makes a request. @returns what is wrong with its reply. */
async function attempt(scene: Scene, pair: Pair, isSpoiled: boolean): Promise<string[]> {
  const { endpoint, permission } = pair;
  const valid = await requestOf(scene, endpoint, permission === 'yes');
  const draft = isSpoiled ? spoiled(random, valid, endpoint) : valid;
  const { params, query, body, headers } = draft;
  const what = () => `${endpoint.id} ${JSON.stringify({ params, query, body, headers }).slice(0, 1500)}`;
  requests += 1;
  let reply: Reply;
  try {
    reply = await sendRequest(scene, endpoint, draft);
  } catch (error) {
    return [`${what()} has a reply that its contract does not declare: ${String(error).slice(0, 1500)}`];
  }
  const said = `${reply.status} ${reply.text.slice(0, 500)}`;
  const fault = faultOf(pair, reply, isSpoiled);
  if (isSuccess(reply)) {
    await draft.cleanUp?.(reply.body);
    pair.successes += 1;
    if (!isSpoiled && draft.proof !== undefined) proofs.add(draft.proof);
  } else if (!isSpoiled) pair.refusals = [...pair.refusals.slice(-1), `${what()}: ${said}`];
  return fault === undefined ? [] : [`${what()} ${fault}: ${said}`];
}

/** Whether the caller is who the kind says. */
async function expectAsDeclared({ kind, send }: { kind: Kind; send: () => Promise<Reply> }): Promise<void> {
  const { status, body } = await send();
  if (status !== 200) return;
  const { caller, role, owners, ends } = kind;
  expect(body).toMatchObject({ kind: caller, role });
  expect([body.owners, kind.caller === 'api_key' && body.expires_at !== undefined]).toEqual([owners, ends ?? false]);
}

/** One request of each operation, and of those that are permitted as many as it takes until one has succeeded. */
async function round(kind: Kind, pairs: readonly Pair[]): Promise<string[]> {
  scenery.nextMinute();
  const scene = new Scene({ scenery, random, kind, credential: await kind.make(scenery) });
  await expectAsDeclared({ kind, send: () => scene.send('GET', '/v1/caller') });
  const faults = [];
  for (const pair of pairs) {
    faults.push(...(await attempt(scene, pair, pair.permission !== 'in effect never' && random.chance(0.4))));
    for (let more = 1; more < MAX_ATTEMPTS && pair.permission === 'yes' && pair.successes === 0; more += 1)
      faults.push(...(await attempt(scene, pair, false)));
  }
  await scene.end();
  return faults;
}

test('there are at least 25 kinds of credentials with different names', () => {
  expect(new Set(kinds.map(({ name }) => name)).size).toBe(kinds.length);
  expect(kinds.length).toBeGreaterThanOrEqual(25);
});

describe(`TEST_SEED=${testSeed}`, () => {
  test.each(someKinds)(
    '$name: succeeds with exactly its permitted operations, and no request causes a service error',
    async (kind) => {
      const pairs = pairsOf(kind);
      const faults: string[] = [];
      const end = requests + LEAST_REQUESTS;
      while (requests < end) faults.push(...(await round(kind, pairs)));
      const permitted = pairs.filter(({ permission }) => permission === 'yes');
      const failed = permitted.filter(({ successes }) => successes === 0);
      expect(faults).toEqual([]);
      expect(failed.flatMap(({ refusals }) => refusals)).toEqual([]);
      expect(failed).toEqual([]);
    },
  );

  testInFull('each proof of identity in a body succeeds, among 20,000 requests', () => {
    expect([...proofs].sort()).toEqual([...allProofs].sort());
    expect(requests).toBeGreaterThanOrEqual(20_000);
    return Promise.resolve();
  });
});
