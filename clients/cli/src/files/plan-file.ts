import { readText } from './body-file.ts';
import { CommandError } from '../core/exit-codes.ts';
import type { FilePlan } from './plans.ts';
import type { StateRequest } from './desired-state.ts';
import { isFields, isList, parseJson } from '../core/values.ts';
import type { World } from '../core/world.ts';

/** The version of the format of plan files. */
const FORMAT = 1;

/** The reviewed plan: the request with the digest of its plan. */
export interface ReviewedPlan {
  file: string;
  request: StateRequest;
  digest: string;
}

/** A plan as a file: no key, no address. */
export function writtenPlan(plans: readonly FilePlan[]): string {
  const reviewed = plans.map(({ file, request, plan: { plan_digest: digest, items } }) => ({
    file,
    digest,
    request,
    items,
  }));
  return `${JSON.stringify({ format: FORMAT, plans: reviewed }, undefined, 1)}\n`;
}

export async function readPlan(path: string, world: World): Promise<ReviewedPlan[]> {
  const text = await readText(path, world);
  const wrong = () => new CommandError(`${path} is not a plan of inventory plan --out.`);
  const value = parseJson(text, wrong);
  if (!isFields(value) || value['format'] !== FORMAT || !isList(value['plans'])) throw wrong();
  return value['plans'].map((plan) => {
    if (!isFields(plan) || !isFields(plan['request'])) throw wrong();
    const { file, digest, request } = plan;
    if (typeof file !== 'string' || typeof digest !== 'string') throw wrong();
    return { file, digest, request };
  });
}
