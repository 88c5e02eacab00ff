import * as z from 'zod/mini';
import { defineEndpoint } from '../../../../shared/http/endpoint.ts';
import { networkList } from '../../../domain/fields/address.ts';
import { codes, selectorParameter } from '../../../domain/fields/list-query.ts';
import { standardLabels } from '../../../domain/fields/filterable-labels.ts';
import { targetGroupSchema } from '../../../domain/discovery/target-group.ts';

const { node, service, agent } = standardLabels;

export const endpoint = defineEndpoint({
  id: 'discoverTargets',
  folder: 'discovery/prometheus',
  tag: 'Discovery',
  method: 'GET',
  path: '/v1/discovery/prometheus',
  summary: 'Discover targets for Prometheus',
  description:
    'What to scrape, in the format of `http_sd_configs`: one target for each agent that is enabled, has a `listen_port`, ' +
    'does not push its metrics, and whose address is known. The list is complete or the reply is an error, so that a ' +
    'client keeps the list it had: one that is too large for a reply (some 6 MB, or more for clients that accept gzip) ' +
    'is a 413; narrow it with a selector.',
  role: 'Viewer',
  access: 'read',
  params: z.strictObject({}),
  query: z.strictObject({
    selector: selectorParameter(
      'Only targets whose labels match, in the syntax of Kubernetes: `environment=prod,tier in (gold,silver),!legacy`. ' +
        'Labels are the custom ones of node, service and agent together, and these attributes of theirs: ' +
        `${codes([...node.keys(), ...service.keys(), ...agent.keys()])}; a custom label of the same name is not seen.`,
    ),
    networks: z.optional(
      networkList.check(
        z.meta({
          description:
            'Only targets whose address is an IP address in one of these networks, such as `10.0.0.0/8,2001:db8::/32`. A host ' +
            'that is known by name is in none of them, because names are not resolved.',
        }),
      ),
    ),
  }),
  reply: {
    status: 200,
    schema: z.array(targetGroupSchema).check(z.meta({ description: 'One group for each target.' })),
  },
  digested: true,
  errors: [],
});
