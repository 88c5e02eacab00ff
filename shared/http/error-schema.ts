import * as z from 'zod/mini';
import { type ErrorBody, errorKinds } from '../core/errors.ts';

const described = <Field extends z.ZodMiniType>(field: Field, description: string) =>
  field.check(z.meta({ description }));

const violationSchema = () =>
  z
    .strictObject({
      field: described(z.string(), 'Path of the field, separated by dots; empty for the whole body.'),
      reason: described(z.string(), 'Identifier of the rule, such as required, unknown_field or out_of_range.'),
      message: described(z.string(), 'The rule as text.'),
    })
    .register(z.globalRegistry, { id: 'Violation', description: 'A rule that a field of the request violates.' });

function errorReply() {
  const kinds = Object.values(errorKinds);
  return z
    .strictObject({
      code: described(z.int(), 'Numeric code of the status, as in gRPC.'),
      status: described(z.enum(kinds.map(({ status }) => status)), 'Canonical name of the status, as in gRPC.'),
      error: described(z.string(), 'Same as message, for older clients.'),
      message: described(z.string(), 'The error as text.'),
      details: described(z.array(violationSchema()), 'All fields that violate a rule; empty for other errors.'),
      request_id: described(z.string(), 'Id of the request in the logs.'),
    })
    .register(z.globalRegistry, { id: 'Error', description: 'Error of a request.' });
}

/** The schema of every reply that is not a success. */
export const errorSchema: z.ZodMiniType<ErrorBody> = /* @__PURE__ */ z.lazy(errorReply);
