import { randomUUID } from 'node:crypto';
import { answerWith, askForSession, poll } from '../support/devices.ts';
import { ADMIN_PASSWORD } from '../support/inventory.ts';
import { askWith, logIn } from '../support/log-in.ts';
import { logInProgram } from '../support/program-logins.ts';
import { accepted, logInAs } from '../support/users.ts';
import type { Holder } from './permitted.ts';
import { bodyOf, OTHER_TEAM, type Scenery, TEAM } from './scenery.ts';

/** A credential that is alive. */
export interface Credential {
  /** The header that presents it; undefined: none does. */
  authorization?: string;
  /** The id of the node of a host's key. */
  node_id?: string;
}

/** A kind of credential. Each call makes another one of it. */
export interface Kind extends Holder {
  name: string;
  make: (scenery: Scenery) => Promise<Credential>;
}

const bearer = (key: string): Credential => ({ authorization: `Bearer ${key}` });
const basic = (user: string, password: string): Credential => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
});

const newKey = async ({ admin }: Scenery, body: object): Promise<{ key: string; key_id: string }> =>
  admin('POST', '/v1/api-keys', { name: randomUUID(), ...body });

const keyWith = (body: object) => async (scenery: Scenery) => bearer((await newKey(scenery, body)).key);

/** A key that another caller adds. */
const keyAddedBy = (maker: (scenery: Scenery) => Promise<string>, body: object) => async (scenery: Scenery) => {
  const reply = await askWith(scenery.inventory, await maker(scenery), 'POST', '/v1/api-keys', {
    name: randomUUID(),
    ...body,
  });
  return bearer(bodyOf(reply).key);
};

const teamKey = async (scenery: Scenery) => (await newKey(scenery, { role: 'Editor', owners: [TEAM] })).key;

async function exchanged({ inventory, address }: Scenery, token: string, node: object = {}): Promise<Credential> {
  const sourceIp = address();
  const body = { token, node: { node_type: 'generic', node_name: randomUUID(), address: sourceIp, ...node } };
  const { api_key } = bodyOf(await inventory.request('POST', '/v1/enrolment', { as: null, body, sourceIp }));
  return { ...bearer(api_key.key), node_id: api_key.node_id };
}

const newToken = async ({ admin }: Scenery, more: object = {}): Promise<string> =>
  (await admin('POST', '/v1/enrolment-tokens', { name: randomUUID(), ...more })).token;

const program = async (scenery: Scenery, job: string): Promise<string> =>
  bodyOf(await logInProgram(scenery.inventory, await scenery.programToken(job), 'cluster')).key;

const user = async ({ inventory }: Scenery, role: string, more?: object): Promise<string> =>
  (await accepted(inventory, role, more)).key;

/** The session of a device that a person has approved. */
async function device({ inventory }: Scenery, person: string, more: object = {}): Promise<Credential> {
  const { user_code, device_code } = bodyOf(await askForSession(inventory));
  bodyOf(await answerWith(inventory, person, { user_code, answer: 'approve', ...more }));
  return bearer(bodyOf(await poll(inventory, device_code)).key);
}

const editorOfTeam = { role: 'Editor', owners: [TEAM] } as const;
const ofKey = { caller: 'api_key' } as const;
const ofSession = { caller: 'session' } as const;

/** Every kind of credential that a request can present. */
export const kinds: readonly Kind[] = [
  { name: 'Admin key', ...ofKey, role: 'Admin', make: keyWith({ role: 'Admin' }) },
  {
    name: 'Admin key with an end',
    ...ofKey,
    role: 'Admin',
    ends: true,
    make: keyWith({ role: 'Admin', time_to_live: '1d' }),
  },
  {
    name: 'Admin key with a rate limit',
    ...{ ...ofKey, role: 'Admin' },
    make: keyWith({ role: 'Admin', rate_limit_per_minute: 5000 }),
  },
  { name: 'Editor key', ...ofKey, role: 'Editor', make: keyWith({ role: 'Editor' }) },
  {
    name: 'Editor key with an end',
    ...ofKey,
    role: 'Editor',
    ends: true,
    make: keyWith({ role: 'Editor', time_to_live: '1d' }),
  },
  { name: 'Editor key with an owner', ...ofKey, ...editorOfTeam, make: keyWith(editorOfTeam) },
  {
    name: 'Editor key with an owner, an end and a rate limit',
    ...{ ...ofKey, ...editorOfTeam, ends: true },
    make: keyWith({ ...editorOfTeam, time_to_live: '1d', rate_limit_per_minute: 5000 }),
  },
  {
    name: 'Editor key whose owners were narrowed',
    ...{ ...ofKey, ...editorOfTeam },
    make: async (scenery) => {
      const { key, key_id } = await newKey(scenery, { role: 'Editor', owners: [TEAM, OTHER_TEAM] });
      await scenery.admin('PATCH', `/v1/api-keys/${key_id}`, { owners: [TEAM] });
      return bearer(key);
    },
  },
  {
    name: 'Editor key that a team has added',
    ...ofKey,
    ...editorOfTeam,
    make: keyAddedBy(teamKey, { role: 'Editor' }),
  },
  { name: 'Viewer key', ...ofKey, role: 'Viewer', make: keyWith({ role: 'Viewer' }) },
  {
    name: 'Viewer key with an end',
    ...ofKey,
    role: 'Viewer',
    ends: true,
    make: keyWith({ role: 'Viewer', time_to_live: '1d' }),
  },
  {
    name: 'Viewer key that a team has added',
    ...{ ...ofKey, role: 'Viewer', owners: [TEAM] },
    make: keyAddedBy(teamKey, { role: 'Viewer' }),
  },
  { name: 'Relay key', ...ofKey, role: 'Relay', make: keyWith({ role: 'Relay' }) },
  { name: 'Gateway key', ...ofKey, role: 'Gateway', make: keyWith({ role: 'Gateway' }) },
  {
    name: 'Admin key as a password',
    ...{ ...ofKey, role: 'Admin' },
    make: async (scenery) => basic('api_key', (await newKey(scenery, { role: 'Admin' })).key),
  },
  {
    name: 'token of a service account',
    ...{ ...ofKey, role: 'Editor' },
    make: async ({ admin }) => {
      const { uid } = await admin('POST', '/graph/api/serviceaccounts', { name: randomUUID(), role: 'Editor' });
      const { key } = await admin('POST', `/graph/api/serviceaccounts/${uid}/tokens`, { name: randomUUID() });
      return basic('service_token', key);
    },
  },
  {
    name: 'newest secret of a rotated key',
    ...{ ...ofKey, role: 'Admin' },
    make: async (scenery) => {
      const { key_id } = await newKey(scenery, { role: 'Admin' });
      return bearer((await scenery.admin('POST', `/v1/api-keys/${key_id}/rotate`, { overlap: '1h' })).key);
    },
  },
  {
    name: 'superseded secret of a rotated key',
    ...{ ...ofKey, role: 'Admin', ends: true, superseded: true },
    make: async ({ inventory, ...scenery }) => {
      const { key } = await newKey({ inventory, ...scenery }, { role: 'Admin' });
      bodyOf(await askWith(inventory, key, 'POST', '/v1/caller/rotate', { overlap: '1h' }));
      return bearer(key);
    },
  },
  {
    name: 'key that was disabled and enabled',
    ...{ ...ofKey, role: 'Editor' },
    make: async (scenery) => {
      const { key, key_id } = await newKey(scenery, { role: 'Editor' });
      for (const disabled of [true, false]) await scenery.admin('PATCH', `/v1/api-keys/${key_id}`, { disabled });
      return bearer(key);
    },
  },
  {
    name: 'key of a host',
    ...{ ...ofKey, role: 'Registrar' },
    make: async (scenery) => exchanged(scenery, await newToken(scenery)),
  },
  {
    name: 'key of a host with an owner, addresses, an end and a rate limit',
    ...{ ...ofKey, role: 'Registrar', owners: [TEAM], ends: true },
    make: async (scenery) =>
      exchanged(
        scenery,
        await newToken(scenery, {
          ...{ owner: TEAM, allowed_addresses: ['10.0.0.0/8', '*.example.com'] },
          ...{ key_time_to_live: '1d', key_rate_limit_per_minute: 5000 },
        }),
      ),
  },
  {
    name: 'key of a host that was enrolled again',
    ...{ ...ofKey, role: 'Registrar' },
    make: async (scenery) => {
      const node_name = randomUUID();
      await exchanged(scenery, await newToken(scenery), { node_name });
      return exchanged(scenery, await newToken(scenery, { node_name }), { node_name });
    },
  },
  {
    name: 'key of a host whose enrolment rests on a role binding',
    ...{ ...ofKey, role: 'Registrar' },
    make: async (scenery) => exchanged(scenery, await program(scenery, 'hosts')),
  },
  {
    name: 'password of admin',
    caller: 'user',
    role: 'Admin',
    make: () => Promise.resolve(basic('admin', ADMIN_PASSWORD)),
  },
  {
    name: 'session of admin',
    ...{ ...ofSession, role: 'Admin' },
    make: async ({ inventory }) => bearer(bodyOf(await logIn(inventory)).key),
  },
  {
    name: 'session of a user, Admin',
    ...ofSession,
    role: 'Admin',
    make: async (scenery) => bearer(await user(scenery, 'Admin')),
  },
  {
    name: 'session of a user, Editor',
    ...ofSession,
    role: 'Editor',
    make: async (scenery) => bearer(await user(scenery, 'Editor')),
  },
  {
    name: 'session of a user with an owner',
    ...{ ...ofSession, ...editorOfTeam },
    make: async (scenery) => bearer(await user(scenery, 'Editor', { owners: [TEAM] })),
  },
  {
    name: 'session of a user, Viewer',
    ...ofSession,
    role: 'Viewer',
    make: async (scenery) => bearer(await user(scenery, 'Viewer')),
  },
  {
    name: 'session of a device',
    ...{ ...ofSession, role: 'Admin', device: true },
    make: async (scenery) => device(scenery, await user(scenery, 'Admin')),
  },
  {
    name: 'session of a device with a lower role',
    ...{ ...ofSession, role: 'Viewer', device: true },
    make: async (scenery) => device(scenery, bodyOf(await logIn(scenery.inventory)).key, { role: 'Viewer' }),
  },
  {
    name: 'session of a person of a provider, Admin',
    ...{ ...ofSession, role: 'Admin' },
    make: async ({ logInPerson }) => bearer((await logInPerson('admins')).key),
  },
  {
    name: 'session of a person of a provider with an owner',
    ...{ ...ofSession, ...editorOfTeam },
    make: async ({ logInPerson }) => bearer((await logInPerson('team')).key),
  },
  {
    name: 'renewed session of a person of a provider',
    ...{ ...ofSession, role: 'Editor' },
    make: async ({ inventory, logInPerson }) => {
      const { key } = await logInPerson('editors');
      return bearer(bodyOf(await logInAs(inventory, { method: 'session', key })).key);
    },
  },
  {
    name: 'session of a device of a person of a provider',
    ...{ ...ofSession, role: 'Viewer', device: true },
    make: async (scenery) => device(scenery, (await scenery.logInPerson('viewers')).key),
  },
  {
    name: 'key of a program, Admin',
    ...ofKey,
    role: 'Admin',
    ends: true,
    program: true,
    make: async (scenery) => bearer(await program(scenery, 'admins')),
  },
  {
    name: 'key of a program, Editor',
    ...ofKey,
    role: 'Editor',
    ends: true,
    program: true,
    make: async (scenery) => bearer(await program(scenery, 'editors')),
  },
  {
    name: 'key of a program with an owner',
    ...{ ...ofKey, ...editorOfTeam, ends: true, program: true },
    make: async (scenery) => bearer(await program(scenery, 'team')),
  },
  {
    name: 'key of a program, Viewer',
    ...ofKey,
    role: 'Viewer',
    ends: true,
    program: true,
    make: async (scenery) => bearer(await program(scenery, 'viewers')),
  },
  {
    name: 'key that a program has added',
    ...{ ...ofKey, role: 'Admin', ends: true },
    make: keyAddedBy((scenery) => program(scenery, 'admins'), { role: 'Admin', time_to_live: '5m' }),
  },
  {
    name: 'key that a session has added',
    ...{ ...ofKey, role: 'Viewer' },
    make: keyAddedBy((scenery) => user(scenery, 'Admin'), { role: 'Viewer' }),
  },
  { name: 'no credential', caller: 'none', role: 'none', make: () => Promise.resolve({}) },
];
