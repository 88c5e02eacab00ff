import { commandCall } from '../../../../tests/support/command-call.ts';
import { run } from './targets.ts';

const groups = [
  { targets: ['db-1:9100', 'db-1:9104'], labels: { node_name: 'db-1', agent_type: 'node_exporter' } },
  { targets: ['db-2:9100'], labels: { node_name: 'db-2' } },
];

test('programs get the targets as a scraper reads them, and people get their addresses', async () => {
  const printed = async (options: Record<string, unknown>) => {
    const call = commandCall({ options, answer: () => groups });
    await run(call);
    return call.out();
  };
  expect(JSON.parse(await printed({ output: 'json' }))).toEqual(groups);
  for (const address of ['db-1:9100', 'db-1:9104', 'db-2:9100']) expect(await printed({})).toContain(address);
});
