import { setTimeout as delay } from 'node:timers/promises';
import { objectIds, scan } from '../consistency/invariants.ts';
import { addAgent, addHost, addService } from '../support/add.ts';
import { allAtOnce, type Scenario } from './all-at-once.ts';
import type { FaultyInventory } from './faulty-inventory.ts';
import { computesSummary, judge, type Judgement, ofTheAuthorizer, pastTheAuthorizer, prepareAll } from './outcome.ts';
import type { Rule } from './proxy.ts';

/** What is bound to fail should do so in half of the time that the gateway gives. */
const SOON_MS = 14_500;

/** Requests to every endpoint under the rules; fails with everything that is wrong. */
async function under(inventory: FaultyInventory, ...rules: Rule[]): Promise<Judgement> {
  const judgement = await judge(inventory, await prepareAll(inventory), rules);
  expect(judgement.complaints).toEqual([]);
  return judgement;
}

const scenarios: Record<string, Scenario['work']> = {
  'an attempt that is not answered in time is followed by another one, and took effect once': async (inventory) => {
    const first = { attempts: [1], ...pastTheAuthorizer };
    const late = { fault: { kind: 'late call', delayMs: 3500 }, probability: 0.5, ...first } as const;
    const { unavailable } = await under(inventory, late, { fault: { kind: 'no answer' }, ...first });
    // More calls in turn than the time of a request suffices for, when each is repeated.
    expect(unavailable.filter((what) => !computesSummary(what))).toEqual([]);
  },

  'calls that are never answered, or half-way: 503 soon': async (inventory) => {
    const { slowestMs } = await under(
      inventory,
      { fault: { kind: 'stalled answer' }, probability: 0.5, ...pastTheAuthorizer },
      { fault: { kind: 'no answer' }, ...pastTheAuthorizer },
    );
    expect(slowestMs).toBeLessThan(SOON_MS);
  },

  'an authorizer that is never answered: 503 soon': async (inventory) => {
    const { slowestMs } = await under(inventory, { fault: { kind: 'no answer' }, ...ofTheAuthorizer });
    expect(slowestMs).toBeLessThan(SOON_MS);
  },

  'answers that drip: 503 in time of the gateway': async (inventory) => {
    await under(inventory, { fault: { kind: 'dripping answer', everyMs: 500 }, ...pastTheAuthorizer });
  },

  'every call needs its last attempt: an answer in time of the gateway, however many calls there are': async (
    inventory,
  ) => {
    await under(inventory, { fault: { kind: 'no answer' }, attempts: [1, 2], ...pastTheAuthorizer });
  },

  'a request that was answered for being late begins nothing more': async (inventory) => {
    const { proxy, request, table } = inventory;
    const { nodeId } = await addHost(inventory);
    const { service_id: serviceId } = await addService(inventory, { node_ids: [nodeId] });
    const insights = { service_ids: [serviceId] };
    await addAgent(inventory, { agent_type: 'external_exporter', insights, listen_port: 1 });
    const before = await scan(table);
    proxy.disturb({ fault: { kind: 'no answer' }, attempts: [1, 2], ...pastTheAuthorizer });
    expect((await request('DELETE', `/v1/nodes/${nodeId}?force=true`)).status).toBe(503);
    // On a busy machine, a call that was sent before the answer arrives after it.
    await delay(1000);
    proxy.disturb();
    // As long as the call that was under way would take to be repeated.
    await delay(4000);
    expect(proxy.calls).toEqual({});
    expect(objectIds(await scan(table))).toEqual(objectIds(before));
  },

  'conflicts with others, and batches that leave out everything, without end: 503 in time of the gateway': async (
    inventory,
  ) => {
    const { unavailable } = await under(
      inventory,
      { fault: { kind: 'conflict' } },
      { fault: { kind: 'unprocessed', all: true } },
    );
    expect(unavailable.length).toBeGreaterThan(10);
  },
};

allAtOnce(
  Object.entries(scenarios).map(([name, work]) => ({ name, work, seed: 1 })),
  { parallel: 3 },
);
