/** Every operation of the TypeScript client with every fault of the way to the server: one effect or an error, never two. */
import { randomUUID } from 'node:crypto';
import { createClient, InventoryError } from '../../clients/typescript/src/index.ts';
import * as operations from '../../clients/typescript/src/generated/operations.ts';
import { endpoints } from '../../functions/api/endpoints.ts';
import { processClock } from '../../shared/core/monotonic-clock.ts';
import { inFull } from '../../shared/testing/extent.ts';
import { createRouter } from '../../shared/http/router.ts';
import { scan } from '../consistency/invariants.ts';
import { none, preparations, type RequestCase, withoutTable } from '../faults/calls.ts';
import type { FaultyInventory } from '../faults/faulty-inventory.ts';
import { type Inventory, startInventory } from '../support/inventory.ts';
import { runningFromTestTime } from '../support/test-time.ts';
import { faults, type FaultyServer, hasEffect, type HttpFault, startFaultyServer } from './faulty-server.ts';

let inventory: Inventory;
let server: FaultyServer;
const route = createRouter(endpoints);

/** A POST or PATCH without a key or a revision, whose second attempt could have a second effect. */
const unrepeatable = new Set([
  ...['addApiKey', 'rotateApiKey', 'rotateOwnApiKey', 'addEnrolmentToken', 'enrolNode', 'addSession'],
  ...['addUser', 'changeUser', 'inviteUser', 'logIn', 'authorizeDevice', 'answerDevice'],
  ...['addRoleBinding', 'changeRoleBinding', 'cleanUp', 'restoreRemoved', 'changeApiKey', 'runBatch'],
  ...['addSavedFilter', 'changeSavedFilter'],
  ...['changeNode', 'changeService', 'changeAgent'],
]);

/** Long enough for a busy machine to have the effect, as a later effect would be that of a slow request. */
const TIMEOUT_MS = 3000;

interface Outcome {
  id: string;
  requests: number;
  /** Of the call; undefined: it succeeded. */
  error: unknown;
  reply: unknown;
  isRepeatable: boolean;
}

/** Makes the request of a case by the function of its operation. */
async function call(
  { method, path, call: { body, headers = {}, as } }: RequestCase,
  fault: HttpFault,
): Promise<Outcome> {
  const { pathname, searchParams } = new URL(path, 'http://localhost');
  const match = route(method, pathname);
  if (match.kind !== 'endpoint') throw new Error(`${method} ${path} is no endpoint`);
  const { id, bodyFormat } = match.endpoint;
  const name = randomUUID();
  server.faults.set(name, [fault]);
  const authorization = headers['Authorization'] ?? (as === null ? '' : `Bearer ${inventory.keys[as ?? 'Admin']}`);
  const [, user, password] = /^admin:(.*)$/s.exec(
    Buffer.from(authorization.replace(/^Basic /, ''), 'base64').toString(),
  )
    ? ['', 'admin', Buffer.from(authorization.slice(6), 'base64').toString().slice('admin:'.length)]
    : [];
  const client = createClient({
    url: `${server.base}/${name}`,
    timeout: TIMEOUT_MS,
    ...(user === undefined
      ? authorization === ''
        ? {}
        : { key: authorization.slice('Bearer '.length) }
      : { user, password }),
  });
  const input = {
    ...match.params,
    ...Object.fromEntries(searchParams),
    ...(bodyFormat === 'ndjson' ? { lines: [JSON.parse(String(body))] } : (body as object | undefined)),
  };
  const options = {
    ...(headers['Idempotency-Key'] === undefined ? {} : { idempotencyKey: headers['Idempotency-Key'] }),
    ...(headers['If-Match'] === undefined ? {} : { ifMatch: headers['If-Match'] }),
  };
  const isRepeatable =
    !unrepeatable.has(id) || 'ifMatch' in options || (id === 'runBatch' && (body as any).atomic === true);
  const run = operations[id as keyof typeof operations] as (...all: unknown[]) => PromiseLike<unknown>;
  const result = await Promise.resolve(run(client, input, options)).then(
    (reply: unknown) => ({ reply, error: undefined }),
    (error: unknown) => ({ error, reply: undefined }),
  );
  return { id, requests: server.requests.get(name) ?? 0, isRepeatable, ...result };
}

const AT_ONCE = 20;

async function inTurns<T, R>(all: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let next = 0; next < all.length; next += AT_ONCE)
    results.push(...(await Promise.all(all.slice(next, next + AT_ONCE).map(work))));
  return results;
}

const rounds = Array.from({ length: inFull(2, 1) }, (_, round) => round);

describe.each(rounds)('round %d', () => {
  // An inventory of its own, as a user has at most 100 sessions.
  beforeAll(async () => {
    inventory = await startInventory({ clock: runningFromTestTime(processClock) });
    server = await startFaultyServer(inventory);
  });
  afterAll(async () => {
    await server.stop();
    await inventory.stop();
  });

  test.each(faults)('%s: each operation has one effect or throws, and never two', async (fault) => {
    const prepared = await inTurns(preparations, async (prepare) => prepare(inventory as FaultyInventory));
    const before = await scan(inventory.table);
    const outcomes = await inTurns(prepared, (preparedCall) => call(preparedCall, fault));
    const after = await scan(inventory.table);
    const complaints = outcomes.flatMap(({ id, requests, error, reply, isRepeatable }, index) => {
      const preparedCall = prepared[index]!;
      const effects = preparedCall.effects(after, before);
      const what = `${preparedCall.what} (${id}): ${requests} requests, ${effects} effects, ${String(error)}`;
      const mayThrow = hasEffect(fault) || fault === 'lost request';
      if (error !== undefined && !(error instanceof InventoryError)) return [`${what}: no InventoryError`];
      if (effects > 1) return [`${what}: two effects`];
      if (!isRepeatable && fault !== '429' && requests !== 1) return [`${what}: was repeated`];
      if (error === undefined && preparedCall.effects !== none && effects !== 1)
        return preparedCall.leaves?.({ body: reply } as never) === true ? [] : [`${what}: no effect`];
      // A lost reply is an error only of what cannot be repeated, or of a repetition that its first attempt prevents.
      if (error !== undefined && (!mayThrow || (isRepeatable && error.cause === undefined))) return [`${what}: failed`];
      return [];
    });
    expect(complaints).toEqual([]);
    const ids = new Set(outcomes.map(({ id }) => id));
    expect(endpoints.map(({ id }) => id).filter((id) => !withoutTable.has(id) && !ids.has(id))).toEqual([]);
    // The fault struck all, and those that may were repeated.
    expect(outcomes.filter(({ isRepeatable, requests }) => isRepeatable && requests < 2).map(({ id }) => id)).toEqual(
      [],
    );
  });
});
