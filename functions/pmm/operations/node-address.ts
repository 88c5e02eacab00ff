import { isLoopback, nodeAddress } from '../../domain/fields/address.ts';
import * as z from 'zod/mini';

const isUsable = (address: unknown) => z.safeParse(nodeAddress, address).success;

/** A name in characters that an address may contain. */
const hyphenated = (name: unknown) =>
  typeof name === 'string' ? name.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-|-$/g, '') : undefined;

/**
 * The node with an address at which others reach it. PMM accepts nodes without an address, or with a loopback address.
 * Here such a node has its name as address, or the source address of the request, if one of them can be an address. A
 * registration must not fail for lack of both, so the last choice is the name with hyphens.
 */
export function reachableAddress(node: Readonly<Record<string, unknown>>, sourceIp: string): Record<string, unknown> {
  const { address, node_name: name } = node;
  if (typeof address === 'string' && !isLoopback(address)) return { ...node };
  const usable = [name, sourceIp, hyphenated(name)].find(isUsable);
  return usable === undefined ? { ...node } : { ...node, address: usable };
}
