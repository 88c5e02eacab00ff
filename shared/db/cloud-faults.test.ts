import { cloudFault } from './cloud-faults.ts';
import { TableFault } from './table-fault.ts';

const named = (name: string, message = 'x') => Object.assign(new Error(message), { name });
const nameOf = (error: unknown) => cloudFault(error)?.name;

test.each([
  ['ResourceNotFoundException', 'x', 'table_missing'],
  ['AccessDeniedException', 'x', 'table_access'],
  ['ExpiredTokenException', 'x', 'table_access'],
  ['CredentialsProviderError', 'x', 'table_access'],
  ['KMSDisabledException', 'x', 'table_key'],
  ['InaccessibleEncryptionDateTime', 'x', 'table_key'],
  ['AccessDeniedException', 'The KMS key is disabled', 'table_key'],
  ['ValidationException', 'The table does not have the specified index: by_type', 'table_shape'],
  ['ValidationException', 'The provided key element does not match the schema', 'table_shape'],
  ['ValidationException', 'Item size has exceeded', undefined],
  ['InternalServerError', 'x', undefined],
  ['constructor', 'x', undefined],
])('%s (%s) is the fault %s', (name, message, expected) => {
  expect(nameOf(named(name, message))).toBe(expected);
});

test('a value that is no error is no fault', () => {
  expect(nameOf({ name: 'ResourceNotFoundException' })).toBeUndefined();
});

test('the error contains the problem and the remedy, and suggests no immediate repetition', () => {
  const fault = cloudFault(named('ResourceNotFoundException'))!;
  expect(new TableFault(fault, 'cause')).toMatchObject({
    ...{ kind: 'unavailable', fault: 'table_missing', cause: 'cause', headers: { 'Retry-After': '10' } },
    message: `${fault.problem} ${fault.remedy}`,
  });
});
