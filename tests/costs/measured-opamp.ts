import type { Inventory } from '../support/inventory.ts';
import { collector, newUid, type MessageInit, written } from '../support/opamp.ts';
import type { Request } from './invocation.ts';
import { testTime } from '../support/test-time.ts';

/** Messages of a collector on a node that exists. */
export async function measureOpamp(
  { clock, request }: Inventory,
  ask: (id: string, request: string, sent: Request) => Promise<string>,
): Promise<void> {
  const instanceUid = newUid();
  const send = (name: string, message: MessageInit) =>
    ask('opamp', name, { method: 'POST', url: '/v1/opamp', body: written({ instanceUid, ...message }) });
  const node = { node_type: 'generic', node_name: 'collected', address: '10.0.0.1' };
  const added = await request('POST', '/v1/nodes', { body: node });
  if (added.status !== 201) throw new Error(added.text);
  const agentDescription = collector('web-1', { 'inventory.node_name': node.node_name });
  clock.now = testTime(-360_000);
  await send('a new collector of a node that exists', { agentDescription, health: { healthy: true } });
  await send('a heartbeat', { sequenceNum: 1n });
  clock.now = undefined;
  await send('a heartbeat, after half of stale_after', { sequenceNum: 2n });
  await send('another health', { sequenceNum: 3n, health: { healthy: false, lastError: 'no route' } });
}
