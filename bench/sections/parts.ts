import * as z from 'zod/mini';
import { eventOf, openInvocations } from '../../tests/costs/invocation.ts';
import { meter } from '../../tests/costs/meter.ts';
import { discoverAsDeployed } from '../discover-as-deployed.ts';
import { startInventory } from '../inventory.ts';
import { newMachine } from '../machine.ts';
import { putObjectsAlone } from '../nodes.ts';
import { table as markdown } from '../report.ts';
import type { Size } from '../size.ts';

/** The most targets that one reply contained before there were parts: 6 MB of text. */
const ONE_REPLY = 6500;

const MEGABYTE = 1024 * 1024;

const TARGETS_OF_A_MACHINE = 2;

/** One part of a fleet, beside a whole list of the largest size that one reply contains without compression. */
export async function partSection({ fleetTargets, parts }: Size): Promise<string> {
  const { dependencies, environment, stop } = await startInventory();
  try {
    const { invoke } = await openInvocations(dependencies);
    const count = meter(dependencies.table);
    const add = async (from: number, to: number) => {
      // In steps, so that the objects of a fleet are never in memory at once. Agents that do not listen are not read.
      for (let first = from; first < to; first += 1000) {
        const machines = Array.from({ length: Math.min(1000, to - first) }, (_, number) => newMachine(first + number));
        const read = machines.flat().filter((one) => one.kind !== 'agent' || one.object['listen_port'] !== undefined);
        await putObjectsAlone(dependencies.table, read);
      }
    };
    const measure = async (name: string, query: string) => {
      const event = eventOf({ method: 'GET', url: `/v1/discovery/prometheus${query}`, headers: {} });
      let body = '[]';
      const calls = await count.during(async () => {
        const reply = await invoke('discoverTargets', event);
        if (reply.statusCode !== 200) throw new Error(reply.body);
        ({ body } = reply);
      });
      const { first, last, memoryMb } = await discoverAsDeployed(environment, event);
      const units = calls.reduce((sum, call) => sum + call.units, 0);
      const targets = z.parse(z.array(z.unknown()), JSON.parse(body));
      return [name, targets.length, body.length / MEGABYTE, memoryMb, first, last, units, calls.length];
    };
    const whole = Math.min(ONE_REPLY, fleetTargets / 2);
    await add(0, whole / TARGETS_OF_A_MACHINE);
    const rows = [await measure(`all of ${whole}`, '')];
    await add(whole / TARGETS_OF_A_MACHINE, fleetTargets / TARGETS_OF_A_MACHINE);
    rows.push(await measure(`part 3 of ${parts} of ${fleetTargets}`, `?shard=3/${parts}`));
    rows.push(await measure(`part ${parts - 1} of ${parts} of ${fleetTargets}`, `?shard=${parts - 1}/${parts}`));
    return markdown(
      ['what', 'targets', 'reply, MB', 'memory, MB', 'first call, ms', 'fourth call, ms', 'read units', 'table calls'],
      rows,
    );
  } finally {
    await stop();
  }
}
