/** A migration from a PMM server, which answers with recorded replies. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportAll } from '../../clients/typescript/src/flows.ts';
import { agents, ids, nodes, services } from '../bulk/pmm-replies.ts';
import { assertCode, startStory, type Story } from './story.ts';

const PASSWORD = 'canary-of-pmm';

/** The replies of a PMM 3 and a PMM 2 server, by method and path. */
const generations = {
  3: { 'GET /v1/inventory/nodes': nodes, 'GET /v1/inventory/services': services, 'GET /v1/inventory/agents': agents },
  2: {
    'POST /v1/inventory/Nodes/List': nodes,
    'POST /v1/inventory/Services/List': services,
    'POST /v1/inventory/Agents/List': agents,
  },
} as const;

let story: Story;
let pmm: Server;
let replies: Record<string, unknown> = generations[3];
beforeAll(async () => {
  story = await startStory();
  pmm = createServer(({ method, url, headers }, response) => {
    const isKnown = headers.authorization === `Basic ${btoa(`admin:${PASSWORD}`)}`;
    const reply = replies[`${method} ${url}`];
    response.setHeader('Content-Type', 'application/json');
    if (!isKnown) response.writeHead(401).end('{"code":16,"error":"Unauthorized","message":"Unauthorized"}');
    else if (reply === undefined) response.writeHead(404).end('{"code":5,"error":"Not Found","message":"Not Found"}');
    else response.end(JSON.stringify(reply));
  }).listen(0, '127.0.0.1');
  await once(pmm, 'listening');
});
afterAll(async () => {
  pmm.closeAllConnections();
  pmm.close();
  await story.stop();
});

function migrate(password = PASSWORD) {
  const { port } = pmm.address() as AddressInfo;
  return story.run('migrate-from-pmm.sh', {
    role: 'Admin',
    env: { PMM_URL: `http://admin:${password}@127.0.0.1:${port}` },
  });
}

async function stored(): Promise<string[]> {
  const ids: string[] = [];
  for await (const { kind, object } of exportAll(story.admin)) ids.push((object as any)[`${kind}_id`]);
  return ids;
}

test('a wrong password of the PMM server imports nothing, and is not printed', async () => {
  const { code, out, err } = await migrate('wrong-canary');
  expect([code, out, err]).toEqual([1, '', expect.stringMatching(/^Error: .*401 Unauthorized\n$/)]);
  expect(err).not.toContain('wrong-canary');
  expect(await stored()).toEqual([]);
});

test('all objects are imported with their ids, and a repetition changes nothing', async () => {
  const first = await migrate();
  expect(assertCode(first).trimEnd().split('\n')).toEqual([
    'Would be: 17 added, 0 changed, 0 unchanged, 0 refused.',
    '17 added, 0 changed, 0 unchanged, 0 refused.',
  ]);
  // The omitted credentials are named without their values.
  expect(first.err).toContain('aws_access_key omitted: is a credential');
  expect(first.out + first.err).not.toMatch(/AKIAEXAMPLE|canary/);
  const objects = await stored();
  expect(objects).toHaveLength(17);
  expect(objects).toEqual(expect.arrayContaining([ids.hostId, ids.mysqlId, ids.processId]));
  expect(assertCode(await migrate())).toContain('\n0 added, 0 changed, 17 unchanged, 0 refused.\n');
});

test('a later repetition, also from PMM 2, imports what PMM has added since', async () => {
  const later = { ...nodes.generic[1], node_id: '0c0a8a4c-2c2f-4d47-9d0a-5b6f7f8f1a99', node_name: 'later' };
  replies = {
    ...generations[2],
    'POST /v1/inventory/Nodes/List': { ...nodes, generic: [...nodes.generic, { ...later, address: '10.0.1.99' }] },
  };
  expect(assertCode(await migrate())).toContain('\n1 added, 0 changed, 17 unchanged, 0 refused.\n');
  expect(await stored()).toContain(later.node_id);
});
