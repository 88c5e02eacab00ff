/** The public interface of the package (`npm run package`). */
export { MonitoringInventory, type MonitoringInventoryProps } from './monitoring-inventory.ts';
export { InventoryStack } from './inventory-stack.ts';
export { InvalidSettings } from './settings/read-settings.ts';
export type { InventorySettings } from './settings/settings.ts';
