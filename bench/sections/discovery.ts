import { gzipSync } from 'node:zlib';
import * as z from 'zod/mini';
import { MEMORY_MB } from '../../infra/functions/function-size.ts';
import { MAX_RESULT_BYTES } from '../../shared/http/carry.ts';
import { eventOf, openInvocations } from '../../tests/costs/invocation.ts';
import { meter } from '../../tests/costs/meter.ts';
import { discoverAsDeployed } from '../discover-as-deployed.ts';
import { startInventory } from '../inventory.ts';
import { newMachine } from '../machine.ts';
import { putObjects } from '../nodes.ts';
import { ratio, table as markdown } from '../report.ts';
import type { Size } from '../size.ts';
import { median } from '../statistics.ts';
import type { Targets } from '../targets.ts';

const TIMED_ROUNDS = 7;
const PAGE_SIZE = 1000;
const MEGABYTE = 1024 * 1024;

/** API Gateway's limit for a reply, and the longest that a function may take. */
const GATEWAY_BYTES = 10 * MEGABYTE;
const GATEWAY_MS = 29_000;

const pageSchema = z.object({ next_page_token: z.optional(z.string()) });

/** Discovers many agents at once: bytes, read units and time, and how far from the limits that is. */
export async function discoverySection({ targets }: Size, verdicts: Targets): Promise<string> {
  const { dependencies, environment, stop } = await startInventory();
  try {
    await putObjects(dependencies.table, Array.from({ length: targets / 2 }, (_, number) => newMachine(number)).flat());
    const { invoke } = await openInvocations(dependencies);
    const question = (query: string) =>
      eventOf({ method: 'GET', url: `/v1/discovery/prometheus${query}`, headers: { 'Accept-Encoding': 'gzip' } });
    const discover = async (query = '') => {
      const reply = await invoke('discoverTargets', question(query));
      if (reply.statusCode !== 200) throw new Error(reply.body);
      return reply;
    };
    const listAll = async () => {
      let token: string | undefined;
      do {
        const from = token === undefined ? '' : `&page_token=${token}`;
        const { statusCode, body } = await invoke(
          'listAgents',
          eventOf({ method: 'GET', url: `/v1/agents?page_size=${PAGE_SIZE}${from}` }),
        );
        if (statusCode !== 200) throw new Error(body);
        token = z.parse(pageSchema, JSON.parse(body)).next_page_token;
      } while (token !== undefined);
    };

    const count = meter(dependencies.table);
    const unitsOf = async (work: () => Promise<unknown>) =>
      (await count.during(work)).reduce((sum, call) => sum + call.units, 0);
    const time = async (work: () => Promise<unknown>) => {
      const start = performance.now();
      await work();
      return performance.now() - start;
    };
    const units = { discover: await unitsOf(discover), list: await unitsOf(listAll) };
    const times: { discover: number[]; list: number[] } = { discover: [], list: [] };
    for (let round = 0; round < TIMED_ROUNDS; round += 1) {
      times.discover.push(await time(discover));
      times.list.push(await time(listAll));
    }

    const half = await discover('?selector=agent_type=mysqld_exporter');
    const result = await discover();
    const deployed = await discoverAsDeployed(environment, question(''));
    const isCompressed = result.isBase64Encoded === true;
    const resultBytes = Buffer.byteLength(JSON.stringify(result));
    const sentBytes = isCompressed ? Buffer.from(result.body, 'base64').length : gzipSync(result.body).length;
    const milliseconds = median(times.discover);
    return [
      markdown(
        ['what', 'value', 'target'],
        [
          ['targets', targets, ''],
          [
            'what Lambda carries, MB',
            resultBytes / MEGABYTE,
            verdicts.add({
              name: 'what Lambda carries',
              value: resultBytes,
              limit: { atMost: MAX_RESULT_BYTES + 16 * 1024 },
              unit: ' bytes',
            }),
          ],
          ['compressed in the function', isCompressed ? 'yes' : 'no', ''],
          [
            'sent with gzip, MB',
            sentBytes / MEGABYTE,
            verdicts.add({
              name: 'sent with gzip',
              value: sentBytes,
              limit: { atMost: GATEWAY_BYTES },
              unit: ' bytes',
            }),
          ],
          [
            'one type, half of them, not compressed: bytes per target',
            half.isBase64Encoded ? '-' : half.body.length / (targets / 2),
            '',
          ],
          [
            'memory of a function that does nothing else, MB',
            deployed.memoryMb,
            verdicts.add({
              name: 'memory of a function that does nothing else',
              value: deployed.memoryMb,
              limit: { atMost: MEMORY_MB },
              unit: ' MB',
            }),
          ],
          [
            `milliseconds with ${MEMORY_MB} MB's share of a processor, first`,
            deployed.first,
            verdicts.add({
              name: `first call with ${MEMORY_MB} MB's share of a processor`,
              value: deployed.first,
              limit: { atMost: GATEWAY_MS },
              unit: ' ms',
            }),
          ],
          ['the same, fourth', deployed.last, ''],
          ['milliseconds with a whole processor', milliseconds, ''],
        ],
      ),
      '',
      markdown(
        ['', 'read units', 'ratio', 'time'],
        [
          ['list of agents, pages of 1,000', units.list, ratio(1), ratio(1)],
          ['targets', units.discover, ratio(units.discover / units.list), ratio(milliseconds / median(times.list))],
        ],
      ),
    ].join('\n');
  } finally {
    await stop();
  }
}
