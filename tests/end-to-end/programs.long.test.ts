/** The examples of docs/programs.md, as programs of the platforms run them, with recorded claims and real signatures. */
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { JWTPayload } from 'jose';
import { type Inventory, startInventory } from '../support/inventory.ts';
import { AUDIENCE, newSigningKey, signedBy, type SigningKey } from '../support/program-tokens.ts';
import { fencedBlocks } from '../support/fenced-blocks.ts';

/** Claims as the platforms send them, with the names of examples. */
const platforms: Record<string, { heading: string; issuer: string; alg: string; claims: JWTPayload; bound: object }> = {
  github: {
    heading: 'GitHub Actions',
    issuer: 'https://token.actions.githubusercontent.com',
    alg: 'RS256',
    claims: {
      jti: '2e8f3f0c-9f39-4f9b-a7f5-0d3c4f6a8d11',
      sub: 'repo:octo-org/shop:environment:production',
      environment: 'production',
      ref: 'refs/heads/main',
      sha: '0b9e7a1c5d3f2e4a6b8c9d0e1f2a3b4c5d6e7f80',
      repository: 'octo-org/shop',
      repository_owner: 'octo-org',
      repository_id: '74129',
      repository_owner_id: '65',
      run_id: '10000001',
      run_number: '12',
      run_attempt: '1',
      repository_visibility: 'private',
      actor: 'octocat',
      actor_id: '12',
      workflow: 'deploy',
      event_name: 'push',
      ref_type: 'branch',
      ref_protected: 'true',
      job_workflow_ref: 'octo-org/shop/.github/workflows/deploy.yml@refs/heads/main',
      runner_environment: 'github-hosted',
    },
    bound: { repository_id: ['74129'], environment: ['production'] },
  },
  gitlab: {
    heading: 'GitLab CI',
    issuer: 'https://gitlab.com',
    alg: 'RS256',
    claims: {
      namespace_id: '72',
      namespace_path: 'my-group',
      project_id: '20',
      project_path: 'my-group/shop',
      user_id: '1',
      user_login: 'sample-user',
      pipeline_id: '574',
      pipeline_source: 'push',
      job_id: '302',
      ref: 'main',
      ref_type: 'branch',
      ref_path: 'refs/heads/main',
      ref_protected: 'true',
      groups_direct: ['my-group'],
      runner_id: 1,
      runner_environment: 'gitlab-hosted',
      sub: 'project_path:my-group/shop:ref_type:branch:ref:main',
      jti: '235b3a54-b797-45c7-ae9a-f72d7bc6ef5b',
    },
    bound: { project_id: ['20'], ref_protected: ['true'] },
  },
  cluster: {
    heading: 'Kubernetes',
    issuer: 'https://kubernetes.default.svc.cluster.local',
    alg: 'RS256',
    claims: {
      aud: [AUDIENCE],
      jti: 'ea28ed49-2e11-4280-9ec5-bc3d1d84661a',
      'kubernetes.io': {
        namespace: 'shop',
        node: { name: 'worker-1', uid: '058da5e0-9b0b-4d4f-8a4d-36d7a9c0a6f1' },
        pod: { name: 'deployer-5d7c', uid: '5e0bd49b-f040-43b0-99b7-22765a53f7f3' },
        serviceaccount: { name: 'deployer', uid: '14ee3fa4-a7e2-420f-9f9a-dbc4507c3798' },
        warnafter: 1_900_000_000,
      },
      sub: 'system:serviceaccount:shop:deployer',
    },
    bound: { '/kubernetes.io/namespace': ['shop'], '/kubernetes.io/serviceaccount/name': ['deployer'] },
  },
  aws: {
    heading: 'AWS',
    issuer: 'https://a1b2c3d4-5678-90ab-cdef-111122223333.tokens.sts.global.api.aws',
    alg: 'ES384',
    claims: {
      sub: 'arn:aws:iam::111122223333:role/deployer',
      jti: '3f6b0e0a-7d0e-4c33-a0d5-4b6d0a1f5c77',
      'https://sts.amazonaws.com/': {
        aws_account: '111122223333',
        source_region: 'eu-central-1',
        principal_id: 'arn:aws:iam::111122223333:role/deployer',
      },
    },
    bound: {
      sub: ['arn:aws:iam::111122223333:role/deployer'],
      '/https:~1~1sts.amazonaws.com~1/aws_account': ['111122223333'],
    },
  },
};

let keys: Record<string, SigningKey>;
let inventory: Inventory;
let server: Server;
let folder: string;
let address: string;
let document: string;

const tokenOf = (name: string, more: JWTPayload = {}) => {
  const { issuer, claims } = platforms[name]!;
  return signedBy(keys[name]!, { iss: issuer, ...claims, ...more });
};

beforeAll(async () => {
  const names = Object.keys(platforms);
  keys = Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await newSigningKey(name, platforms[name]!.alg)] as const)),
  );
  inventory = await startInventory({
    identityProviders: names.map((name) => ({
      ...{ name, kind: 'jwt', issuer: platforms[name]!.issuer, audience: AUDIENCE, oneTimeUse: name !== 'cluster' },
      keys: { keys: [keys[name]!.publicJwk as { kty: 'RSA' }] },
    })),
  });
  for (const name of names)
    await inventory.request('POST', '/v1/role-bindings', {
      body: { name, provider: name, claims: platforms[name]!.bound, role: 'Editor' },
    });
  document = await readFile(new URL('../../docs/programs.md', import.meta.url), 'utf8');
  folder = await mkdtemp(join(tmpdir(), 'programs-'));
  server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { url = '', method = '' } = request;
      if (url.startsWith('/actions-token')) {
        const isRight =
          request.headers.authorization === 'Bearer of-the-runner' && url.endsWith(`&audience=${AUDIENCE}`);
        response.end(JSON.stringify({ value: isRight ? await tokenOf('github') : '' }));
        return;
      }
      const body = Buffer.concat(chunks).toString();
      const call = { method, url, rawHeaders: request.rawHeaders, body, sourceIp: '127.0.0.1' };
      const reply = await inventory.gateway(call);
      response.writeHead(reply.statusCode, reply.headers).end(reply.body);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await inventory.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The lines of the example of a platform. */
function exampleOf(heading: string): string {
  const [, section = ''] = document.split(`### ${heading}\n`);
  return fencedBlocks(section, 'sh')[0]!;
}

/** What the platform gives to the program: variables, a file, a command. */
async function environmentOf(name: string): Promise<Record<string, string>> {
  const file = join(folder, 'token');
  const token = await tokenOf(name);
  await writeFile(file, token);
  const command = join(folder, 'aws');
  await writeFile(
    command,
    `#!/bin/sh\n[ "$1 $2 $3 $4" = "sts get-web-identity-token --audience ${AUDIENCE}" ] && cat ${file}\n`,
  );
  await chmod(command, 0o755);
  return {
    B: address,
    PATH: `${folder}:${process.env['PATH']}`,
    ...(name === 'github'
      ? {
          ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'of-the-runner',
          ACTIONS_ID_TOKEN_REQUEST_URL: `${address}/actions-token?api-version=2.0`,
        }
      : {}),
    ...(name === 'gitlab' ? { INVENTORY_TOKEN: token } : {}),
    ...(name === 'cluster' ? { TOKEN_FILE: file } : {}),
  };
}

test.each(Object.entries(platforms))(
  'the example of %s has at most 10 lines, and writes without a stored secret',
  async (name, { heading, claims }) => {
    const script = exampleOf(heading);
    expect(script.trim().split('\n').length).toBeLessThanOrEqual(10);
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
      env: await environmentOf(name),
    });
    const { node_id: id } = JSON.parse(stdout);
    const { body } = await inventory.request('GET', `/v1/audit?object_id=${id}`);
    expect(body.entries[0].actor).toMatchObject({ kind: 'api_key', name: `${name}/${claims.sub}`.slice(0, 128) });
  },
);

const logIn = (provider: string, token: string) =>
  inventory.request('POST', '/v1/logins', { as: null, body: { method: 'jwt', provider, token }, sourceIp: '10.3.0.1' });

test.each([
  ['github', { jti: 'a', repository_id: '74130' }],
  ['github', { jti: 'b', environment: undefined }],
  ['gitlab', { jti: 'c', ref_protected: 'false' }],
  ['cluster', { 'kubernetes.io': { namespace: 'shop', serviceaccount: { name: 'default' } } }],
  ['aws', { jti: 'd', sub: 'arn:aws:iam::111122223333:role/deployer-2' }],
])('%s with %j: 401', async (name, more) => {
  expect((await logIn(name, await tokenOf(name, more as JWTPayload))).status).toBe(401);
});

test('a token of one platform is invalid for another', async () => {
  const token = await tokenOf('aws', { jti: 'e' });
  for (const name of ['github', 'gitlab', 'cluster']) expect((await logIn(name, token)).status).toBe(401);
  expect((await logIn('aws', token)).status).toBe(201);
});

test('a pod may present its token again, a workflow may not', async () => {
  const [pod, workflow] = [await tokenOf('cluster'), await tokenOf('github', { jti: 'f' })];
  expect([(await logIn('cluster', pod)).status, (await logIn('cluster', pod)).status]).toEqual([201, 201]);
  expect([(await logIn('github', workflow)).status, (await logIn('github', workflow)).status]).toEqual([201, 401]);
});

test("a host enrols without a stored token, only under the name in its claims, with the binding's owner", async () => {
  const binding = {
    name: 'hosts',
    provider: 'cluster',
    claims: { '/kubernetes.io/namespace': ['monitoring'] },
    role: 'Registrar',
    owners: ['platform'],
    node_name_claim: '/kubernetes.io/node/name',
  };
  expect((await inventory.request('POST', '/v1/role-bindings', { body: binding })).status).toBe(201);
  const enrol = async (node_name: string) => {
    const claims = { 'kubernetes.io': { namespace: 'monitoring', node: { name: 'worker-1' } } };
    const { body } = await logIn('cluster', await tokenOf('cluster', claims));
    expect([body.role, body.owners]).toEqual(['Registrar', ['platform']]);
    const node = { node_type: 'generic', node_name, address: '10.3.0.1' };
    const sent = { as: null, body: { token: body.key, node }, sourceIp: '10.3.0.1' } as const;
    return inventory.request('POST', '/v1/enrolment', sent);
  };
  const { status, body } = await enrol('worker-1');
  expect([status, body.node.custom_labels, body.api_key.role]).toEqual([201, { team: 'platform' }, 'Registrar']);
  expect((await enrol('worker-2')).status).toBe(403);
  expect((await enrol('worker-1')).body.node.node_id).toBe(body.node.node_id);
  const without = { 'kubernetes.io': { namespace: 'monitoring' } };
  expect((await logIn('cluster', await tokenOf('cluster', without))).status).toBe(401);
});
