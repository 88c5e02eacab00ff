import type { Inventory } from './inventory.ts';

/** How often calls were refused for this reason, in the audit. Refusals are counted together for a second. */
export async function refusalsFor(
  inventory: Inventory,
  event: 'sign_in.refused' | 'log_out.refused',
  reason: string,
): Promise<number> {
  const { body } = await inventory.request('GET', `/v1/audit?event=${event}&page_size=1000`);
  const entries = body.entries.filter((entry: any) => entry.reason === reason);
  return entries.reduce((sum: number, { count }: any) => sum + Number(count), 0);
}
