import * as z from 'zod/mini';
import { states } from '../fields/liveness.ts';
import { serviceTypes } from './types.ts';
import { openEnum } from '../fields/open-enum.ts';

/** The most services of a cluster whose nodes can be listed. */
export const MAX_MEMBERS = 1000;

/**
 * The most values of each kind that are shown of a cluster. The longest ones of 500 services take some 3 MB of a reply: one
 * cluster always fits into it.
 */
export const MAX_SHOWN_VALUES = 500;

const count = (description: string) => z.int().check(z.minimum(0), z.meta({ description }));

/** A count for each of these words. A word without a count is absent. */
const counts = <Word extends string>(words: readonly [Word, ...Word[]], description: string) =>
  z.partialRecord(openEnum(words), z.int().check(z.minimum(1))).check(z.meta({ description }));

const values = (description: string) => z.array(z.string()).check(z.meta({ description }));

/** The services that have one name in their field `cluster`. */
export const clusterSchema = z
  .strictObject({
    cluster: z.string().check(z.meta({ description: 'Name of the cluster.' })),
    services: count('Number of services.'),
    nodes: count('Number of different nodes that the services run on.'),
    services_by_type: counts(serviceTypes, 'Number of services of each type.'),
    services_by_state: counts(states, 'Number of services in each state.'),
    environments: values('Environments of the services, sorted.'),
    versions: values('Versions of the services, sorted.'),
    owners: values('Values of the owner label of the services, sorted.'),
    regions: z.optional(values('Regions of the nodes, sorted.')),
    azs: z.optional(values('Availability zones of the nodes, sorted.')),
  })
  .register(z.globalRegistry, { id: 'Cluster', description: 'Counts of the services of one cluster.' });

export type Cluster = z.output<typeof clusterSchema>;
