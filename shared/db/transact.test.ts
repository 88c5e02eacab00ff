import { ConditionalCheckFailedException, TransactionCanceledException } from './table-errors.ts';
import { Contention, OutcomeUnknown, StaleRead } from './contention.ts';
import type { Table } from './table.ts';
import { acceptOwnWrite, type TransactItem, transact } from './transact.ts';

const canceled = (reasons: { Code: string; Item?: any }[]) =>
  new TransactionCanceledException({ message: 'x', CancellationReasons: reasons });

const tableThat = (error: Error): Table => ({ name: 't', client: { send: () => Promise.reject(error) } as never });

const step = (name: string): TransactItem => ({
  Delete: { Key: { pk: name, sk: name } },
  onConditionFailed: (found) => new Error(`${name} found ${JSON.stringify(found)}`),
});

const outcome = (error: Error) => transact(tableThat(error), [step('a'), step('b')]).catch((reason: unknown) => reason);

test('the first step whose condition failed says what it means, with the item that stands there', async () => {
  const item = { pk: 'b', n: 7 };
  const failed = await outcome(canceled([{ Code: 'None' }, { Code: 'ConditionalCheckFailed', Item: item }]));
  expect(failed).toMatchObject({ message: 'b found {"pk":"b","n":7}' });
  const both = await outcome(canceled([{ Code: 'ConditionalCheckFailed' }, { Code: 'ConditionalCheckFailed' }]));
  expect(both).toMatchObject({ message: 'a found undefined' });
});

test('each action names the table, and asks for the present item when its condition fails', async () => {
  const sent: any[] = [];
  const send = (command: { input: unknown }) => Promise.resolve(sent.push(command.input));
  const Key = { pk: 'a', sk: 'a' };
  await transact({ name: 't', client: { send } as never }, [
    { Put: { Item: Key } },
    { Update: { Key, UpdateExpression: 'SET a = :a' }, own: true },
    { Delete: { Key } },
    { ConditionCheck: { Key, ConditionExpression: 'attribute_exists(pk)' }, onConditionFailed: () => new Error() },
  ]);
  const where = { TableName: 't', ReturnValuesOnConditionCheckFailure: 'ALL_OLD' };
  expect(sent[0].TransactItems).toEqual([
    { Put: { Item: Key, ...where } },
    { Update: { Key, UpdateExpression: 'SET a = :a', ...where } },
    { Delete: { Key, ...where } },
    { ConditionCheck: { Key, ConditionExpression: 'attribute_exists(pk)', ...where } },
  ]);
});

test('a refusal counts also when another step met a conflict', async () => {
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

describe('a single write whose condition failed', () => {
  const error = (attempts: number, Item?: any) => new ConditionalCheckFailedException({ message: 'x', attempts, Item });
  const accept = (reason: unknown) => () => acceptOwnWrite(reason, (found) => found['by'] === 'me');

  test('was made when what stands there is what it put', () => {
    expect(accept(error(2, { by: 'me' }))).not.toThrow();
  });

  test('was too late when somebody else wrote', () => {
    expect(accept(error(1, { by: 'them' }))).toThrow(StaleRead);
    expect(accept(error(1))).toThrow(StaleRead);
  });

  test('may have been made before somebody else wrote, when it was repeated', () => {
    expect(accept(error(2, { by: 'them' }))).toThrow(OutcomeUnknown);
    expect(accept(error(2))).toThrow(OutcomeUnknown);
  });

  test('failed otherwise: that is final', () => {
    const other = new Error('x');
    expect(accept(other)).toThrow(other);
  });
});
