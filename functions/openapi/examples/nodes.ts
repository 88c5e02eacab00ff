import type { Examples } from './example.ts';
import {
  cacheNode,
  cacheNodeToDeclare,
  changeOf,
  changed,
  morning,
  node,
  nodeId,
  nodeToAdd,
  noon,
  reportsNode,
  reportsNodeToAdd,
  unseen,
} from './objects.ts';

export const nodesExamples = {
  addNode: {
    machine: { summary: 'A machine', body: nodeToAdd, reply: node },
    rds: { summary: 'A managed database instance', body: reportsNodeToAdd, reply: reportsNode },
  },
  listNodes: { all: { summary: 'All nodes', reply: { nodes: [node, reportsNode] } } },
  getNode: { machine: { summary: 'A machine', params: { node_id: nodeId }, reply: unseen(node) } },
  changeNode: {
    move: {
      summary: 'Change the address, add a label, remove a label',
      params: { node_id: nodeId },
      body: { address: '10.0.2.11', custom_labels: { rack: 'r7', team: null } },
      reply: { ...node, address: '10.0.2.11', custom_labels: { rack: 'r7' }, ...changed },
    },
  },
  getNodeStates: {
    restarted: {
      summary: 'A node that was stale for 20 minutes',
      params: { node_id: nodeId },
      reply: {
        begin: '2026-03-01T12:00:00.000Z',
        end: noon,
        intervals: [
          { state: 'live', begin: '2026-03-01T12:00:00.000Z', end: '2026-03-02T09:00:00.000Z' },
          { state: 'stale', begin: '2026-03-02T09:00:00.000Z', end: '2026-03-02T09:20:00.000Z' },
          { state: 'live', begin: '2026-03-02T09:20:00.000Z', end: noon },
        ],
        availability: 0.98611,
      },
    },
  },
  listNodeHistory: {
    moved: {
      summary: 'Two changes of a node',
      params: { node_id: nodeId },
      reply: {
        changes: [
          changeOf('node', nodeId, {
            action: 'changed',
            ...{ time: noon, revision: 2 },
            before: { address: '10.0.1.11', custom_labels: { team: 'shop' }, updated_at: morning },
            after: { address: '10.0.2.11', custom_labels: { rack: 'r7' }, updated_at: noon },
          }),
          changeOf('node', nodeId, { action: 'added', ...{ time: morning, revision: 1 }, after: node }),
        ],
      },
    },
  },
  upsertNode: {
    added: {
      summary: 'Add a container',
      params: { node_name: cacheNode.node_name },
      body: cacheNodeToDeclare,
      status: 201,
      reply: { ...cacheNode, outcome: 'added' },
    },
    changed: {
      summary: 'Change the address of the container',
      params: { node_name: cacheNode.node_name },
      body: { ...cacheNodeToDeclare, address: '10.0.2.12' },
      reply: { ...cacheNode, address: '10.0.2.12', ...changed, outcome: 'changed' },
    },
    unchanged: {
      summary: 'The same change again',
      params: { node_name: cacheNode.node_name },
      body: { ...cacheNodeToDeclare, address: '10.0.2.12' },
      reply: { ...cacheNode, address: '10.0.2.12', ...changed, outcome: 'unchanged' },
    },
  },
  removeNode: { machine: { summary: 'A machine', params: { node_id: nodeId } } },
} satisfies Examples;
