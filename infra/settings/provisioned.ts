import { endpoints } from '../../functions/api/endpoints.ts';
import type { Endpoint } from '../../functions/contract/endpoint.ts';

/** Groups of functions that can have provisioned instances. */
export const PROVISIONED_GROUPS = ['authorizer', 'reports', 'reads', 'changes'] as const;

export type ProvisionedGroup = (typeof PROVISIONED_GROUPS)[number];

/**
 * Undefined for what only an Admin calls: administrators can wait for a cold start, and a provisioned instance costs
 * continuously.
 */
export function groupOf({ role, frequent, access }: Endpoint): ProvisionedGroup | undefined {
  if (role === 'Admin') return undefined;
  if (frequent === true) return 'reports';
  return access === 'write' ? 'changes' : 'reads';
}

/** The number of functions in groups. */
export function functionsIn(groups: readonly ProvisionedGroup[]): number {
  const all = [...endpoints.map(groupOf), 'authorizer'];
  return all.filter((group) => groups.some((candidate) => candidate === group)).length;
}

/** Instances that Lambda keeps for functions without any of their own. https://docs.aws.amazon.com/lambda/latest/dg/configuration-concurrency.html */
const ALWAYS_FREE = 100;

interface Concurrency {
  readonly provisionedConcurrency: number;
  readonly provisionedFunctions: readonly ProvisionedGroup[];
  readonly authorizerConcurrency?: number | undefined;
  readonly accountConcurrency: number;
}

/** Why Lambda would refuse the instances that are reserved or provisioned, minutes into a deployment. */
export function concurrencyProblems(settings: Concurrency): string[] {
  const { provisionedConcurrency: each, provisionedFunctions: groups, accountConcurrency } = settings;
  const { authorizerConcurrency: reserved = 0 } = settings;
  if (each > reserved && reserved > 0 && groups.includes('authorizer'))
    return [
      `provisionedConcurrency is ${each}, but authorizerConcurrency reserves ${reserved} instances for the authorizer. Set authorizerConcurrency to ${each} or more, or omit it.`,
    ];
  const count = functionsIn(groups);
  // Provisioned instances of the authorizer are among its reserved ones.
  const others = reserved > 0 ? functionsIn(groups.filter((group) => group !== 'authorizer')) : count;
  const free = Math.max(0, accountConcurrency - ALWAYS_FREE - reserved);
  const least = reserved + ALWAYS_FREE;
  if (reserved > 0 && least > accountConcurrency)
    return [
      `authorizerConcurrency is ${reserved}, but Lambda keeps ${ALWAYS_FREE} instances of an account free, and accountConcurrency is ${accountConcurrency}. Raise the quota of the account and set accountConcurrency to ${least} or more, or omit authorizerConcurrency.`,
    ];
  if (each * others <= free) return [];
  return [
    `provisionedConcurrency is ${each} for each of ${count} functions, which needs ${each * others} instances, but ${free} of the account's ${accountConcurrency} can be provisioned. Set at most ${Math.floor(free / others)}, name fewer groups in provisionedFunctions, or raise the quota of the account and set accountConcurrency.`,
  ];
}
