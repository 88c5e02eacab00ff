import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Item } from '../../shared/db/table.ts';
import { checkInvariants, scan } from '../consistency/invariants.ts';
import type { Random } from '../consistency/random.ts';
import { ADMIN_PASSWORD, type RequestOptions, type Reply } from '../support/inventory.ts';
import { type FaultyInventory, uniqueName } from './faulty-inventory.ts';
import { complaintsAbout, timed } from './outcome.ts';

/*
 * Clients that live through bad times, as the ones of users do: a 503 leaves them in doubt, and they ask again. What
 * they were promised is written down, and compared with the table afterwards.
 */

const password = `Basic ${Buffer.from(`admin:${ADMIN_PASSWORD}`).toString('base64')}`;
const bearer = (key: string): RequestOptions => ({ as: null, headers: { Authorization: `Bearer ${key}` } });

/** What a client knows of an object that it changes: labels never collide, so each one stands for one change. */
interface TrackedNode {
  id: string;
  /** Labels of acknowledged changes. */
  acknowledged: string[];
  /** How often the engine was started again while a change of it was under way. */
  forgotten: number;
  state: 'present' | 'removed' | 'in doubt';
}

/** With the pauses in between these take at least half a minute. */
const MAX_DOUBTS = 50;

export class Clients {
  readonly complaints: string[] = [];
  /** What was answered, by status. */
  readonly statuses: Record<number, number> = {};
  slowestMs = 0;
  readonly #inventory: FaultyInventory;
  readonly #nodes: TrackedNode[] = [];
  readonly #agents: { marker: string; acknowledged: string[]; doubts: number }[] = [];
  readonly #deadKeys: string[] = [];
  /** By name the id that the service has, or undefined when it went. */
  readonly #services = new Map<string, string | undefined>();
  #isOver = false;

  constructor(inventory: FaultyInventory) {
    this.#inventory = inventory;
  }

  #complain(complaint: string): void {
    this.complaints.push(complaint);
  }

  /** One request; anything but these statuses or a well-formed 503 is wrong. */
  async #call(method: string, path: string, call: RequestOptions, statuses: () => readonly number[]): Promise<Reply> {
    const what = `${method} ${path} ${JSON.stringify(call.body ?? '')}`;
    const outcome = await timed(() => this.#inventory.request(method, path, call));
    const { reply, milliseconds } = outcome;
    this.slowestMs = Math.max(this.slowestMs, milliseconds);
    this.statuses[reply.status] = (this.statuses[reply.status] ?? 0) + 1;
    this.complaints.push(...complaintsAbout(what, outcome));
    if (reply.status < 500 && !statuses().includes(reply.status))
      this.#complain(`${what}: ${reply.status} ${reply.text}`);
    return reply;
  }

  /**
   * The same request until somebody knows: `statuses` are what it may be answered at once, `doubtful` what it may be
   * answered as well once an earlier answer was a 503. A killed engine forgets the tokens of its transactions (DynamoDB
   * keeps them for ten minutes), and so it answers the SDK's repetition as if it were another request.
   */
  async #insist(
    method: string,
    path: string,
    call: RequestOptions,
    { statuses, doubtful }: { statuses: readonly number[]; doubtful: readonly number[] },
  ): Promise<{ reply: Reply; doubts: number }> {
    const before = this.#inventory.restarts();
    for (let doubts = 0; ; doubts += 1) {
      const either = [...statuses, ...doubtful];
      const isInDoubt = () => doubts > 0 || this.#inventory.restarts() > before;
      const reply = await this.#call(method, path, call, () => (isInDoubt() ? either : statuses));
      if (reply.status < 500) return { reply, doubts };
      if (doubts === MAX_DOUBTS) throw new Error(`${method} ${path}: unavailable for too long: ${reply.text}`);
      // An engine that starts again takes seconds on a busy machine, and refuses at once until then.
      await delay(Math.min(20 * 1.2 ** doubts, 1000));
    }
  }

  /** Adds a node; in doubt, it looks for it by its name. */
  async #addNode(): Promise<TrackedNode> {
    const name = uniqueName('node');
    const body = { node_type: 'generic', node_name: name, address: 'a' };
    const { reply } = await this.#insist('POST', '/v1/nodes', { body }, { statuses: [201], doubtful: [409] });
    let id: string | undefined = reply.body.node_id;
    if (reply.status === 409) {
      const path = `/v1/nodes?name_prefix=${encodeURIComponent(name)}`;
      const listed = await this.#insist('GET', path, {}, { statuses: [200], doubtful: [] });
      id = listed.reply.body.nodes?.[0]?.node_id;
      if (id === undefined) this.#complain(`${name} is said to exist, and is not listed.`);
    }
    const tracked: TrackedNode = { id: String(id), acknowledged: [], forgotten: 0, state: 'present' };
    this.#nodes.push(tracked);
    return tracked;
  }

  /** A change of its own label and of what everybody changes: made twice it would show in the revision. */
  async #change(tracked: TrackedNode, label: string): Promise<void> {
    const body = { custom_labels: { [label]: 'x' }, address: label };
    const before = tracked.acknowledged.length;
    const restarts = this.#inventory.restarts();
    const reply = await this.#call('PATCH', `/v1/nodes/${tracked.id}`, { body }, () => [200]);
    tracked.forgotten += this.#inventory.restarts() - restarts;
    if (reply.status !== 200) return;
    tracked.acknowledged.push(label);
    if (reply.body.revision < before + 2) this.#complain(`${label}: revision ${reply.body.revision} after ${before}`);
    if (reply.body.custom_labels[label] !== 'x') this.#complain(`${label} is not in the reply to itself`);
  }

  async #readOwn(tracked: TrackedNode): Promise<void> {
    const before = [...tracked.acknowledged];
    const { status, body } = await this.#call('GET', `/v1/nodes/${tracked.id}`, {}, () => [200]);
    if (status !== 200) return;
    const lost = before.filter((label) => body.custom_labels[label] !== 'x');
    if (lost.length > 0) this.#complain(`${tracked.id} has lost ${lost.join(' ')}`);
  }

  async #remove(tracked: TrackedNode): Promise<void> {
    tracked.state = 'in doubt';
    await this.#insist('DELETE', `/v1/nodes/${tracked.id}`, {}, { statuses: [204], doubtful: [404] });
    tracked.state = 'removed';
    const { status } = await this.#call('GET', `/v1/nodes/${tracked.id}`, {}, () => [404]);
    if (status === 200) this.#complain(`${tracked.id} is there after its removal`);
  }

  async #nodesOfItsOwn(random: Random, turns: number): Promise<void> {
    for (let turn = 0; turn < turns; turn += 1) {
      const tracked = await this.#addNode();
      for (let change = 0; change < 3; change += 1) await this.#change(tracked, `own_${change}`);
      await this.#readOwn(tracked);
      if (random.chance(0.5)) await this.#remove(tracked);
    }
  }

  async #sharedNodes(shared: readonly TrackedNode[], client: number): Promise<void> {
    for (const [turn, tracked] of shared.entries()) {
      for (const change of [1, 2, 3]) await this.#change(tracked, `shared_${client}_${turn}_${change}`);
      await this.#readOwn(tracked);
    }
  }

  /** A machine with what runs on it comes, and goes by force. */
  async #hosts(turns: number): Promise<void> {
    for (let turn = 0; turn < turns; turn += 1) {
      const host = await this.#addNode();
      const marker = uniqueName('agent');
      const agents = { marker, acknowledged: [] as string[], doubts: 0 };
      this.#agents.push(agents);
      const body = { agent_type: 'pmm_agent', runs_on_node_id: host.id, custom_labels: { marker } };
      const { reply, doubts } = await this.#insist('POST', '/v1/agents', { body }, { statuses: [201], doubtful: [] });
      agents.acknowledged.push(reply.body.agent_id);
      agents.doubts = doubts;
      const service = {
        service_type: 'mysql',
        service_name: uniqueName('service'),
        node_ids: [host.id],
        address: 'a',
        port: 1,
        cluster: 'c',
      };
      await this.#insist('POST', '/v1/services', { body: service }, { statuses: [201], doubtful: [409] });
      await this.#insist('GET', `/v1/services?node_id=${host.id}`, {}, { statuses: [200], doubtful: [] });
      await this.#call('GET', '/v1/nodes?page_size=3', {}, () => [200]);
      if (turn % 2 === 1) continue;
      host.state = 'in doubt';
      await this.#insist('DELETE', `/v1/nodes/${host.id}?force=true`, {}, { statuses: [204], doubtful: [404] });
      host.state = 'removed';
      agents.acknowledged = [];
      agents.doubts = 0;
    }
  }

  /**
   * An add under an Idempotency-Key. A 503 leaves no doubt: the same request gets the answer that was lost, and whatever
   * happens to the object, it gets it again.
   *
   * @returns what was added, and the request once more.
   */
  async #addOnce(path: string, body: object): Promise<{ added: any; again: () => Promise<void> }> {
    const call = { body, headers: { 'Idempotency-Key': randomUUID() } };
    const ask = async () => (await this.#insist('POST', path, call, { statuses: [201], doubtful: [] })).reply;
    const first = await ask();
    const again = async () => {
      const { body: answer, text } = await ask();
      if (!isDeepStrictEqual(answer, first.body)) this.#complain(`${path}: first ${first.text} and then ${text}`);
    };
    return { added: first.body, again };
  }

  /** As hosts, but with adds that can be repeated: there is one of each, and which one is known. */
  async #hostsOfOneEach(turns: number): Promise<void> {
    for (let turn = 0; turn < turns; turn += 1) {
      const node = await this.#addOnce('/v1/nodes', {
        node_type: 'generic',
        node_name: uniqueName('node'),
        address: 'a',
      });
      const id: string = node.added.node_id;
      const host: TrackedNode = { id, acknowledged: [], forgotten: 0, state: 'present' };
      this.#nodes.push(host);
      const marker = uniqueName('agent');
      const agent = await this.#addOnce('/v1/agents', {
        agent_type: 'pmm_agent',
        runs_on_node_id: id,
        custom_labels: { marker },
      });
      const agents = { marker, acknowledged: [agent.added.agent_id], doubts: 0 };
      this.#agents.push(agents);
      const name = uniqueName('service');
      const endpoint = { address: 'a', port: 1 };
      const service = await this.#addOnce('/v1/services', {
        service_type: 'mysql',
        service_name: name,
        node_ids: [id],
        ...endpoint,
      });
      this.#services.set(name, service.added.service_id);
      const repeat = () => Promise.all([node.again(), agent.again(), service.again()]);
      await repeat();
      if (turn % 2 === 1) continue;
      host.state = 'in doubt';
      await this.#insist('DELETE', `/v1/nodes/${id}?force=true`, {}, { statuses: [204], doubtful: [404] });
      host.state = 'removed';
      agents.acknowledged = [];
      this.#services.set(name, undefined);
      // What was removed does not come back.
      await repeat();
    }
  }

  /** Keys and sessions: good from the first moment to the last, and no longer. */
  async #keys(turns: number): Promise<void> {
    for (let turn = 0; turn < turns; turn += 1) {
      const body = { name: uniqueName('key'), role: 'Viewer' };
      const once = { statuses: [201], doubtful: [409] };
      const added =
        turn % 2 === 0
          ? await this.#insist('POST', '/v1/api-keys', { body }, once)
          : await this.#insist('POST', '/v1/sessions', { as: null, headers: { Authorization: password } }, once);
      const { key, key_id: id } = added.reply.body;
      // In doubt, the key that was added is not known to anybody: it can only be removed.
      if (added.reply.status === 409) continue;
      await this.#call('GET', '/v1/caller', bearer(key), () => [200]);
      if (turn % 2 === 0) await this.#insist('DELETE', `/v1/api-keys/${id}`, {}, { statuses: [204], doubtful: [404] });
      else await this.#insist('DELETE', '/v1/sessions', bearer(key), { statuses: [204], doubtful: [401] });
      this.#deadKeys.push(key);
      await this.#call('GET', '/v1/caller', bearer(key), () => [401]);
    }
  }

  /** All clients at once, with this number of turns each. */
  async work(random: Random, turns: number): Promise<void> {
    const shared = await Promise.all(Array.from({ length: turns }, () => this.#addNode()));
    await Promise.all([
      ...Array.from({ length: 3 }, () => this.#nodesOfItsOwn(random.fork(), turns)),
      ...Array.from({ length: 4 }, (_, client) => this.#sharedNodes(shared, client)),
      this.#hosts(turns),
      this.#hostsOfOneEach(turns),
      this.#keys(2 * turns),
    ]);
    this.#isOver = true;
  }

  /** The number of requests with another answer than a 503. */
  get answered(): number {
    return Object.entries(this.statuses).reduce(
      (sum, [status, count]) => (Number(status) < 500 ? sum + count : sum),
      0,
    );
  }

  /** Resolves once this many requests are answered, or the work is over. */
  async untilAnswered(number: number): Promise<void> {
    while (!this.#isOver && this.answered < number) await delay(50);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Everything that is wrong, now that all is quiet and nothing makes trouble any more. */
  async verdict(): Promise<string[]> {
    const { table, request } = this.#inventory;
    const items = await scan(table);
    const nodes = new Map(items.flatMap((item) => (item['sk'] === 'NODE' ? [[String(item['node_id']), item]] : [])));
    for (const tracked of this.#nodes) {
      const node = nodes.get(tracked.id);
      nodes.delete(tracked.id);
      if (tracked.state === 'removed' && node !== undefined) this.#complain(`${tracked.id} is there after its removal`);
      if (tracked.state === 'present') this.#checkNode(tracked, node);
    }
    for (const id of nodes.keys()) this.#complain(`node ${id} is there twice, or from nowhere`);
    for (const { marker, acknowledged, doubts } of this.#agents) {
      const markedAgents = items.filter(
        (item) => item['sk'] === 'AGENT' && (item['custom_labels'] as any).marker === marker,
      );
      const missing = acknowledged.filter((id) => markedAgents.every((item) => item['agent_id'] !== id));
      if (missing.length > 0) this.#complain(`agents ${missing.join(' ')} are lost`);
      if (markedAgents.length > acknowledged.length + doubts)
        this.#complain(`${markedAgents.length} agents of ${acknowledged.length} adds and ${doubts} in doubt`);
    }
    for (const item of items.filter(({ sk }) => sk === 'SERVICE')) {
      const name = String(item['service_name']);
      if (!this.#services.has(name)) continue;
      if (this.#services.get(name) !== item['service_id']) this.#complain(`${name} is another one, or there again`);
      this.#services.delete(name);
    }
    for (const [name, id] of this.#services) if (id !== undefined) this.#complain(`${name} is lost`);
    for (const key of this.#deadKeys)
      if ((await request('GET', '/v1/caller', bearer(key))).status !== 401) this.#complain('a removed key lets in');
    const read = (path: string) => request('GET', path);
    this.complaints.push(...(await checkInvariants(table, { read })));
    return this.complaints;
  }

  #checkNode({ id, acknowledged, forgotten }: TrackedNode, node: Item | undefined): void {
    if (node === undefined) {
      this.#complain(`node ${id} is lost`);
      return;
    }
    const labels = node['custom_labels'] as Record<string, string>;
    const lost = acknowledged.filter((label) => labels[label] !== 'x');
    if (lost.length > 0) this.#complain(`node ${id} has lost the changes ${lost.join(' ')}`);
    // Changes in doubt left their label or did not: there is a revision for each label, acknowledged or not, and no more. An
    // engine that forgot a transaction's token may find a change that it made to be another one, and make it again.
    const made = Object.keys(labels).length;
    const extra = Number(node['revision']) - 1 - made;
    if (extra < 0 || extra > forgotten)
      this.#complain(`node ${id} is at revision ${String(node['revision'])} after ${made} changes`);
  }
}
