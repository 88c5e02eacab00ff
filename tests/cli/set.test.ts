/** `inventory set` of every type of object: which values it clears. */
import { bodyField } from '../../clients/cli/src/command/body-flags.ts';
import { clearedBy, declaredObject } from '../../clients/cli/src/command/cleared.ts';
import { createClient } from '../../clients/typescript/src/client.ts';
import { addOfType, everyType } from '../support/object-of-type.ts';
import { ADDRESS, type CommandLine, startCommandLine } from './command.ts';

let line: CommandLine;
beforeAll(async () => (line = await startCommandLine()));
afterAll(() => line.stop());

test.each(everyType)('a $type that is declared as it was added loses nothing', async (type) => {
  const client = createClient({ url: ADDRESS, key: line.inventory.keys.Admin, fetch: line.fetch });
  let [body, id]: [any, string | undefined] = [{}, undefined];
  const status = await addOfType(async (path, given) => {
    const reply = await line.inventory.request('POST', path, { body: given });
    [body, id] = [given, reply.body[`${type.kind}_id`]];
    return reply;
  }, type);
  expect(status).toBe(201);
  const before = await declaredObject(client, type.kind, body);
  expect(before).toMatchObject({ [`${type.kind}_id`]: id });
  expect(clearedBy(type.kind, before ?? {}, body)).toEqual([]);
  // One more value, and a label, are what is cleared.
  const field = ['log_level', 'region', 'environment'].find(
    (candidate) => bodyField(type.kind, candidate) && !(candidate in body),
  );
  const labels = { custom_labels: { team: 'dba' } };
  const patch = (more: object) =>
    line.inventory.request('PATCH', `/v1/${type.kind}s/${id}`, { body: { ...labels, ...more } });
  const wide = await patch(field === undefined ? {} : { [field]: 'warn' });
  const isWide = wide.status === 200;
  if (!isWide) expect((await patch({})).status).toBe(200);
  const cleared = clearedBy(type.kind, (await declaredObject(client, type.kind, body)) ?? {}, body);
  expect(cleared.map((difference) => difference.field).sort()).toEqual(
    ['custom_labels.team', ...(isWide && field !== undefined ? [field] : [])].sort(),
  );
});

test('declaring an agent without its port clears a declared port, but not a reported one', async () => {
  const run = (text: string) => line.inventoryCommand(text.split(' '));
  await run('add node set-1 --type generic --address set-1.example');
  const process = (await run('add agent pmm_agent --runs-on-node-id set-1 -o json')).json().agent_id;
  const set = 'set agent node_exporter --pmm-agent-id set-1';
  const { agent_id: id } = (await run(`${set} -o json`)).json();
  expect(await run(`${set} --listen-port 42001`)).toMatchObject({ code: 0, err: '' });
  expect(await run(set)).toMatchObject({ code: 0, err: 'agent/node_exporter on set-1: listen_port: 42001 -> none\n' });
  const agents = [{ agent_id: id, status: 'running', listen_port: 42_000, version: '1.8' }];
  const report = await line.inventory.request('POST', `/v1/agents/${process}/report`, { body: { agents } });
  expect(report.status).toBe(200);
  expect(await run(set)).toMatchObject({ code: 0, err: '' });
});
