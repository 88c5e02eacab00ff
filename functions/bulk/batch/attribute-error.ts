import { ApiError, errorKinds } from '../../../shared/core/errors.ts';

const attributed = new WeakSet<ApiError>();

/**
 * Attributes an error to an operation of a batch: prefixes its fields with the operation. An attributed error is
 * unchanged.
 */
export function attributeToOperation(index: number, error: ApiError): ApiError {
  if (attributed.has(error)) return error;
  const { kind, message, headers, details } = error;
  const field = `operations.${index}`;
  const named =
    details.length === 0
      ? [{ field, reason: errorKinds[kind].status.toLowerCase(), message }]
      : details.map((detail) => ({ ...detail, field: `${field}.body.${detail.field}` }));
  const its = new ApiError(kind, message, { headers, details: named });
  attributed.add(its);
  return its;
}
