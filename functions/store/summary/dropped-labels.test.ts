import { MAX_OBJECT_BYTES, MAX_TARGET_BYTES } from '../../domain/discovery/target-labels.ts';
import { jsonBytesInReply } from '../../../shared/core/reply-size.ts';
import type { Table } from '../../../shared/db/table.ts';
import fc from '../../../shared/testing/fast-check.ts';
import { external, node, service } from '../../../tests/support/store.ts';
import { putObjectsAlone } from '../../../tests/support/stored-objects.ts';
import { clear, startTable } from '../../../tests/support/table.ts';
import { testTime } from '../../../tests/support/test-time.ts';
import type { Entity } from '../entities/entity.ts';
import { readAgentsWithTargets } from '../lists/agents-with-targets.ts';
import { labelBytesOf, listeningTypes, targetOf } from '../lists/scrape-target.ts';
import { countPart, newCount, type Progress } from './count.ts';

let table: Table;
let stop: () => Promise<unknown>;
beforeAll(async () => ({ table, stop } = await startTable(/./)));
afterAll(() => stop());
beforeEach(() => clear(table));

async function counted(objects: number): Promise<number> {
  let progress: Progress = newCount(testTime());
  for (;;) {
    const part = await countPart(table, progress, testTime(), { objects, heartbeats: 100 });
    if (part.isDone) return part.progress.tally.dropped;
    // Between two parts, the progress is stored.
    progress = JSON.parse(JSON.stringify(part.progress)) as Progress;
  }
}

async function targets() {
  const context = await readAgentsWithTargets(table, listeningTypes);
  return context.agents.flatMap((agent) => targetOf(agent, context) ?? []);
}

const labels = (bytes: number, prefix = 'l') => {
  const whole = Math.floor(bytes / 1000);
  return Object.fromEntries(Array.from({ length: whole }, (_, index) => [`${prefix}${index}`, 'x'.repeat(1000)]));
};

test('the gauge counts the targets that discovery shows without some labels, whichever object has these labels', async () => {
  const large = labels(9000);
  const plain = Array.from({ length: 3 }, () => node());
  const fat = node({ custom_labels: large });
  const onFat = service([fat], { service_type: 'haproxy' });
  const fatService = service([plain[0]!], { custom_labels: large });
  const at = (place: Entity, more = {}) =>
    external({}, { runs_on_node_id: place.kind === 'node' ? place.object.node_id : '', ...more });
  const whole = [at(plain[0]!), at(plain[1]!, { custom_labels: labels(5000) })];
  const dropped = [
    at(fat),
    at(plain[1]!, { custom_labels: large }),
    external({ services: [onFat] }),
    external({ services: [fatService] }, { runs_on_node_id: plain[2]!.object.node_id }),
    external({ nodes: [fat] }, { runs_on_node_id: plain[2]!.object.node_id }),
  ];
  const noTarget = at(fat, { disabled: true });
  await putObjectsAlone(table, [...plain, fat, onFat, fatService, ...whole, ...dropped, noTarget]);
  expect((await targets()).filter((scraped) => scraped.dropped > 0)).toHaveLength(dropped.length);
  expect([await counted(1000), await counted(1)]).toEqual([dropped.length, dropped.length]);
});

test('counts large targets on one page up to a limit, and then ends reading', async () => {
  const fat = node({ custom_labels: labels(9000) });
  const agents = Array.from({ length: 510 }, () => external({}, { runs_on_node_id: fat.object.node_id }));
  await putObjectsAlone(table, [fat, ...agents]);
  expect(await counted(1000)).toBe(500);
});

const character = fc.constantFrom('a', '"', '\u4e2d');
const words = (maxLength: number) => fc.string({ unit: character, minLength: 1, maxLength });
const customLabels = fc.dictionary(fc.stringMatching(/^[a-z]{1,9}$/), words(300), { maxKeys: 4 });

test('a target of objects below their share stays within the maximum', () => {
  fc.assert(
    fc.property(
      fc.array(customLabels, { minLength: 4, maxLength: 4 }),
      words(20),
      fc.integer({ min: 1, max: 20 }),
      (sets, region, number) => {
        const [ofHost, other, watched, self] = sets.map((custom_labels) => ({ custom_labels }));
        const host = node({ ...ofHost, region });
        const others = Array.from({ length: number }, () => node({ ...other, region }));
        const services = Array.from({ length: number }, () => service([], { ...watched, cluster: region }));
        const agent = external({ nodes: others, services }, { ...self, runs_on_node_id: host.object.node_id });
        const all = [host, ...others, ...services, agent];
        fc.pre(all.every((object) => labelBytesOf(object) <= MAX_OBJECT_BYTES));
        const target = targetOf(agent.object, {
          agents: [agent.object],
          nodes: new Map([host, ...others].map(({ object }) => [object.node_id, object])),
          services: new Map(services.map(({ object }) => [object.service_id, object])),
          reportedPorts: new Map(),
        })!;
        const bytes = jsonBytesInReply(JSON.stringify(target.group.labels));
        expect([target.dropped, bytes <= MAX_TARGET_BYTES]).toEqual([0, true]);
      },
    ),
    { numRuns: 50 },
  );
});
