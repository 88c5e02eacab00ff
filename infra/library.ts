/** The public interface of the package (`npm run package`). */
export { MonitoringInventory, type MonitoringInventoryProps } from './monitoring-inventory.ts';
export { InventoryStack } from './inventory-stack.ts';
export { InventoryTenants, type InventoryTenantsProps, type TenantSettings } from './tenants/inventory-tenants.ts';
export { SharedMonitoring, type SharedMonitoringProps, type ShownInventory } from './operations/shared-monitoring.ts';
export { InvalidSettings } from './settings/read-settings.ts';
export type { InventorySettings, Tenant } from './settings/settings.ts';
export type { DeployedInventory, InventoryConnection } from './objects/connection.ts';
export {
  InventoryAutoScalingGroup,
  type InventoryAutoScalingGroupProps,
} from './objects/inventory-auto-scaling-group.ts';
export { InventoryFleet, type InventoryFleetProps } from './objects/inventory-fleet.ts';
export {
  InventoryAgent,
  type InventoryAgentProps,
  InventoryNode,
  type InventoryNodeProps,
  type InventoryObjectProps,
  InventoryService,
  type InventoryServiceProps,
} from './objects/inventory-objects.ts';
export type { InventoryResourceProps } from './objects/inventory-resource.ts';
