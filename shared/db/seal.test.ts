import { createSecretKey } from 'node:crypto';
import { SEAL_ATTRIBUTE, sealItems, type Sealing } from './seal.ts';
import type { Item, Key, Table } from './table.ts';
import { ConditionalCheckFailedException, TransactionCanceledException } from './table-errors.ts';

type Handler = (call: { operation: string; input: any }) => Promise<any>;

/** A client with sealing, above a table that keeps the last input and returns what the test puts there. */
function sealed(more: Partial<Sealing> = {}) {
  const forged: Key[] = [];
  const state: { input: any; output: any } = { input: undefined, output: {} };
  let handler: Handler = ({ input }) => {
    state.input = input;
    return Promise.resolve(state.output);
  };
  const use = (layer: (next: Handler) => Handler) => (handler = layer(handler));
  const sealing: Sealing = {
    secret: createSecretKey(Buffer.alloc(32, 1)),
    covers: ({ pk }) => pk.startsWith('KEY#'),
    unsealed: new Set(['last_used_at']),
    onForged: (key) => forged.push(key),
    ...more,
  };
  sealItems({ name: 't', client: { use } } as unknown as Table, sealing);
  const send = async (input: object, output: object = {}) => {
    state.output = output;
    return { ...(await handler({ operation: 'x', input })), sent: state.input };
  };
  return { send, forged };
}

const key = { pk: 'KEY#1', sk: 'KEY' };
const item = { ...key, role: 'Admin', more: { b: [1, 2], a: undefined } };

/** The item as it is stored. */
const stored = async (one: object = item, more: Partial<Sealing> = {}) =>
  (await sealed(more).send({ Item: one })).sent.Item;

test('a covered item is sealed when it is put, alone or in a transaction; others are not', async () => {
  const { send } = sealed();
  const alone = (await send({ Item: item })).sent.Item;
  expect(alone[SEAL_ATTRIBUTE]).toMatch(/^[\w-]{43}$/);
  const other = { pk: 'NODE#1', sk: 'NODE' };
  const { sent } = await send({
    TransactItems: [{ Put: { Item: item } }, { Put: { Item: other } }, { Delete: { Key: key } }],
  });
  expect(sent.TransactItems).toEqual([{ Put: { Item: alone } }, { Put: { Item: other } }, { Delete: { Key: key } }]);
});

test('a sealed item is read without its seal, in every kind of reply', async () => {
  const { send, forged } = sealed();
  const whole = await stored();
  const { role: _, ...rest } = whole;
  expect((await send({}, { Item: whole })).Item).toEqual(item);
  // The database returns the attributes in another order.
  expect((await send({}, { Items: [{ ...rest, role: 'Admin' }] })).Items).toEqual([item]);
  expect((await send({}, { Responses: { t: [whole] } })).Responses).toEqual({ t: [item] });
  expect(forged).toEqual([]);
});

test.each<[string, (whole: any) => object]>([
  ['without a seal', ({ [SEAL_ATTRIBUTE]: _, ...rest }) => rest],
  ['with another value', (whole) => ({ ...whole, role: 'Viewer' })],
  ['with an additional attribute', (whole) => ({ ...whole, x: 1 })],
  ['with another nested value', (whole) => ({ ...whole, more: { b: [2, 1] } })],
  ['that was copied to another key', (whole) => ({ ...whole, pk: 'KEY#2' })],
  ['with a seal of another length', (whole) => ({ ...whole, [SEAL_ATTRIBUTE]: 'x' })],
])('an item %s does not exist, and is reported', async (_, alter) => {
  const altered: any = alter(await stored());
  const { send, forged } = sealed();
  const { sent: __, ...one } = await send({}, { Item: altered });
  expect(one).toEqual({ Item: undefined });
  expect((await send({}, { Items: [altered, await stored()] })).Items).toEqual([item]);
  expect((await send({}, { Responses: { t: [altered] } })).Responses).toEqual({ t: [] });
  expect(forged).toEqual(Array(3).fill({ pk: altered.pk, sk: 'KEY' }));
});

test('a seal of another secret is not valid', async () => {
  const foreign = await stored(item, { secret: createSecretKey(Buffer.alloc(32, 2)) });
  expect((await sealed().send({}, { Item: foreign })).Item).toBeUndefined();
});

test('attributes that grant nothing change without a new seal; an update of others is a defect', async () => {
  const { send } = sealed();
  const used = { ...(await stored()), last_used_at: 7 };
  expect((await send({}, { Item: used })).Item).toEqual({ ...item, last_used_at: 7 });
  const update = (UpdateExpression: string, names: object = {}, Key: object = key) =>
    send({ Key, UpdateExpression, ExpressionAttributeNames: names });
  await expect(update('SET last_used_at = :now')).resolves.toBeDefined();
  await expect(update('SET #used = if_not_exists(#used, :now)', { '#used': 'last_used_at' })).resolves.toBeDefined();
  for (const expression of ['SET role = :r', 'SET last_used_at = :now, role = :r', 'REMOVE role', 'SET #r = :r'])
    await expect(update(expression, { '#r': 'role' })).rejects.toThrow('would break the seal of KEY#1');
  await expect(update('SET role = :r', {}, { pk: 'NODE#1', sk: 'NODE' })).resolves.toBeDefined();
  const inTransaction = { TransactItems: [{ Update: { Key: key, UpdateExpression: 'SET role = :r' } }] };
  await expect(send(inTransaction)).rejects.toThrow('would break the seal');
});

test('other replies pass unchanged', async () => {
  const { send } = sealed();
  const { sent: _, ...reply } = await send({}, { Count: 3, Item: { pk: 'NODE#1', sk: 'NODE', x: 1 } });
  expect(reply).toEqual({ Count: 3, Item: { pk: 'NODE#1', sk: 'NODE', x: 1 } });
});

/** A table that refuses each put to a key that an item has, as the condition of the put asks, and deletes items. */
function occupiedBy(item: Item, isReplaced = false) {
  const calls: string[] = [];
  const inputs: any[] = [];
  let present: Item | undefined = item;
  let handler: Handler = ({ operation, input }) => {
    calls.push(operation);
    inputs.push(input);
    if (operation === 'DeleteItem') {
      present = undefined;
      if (isReplaced) throw new ConditionalCheckFailedException({ message: 'x' });
    } else if (present !== undefined)
      throw new TransactionCanceledException({
        message: 'x',
        CancellationReasons: input.TransactItems.map(() => ({ Code: 'ConditionalCheckFailed', Item: present })),
      });
    return Promise.resolve({});
  };
  const use = (layer: (next: Handler) => Handler) => (handler = layer(handler));
  const { secret, covers, unsealed } = {
    secret: createSecretKey(Buffer.alloc(32, 1)),
    covers: () => true,
    unsealed: new Set<string>(),
  };
  sealItems({ name: 't', client: { use } } as unknown as Table, {
    secret,
    covers,
    unsealed,
    onForged: () => undefined,
  });
  const send = (action: object) =>
    handler({ operation: 'TransactWriteItems', input: { ClientRequestToken: 'first', TransactItems: [action] } });
  return { send, calls, inputs };
}

test('an item without a valid seal is not in the way of a new one, a genuine item is', async () => {
  const put = { Put: { Item: { pk: 'KEY#1', sk: 'KEY' }, ConditionExpression: 'attribute_not_exists(pk)' } };
  const forged = occupiedBy({ pk: 'KEY#1', sk: 'KEY', seal: 'of another key' });
  await forged.send(put);
  expect(forged.calls).toEqual(['TransactWriteItems', 'DeleteItem', 'TransactWriteItems']);
  const check = occupiedBy({ pk: 'KEY#1', sk: 'KEY', seal: 'of another key' });
  await expect(check.send({ ConditionCheck: {} })).rejects.toThrow(TransactionCanceledException);
  const genuine = occupiedBy(await stored());
  await expect(genuine.send(put)).rejects.toThrow(TransactionCanceledException);
  expect([...check.calls, ...genuine.calls]).toEqual(['TransactWriteItems', 'TransactWriteItems']);
});

test('an item is removed only with the seal that was not valid, and the new put is another transaction', async () => {
  const put = { Put: { Item: { pk: 'KEY#1', sk: 'KEY' }, ConditionExpression: 'attribute_not_exists(pk)' } };
  const { send, inputs } = occupiedBy({ pk: 'KEY#1', sk: 'KEY', seal: 'of another key' });
  await send(put);
  const [first, removal, second] = inputs;
  expect(removal).toMatchObject({
    ConditionExpression: '#seal = :seal',
    ExpressionAttributeValues: { ':seal': 'of another key' },
  });
  expect(first.ClientRequestToken).toBe('first');
  expect(second.ClientRequestToken).toMatch(/^[0-9a-f-]{36}$/);
});

test('an item that has another seal by now is not removed, and the put is repeated', async () => {
  const put = { Put: { Item: { pk: 'KEY#1', sk: 'KEY' }, ConditionExpression: 'attribute_not_exists(pk)' } };
  const { send, calls } = occupiedBy({ pk: 'KEY#1', sk: 'KEY', seal: 'of another key' }, true);
  await send(put);
  expect(calls).toEqual(['TransactWriteItems', 'DeleteItem', 'TransactWriteItems']);
});
