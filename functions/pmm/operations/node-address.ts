import { isLoopback, nodeAddress } from '../../domain/fields/address.ts';
import * as z from 'zod/mini';

const isUsable = (address: unknown) => z.safeParse(nodeAddress, address).success;

/**
 * The node with an address at which others reach it. PMM accepts nodes without an address, or with a loopback address.
 * Here such a node has its name as address, or the source address of the request, if one of them can be an address.
 */
export function reachableAddress(node: Readonly<Record<string, unknown>>, sourceIp: string): Record<string, unknown> {
  const { address, node_name: name } = node;
  if (typeof address === 'string' && !isLoopback(address)) return { ...node };
  const usable = [name, sourceIp].find(isUsable);
  return usable === undefined ? { ...node } : { ...node, address: usable };
}
