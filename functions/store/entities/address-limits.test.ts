import { equals } from '../../../shared/db/conditions.ts';
import { contextOf, external, node, service } from '../../../tests/support/store.ts';
import { objectKey } from '../table/keys.ts';
import { addressChecks } from './address-limits.ts';

const context = contextOf({ scope: 'own', addresses: { source: '192.0.2.7', allowed: ['10.1.0.0/16'] } });
const denied = expect.objectContaining({ kind: 'permissionDenied' });
const place = (address: string) => node({ address });
const target = (address: string) => service([], { address });

test('the source address and an allowed address are accepted without a condition', () => {
  for (const address of ['192.0.2.7', '10.1.2.3'])
    for (const entity of [place(address), target(address)])
      expect(addressChecks(context, undefined, entity)).toEqual([]);
});

test('any other address of a node is refused, also for a new node', () => {
  expect(() => addressChecks(context, undefined, place('10.2.0.1'))).toThrow(denied);
  expect(() => addressChecks(context, place('10.2.0.1'), place('10.2.0.2'))).toThrow(denied);
  expect(addressChecks(context, place('10.2.0.1'), place('10.2.0.1'))).toEqual([]);
});

test("a service may have its node's address, as a condition of the transaction, and a loopback address", () => {
  const [check, ...more] = addressChecks(context, undefined, target('10.2.0.1'));
  expect(more).toEqual([]);
  expect(check).toMatchObject({ check: objectKey('node', 'own'), condition: equals('address', '10.2.0.1') });
  expect(check?.onConditionFailed?.(undefined)).toEqual(denied);
  expect(addressChecks(context, undefined, target('127.0.0.1'))).toEqual([]);
  expect(() => addressChecks({ ...context, scope: undefined }, undefined, target('10.2.0.1'))).toThrow(denied);
  expect(() => addressChecks(context, undefined, place('127.0.0.1'))).toThrow(denied);
});

test('agents and unlimited callers need no check', () => {
  expect(addressChecks(context, undefined, external({}, { address: '10.2.0.1' }))).toEqual([]);
  expect(addressChecks(contextOf(), undefined, place('10.2.0.1'))).toEqual([]);
});
