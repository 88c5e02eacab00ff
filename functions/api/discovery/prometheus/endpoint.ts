import * as z from 'zod/mini';
import { defineEndpoint } from '../../../contract/endpoint.ts';
import { text } from '../../../../shared/core/text.ts';
import { networkList } from '../../../domain/fields/address.ts';
import { codes, selectorParameter } from '../../../domain/fields/list-query.ts';
import { targetAttributes } from '../../../domain/fields/filterable-labels.ts';
import { objectKinds } from '../../../domain/fields/object-kind.ts';
import { shardParameter } from '../../../domain/discovery/shard.ts';
import { targetGroupSchema } from '../../../domain/discovery/target-group.ts';

const attributes = objectKinds.flatMap((kind) => targetAttributes(kind).map(([name]) => name));

export const endpoint = defineEndpoint({
  id: 'discoverTargets',
  folder: 'discovery/prometheus',
  tag: 'Discovery',
  method: 'GET',
  path: '/v1/discovery/prometheus',
  summary: 'Discover targets for Prometheus',
  description:
    'Targets in the format of `http_sd_configs`: one for each enabled agent that has a `listen_port` and a known ' +
    'address and does not push its metrics. The list is complete or the reply is an error, so that a client keeps ' +
    'its previous list. A list that exceeds the maximum size (about 6 MB, more with gzip) is refused with 413; use ' +
    '`shard`. A Registrar gets the targets of its own node, with `node=self`.',
  role: 'Viewer',
  limit: 'unaffected',
  scoped: true,
  access: 'read',
  query: z
    .strictObject({
      node: z.optional(
        text({ max: 64 }).check(
          z.meta({
            description:
              'Only targets for a scraper on this node, by its id; `self` is the node of the key. They include agents with ' +
              '`push_metrics`, and exporters of the agent process have the address `127.0.0.1`. Not with `shard` or `networks`.',
          }),
        ),
      ),
      selector: selectorParameter(
        'Only targets whose labels match, in the syntax of Kubernetes: `environment=prod,tier in (gold,silver),!legacy`. ' +
          'Matches the custom labels of node, service and agent and these attributes, which hide custom labels of the same ' +
          `name: ${codes(attributes)}.`,
      ),
      shard: z.optional(shardParameter),
      networks: z.optional(
        networkList.check(
          z.meta({
            description:
              'Only targets whose address is an IP address in one of these networks, such as `10.0.0.0/8,2001:db8::/32`. Host ' +
              'names never match; they are not resolved.',
          }),
        ),
      ),
    })
    .check(
      z.check(({ value: { node: id, ...others }, issues }) => {
        if (id === undefined) return;
        const params = { reason: 'not_allowed' };
        for (const name of ['shard', 'networks'] as const)
          if (others[name] !== undefined)
            issues.push({ code: 'custom', input: others, path: [name], message: 'Not allowed with node.', params });
      }),
    ),
  reply: {
    status: 200,
    schema: z.array(targetGroupSchema).check(z.meta({ description: 'One group per target.' })),
  },
  etag: 'digest',
  errors: ['notFound'],
});
