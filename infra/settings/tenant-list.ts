import * as z from 'zod/mini';
import type { InventorySettings } from './settings.ts';

/** An account has room for 50 stacks (docs/decisions/0026-quotas.md). One of them is the stack that tenants share. */
export const MAX_TENANTS = 49;

/** Waves of an upgrade, the first of which contains the canaries. */
export const WAVES = { least: 1, most: 9, preset: 2 } as const;

export const TENANTS_WANTED = `a list of 1 to ${MAX_TENANTS} tenants with different names, in JSON: each has a name of up to 32 lower-case letters, digits and hyphens, not shared, and can have a wave from ${WAVES.least} to ${WAVES.most}, and settings`;

const tenant = z.strictObject({
  name: z.string().check(z.regex(/^(?!shared$)[a-z]([a-z0-9-]{0,30}[a-z0-9])?$/)),
  wave: z.optional(z.int().check(z.minimum(WAVES.least), z.maximum(WAVES.most))),
  // Checked with those of all tenants: see `inventory-tenants.ts`.
  settings: z.optional(z.custom<InventorySettings>((value) => z.safeParse(z.looseObject({}), value).success)),
});

export const tenantsSchema = z.array(tenant).check(
  z.minLength(1),
  z.maxLength(MAX_TENANTS),
  z.refine((tenants) => new Set(tenants.map(({ name }) => name)).size === tenants.length),
);
