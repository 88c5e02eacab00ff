import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import { https } from '../../tests/support/https.ts';
import { startChildServer } from '../child-server.ts';
import { compareRates, type LoadTarget } from '../https-load.ts';
import { type BenchServer, startLocalServer } from '../local-server.ts';
import { newNode } from '../../tests/support/stored-objects.ts';
import { fillDatabase } from '../peer/database.ts';
import { startPostgres } from '../peer/postgres.ts';
import { ratio, table } from '../report.ts';
import type { Size } from '../size.ts';
import { median, quantile } from '../statistics.ts';
import type { Targets } from '../targets.ts';

/** Three pages of 100. */
const NODES = 300;

const CONNECTIONS = 16;

/** Requests per second of the local server over those of the peer. */
const LEAST = { get: 0.6, page: 0.85 } as const;

const nodeSchema = z.looseObject({ node_id: z.string(), node_name: z.string() });
const pageSchema = z.object({ nodes: z.array(nodeSchema) });

/** The nodes of the inventory as the API returns them. */
async function addNodes({ base, headers, post }: BenchServer) {
  for (let number = 0; number < NODES; number += 1) {
    const { node_type, node_name, address, distro, machine_id, az, custom_labels } = newNode(number);
    await post('/v1/nodes', { node_type, node_name, address, distro, machine_id, az, custom_labels }, nodeSchema);
  }
  const { text } = await https(base, 'GET', `/v1/nodes?page_size=${NODES}`, { headers });
  return z.parse(pageSchema, JSON.parse(text)).nodes;
}

/** What both servers are asked. */
interface Question {
  what: keyof typeof LEAST;
  name: string;
  first: LoadTarget;
  second: LoadTarget;
}

/** The comparison says nothing unless both servers return the same objects. */
async function assertSameReply({ name, first, second }: Question): Promise<void> {
  const bodyOf = async (url: URL, { headers }: LoadTarget): Promise<unknown> => {
    const { status, text } = await https(url.origin, 'GET', `${url.pathname}${url.search}`, { headers });
    if (status !== 200) throw new Error(`${url.pathname}: status ${status}`);
    // The state of a node is in the reply of a get, and not in the list from which the peer has its nodes.
    const { next_page_token: _token, state: _state, ...body } = z.parse(z.looseObject({}), JSON.parse(text));
    return body;
  };
  for (const [index, url] of first.urls.entries()) {
    const [local, peer] = [await bodyOf(url, first), await bodyOf(second.urls[index] ?? url, second)];
    if (!isDeepStrictEqual(local, peer)) throw new Error(`${name}: the peer returns something else`);
  }
}

function questionsFor(local: BenchServer, peer: { base: string }, nodeIds: readonly string[]): Question[] {
  const { headers } = local;
  const both = (paths: readonly string[]) => ({
    first: { urls: paths.map((path) => new URL(`/v1${path}`, local.base)), headers },
    second: { urls: paths.map((path) => new URL(`/v1/inventory${path}`, peer.base)), headers },
  });
  return [
    // One node after the other: the local server reads an item once for simultaneous requests for it.
    { what: 'get', name: 'get a node', ...both(nodeIds.map((id) => `/nodes/${id}`)) },
    { what: 'page', name: 'a page of 100 nodes', ...both(['/nodes?page_size=100']) },
  ];
}

async function measure(questions: readonly Question[], size: Size, targets: Targets): Promise<string> {
  const rows = [];
  for (const question of questions) {
    await assertSameReply(question);
    const { first, second, ratios } = await compareRates(question, CONNECTIONS, size);
    const value = median(ratios);
    const name = `${question.name}, over Fastify with PostgreSQL`;
    rows.push([
      question.name,
      Math.round(first),
      Math.round(second),
      ratio(value),
      `${ratio(quantile(ratios, 0.25))} to ${ratio(quantile(ratios, 0.75))}`,
      targets.add({ name, value, limit: { atLeast: LEAST[question.what] } }),
    ]);
  }
  return table(
    [
      `${CONNECTIONS} connections`,
      'local server, requests/s',
      'Fastify with PostgreSQL, requests/s',
      'ratio',
      'middle half',
      'target',
    ],
    rows,
  );
}

/** The local server against one with Fastify and PostgreSQL: the same nodes, the same check of a key, over HTTPS. */
export async function peerSection(size: Size, targets: Targets): Promise<string> {
  const stops: (() => Promise<void>)[] = [];
  const started = async <T extends { stop: () => Promise<void> }>(starting: Promise<T>): Promise<T> => {
    const running = await starting;
    stops.unshift(running.stop);
    return running;
  };
  try {
    const postgres = await started(startPostgres());
    const local = await started(startLocalServer());
    const nodes = await addNodes(local);
    await fillDatabase(postgres.socketFolder, { key: local.key, nodes });
    const settings = { ...local.certificate, socketFolder: postgres.socketFolder };
    const peer = await started(startChildServer('peer/server.ts', settings));
    return await measure(
      questionsFor(
        local,
        peer,
        nodes.map(({ node_id: id }) => id),
      ),
      size,
      targets,
    );
  } finally {
    for (const stop of stops) await stop();
  }
}
