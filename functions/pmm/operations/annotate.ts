import * as z from 'zod/mini';
import { invalidRequest } from '../../../shared/core/errors.ts';
import { text } from '../../../shared/core/text.ts';
import { violations } from '../../../shared/core/violations.ts';
import { accessStep } from '../../store/audit/access-events.ts';
import { changeCredentials, NO_CREDENTIAL } from '../../store/credentials/change-credentials.ts';
import { field } from '../declarations/field.ts';
import type { Operation } from '../wire/call.ts';
import { firstViolation } from '../wire/errors.ts';
import { given, textIn, textsIn } from '../wire/input.ts';
import { requiredText } from '../wire/message.ts';
import { contextOf } from './bodies.ts';
import { idsByName } from './by-name.ts';

const SUBJECT = 'AddAnnotationRequest';

const MAX_BYTES = 4096;
const MAX_NAMES = 64;

const annotation = z.object({
  text: text({ max: 1024 }),
  tags: z.array(text({ max: 256 })).check(z.maxLength(MAX_NAMES)),
  node_name: z.optional(z.string()),
  service_names: z.optional(z.array(z.string()).check(z.maxLength(MAX_NAMES))),
});

const fields = ['text', 'tags', 'node_name', 'service_names'].map((name) => field(name, 'string'));

/** Writes an annotation to the audit. */
export const addAnnotation: Operation = async (call) => {
  const { input, dependencies } = call;
  requiredText(textIn(input, 'text'), SUBJECT, 'text');
  const nodeName = textIn(input, 'node_name');
  const services = textsIn(input, 'service_names');
  const message = {
    text: given(input, 'text'),
    tags: textsIn(input, 'tags').filter((tag) => tag !== ''),
    ...(nodeName === '' ? {} : { node_name: nodeName }),
    ...(services.length === 0 ? {} : { service_names: services }),
  };
  const parsed = z.safeParse(annotation, message);
  if (!parsed.success)
    throw firstViolation(violations(parsed.error.issues, message), fields, { subject: SUBJECT, use: 'add' });
  const after = parsed.data;
  if (Buffer.byteLength(JSON.stringify(after)) > MAX_BYTES)
    throw invalidRequest([
      { field: '', reason: 'out_of_range', message: `An annotation has at most ${MAX_BYTES} bytes of JSON.` },
    ]);
  await idsByName(call, [
    ...services.map((name) => ({ kind: 'service', name }) as const),
    ...(nodeName === '' ? [] : [{ kind: 'node', name: nodeName } as const]),
  ]);
  const writeContext = contextOf(call);
  const id = dependencies.newId();
  const event = { event: 'annotation.added', subject: { id, name: after.text }, after } as const;
  await changeCredentials(dependencies.table, [accessStep(event, writeContext)], writeContext, NO_CREDENTIAL);
  return {};
};
