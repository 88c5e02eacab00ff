import * as z from 'zod/mini';
import { MAX_FILTER_TEXT } from './common-fields.ts';
import { text } from '../../../shared/core/text.ts';

/** Labels that objects have through others: a service through its nodes, an agent through its node and its services. */
export const relatedLabels = ['region', 'az', 'cluster', 'environment'] as const;

export type RelatedLabel = (typeof relatedLabels)[number];

/** The filters of lists that accept an empty value. */
export const emptyValueFilters = [...relatedLabels, 'group', 'version', 'agent_version'] as const;

/** A filter by one value; an empty one selects the objects without a value. */
export const valueFilter = (description: string, max = MAX_FILTER_TEXT) =>
  z.optional(
    text({ min: 0, max }).check(z.meta({ description: `${description} With an empty value: only those without one.` })),
  );
