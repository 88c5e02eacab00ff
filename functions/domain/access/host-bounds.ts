/**
 * The most agents, agent processes and services on its node with which a host adds another one. An Editor may exceed
 * them. Usual hosts have less than 20. Replies over all objects depend on what each host writes (docs/decisions/0013-discovery.md).
 */
export const hostBounds = { agents: 50, pmm_agents: 10, services: 50 } as const;

/** The most bytes of an object that a host writes, as JSON: PMM's lists, which have no pages, contain all objects. */
export const MAX_HOST_OBJECT_BYTES = 16_000;

/** The most bytes of the custom labels of an object that a host writes, in UTF-8, names included. */
export const MAX_HOST_LABEL_BYTES = 4000;

export const customLabelBytes = (labels: Readonly<Record<string, string>>): number =>
  Buffer.byteLength(Object.entries(labels).flat().join(''));
