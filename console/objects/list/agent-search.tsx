import { isId } from '../../model/object-id.ts';
import { searches } from '../../model/search.tsx';

/** Agents have no names. They are found by their type, their id, or the name of their node or service. */
export async function agentFilterFor(
  text: string,
  types: readonly string[],
  signal: AbortSignal,
): Promise<readonly [filter: string, value: string] | undefined> {
  if (types.includes(text)) return ['agent_type', text];
  if (isId(text)) return ['selector', `agent_id=${text}`];
  const [nodes, services] = await Promise.all([searches.node(text, signal), searches.service(text, signal)]);
  // An exact match before names that only start with the text.
  const bestMatch = (candidates: typeof nodes) =>
    candidates.find(({ name }) => name === text) ?? (candidates.length === 1 ? candidates[0] : undefined);
  const [node, service] = [bestMatch(nodes), bestMatch(services)];
  if (node !== undefined && (node.name === text || service?.name !== text)) return ['runs_on_node_id', node.id];
  if (service !== undefined) return ['service_id', service.id];
  const similar = types.filter((type) => type.includes(text));
  if (similar.length === 0) return undefined;
  return similar.length === 1
    ? ['agent_type', similar[0] ?? text]
    : ['selector', `agent_type in (${similar.join(',')})`];
}
