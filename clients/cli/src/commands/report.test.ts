import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CommandOptions, commandCall, refusal, type SentRequest } from '../../../../tests/support/command-call.ts';
import { VERSION } from '../../../typescript/src/generated/version.ts';
import type { Settings } from '../connection/settings.ts';
import { Interruption } from '../core/exit-codes.ts';
import type { World } from '../core/world.ts';
import { run } from './report.ts';

const agent = randomUUID();
const reply = (more: object = {}) => ({
  ...{ reported_at: 'r', stale_at: 's', taken: 1, refused: [], report_after_seconds: 30 },
  ...more,
});
const interruption = new Interruption('Interrupted.', 'interrupted');

/** `report`; the answers to reports in their order, after which the command is interrupted. */
function report(answers: readonly (() => unknown)[], { options = {}, answer }: CommandOptions = {}) {
  const controller = new AbortController();
  const rest = [...answers];
  const call = commandCall({
    options,
    world: { signal: controller.signal },
    answer: (request: SentRequest) => {
      if (!request.path.endsWith('/report')) return answer?.(request) ?? {};
      const next = rest.shift();
      if (rest.length === 0 && options['follow'] === true) controller.abort(interruption);
      return next?.();
    },
  });
  const reports = () => call.sent.filter(({ path }) => path.endsWith('/report'));
  return { call, reports, ended: run(call) };
}

const refused = { agent_id: 'x', reason: 'not_found', message: 'No such agent.' };

test('a single report has the statuses, and needs no other request', async () => {
  const status = `${randomUUID()}=running`;
  const { call, reports, ended } = report([() => reply()], { options: { agent, status: [status] } });
  expect(await ended).toBeUndefined();
  expect(reports().map(({ path, body }) => [path, body.agents])).toEqual([
    [`/v1/agents/${agent}/report`, [{ agent_id: status.slice(0, 36), status: 'running' }]],
  ]);
  expect(call.sent).toHaveLength(1);
});

test('refused statuses are named, and the report is partial', async () => {
  const { call, ended } = report([() => reply({ refused: [refused] })], { options: { agent } });
  expect(await ended).toBe('partial');
  expect(call.err()).toBe('agent x: No such agent.\n');
});

test('a single report that the server does not take is an error', async () => {
  await expect(report([() => refusal(503)], { options: { agent } }).ended).rejects.toMatchObject({ http: 503 });
});

test('the status of the own process is in the report once', async () => {
  const answer = ({ path }: SentRequest) => (path === '/v1/caller' ? { node_id: 'n' } : { agent_id: agent });
  const { reports, ended } = report([() => reply()], { options: { status: [`${agent}=waiting`] }, answer });
  await ended;
  expect(reports()[0]!.body.agents).toEqual([{ agent_id: agent, status: 'waiting' }]);
});

describe('with --follow', () => {
  const follow = { agent, follow: true };

  test('reports go to the address that the server names for them', async () => {
    const controller = new AbortController();
    const addresses: string[] = [];
    const fetch: World['fetch'] = (address) => {
      addresses.push(address);
      controller.abort(interruption);
      return Promise.resolve(Response.json(reply()));
    };
    const call = commandCall({
      options: follow,
      world: { signal: controller.signal, fetch },
      answer: ({ path }) => (path === '/v1/version' ? { report_url: 'https://reports' } : {}),
    });
    const settings = { url: 'https://a', insecure: false, key: 'k', timeout: 1000 } as Settings;
    await expect(run({ ...call, settings: () => Promise.resolve(settings) })).rejects.toBe(interruption);
    expect(addresses).toEqual([`https://reports/v1/agents/${agent}/report`]);
  });

  test('the next report is sent when the server requests it, and a minute after a temporary failure', async () => {
    const answers = [
      () => reply(),
      () => refusal(503),
      () => {
        throw new TypeError('cut');
      },
      () => reply({ report_after_seconds: 10 }),
      () => reply(),
    ];
    const { call, reports, ended } = report(answers, { options: follow });
    await expect(ended).rejects.toBe(interruption);
    expect(reports()).toHaveLength(5);
    expect(call.pauses).toEqual([30_000, 60_000, 60_000, 10_000]);
    expect(call.err()).toMatch(/No\.\n[^]*cut/);
  });

  test('a refusal ends it', async () => {
    const { ended, reports } = report([() => refusal(403), () => reply()], { options: follow });
    await expect(ended).rejects.toMatchObject({ http: 403 });
    expect(reports()).toHaveLength(1);
  });

  test('a key is not sent to an address for reports without TLS', async () => {
    const answer = ({ path }: SentRequest) => (path === '/v1/version' ? { report_url: 'http://b' } : undefined);
    const { reports, ended } = report([], { options: follow, answer });
    await expect(ended).rejects.toMatchObject({ exit: 'usage', message: expect.stringContaining('without TLS') });
    expect(reports()).toEqual([]);
  });
});

test('without --agent the process of the node of the key reports, and a key of no host is refused', async () => {
  const answer =
    (node: string | undefined) =>
    ({ path }: SentRequest) =>
      path === '/v1/caller' ? { node_id: node } : path.startsWith('/v1/agents') ? { agent_id: 'own' } : undefined;
  const { call, reports, ended } = report([() => reply()], { answer: answer('n') });
  await ended;
  expect(reports()[0]!.path).toBe('/v1/agents/own/report');
  expect(reports()[0]!.body.agents).toEqual([{ agent_id: 'own', status: 'running', version: VERSION }]);
  expect(call.sent[1]!.body).toEqual({ agent_type: 'pmm_agent', runs_on_node_id: 'n' });
  await expect(report([], { answer: answer(undefined) }).ended).rejects.toMatchObject({ exit: 'usage' });
  await expect(report([], { options: { agent: 'name' } }).ended).rejects.toMatchObject({ exit: 'usage' });
});

test('a server that does not take the version of the process has taken the report', async () => {
  const answer = ({ path }: SentRequest) => (path === '/v1/caller' ? { node_id: 'n' } : { agent_id: 'own' });
  const ofItself = { agent_id: 'own', reason: 'not_found', message: 'No such agent.' };
  const { call, ended } = report([() => reply({ refused: [ofItself] })], { answer });
  expect([await ended, call.err()]).toEqual([undefined, '']);
});

describe('files of a host', () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'inventory-report-'))));
  afterEach(() => rm(folder, { recursive: true }));

  test('targets are fetched when their digest differs from that of the file', async () => {
    const file = join(folder, 'targets.json');
    const targets = [{ targets: ['a:1'], labels: {} }];
    const digest = createHash('sha256').update(JSON.stringify(targets)).digest('base64url');
    const answer = ({ path }: SentRequest) => (path.startsWith('/v1/discovery') ? targets : undefined);
    const fetched = async (hash: string) => {
      const { call, reports, ended } = report([() => reply({ targets_hash: hash })], {
        ...{ options: { agent, targets: file }, answer },
      });
      await ended;
      expect(reports()[0]!.body.with_targets_hash).toBe(true);
      return call.sent.length - 1;
    };
    expect([await fetched(digest), await fetched(digest), await fetched('other')]).toEqual([1, 0, 1]);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(targets);
  });

  const declaration = `
node: { node_type: generic, node_name: db-1, address: a }
services: [{ service_type: mysql, service_name: orders }]
agents: [{ agent_type: mysqld_exporter, service_names: [orders, other] }]
`;
  const declared = ({ method, path, body }: SentRequest) => {
    if (method === 'DELETE') return new Response(null, { status: 204 });
    if (path.startsWith('/v1/nodes')) return { node_id: 'n' };
    if (path.startsWith('/v1/services')) return { service_id: 's' };
    return path.startsWith('/v1/agents') ? { agent_id: body.agent_type, agent_type: body.agent_type } : undefined;
  };

  test('a declared host refers to its own objects, and its agents can be named by their type', async () => {
    const file = join(folder, 'host.yaml');
    await writeFile(file, declaration);
    const options = { declare: file, status: ['mysqld_exporter/orders=running'] };
    const { call, reports, ended } = report([() => reply()], { options, answer: declared });
    await ended;
    expect(call.sent.map(({ body }) => body)).toMatchObject([
      { node_type: 'generic' },
      { service_type: 'mysql', node_ids: ['n'] },
      { agent_type: 'pmm_agent', runs_on_node_id: 'n' },
      { agent_type: 'mysqld_exporter', pmm_agent_id: 'pmm_agent', insights: { service_ids: ['s', 'other'] } },
      {
        agents: [
          { agent_id: 'pmm_agent', version: VERSION },
          { agent_id: 'mysqld_exporter', status: 'running' },
        ],
      },
    ]);
    expect(reports()).toHaveLength(1);
  });

  test('with --remove-at-exit the node is removed when the host stops, but not after an error', async () => {
    const file = join(folder, 'host.yaml');
    await writeFile(file, declaration);
    const options = { declare: file, follow: true, removeAtExit: true };
    const removals = async (answers: readonly (() => unknown)[]) => {
      const { call, ended } = report(answers, { options, answer: declared });
      await ended.catch(() => undefined);
      return call.sent.filter(({ method }) => method === 'DELETE').map(({ path }) => path);
    };
    expect(await removals([() => reply()])).toEqual(['/v1/nodes/n?force=true']);
    expect(await removals([() => refusal(403), () => reply()])).toEqual([]);
    for (const alone of [{ removeAtExit: true }, { removeAtExit: true, follow: true }])
      await expect(report([], { options: alone }).ended).rejects.toMatchObject({ exit: 'usage' });
  });

  test('a declaration without a node is refused', async () => {
    const file = join(folder, 'host.yaml');
    await writeFile(file, 'services: []');
    await expect(report([], { options: { declare: file } }).ended).rejects.toMatchObject({ exit: 'usage' });
  });
});

test('the units of systemd need no server', async () => {
  const { call, ended } = report([], { options: { systemd: true } });
  expect(await ended).toBeUndefined();
  expect([call.out().match(/^\[Unit\]$/gm)?.length, call.sent]).toEqual([4, []]);
});
