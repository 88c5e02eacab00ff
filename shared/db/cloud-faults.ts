import type { Fault } from './table-fault.ts';

const SEE = 'See "The table cannot be used" in docs/runbook.md.';

const missing: Fault = {
  name: 'table_missing',
  problem: 'The table of the service does not exist.',
  remedy: `Restore it. ${SEE}`,
};
const key: Fault = {
  name: 'table_key',
  problem: 'The key that encrypts the table cannot be used.',
  remedy: `Enable the key and its policy again. ${SEE}`,
};
const access: Fault = {
  name: 'table_access',
  problem: 'The service has no access to its table.',
  remedy: `Restore its permissions. ${SEE}`,
};
const shape: Fault = {
  name: 'table_shape',
  problem: 'The table has other keys or indexes than this version of the service requires.',
  remedy: `Deploy the matching version. ${SEE}`,
};

/**
 * By the name of the error. Names of KMS reach callers of DynamoDB unchanged:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html
 */
const byName: Readonly<Record<string, Fault>> = {
  ResourceNotFoundException: missing,
  AccessDeniedException: access,
  UnrecognizedClientException: access,
  MissingAuthenticationTokenException: access,
  IncompleteSignatureException: access,
  InvalidSignatureException: access,
  ExpiredTokenException: access,
  CredentialsProviderError: access,
};

/** Returns the fault of the table, or of the access to it; undefined for every other error. */
export function cloudFault(error: unknown): Fault | undefined {
  if (!(error instanceof Error)) return undefined;
  if (/^KMS|InaccessibleEncryption/.test(error.name) || /\bKMS\b/.test(error.message)) return key;
  if (error.name === 'ValidationException' && /specified index|match the schema/i.test(error.message)) return shape;
  return Object.hasOwn(byName, error.name) ? byName[error.name] : undefined;
}
