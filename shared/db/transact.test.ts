import { equals, PRESENT } from './conditions.ts';
import {
  TransactionCanceledException,
  TransactionConflictException,
  TransactionInProgressException,
} from './table-errors.ts';
import { Contention, OutcomeUnknown, StaleRead } from './contention.ts';
import type { Table } from './table.ts';
import { type TransactItem, transact } from './transact.ts';

const canceled = (reasons: { Code: string; Item?: any }[]) =>
  new TransactionCanceledException({ message: 'x', CancellationReasons: reasons });

const tableThat = (error: Error): Table => ({ name: 't', client: { send: () => Promise.reject(error) } as never });

const step = (name: string): TransactItem => ({
  delete: { pk: name, sk: name },
  onConditionFailed: (present) => new Error(`${name} found ${JSON.stringify(present)}`),
});

const outcome = (error: Error) => transact(tableThat(error), [step('a'), step('b')]).catch((reason: unknown) => reason);

test('the first step with a failed condition determines the error, with its present item', async () => {
  const item = { pk: 'b', n: 7 };
  const failed = await outcome(canceled([{ Code: 'None' }, { Code: 'ConditionalCheckFailed', Item: item }]));
  expect(failed).toMatchObject({ message: 'b found {"pk":"b","n":7}' });
  const both = await outcome(canceled([{ Code: 'ConditionalCheckFailed' }, { Code: 'ConditionalCheckFailed' }]));
  expect(both).toMatchObject({ message: 'a found undefined' });
});

test('each action names the table and requests the present item on failure', async () => {
  const sent: any[] = [];
  const send = (command: { input: unknown }) => Promise.resolve(sent.push(command.input));
  const key = { pk: 'a', sk: 'a' };
  await transact({ name: 't', client: { send } as never }, [
    { put: { ...key, n: 1 } },
    { update: key, set: { a: 2 }, condition: equals('a', 1), exclusive: true },
    { delete: key, condition: PRESENT },
    { check: key, condition: PRESENT, onConditionFailed: () => new Error() },
  ]);
  const present = {
    ConditionExpression: 'attribute_exists(#pk)',
    ExpressionAttributeNames: { '#pk': 'pk' },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  };
  const update = {
    UpdateExpression: 'SET #a = :a',
    ConditionExpression: expect.stringMatching(/^#a = :aV\d$/),
    ExpressionAttributeNames: { '#a': 'a' },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  };
  expect(sent[0].TransactItems).toEqual([
    { Put: { TableName: 't', Item: { ...key, n: 1 } } },
    { Update: expect.objectContaining({ TableName: 't', Key: key, ...update }) },
    { Delete: { TableName: 't', Key: key, ...present } },
    { ConditionCheck: { TableName: 't', Key: key, ...present } },
  ]);
});

test('a refusal counts also when another step had a conflict', async () => {
  const failed = await outcome(canceled([{ Code: 'TransactionConflict' }, { Code: 'ConditionalCheckFailed' }]));
  expect(failed).toMatchObject({ message: 'b found undefined' });
});

test.each(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'])(
  '%s alone is contention',
  async (Code) => {
    expect(await outcome(canceled([{ Code: 'None' }, { Code }]))).toBeInstanceOf(Contention);
  },
);

test('any other cancellation is a fault', async () => {
  const error = canceled([{ Code: 'ValidationError' }]);
  expect(await outcome(error)).toBe(error);
});

test('a conflict is contention, and during an earlier attempt the outcome is unknown', async () => {
  expect(await outcome(new TransactionConflictException({ message: 'x' }))).toBeInstanceOf(Contention);
  expect(await outcome(new TransactionInProgressException({ message: 'x' }))).toBeInstanceOf(OutcomeUnknown);
});

test('a stale read has its condition and a digest of the item as evidence, without contents', async () => {
  const evidenceOf = async (item: Record<string, unknown> | undefined) => {
    const refused = canceled([{ Code: 'ConditionalCheckFailed', Item: item }]);
    const check: TransactItem = {
      check: { pk: 'a', sk: 'b' },
      condition: PRESENT,
      onConditionFailed: () => new StaleRead(),
    };
    return transact(tableThat(refused), [check]).catch((error: unknown) => (error as StaleRead).evidence);
  };
  const evidence = await evidenceOf({ secret: 'contents' });
  expect(evidence).toMatch(/^a b: attribute_exists\(#pk\) failed \(item [0-9a-f]{64}\)$/);
  expect(await evidenceOf({ secret: 'contents' })).toBe(evidence);
  expect(await evidenceOf({ secret: 'others' })).not.toBe(evidence);
  expect(await evidenceOf(undefined)).not.toBe(evidence);
});
