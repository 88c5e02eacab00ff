import { defineEndpoint } from '../../../contract/endpoint.ts';
import { silenceAddition, silenceSchema } from '../../../domain/records/silence.ts';

export const endpoint = defineEndpoint({
  id: 'addSilence',
  since: '0.2.0',
  folder: 'silences/add',
  tag: 'Silences',
  method: 'POST',
  path: '/v1/silences',
  summary: 'Silence objects for some time',
  description:
    'Until it ends, the objects are in no finding of the summary, have the label `silenced` in the metrics, and their states ' +
    'cause no events. A silence with the same selector is replaced. A caller with owners must require one of them in the ' +
    'selector.',
  role: 'Editor',
  limit: 'checked',
  access: 'write',
  accessEvents: ['silence.added'],
  repeatable: true,
  body: silenceAddition,
  reply: { status: 201, schema: silenceSchema },
  errors: [],
});
