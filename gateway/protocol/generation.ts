/** The generation of a pmm-agent: PMM 2 or PMM 3. The path of its call tells which. */
export type Generation = 2 | 3;

/** The paths of the call by which an agent connects. */
export const connectPaths: ReadonlyMap<string, Generation> = new Map([
  ['/agent.Agent/Connect', 2],
  ['/agent.v1.AgentService/Connect', 3],
]);

/** An id in the form of a generation: PMM 2 writes it behind its kind, as our calls for clients of PMM 2 do. */
export function idFor(generation: Generation, kind: 'agent' | 'node', id: string): string {
  return generation === 2 ? `/${kind}_id/${id}` : id;
}

/** An id in either form, without the prefix. */
export const plainId = (id: string): string => id.replace(/^\/(?:agent|node)_id\//, '');
