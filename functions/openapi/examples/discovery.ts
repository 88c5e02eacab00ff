import type { Examples } from './example.ts';
import {
  cluster,
  exporter,
  exporterId,
  external,
  externalId,
  node,
  nodeId,
  reportsService,
  reportsServiceId,
  service,
  serviceId,
} from './objects.ts';

export const discoveryExamples = {
  discoverTargets: {
    two: {
      summary: 'Exporters on a machine and next to a cloud database',
      reply: [
        {
          targets: ['10.0.1.11:42001'],
          labels: {
            __metrics_path__: '/metrics',
            __scheme__: 'http',
            job: 'mysqld_exporter',
            __meta_inventory_expose_exporter: 'false',
            __meta_inventory_node_id: nodeId,
            __meta_inventory_node_name: node.node_name,
            __meta_inventory_node_type: node.node_type,
            __meta_inventory_region: node.region,
            __meta_inventory_az: node.az,
            __meta_inventory_service_id: serviceId,
            __meta_inventory_service_name: service.service_name,
            __meta_inventory_service_type: service.service_type,
            __meta_inventory_environment: service.environment,
            __meta_inventory_cluster: cluster,
            __meta_inventory_agent_id: exporterId,
            __meta_inventory_agent_type: exporter.agent_type,
            __meta_inventory_label_team: 'shop',
          },
        },
        {
          targets: ['reports.shop.example:9187'],
          labels: {
            __metrics_path__: '/metrics',
            __scheme__: 'https',
            job: 'external_exporter',
            __meta_inventory_service_id: reportsServiceId,
            __meta_inventory_service_name: reportsService.service_name,
            __meta_inventory_service_type: reportsService.service_type,
            __meta_inventory_environment: reportsService.environment,
            __meta_inventory_agent_id: externalId,
            __meta_inventory_agent_type: external.agent_type,
          },
        },
      ],
    },
  },
} satisfies Examples;
