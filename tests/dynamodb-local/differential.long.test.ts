/** The embedded engine and Amazon's DynamoDB Local answer random calls in the same way. */
import { isDeepStrictEqual } from 'node:util';
import { DeleteCommand, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { Engine } from '../../local/engine/engine-type.ts';
import { startEngine } from '../../local/engine/engine.ts';
import { tableAt } from '../../local/engine/external-engine.ts';
import { ensureTable } from '../../local/engine/table.ts';
import type { Item, Table } from '../../shared/db/table.ts';
import { inFull, testSeed } from '../../shared/testing/extent.ts';
import { Random } from '../consistency/random.ts';
import { fetchDynamoDBLocal, startDynamoDBLocal } from './engine.ts';
import { RandomCalls } from './random-calls.ts';

const CALLS = inFull(20_000, 1500);

let engine: Engine;
let reference: Awaited<ReturnType<typeof startDynamoDBLocal>>;
beforeAll(async () => {
  await fetchDynamoDBLocal();
  [engine, reference] = await Promise.all([startEngine({ environment: {} }), startDynamoDBLocal()]);
}, 300_000);
afterAll(async () => {
  await engine.stop();
  await reference.stop();
});

/** A reply or an error, in a form that both engines share. */
type Outcome = Record<string, any>;

function plain(value: any): any {
  if (value instanceof Uint8Array) return `bytes ${Buffer.from(value).toString('hex')}`;
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, member]) => member !== undefined && name !== '$metadata')
      .map(([name, member]) => [name, plain(member)]),
  );
}

const byKey = (left: Item, right: Item) =>
  JSON.stringify([left['pk'], left['sk']]) < JSON.stringify([right['pk'], right['sk']]) ? -1 : 1;

async function outcomeOf(table: Table, command: any): Promise<Outcome> {
  try {
    const sent = Object.entries(plain(await table.client.send(command)));
    const reply: Outcome = Object.fromEntries(sent.filter(([name]) => !ignored.includes(name)));
    // A scan and a batch have no order.
    if (command instanceof ScanCommand) reply['Items']?.sort(byKey);
    for (const items of Object.values<Item[]>(reply['Responses'] ?? {})) items.sort(byKey);
    return reply;
  } catch (error: any) {
    const cause = error.CancellationReasons === undefined && error.Item === undefined ? (error.cause ?? error) : error;
    const reasons = cause.CancellationReasons?.map(({ Code, Item }: any) => [Code, plain(Item ?? null)]);
    return { error: cause.name, ...(reasons && { reasons }), ...(cause.Item && { item: plain(cause.Item) }) };
  }
}

/** Empty here, or without a meaning for the service. Local states a capacity that nobody asked for when it deletes nothing. */
const ignored = ['UnprocessedKeys', 'UnprocessedItems', 'ScannedCount', 'ConsumedCapacity'];

const VALIDATION = 'ValidationException';

const codesOf = ({ reasons = [] }: Outcome) => reasons.map(([code]: [string]) => code);

/** Differences that are meant, each with its reason. Neither engine has changed anything in these cases, or both the same. */
const accepted: readonly [reason: string, isMeant: (ours: Outcome, theirs: Outcome, input: any) => boolean][] = [
  [
    'an invalid call is refused by both, at another step of its validation',
    (ours, theirs) =>
      ours['error'] !== undefined &&
      theirs['error'] !== undefined &&
      (ours['error'] === VALIDATION ||
        theirs['error'] === VALIDATION ||
        [ours, theirs].some((result) => codesOf(result).includes('ValidationError'))),
  ],
  [
    'a page whose limit is reached with the last item may state its end: the next page is empty',
    ({ LastEvaluatedKey: end, ...ours }, theirs) => end !== undefined && isDeepStrictEqual(ours, theirs),
  ],
  [
    'items with equal keys in an index have no order that DynamoDB states',
    (ours, theirs, { IndexName }) => IndexName !== undefined && hasSameOfPage(ours, theirs),
  ],
];

/** The same page, or one that ends within items whose keys in the index are equal. */
function hasSameOfPage(ours: Outcome, theirs: Outcome): boolean {
  const sorts = ({ Items = [], LastEvaluatedKey: end }: Outcome) => [
    Items.map((item: Item) => item['list_sk']),
    end?.list_sk,
  ];
  return ours['error'] === undefined && theirs['error'] === undefined && isDeepStrictEqual(sorts(ours), sorts(theirs));
}

const itemsOf = async ({ client, name }: Table) =>
  (await client.send(new ScanCommand({ TableName: name, ConsistentRead: true }))).Items ?? [];

/** Gives the table the items of the other one. */
async function align(subject: Table, like: Table): Promise<void> {
  const [before, after] = [await itemsOf(subject), await itemsOf(like)];
  const TableName = subject.name;
  for (const { pk, sk } of before)
    if (!after.some((item) => item['pk'] === pk && item['sk'] === sk))
      await subject.client.send(new DeleteCommand({ TableName, Key: { pk, sk } }));
  for (const ItemAfter of after) await subject.client.send(new PutCommand({ TableName, Item: ItemAfter }));
}

test(`${CALLS} random calls have the same replies, errors and effects (TEST_SEED=${testSeed})`, async () => {
  const name = 'differential';
  const [ours, theirs] = [engine.open(name), tableAt(reference.endpoint, name)];
  await Promise.all([ensureTable(ours), ensureTable(theirs)]);
  const calls = new RandomCalls(new Random(testSeed), name);
  const counts = new Map<string, number>();
  const differences: unknown[] = [];
  for (let number = 0; number < CALLS && differences.length < 8; number += 1) {
    const command = calls.next();
    const { input } = command();
    const [mine, other] = await Promise.all([outcomeOf(ours, command()), outcomeOf(theirs, command())]);
    counts.set(mine['error'] ?? 'reply', (counts.get(mine['error'] ?? 'reply') ?? 0) + 1);
    if (isDeepStrictEqual(mine, other)) continue;
    const isMeant = accepted.some(([, isOfKind]) => isOfKind(mine, other, input));
    if (!isMeant) differences.push({ number, operation: command().constructor.name, input, mine, other });
    await align(ours, theirs);
  }
  expect(differences).toEqual([]);
  expect((await itemsOf(ours)).map(plain).sort(byKey)).toEqual((await itemsOf(theirs)).map(plain).sort(byKey));
  // The calls reach all that is compared.
  for (const outcome of ['reply', VALIDATION, 'ConditionalCheckFailedException', 'TransactionCanceledException'])
    expect(counts.get(outcome)).toBeGreaterThan(CALLS / 200);
}, 1_200_000);
