import { randomUUID } from 'node:crypto';
import { commandCall } from '../../../../tests/support/command-call.ts';
import { reportedAgents } from './reported-agents.ts';

const [exporter, other, id] = [randomUUID(), randomUUID(), randomUUID()];
const declared = [
  { id: exporter, type: 'mysqld_exporter', services: ['orders'] },
  { id: other, type: 'mysqld_exporter', services: ['pay'] },
  { id, type: 'node_exporter', services: [] },
];

/** With the options, and with this text as the file of statuses. */
const reported = (status: string[], text?: string) =>
  reportedAgents(
    commandCall({
      options: { status, ...(text === undefined ? {} : { statuses: '-' }) },
      world: { readInput: () => Promise.resolve(text ?? '') },
    }),
    declared,
  );

test('an agent is named by its id, its type, or its type and service', async () => {
  const unknown = randomUUID();
  expect(await reported([`${unknown}=running`, 'node_exporter=done', 'mysqld_exporter/pay=waiting'])).toEqual([
    { agent_id: unknown, status: 'running' },
    { agent_id: id, status: 'done' },
    { agent_id: other, status: 'waiting' },
  ]);
});

test('a name of no declared agent, or of several, is refused', async () => {
  await expect(reported(['vm_agent=running'])).rejects.toMatchObject({
    message: 'No declared agent is vm_agent: give its id.',
  });
  await expect(reported(['node_exporter/x=running'])).rejects.toMatchObject({ exit: 'usage' });
  await expect(reported(['mysqld_exporter=running'])).rejects.toMatchObject({
    message: 'More than one declared agent is mysqld_exporter: give its id.',
  });
});

test('the statuses of the file come first, with their other fields', async () => {
  const text = `- { agent: node_exporter, status: running, listen_port: 9100 }`;
  expect(await reported(['mysqld_exporter/orders=done'], text)).toEqual([
    { agent_id: id, status: 'running', listen_port: 9100 },
    { agent_id: exporter, status: 'done' },
  ]);
});

test.each(['a: 1', '[7]', '[{ agent: node_exporter }]', '[{ status: running }]', '[{ agent: 7, status: x }]'])(
  'the file %j is refused',
  (text) => expect(reported([], text)).rejects.toMatchObject({ exit: 'usage' }),
);

test('a status without an agent is refused', async () => {
  for (const text of ['running', '=running']) await expect(reported([text])).rejects.toMatchObject({ exit: 'usage' });
});
