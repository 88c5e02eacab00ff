import { errorKinds, type Violation } from '../../../shared/core/errors.ts';
import { field, inReply, notInChange } from '../declarations/field.ts';
import { serviceDeclarations } from '../declarations/services.ts';
import { errorMessage, firstViolation, GrpcError, statuses, unimplemented, wordsOf } from './errors.ts';

const { fields } = serviceDeclarations.external;

const violation = (name: string, message = 'Is wrong.', reason = 'invalid_value'): Violation => ({
  ...{ field: name, reason, message },
});

const messageOf = (
  violations: readonly Violation[],
  { of = fields, use = 'add' }: { of?: typeof fields; use?: 'add' | 'change' } = {},
) => firstViolation(violations, of, { subject: 'Message', use }).message;

describe("of several violations the first in PMM's order is reported", () => {
  const label = violation('custom_labels.1x', 'Must be a name.', 'invalid_label_name');
  const several = violation('', 'Port is expected to be passed along with the host address.');
  const name = 'invalid Message.ServiceName: Is wrong.';

  test.each([
    ['the field that is declared first', [violation('cluster'), violation('service_name')], name],
    [
      'a field of a list, by its name',
      [violation('cluster'), violation('node_ids.0')],
      'invalid Message.NodeId: Is wrong.',
    ],
    ['a field before a rule over several', [several, violation('group')], 'invalid Message.Group: Is wrong.'],
    ['a field before the names of labels', [label, violation('group')], 'invalid Message.Group: Is wrong.'],
    ['a rule over several fields before the names of labels', [label, several], several.message],
    ['a field that PMM does not have after those that it has', [violation('timer'), violation('service_name')], name],
    [
      'a field that PMM does not have before a rule over several',
      [several, violation('timer')],
      'invalid Message.Timer: Is wrong.',
    ],
    [
      'the first that was found of one field',
      [violation('group', 'One.'), violation('group', 'Two.')],
      'invalid Message.Group: One.',
    ],
  ])('%s', (_, violations, wanted) => {
    expect(messageOf(violations)).toBe(wanted);
    const isOneField = new Set(violations.map((violation) => violation.field)).size === 1;
    if (!isOneField) expect(messageOf(violations.toReversed())).toBe(wanted);
  });
});

test("violations of labels, DSN parameters, ports and rules over several fields have PMM's words", () => {
  const label = violation('custom_labels.a.b', 'Must be a name.', 'invalid_label_name');
  expect(messageOf([label])).toBe('Invalid label name "a.b".');
  expect(messageOf([violation('custom_labels.a')])).toBe('invalid Message.CustomLabels: Is wrong.');
  const dsn = [field('extra_dsn_params', 'map')];
  expect(messageOf([violation('extra_dsn_params.x', 'Unknown field.', 'unknown_field')], { of: dsn })).toBe(
    'Unsupported DSN parameter: x',
  );
  expect(messageOf([violation('port')], { of: serviceDeclarations.mysql.fields })).toBe(
    'invalid Message.Port: value must be inside range (0, 65536)',
  );
  for (const text of ['Neither socket nor address passed.', 'Socket and address cannot be specified together.'])
    expect(messageOf([violation('address', text)])).toBe(text);
});

test('a violation names the field as the call does, and no detail repeats it', () => {
  const { details } = firstViolation([violation('group')], fields, { subject: 'Message', use: 'change' });
  expect(details).toEqual([{ ...violation(''), message: 'invalid Message.ExternalGroup: Is wrong.' }]);
  expect(
    messageOf([violation('insights.service_ids.0')], {
      of: [field('service_id', 'service_id', { native: 'insights.service_ids' })],
    }),
  ).toBe('invalid Message.ServiceId: Is wrong.');
  // A field without a name in this call keeps ours.
  expect(messageOf([violation('version')], { of: [inReply('version', 'string', 'version')] })).toBe(
    'invalid Message.Version: Is wrong.',
  );
  expect(messageOf([violation('group')], { of: [notInChange(field('group', 'string'))], use: 'change' })).toBe(
    'invalid Message.Group: Is wrong.',
  );
  expect(messageOf([])).toBe('');
});

test('a message has the words of its generation', () => {
  const agent = 'Agent with ID "x" not found.';
  expect([wordsOf(agent, 2), wordsOf(agent, 3)]).toEqual([agent, 'Agent with ID x not found.']);
  expect(wordsOf('pmm-agent with ID "x" has agents.', 3)).toBe('pmm-agent with ID x has agents.');
  expect(wordsOf('Node with ID "x" not found.', 3)).toBe('Node with ID "x" not found.');
  const port = 'Port is expected to be passed along with the host address.';
  expect([wordsOf(port, 2), wordsOf(port, 3)]).toEqual(['Port are expected to be passed with address.', port]);
  const combined = 'invalid combination of service type mysql and agent type';
  for (const generation of [2, 3] as const) {
    expect(wordsOf(`${combined} qan_mysql_slowlog_agent`, generation)).toBe(`${combined} qan-mysql-slowlog-agent`);
    expect(wordsOf(`${combined} mysqld_exporter`, generation)).toBe(`${combined} mysqld_exporter`);
  }
});

test("an error has its gRPC number and PMM's status", () => {
  expect(Object.keys(statuses).sort()).toEqual(Object.keys(errorKinds).sort());
  expect([statuses.failedPrecondition, statuses.unsupportedMediaType, statuses.methodNotAllowed]).toEqual([
    ...[
      { http: 400, code: 9 },
      { http: 400, code: 3 },
      { http: 404, code: 5 },
    ],
  ]);
  expect([statuses.revisionMismatch, statuses.gone, statuses.alreadyExists]).toEqual([
    ...[
      { http: 409, code: 10 },
      { http: 400, code: 11 },
      { http: 409, code: 6 },
    ],
  ]);
  expect(new GrpcError(4)).toMatchObject({ message: 'gRPC code 4 (DeadlineExceeded)', status: { http: 504, code: 4 } });
  expect(new GrpcError(77)).toMatchObject({ message: 'gRPC code 77 (Unknown)', status: { http: 500, code: 77 } });
  expect(unimplemented('/v1/x')).toMatchObject({
    ...{ message: '/v1/x is not part of the inventory.', status: { http: 501, code: 12 } },
  });
  expect(errorMessage(5, 'm')).toEqual({ error: 'm', message: 'm', code: 5, details: [] });
});
