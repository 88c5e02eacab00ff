import { isLoopback, nodeAddress } from '../../domain/fields/address.ts';
import * as z from 'zod/mini';
import { MAX_LABEL } from '../../../shared/net/host.ts';

const isUsable = (address: unknown) => z.safeParse(nodeAddress, address).success;

/** A name in characters that an address may contain, alone and behind a word: a number alone is no host name. */
function labelsOf(name: unknown): string[] {
  if (typeof name !== 'string') return [];
  const label = name.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-|-$/g, '');
  return label === '' ? [] : [label, `node-${label}`].map((text) => text.slice(0, MAX_LABEL));
}

/**
 * The node with an address at which others reach it. PMM accepts nodes without an address, or with a loopback address.
 * Here such a node has its name as address, or the source address of the request, if one of them can be an address. A
 * registration must not fail for lack of both, so the last choice is the name with hyphens.
 */
export function reachableAddress(node: Readonly<Record<string, unknown>>, sourceIp: string): Record<string, unknown> {
  const { address, node_name: name } = node;
  if (typeof address === 'string' && !isLoopback(address)) return { ...node };
  const usable = [name, sourceIp, ...labelsOf(name)].find(isUsable);
  return usable === undefined ? { ...node } : { ...node, address: usable };
}
