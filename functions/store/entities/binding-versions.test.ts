import { transact } from '../../../shared/db/transact.ts';
import { putItem } from '../../../tests/support/table.ts';
import { roleBindingKey } from '../table/keys.ts';
import {
  areBindingsUnchanged,
  bindingChecks,
  bindingVersion,
  inheritedBindings,
  narrowedVersion,
} from './binding-versions.ts';
import { useTable } from '../../../tests/support/fixtures.ts';

const { table } = useTable();
beforeAll(async () => {
  await putItem(table, { ...roleBindingKey('new'), created_at: 't' });
  await putItem(table, { ...roleBindingKey('narrowed'), created_at: 't', version: 't/2' });
});

test('the version is the time of the add, until a change narrows the binding', () => {
  expect(bindingVersion({ created_at: 't' })).toBe('t');
  expect(narrowedVersion({ created_at: 't' }, 2)).toBe('t/2');
  expect(bindingVersion({ created_at: 't', version: 't/2' })).toBe('t/2');
});

test.each([
  ['none', {}, true],
  ['one that was never narrowed', { new: 't' }, true],
  ['one with its version', { narrowed: 't/2' }, true],
  ['one that was narrowed since', { narrowed: 't' }, false],
  ['one that was added anew', { new: 'before' }, false],
  ['one that was removed', { gone: 't' }, false],
  ['one that is unchanged, and one that is not', { new: 't', narrowed: 't' }, false],
])('a credential is valid that rests on %s, %j: %s', async (_, versions: Record<string, string>, isValid) => {
  expect(await areBindingsUnchanged(table, versions)).toBe(isValid);
  // A transaction without a step is none.
  const steps = [{ put: { pk: 'a', sk: 'a' } }, ...bindingChecks(versions, () => new Error('ended'))];
  const written = transact(table, steps).then(
    () => true,
    () => false,
  );
  expect(await written).toBe(isValid);
});

test("a credential that a program makes rests on its key's bindings, one that a session makes does not", () => {
  const actor = { id: 'i', name: 'n' };
  const bindings = { new: 't' };
  expect(inheritedBindings({ actor: { kind: 'api_key', ...actor }, credential: { bindings } })).toEqual({
    rests_on: bindings,
  });
  expect(inheritedBindings({ actor: { kind: 'session', ...actor }, credential: { bindings } })).toEqual({});
  expect(inheritedBindings({ actor: { kind: 'api_key', ...actor }, credential: {} })).toEqual({});
});
