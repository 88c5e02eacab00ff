import { type InventoryError, ServerLacks } from './error.ts';
import type { Client, Spec } from './operation.ts';

const versionSpec: Spec<{ build: { version: string } }> = { id: 'getVersion', method: 'GET', path: '/v1/version' };

/** `1.10.0` as a number. */
const rank = (version: string) => version.split('.', 3).reduce((total, part) => total * 1e4 + parseInt(part), 0);

/** A check after a failed request, of an operation that servers have since a version. It throws ServerLacks if the server is older. */
export const since =
  (version: string) =>
  async (error: InventoryError, send: Client['send']): Promise<void> => {
    if (error.http < 404 || error.http > 405) return;
    // The other version of the reply is that of PMM, for its programs.
    const { build } = await send(versionSpec);
    if (rank(build.version) < rank(version)) throw new ServerLacks(error, version, build.version);
  };
