import { ApiError, type ErrorKind, errorKinds, invalidRequest, type Violation } from '../../../shared/core/errors.ts';
import type { Generation } from '../declarations/enums.ts';
import { internalNames } from '../declarations/agents.ts';
import type { Field } from '../declarations/field.ts';
import { goName, PORT_RANGE } from './message.ts';

/** The errors of gRPC by number: name and status, as PMM's gateway maps them. */
export const grpcErrors: readonly (readonly [name: string, http: number])[] = [
  ['OK', 200],
  ['Canceled', 499],
  ['Unknown', 500],
  ['InvalidArgument', 400],
  ['DeadlineExceeded', 504],
  ['NotFound', 404],
  ['AlreadyExists', 409],
  ['PermissionDenied', 403],
  ['ResourceExhausted', 429],
  ['FailedPrecondition', 400],
  ['Aborted', 409],
  ['OutOfRange', 400],
  ['Unimplemented', 501],
  ['Internal', 500],
  ['Unavailable', 503],
  ['DataLoss', 500],
  ['Unauthenticated', 401],
];

/** An error of PMM that none of ours is. The log has the nearest of ours. */
export class GrpcError extends ApiError {
  readonly status: Status;

  constructor(code: number, message?: string) {
    const [name, http] = grpcErrors[code] ?? ['Unknown', 500];
    super('notFound', message ?? `gRPC code ${code} (${name})`);
    this.name = 'GrpcError';
    this.status = { http, code };
  }
}

/** For a call that belongs to a part of PMM outside the inventory. */
export const unimplemented = (path: string) => new GrpcError(12, `${path} is not part of the inventory.`);

/** Status and number of an error of PMM. */
interface Status {
  http: number;
  code: number;
}

const status = (kind: ErrorKind, code: number): Status => ({ http: errorKinds[kind].http, code });

/** The status and the number of each of our errors. PMM has no others; ours that it does not have are the nearest. */
export const statuses: Readonly<Record<ErrorKind, Status>> = {
  invalidArgument: status('invalidArgument', 3),
  unsupportedMediaType: { http: 400, code: 3 },
  failedPrecondition: status('failedPrecondition', 9),
  revisionMismatch: { http: 409, code: 10 },
  idempotencyKeyReused: { http: 409, code: 10 },
  notFound: status('notFound', 5),
  gone: { http: 400, code: 11 },
  methodNotAllowed: { http: 404, code: 5 },
  alreadyExists: status('alreadyExists', 6),
  permissionDenied: status('permissionDenied', 7),
  bodyTooLarge: status('bodyTooLarge', 8),
  resourceExhausted: status('resourceExhausted', 8),
  unauthenticated: status('unauthenticated', 16),
  internal: status('internal', 13),
  unavailable: status('unavailable', 14),
};

/** The proxy of PMM passes on no 403 of its access check. */
export const REFUSED_ROLE: Status = { http: 401, code: 7 };

/** The body of an error. Old programs read `error`, newer ones `message`. */
export const errorMessage = (code: number, message: string) => ({ error: message, message, code, details: [] });

/** Our rule violations that PMM states in words of its own. */
const worded: readonly {
  matches: (violation: Violation) => RegExpExecArray | null;
  words: (name: string) => string;
}[] = [
  {
    matches: ({ field, reason }) => (reason === 'invalid_label_name' ? /^custom_labels\.(.*)$/s.exec(field) : null),
    words: (name) => `Invalid label name ${JSON.stringify(name)}.`,
  },
  {
    matches: ({ field, reason }) => (reason === 'unknown_field' ? /^extra_dsn_params\.(.*)$/s.exec(field) : null),
    words: (name) => `Unsupported DSN parameter: ${name}`,
  },
];

/** Messages that are those of PMM already: rules over several fields, and the rule of RDS. */
const samePmm = /^(Neither socket|Socket and|Port is expected|DB instance identifier)/;

/** The words of PMM 2 for a rule of which PMM 3 has others. */
const olderWords: Readonly<Record<string, string>> = {
  'Port is expected to be passed along with the host address.': 'Port are expected to be passed with address.',
};

/**
 * When PMM finds a violation: it checks each field in their order, then several fields together, and the names of labels
 * when it stores the object.
 */
function orderOf(fields: readonly Field[], { field, reason, message }: Violation): number {
  if (reason === 'invalid_label_name') return fields.length + 1;
  if (samePmm.test(message)) return fields.length;
  const at = fields.findIndex(({ native }) => native !== undefined && field.split('.')[0] === native.split('.')[0]);
  return at === -1 ? fields.length - 1 : at;
}

/** The first violation, in the words of PMM: it reports one. @param subject the name of the message. */
export function firstViolation(
  violations: readonly Violation[],
  fields: readonly Field[],
  { subject, use }: { subject: string; use: 'add' | 'change' },
): ApiError {
  const [first] = violations.toSorted((left, right) => orderOf(fields, left) - orderOf(fields, right));
  if (first === undefined) return invalidRequest(violations);
  for (const { matches, words } of worded) {
    const [, name] = matches(first) ?? [];
    if (name !== undefined) return invalidRequest([{ ...first, field: '', message: words(name) }]);
  }
  if (samePmm.test(first.message)) return invalidRequest([{ ...first, field: '' }]);
  const [native = ''] = first.field.split('.');
  const violatedField = fields.find((field) => field.native?.split('.')[0] === native);
  const name = goName(violatedField?.[use] ?? native);
  const rule = violatedField?.type === 'uint32' ? PORT_RANGE : first.message;
  return invalidRequest([{ ...first, field: '', message: `invalid ${subject}.${name}: ${rule}` }]);
}

/** Generation 3 does not quote ids of agents. */
const AGENT_ID = /^((?:Agent|pmm-agent) with ID )"([^"]*)"/;

/** Names the type of an agent that does not accept a target. */
const AGENT_TYPE = /(?<= and agent type )\w+$/;

const internalName = (type: string) =>
  Object.entries(internalNames).find(([typeName]) => typeName === type)?.[1] ?? type;

/** The message of one of our errors in the words of a generation. */
export function wordsOf(message: string, generation: Generation): string {
  const words = message.replace(AGENT_TYPE, internalName);
  return generation === 3 ? words.replace(AGENT_ID, '$1$2') : (olderWords[words] ?? words);
}
