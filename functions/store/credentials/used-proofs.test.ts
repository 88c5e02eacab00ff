import { transact } from '../../../shared/db/transact.ts';
import { TTL_ATTRIBUTE } from '../table/keys.ts';
import { isProofUsed, useOnceStep, useProofOnce } from './used-proofs.ts';
import { useTable } from '../../../tests/support/fixtures.ts';

const { table } = useTable();

test("a proof is used once, before its check or in the log-in's transaction", async () => {
  const used = () => new Error('used');
  expect(await isProofUsed(table, ['a', 'b'])).toBe(false);
  expect([await useProofOnce(table, ['a', 'b'], 5), await useProofOnce(table, ['a', 'b'], 5)]).toEqual([true, false]);
  expect(await isProofUsed(table, ['a', 'b'])).toBe(true);
  await expect(transact(table, [useOnceStep(['a', 'b'], 5, used)])).rejects.toThrow('used');
  await transact(table, [useOnceStep(['ab'], 5, used)]);
  expect([await isProofUsed(table, ['ab']), await isProofUsed(table, ['a'])]).toEqual([true, false]);
});

test('the mark contains only a digest of the proof, until the given time', async () => {
  const written: any[] = [];
  const send = async (command: any) => {
    written.push(command.input.Item);
    return table.client.send(command);
  };
  await useProofOnce({ ...table, client: { send } as never }, ['secret'], 77);
  expect(written).toMatchObject([{ [TTL_ATTRIBUTE]: 77 }]);
  expect(JSON.stringify(written)).not.toContain('secret');
});
