import { eventually } from '../end-to-end/processes.ts';
import { OFFLINE_NODES, STALE_NODES, type Writes } from './fleet.ts';

/** Waits until this number of nodes has the state. */
export async function untilNodes(site: Writes, state: string, count: number): Promise<void> {
  const path = `/v1/nodes?state=${state}&page_size=1000`;
  await eventually(async () => (await site.api('GET', path)).body.nodes.length === count, 120_000, 500);
}

/** Waits until the silent nodes have the state that they shall have. */
export async function untilSilent(site: Writes): Promise<void> {
  await untilNodes(site, 'offline', OFFLINE_NODES.length);
  await untilNodes(site, 'stale', STALE_NODES.length);
}
