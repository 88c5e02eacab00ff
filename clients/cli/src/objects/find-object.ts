import type { Client } from '../../../typescript/src/operation.ts';
import type { CallOptions } from '../../../typescript/src/options.ts';
import { findByName, type FleetObject, isId, type KindName } from './objects.ts';

/** An object by its name or id, an agent also as people name it. @throws CommandError if there is none. */
export async function findObject(
  client: Client,
  kind: KindName,
  name: string,
  options: CallOptions = {},
): Promise<FleetObject> {
  // A list of nodes or services does not load it.
  if (kind === 'agent' && !isId(name)) return (await import('./agents.ts')).findAgent(client, name, options);
  return findByName(client, kind, name, options);
}
