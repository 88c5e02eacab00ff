import * as z from 'zod/mini';
import { roleBindingAddition } from '../../functions/domain/access/role-binding.ts';
import { violations } from '../../shared/core/violations.ts';
import fc from '../../shared/testing/fast-check.ts';
import { claimsOf, rowMessages, rowsOf } from './claim-rows.ts';

test('claims survive the way through the rows of the form', () => {
  const name = fc.string({ minLength: 1 }).filter((text) => text !== '__proto__' && !/^\d+$/.test(text));
  const claims = fc.dictionary(name, fc.array(fc.string(), { minLength: 1 }), { noNullPrototype: true });
  fc.assert(fc.property(claims, (value) => expect(claimsOf(rowsOf(value))).toEqual(value)));
});

test('rows with one name are values of one claim, and an empty row is ignored', () => {
  const rows = [
    { name: 'ref', value: 'main' },
    { name: '', value: '' },
    { name: 'env', value: 'production' },
    { name: 'ref', value: 'release' },
  ];
  expect(claimsOf(rows)).toEqual({ ref: ['main', 'release'], env: ['production'] });
});

test('every refusal of the contract is shown at its row', () => {
  const rows = [
    { name: 'ref', value: 'main' },
    { name: '', value: '' },
    { name: 'ref', value: '' },
    { name: '', value: 'without a name' },
    { name: 'env', value: 'a\u0007b' },
  ];
  const body = { name: 'deploy', provider: 'github', claims: claimsOf(rows), role: 'Viewer' };
  const bodyViolations = violations(z.safeParse(roleBindingAddition, body).error?.issues ?? [], body);
  const messages = rowMessages(rows, bodyViolations);
  const shown = messages.flatMap(({ name, value }) => [name, value]).filter((message) => message !== undefined);
  expect(shown).toHaveLength(bodyViolations.length);
  expect(messages[2]?.value).toBeDefined();
  expect(messages[3]?.name).toBeDefined();
  expect(messages[4]?.value).toBeDefined();
  expect(messages[0]).toEqual({ name: undefined, value: undefined });
});
