/** For every role and owner, the console offers exactly the actions on objects, selections and API keys that the API allows. */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { endpoint as changeAgent } from '../../functions/api/agents/change/endpoint.ts';
import { endpoint as removeAgent } from '../../functions/api/agents/remove/endpoint.ts';
import { endpoint as changeApiKey } from '../../functions/api/api-keys/change/endpoint.ts';
import { endpoint as listApiKeys } from '../../functions/api/api-keys/list/endpoint.ts';
import { endpoint as removeApiKey } from '../../functions/api/api-keys/remove/endpoint.ts';
import { endpoint as rotateApiKey } from '../../functions/api/api-keys/rotate/endpoint.ts';
import { endpoint as changeNode } from '../../functions/api/nodes/change/endpoint.ts';
import { endpoint as removeNode } from '../../functions/api/nodes/remove/endpoint.ts';
import { endpoint as changeService } from '../../functions/api/services/change/endpoint.ts';
import { endpoint as removeService } from '../../functions/api/services/remove/endpoint.ts';
import { mayCallWithEveryBody } from '../../functions/contract/may-call.ts';
import { isOwnObject } from '../../functions/domain/access/owned-objects.ts';
import { roles } from '../../shared/auth/roles.ts';
import { type Inventory, startInventory } from '../support/inventory.ts';
import { addLimitedKey, requestsWith } from '../support/teams.ts';

let inventory: Inventory;
beforeAll(async () => (inventory = await startInventory()));
afterAll(() => inventory.stop());

const kinds = {
  node: { noun: 'Node', path: '/v1/nodes', id: 'node_id', change: changeNode, remove: removeNode },
  service: { noun: 'Service', path: '/v1/services', id: 'service_id', change: changeService, remove: removeService },
  agent: { noun: 'Agent', path: '/v1/agents', id: 'agent_id', change: changeAgent, remove: removeAgent },
} as const;

type KindName = keyof typeof kinds;

const limits = [undefined, ['shop'], ['shop', 'web']] as const;

/** Requests of each role, without owners and with them where a key can have them. */
async function callers() {
  const plain = roles.filter((role) => role !== 'Registrar').map((role) => inventory.keys[role]);
  const limited = await Promise.all(
    limits.flatMap((owners) =>
      owners === undefined
        ? []
        : [addLimitedKey(inventory, owners), addLimitedKey(inventory, owners, { role: 'Viewer' })],
    ),
  );
  return [...plain.map((key) => requestsWith(inventory, key)), ...limited.map(({ request }) => request)];
}

/** A new object, with the owner as its label. */
async function added(kind: KindName, owner: string | undefined) {
  const custom_labels = owner === undefined ? {} : { team: owner };
  const add = async (path: string, body: object) =>
    (await inventory.request('POST', path, { body: { ...body, custom_labels } })).body;
  const name = randomUUID();
  if (kind === 'node')
    return add('/v1/nodes', { node_type: 'generic', node_name: name, address: `${name}.example.com` });
  if (kind === 'service')
    return add('/v1/services', {
      service_type: 'mysql',
      service_name: name,
      address: `${name}.example.com`,
      port: 3306,
    });
  return add('/v1/agents', { agent_type: 'external_exporter', insights: {}, scheme: 'http', listen_port: 9100 });
}

describe.each(Object.keys(kinds) as KindName[])('%s', (kind) => {
  test.each([undefined, 'shop', 'money'])(
    'of the owner %s: the offered actions are those that the API allows',
    async (owner) => {
      const { path, id, change, remove } = kinds[kind];
      const wrong: unknown[] = [];
      for (const request of await callers()) {
        const { status, body: caller } = await request('GET', '/v1/caller');
        if (status !== 200) continue;
        const object = await added(kind, owner);
        const limit = caller.owners && { label: 'team', owners: caller.owners };
        const isOwn = isOwnObject(limit, kind, object);
        const objectPath = `${path}/${object[id]}`;
        const allowed = [
          (await request('PATCH', objectPath, { custom_labels: { ...object.custom_labels, note: 'x' } })).status !==
            403,
          (await request('DELETE', objectPath)).status !== 403,
        ];
        const offered = [change, remove].map((endpoint) => isOwn && mayCallWithEveryBody(caller, endpoint));
        if (!isDeepStrictEqual(allowed, offered)) wrong.push({ caller, owner, allowed, offered });
      }
      expect(wrong).toEqual([]);
    },
  );

  test.each([[['shop', 'shop']], [['shop', 'money']], [['shop', undefined]], [['money', 'money']]])(
    'a selection of the owners %j: the offered actions are those that the API allows for all of it',
    async (owners) => {
      const { noun, id, change } = kinds[kind];
      const wrong: unknown[] = [];
      for (const request of await callers()) {
        const { status, body: caller } = await request('GET', '/v1/caller');
        if (status !== 200) continue;
        const objects = await Promise.all(owners.map((owner) => added(kind, owner)));
        const limit = caller.owners && { label: 'team', owners: caller.owners };
        const isAllowed = async (op: string, rest: object) => {
          const operations = objects.map((object) => ({ op: `${op}${noun}`, id: object[id], ...rest }));
          const { status: whole, body } = await request('POST', '/v1/batch', { operations });
          return whole === 200 && body.results.every((result: { status: number }) => result.status < 300);
        };
        const allowed = [
          await isAllowed('change', { body: { custom_labels: { note: 'x' } } }),
          await isAllowed('remove', { force: false }),
        ];
        // As the actions of a list: with the right to change, for objects of which all are the user's.
        const isOffered =
          mayCallWithEveryBody(caller, change) && objects.every((object) => isOwnObject(limit, kind, object));
        if (!isDeepStrictEqual(allowed, [isOffered, isOffered])) wrong.push({ caller, allowed, isOffered });
      }
      expect(wrong).toEqual([]);
    },
  );
});

describe('API keys', () => {
  test.each([
    ['Viewer', undefined],
    ['Viewer', ['shop']],
    ['Editor', undefined],
    ['Editor', ['shop']],
    ['Editor', ['shop', 'web']],
    ['Editor', ['shop', 'money']],
    ['Editor', ['money']],
    ['Admin', undefined],
  ])(
    'a key of an %s with the owners %j is listed for those who may change, rotate and remove it',
    async (role, owners) => {
      const wrong: unknown[] = [];
      for (const request of await callers()) {
        const { status, body: caller } = await request('GET', '/v1/caller');
        if (status !== 200) continue;
        const name = `offered ${randomUUID()}`;
        const body = { name, role, ...(owners === undefined ? {} : { owners }) };
        const { body: apiKey } = await inventory.request('POST', '/v1/api-keys', { body });
        const path = `/v1/api-keys/${apiKey.key_id}`;
        const { status: listStatus, body: list } = await request(
          'GET',
          `/v1/api-keys?name_prefix=${encodeURIComponent(name)}`,
        );
        const isListed = listStatus === 200 && list.api_keys.length === 1;
        expect(mayCallWithEveryBody(caller, listApiKeys)).toBe(listStatus === 200);
        const replies = [
          await request('PATCH', path, { disabled: true }),
          await request('PATCH', path, { disabled: false, rate_limit_per_minute: 600 }),
          await request('POST', `${path}/rotate`, { overlap: '1h' }),
          await request('DELETE', path),
        ];
        const allowed = replies.map((reply) => reply.status < 300);
        // Each row of the list has all actions.
        const offered = [changeApiKey, changeApiKey, rotateApiKey, removeApiKey].map(
          (endpoint) => isListed && mayCallWithEveryBody(caller, endpoint),
        );
        if (!isDeepStrictEqual(allowed, offered))
          wrong.push({ caller, allowed, offered, replies: replies.map(({ body: reply }) => reply) });
      }
      expect(wrong).toEqual([]);
    },
  );
});
