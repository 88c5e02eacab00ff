import * as z from 'zod/mini';
import { defineEndpoint } from '../../../../shared/http/endpoint.ts';

/** The build as clients of PMM read it. */
const ofPmm = z.optional(z.record(z.string(), z.string()).check(z.meta({ description: 'For PMM 2.' })));

const text = (description: string) => z.string().check(z.meta({ description }));

export const endpoint = defineEndpoint({
  id: 'getVersion',
  folder: 'server/get-version',
  tag: 'Server',
  method: 'GET',
  path: '/v1/version',
  summary: 'Get the version of the server',
  role: 'Viewer',
  scoped: true,
  access: 'none',
  reply: {
    status: 200,
    schema: z.strictObject({
      version: text('Version of the service.'),
      build: z
        .strictObject({ commit: text('Commit of the source.'), time: text('When it was built (RFC 3339).') })
        .check(z.meta({ description: 'Address of the source.' })),
      server: ofPmm,
      managed: ofPmm,
      distribution_method: z.optional(text('For PMM 2.')),
      api: z.literal('v1').check(z.meta({ description: 'Version of the API: the first segment of every path.' })),
    }),
  },
  errors: [],
});
