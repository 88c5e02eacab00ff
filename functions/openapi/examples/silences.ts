import type { Examples } from './example.ts';
import { added } from './objects.ts';

const silence = {
  silence_id: '8873e0490c7b6100',
  selector: 'cluster=shop',
  reason: 'Upgrade of the operating system',
  until: '2026-03-03T09:30:00.000Z',
  created_at: added.created_at,
  created_by: { kind: 'user', id: 'admin', name: 'admin' },
};

export const silencesExamples = {
  addSilence: {
    cluster: {
      summary: 'A cluster, for eight hours',
      body: { selector: silence.selector, reason: silence.reason, time_to_live: '8h' },
      reply: silence,
    },
  },
  listSilences: { all: { summary: 'All silences', reply: { silences: [silence] } } },
  removeSilence: { one: { summary: 'A silence', params: { silence_id: silence.silence_id } } },
} satisfies Examples;
