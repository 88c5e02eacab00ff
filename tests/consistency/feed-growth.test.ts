/**
 * The number of partitions of changes grows at random moments, while processes write and followers read: each follower
 * gets every change once, the changes of one object in their order.
 */
import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Table } from '../../shared/db/table.ts';
import { transact, type TransactItem } from '../../shared/db/transact.ts';
import { inFull, testSeed } from '../../shared/testing/extent.ts';
import type { EntityOf } from '../../functions/store/entities/entity.ts';
import { changeIdIn } from '../../functions/store/history/change-record.ts';
import { type FeedPosition, readFeed } from '../../functions/store/history/change-feed.ts';
import { growChangeShards } from '../../functions/store/history/change-shards.ts';
import { toTransactItems } from '../../functions/store/inventory/transact-items.ts';
import { newPlan, planAdd, planChange } from '../../functions/store/inventory/transaction-plan.ts';
import { changeShardsKey } from '../../functions/store/table/keys.ts';
import { ensureTable } from '../../local/engine/table.ts';
import { asProcess } from '../support/processes.ts';
import { contextOf, node } from '../support/store.ts';
import { withSend } from '../support/table.ts';
import { Random } from './random.ts';
import { useTable } from '../support/fixtures.ts';

const SECOND = 1000;
/** How far clocks differ, how long a write is under way, and a read. Together less than the 20 s of the feed. */
const MAX_SKEW = 3 * SECOND;
const MAX_WRITE = 10 * SECOND;
const MAX_CALL = 6 * SECOND;
/** How long a request of a reader takes at most. */
const MAX_REQUEST = 29 * SECOND;
const GROWTHS = [6, 9, 36];

interface Process {
  table: Table;
  skew: number;
  /** Of the version without the setting. */
  isOld: boolean;
}

interface Follower {
  position: FeedPosition | undefined;
  seen: { changeId: string; id: string; revision: number }[];
}

interface Pending {
  process: Process;
  steps: TransactItem[];
  entity: EntityOf<'node'>;
  until: number;
}

class World {
  now = Date.parse('2026-05-01T10:00:00Z');
  readonly committed: string[] = [];
  readonly shardsWritten = new Set<string>();
  readonly followers: Follower[] = [];
  readonly #table: Table;
  readonly #random: Random;
  readonly #objects = new Map<string, EntityOf<'node'>>();
  readonly #pending: Pending[] = [];
  readonly #growths = [...GROWTHS];
  #processes: Process[];
  #meanwhile: Promise<void> | undefined;
  /** The deployment replaces the processes of the version without the setting, then the number grows. Requests finish. */
  #oldUntil = Infinity;

  constructor(table: Table, random: Random) {
    this.#table = table;
    this.#random = random;
    this.#processes = Array.from({ length: 4 }, (_, index) => this.#start(index < 2));
  }

  #start(isOld = false): Process {
    const process = asProcess(this.#table, async (command) => {
      const isOfFeed = command instanceof QueryCommand && command.input.ScanIndexForward !== false;
      if (isOfFeed && this.#random.chance(0.5)) await this.#meanwhile;
    });
    const send = (command: any) =>
      command instanceof GetCommand && command.input.Key?.['pk'] === changeShardsKey.pk
        ? Promise.resolve({})
        : process.client.send(command);
    const table = isOld ? withSend(process, send) : process;
    return { table, skew: this.#random.below(MAX_SKEW), isOld };
  }

  #pick(): Process {
    if (this.now > this.#oldUntil)
      this.#processes = this.#processes.map((process) => (process.isOld ? this.#start() : process));
    return this.#random.pick(this.#processes);
  }

  #clockOf = ({ skew }: Process) => new Date(this.now + skew);

  async #begin(): Promise<void> {
    const process = this.#pick();
    const free = [...this.#objects.values()].filter(
      ({ object }) => !this.#pending.some(({ entity }) => entity.object.node_id === object.node_id),
    );
    const old = free.length > 0 && this.#random.chance(0.6) ? this.#random.pick(free) : undefined;
    const plan = newPlan(contextOf({ clock: () => this.#clockOf(process) }));
    const revision = (old?.object.revision ?? 0) + 1;
    const entity: EntityOf<'node'> =
      old === undefined ? node() : { kind: 'node', object: { ...old.object, revision, model: `model ${revision}` } };
    if (old === undefined) planAdd(plan, entity);
    else planChange(plan, old, entity);
    const steps = await toTransactItems(process.table, plan);
    this.#pending.push({ process, steps, entity, until: this.now + MAX_WRITE });
  }

  async #commit(index: number): Promise<void> {
    const [pending] = this.#pending.splice(index, 1);
    if (pending === undefined) return;
    await transact(pending.process.table, pending.steps);
    const record = pending.steps
      .map((step) => ('put' in step ? step.put : undefined))
      .find((item) => String(item?.['pk']).startsWith('CHANGE#'));
    const changeId = changeIdIn(record!);
    this.committed.push(changeId);
    this.shardsWritten.add(changeId.slice(0, 1));
    this.#objects.set(pending.entity.object.node_id, {
      kind: 'node',
      object: { ...pending.entity.object, last_change: changeId },
    });
  }

  /** No write takes longer than MAX_WRITE. */
  async pass(milliseconds: number): Promise<void> {
    this.now += milliseconds;
    for (;;) {
      const late = this.#pending.findIndex(({ until }) => until < this.now);
      if (late === -1) return;
      // It commits just in time, before the others see the later clock.
      const { now } = this;
      this.now = this.#pending[late]!.until;
      await this.#commit(late);
      this.now = now;
    }
  }

  async #grow(): Promise<void> {
    const next = this.#growths[0];
    if (next === undefined) return;
    await growChangeShards(this.#table, next, new Date(this.now)).then(
      () => {
        this.#growths.shift();
        this.#oldUntil = Math.min(this.#oldUntil, this.now + MAX_REQUEST);
      },
      () => undefined,
    );
    if (this.#random.chance(0.5))
      this.#processes = this.#processes.map((process) => (process.isOld ? process : this.#start()));
  }

  /** What may happen while a page is read. */
  async #disturb(): Promise<void> {
    const end = this.now + MAX_CALL;
    if (this.#random.chance(0.4)) await this.#grow();
    for (let writes = this.#random.below(4); writes > 0; writes -= 1) await this.#writeNow();
    await this.pass(this.#random.below(end - this.now));
    for (let writes = this.#random.below(4); writes > 0; writes -= 1) await this.#writeNow();
  }

  /** One page. Each of its queries may be made before or after the disturbance. */
  async read(follower: Follower, isDisturbed: boolean): Promise<boolean> {
    const process = this.#pick();
    const now = this.#clockOf(process);
    if (isDisturbed) this.#meanwhile = this.#disturb();
    const { changes, next, more } = await readFeed(process.table, follower.position, { most: 20, now });
    await this.#meanwhile;
    this.#meanwhile = undefined;
    follower.position = next;
    follower.seen.push(...changes.map(({ change_id: changeId, id, revision }) => ({ changeId, id, revision })));
    return more;
  }

  async #writeNow(): Promise<void> {
    await this.#begin();
    await this.#commit(this.#pending.length - 1);
  }

  async #write(): Promise<void> {
    if (this.#pending.length > 0 && this.#random.chance(0.5))
      await this.#commit(this.#random.below(this.#pending.length));
    else await this.#begin();
  }

  async step(): Promise<void> {
    const chance = this.#random.next();
    if (chance < 0.45) await this.#write();
    else if (chance < 0.52) await this.pass(this.#random.below(5 * SECOND));
    else if (chance < 0.57) await this.pass(20 * SECOND + this.#random.below(130 * SECOND));
    else if (chance < 0.6) await this.#grow();
    else if (chance < 0.68) {
      const index = this.#random.below(this.#processes.length);
      this.#processes[index] = this.#start(this.#processes[index]!.isOld);
    } else if (chance < 0.71) this.followers.push({ position: undefined, seen: [] });
    else if (this.followers.length > 0) await this.read(this.#random.pick(this.followers), this.#random.chance(0.5));
  }

  /** Everything commits, and every follower reads to the end. */
  async finish(): Promise<void> {
    while (this.#pending.length > 0) await this.#commit(0);
    for (const follower of this.followers) while (await this.read(follower, false)) await this.pass(5 * SECOND);
  }
}

const { table } = useTable();

test('followers get every change once and in order, whenever the number of partitions grows', async () => {
  const shards = new Set<string>();
  for (let run = 0; run < inFull(20, 1); run += 1) {
    const runTable = { ...table, name: `${table.name}-${run}` };
    await ensureTable(runTable);
    const world = new World(runTable, new Random(testSeed * 1000 + run));
    for (let steps = 0; steps < 120; steps += 1) await world.step();
    await world.finish();
    for (const { seen } of world.followers) {
      const ids = seen.map(({ changeId }) => changeId);
      expect({ run, ids: [...ids].sort() }).toEqual({ run, ids: [...world.committed].sort() });
      const revisions = new Map<string, number>();
      for (const { id, revision } of seen) {
        expect([run, id, revision]).toEqual([run, id, (revisions.get(id) ?? 0) + 1]);
        revisions.set(id, revision);
      }
    }
    for (const shard of world.shardsWritten) shards.add(shard);
  }
  // The runs did write to new partitions.
  expect([...shards].some((shard) => Number.parseInt(shard, 36) >= 4)).toBe(true);
});
