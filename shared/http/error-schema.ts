import * as z from 'zod/mini';
import { type ErrorBody, errorKinds } from './errors.ts';

const described = <Field extends z.ZodMiniType>(field: Field, description: string) =>
  field.check(z.meta({ description }));

const kinds = Object.values(errorKinds);

const violationSchema = z
  .strictObject({
    field: described(z.string(), 'Path of the field, with dots; empty for the body as a whole.'),
    reason: described(z.string(), 'A word for machines, such as required, unknown_field or out_of_range.'),
    message: described(z.string(), 'A sentence for people.'),
  })
  .register(z.globalRegistry, { id: 'Violation', description: 'A rule that a field of the request breaks.' });

/** The schema of every reply that is not a success. */
export const errorSchema: z.ZodMiniType<ErrorBody> = z
  .strictObject({
    code: described(z.int(), 'Number of the status, as in gRPC.'),
    status: described(z.enum(kinds.map(({ status }) => status)), 'Canonical name of the status, as in gRPC.'),
    error: described(z.string(), 'The message once more, for older clients.'),
    message: described(z.string(), 'What is wrong, for people.'),
    details: described(z.array(violationSchema), 'Every field that breaks a rule; empty when the error is about none.'),
    request_id: described(z.string(), 'Names the request in the logs.'),
  })
  .register(z.globalRegistry, { id: 'Error', description: 'Why a request failed.' });
