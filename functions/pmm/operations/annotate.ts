import * as z from 'zod/mini';
import { text } from '../../../shared/http/text.ts';
import { violations } from '../../../shared/http/violations.ts';
import { accessStep } from '../../store/audit/access-events.ts';
import { changeCredentials } from '../../store/credentials/change-credentials.ts';
import { field } from '../declarations/field.ts';
import type { Operation } from '../wire/call.ts';
import { firstViolation } from '../wire/errors.ts';
import { given, textIn, textsIn } from '../wire/input.ts';
import { requiredText } from '../wire/message.ts';
import { contextOf } from './bodies.ts';
import { idsByName } from './by-name.ts';

const SUBJECT = 'AddAnnotationRequest';

const annotation = z.object({
  text: text({ max: 1024 }),
  tags: z.array(text({ max: 256 })).check(z.maxLength(64)),
});

const fields = [field('text', 'string'), field('tags', 'strings')];

/** Writes an annotation to the audit. */
export const addAnnotation: Operation = async (call) => {
  const { input, dependencies } = call;
  requiredText(textIn(input, 'text'), SUBJECT, 'text');
  const message = { text: given(input, 'text'), tags: textsIn(input, 'tags').filter((tag) => tag !== '') };
  const parsed = z.safeParse(annotation, message);
  if (!parsed.success)
    throw firstViolation(violations(parsed.error.issues, message), fields, { subject: SUBJECT, use: 'add' });
  const nodeName = textIn(input, 'node_name');
  const services = textsIn(input, 'service_names');
  await idsByName(call, [
    ...services.map((name) => ({ kind: 'service', name }) as const),
    ...(nodeName === '' ? [] : [{ kind: 'node', name: nodeName } as const]),
  ]);
  const writeContext = contextOf(call);
  const after = {
    ...parsed.data,
    ...(nodeName === '' ? {} : { node_name: nodeName }),
    ...(services.length === 0 ? {} : { service_names: services }),
  };
  const id = dependencies.newId();
  const event = { event: 'annotation.added', subject: { id, name: parsed.data.text }, after } as const;
  await changeCredentials(dependencies.table, [accessStep(event, writeContext)], writeContext, {
    isOpenToSuperseded: true,
  });
  return {};
};
