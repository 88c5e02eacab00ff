import { addOfType, everyType } from './support/object-of-type.ts';
import { useInventory } from './support/fixtures.ts';

const inventory = useInventory();

/** The request that declares what was added. */
function declarationOf(path: string, { node_name, service_name, ...body }: any) {
  if (path === '/v1/agents') return { path: '/v1/agents/by-key', body };
  return { path: `${path}/by-name/${node_name ?? service_name}`, body };
}

test.each(everyType)('the first declaration of a $kind $type as it was added changes nothing', async (type) => {
  const added: { path: string; body: object; reply: any }[] = [];
  const status = await addOfType(async (path, body) => {
    const reply = await inventory.request('POST', path, { body });
    added.push({ path, body, reply: reply.body });
    return reply;
  }, type);
  expect(status).toBe(201);
  const { path, body, reply } = added.at(-1)!;
  const declared = declarationOf(path, body);
  const { next } = (await inventory.request('GET', '/v1/changes?since=now')).body;
  for (const headers of [{}, { 'If-Match': '"1"' }]) {
    const again = await inventory.request('PUT', declared.path, { body: declared.body, headers });
    expect(again).toMatchObject({ status: 200, body: { outcome: 'unchanged', revision: 1 } });
    expect(again.body[`${type.kind}_id`]).toBe(reply[`${type.kind}_id`]);
  }
  const { changes } = (await inventory.request('GET', `/v1/changes?since=${encodeURIComponent(next)}`)).body;
  expect(changes.filter(({ action }: { action: string }) => action === 'changed')).toEqual([]);
});
