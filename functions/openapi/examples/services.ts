import type { Examples } from './example.ts';
import {
  cache,
  cacheToDeclare,
  changeOf,
  changed,
  morning,
  noon,
  reportsService,
  reportsServiceId,
  reportsServiceToAdd,
  service,
  serviceId,
  serviceToAdd,
  unseen,
  withoutCluster,
} from './objects.ts';

export const servicesExamples = {
  addService: {
    on_a_node: { summary: 'A database on a node', body: serviceToAdd, reply: service },
    on_no_node: { summary: 'A serverless database', body: reportsServiceToAdd, reply: reportsService },
  },
  listServices: { all: { summary: 'All services', reply: { services: [service, reportsService] } } },
  getService: { mysql: { summary: 'A database on a node', params: { service_id: serviceId }, reply: unseen(service) } },
  changeService: {
    upgrade: {
      summary: 'Change the version, leave the cluster',
      params: { service_id: serviceId },
      body: { version: '8.4.4', cluster: null },
      reply: { ...withoutCluster, version: '8.4.4', ...changed },
    },
  },
  listServiceHistory: {
    added: {
      summary: 'Changes of a service',
      params: { service_id: reportsServiceId },
      reply: {
        changes: [
          changeOf('service', reportsServiceId, {
            action: 'added',
            ...{ time: morning, revision: 1 },
            after: reportsService,
          }),
        ],
      },
    },
  },
  upsertService: {
    added: {
      summary: 'Add a service',
      params: { service_name: cache.service_name },
      body: cacheToDeclare,
      status: 201,
      reply: { ...cache, outcome: 'added' },
    },
    unchanged: {
      summary: 'The same change again',
      params: { service_name: cache.service_name },
      body: cacheToDeclare,
      reply: { ...cache, outcome: 'unchanged' },
    },
  },
  removeService: { mysql: { summary: 'A database on a node', params: { service_id: serviceId } } },
  getClusterStates: {
    partly: {
      summary: 'A cluster of which one service is offline for an hour',
      params: { cluster: 'shop' },
      reply: {
        begin: '2026-03-02T06:00:00.000Z',
        end: noon,
        intervals: [
          { state: 'live', begin: '2026-03-02T06:00:00.000Z', end: '2026-03-02T11:00:00.000Z' },
          { state: 'offline', begin: '2026-03-02T11:00:00.000Z', end: noon },
        ],
        availability: 1,
        all_live: 0.83333,
      },
    },
  },
  listClusters: {
    one: {
      summary: 'One cluster',
      reply: {
        clusters: [
          {
            cluster: 'shop',
            services: 1,
            nodes: 1,
            services_by_type: { mysql: 1 },
            services_by_state: { never_seen: 1 },
            environments: ['prod'],
            versions: [],
            owners: ['shop'],
          },
        ],
      },
    },
  },
  listServiceTypes: { some: { summary: 'Two types', reply: { service_types: ['mysql', 'postgresql'] } } },
} satisfies Examples;
