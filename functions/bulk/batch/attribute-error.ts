import { ApiError, errorKinds } from '../../../shared/http/errors.ts';

const attributed = new WeakSet<ApiError>();

/** Names the operation whose fault an error is, and the fields of its body that are wrong; an error that names one stays. */
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
