import * as z from 'zod/mini';
import { defineEndpoint } from '../../../contract/endpoint.ts';

/** The version as programs of PMM read it. */
const ofPmm = z.optional(z.record(z.string(), z.string()).check(z.meta({ description: 'For PMM.' })));

const text = (description: string) => z.string().check(z.meta({ description }));

export const endpoint = defineEndpoint({
  id: 'getVersion',
  folder: 'server/get-version',
  tag: 'Server',
  method: 'GET',
  path: '/v1/version',
  summary: 'Get the version of the server',
  role: 'Viewer',
  limit: 'unaffected',
  scoped: true,
  access: 'none',
  reply: {
    status: 200,
    schema: z.strictObject({
      version: text('Service version; for PMM, that of its API.'),
      build: z
        .strictObject({
          version: text('Service version.'),
          commit: text('Source commit.'),
          time: text('Build time (RFC 3339).'),
        })
        .check(z.meta({ description: 'Its source.' })),
      server: ofPmm,
      managed: ofPmm,
      distribution_method: z.optional(text('For PMM.')),
      report_url: z.optional(text('Base URL for reports; absent: that of other requests.')),
      dashboards: z.optional(z.record(z.string(), z.string()).check(z.meta({ description: 'Dashboard URLs.' }))),
      owner_label: z.optional(text('Label whose values are owners.')),
      retention_days: z.optional(z.int().check(z.meta({ description: 'Days that changes are kept.' }))),
      api: z.literal('v1').check(z.meta({ description: 'First segment of every path.' })),
    }),
  },
  errors: [],
});
