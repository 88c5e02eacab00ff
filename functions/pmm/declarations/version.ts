import type { Generation } from './enums.ts';

/** The version of PMM whose API each generation of clients finds: they compare its first number. */
export const PMM_VERSION: Readonly<Record<Generation, string>> = { 2: '2.44.0', 3: '3.0.0' };

/**
 * The version as programs of PMM read it: some compare `version`, some `server.version`. The full versions contain that of
 * this service.
 */
export function pmmVersion(generation: Generation, build: { version: string; time: string }) {
  const version = PMM_VERSION[generation];
  const info = { version, full_version: `${version}-monitoring-inventory.${build.version}`, timestamp: build.time };
  const unset = generation === 3 ? 'UNSPECIFIED' : 'INVALID';
  return { version, server: info, managed: info, distribution_method: `DISTRIBUTION_METHOD_${unset}` };
}
