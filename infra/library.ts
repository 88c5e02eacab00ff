/** The public interface of the package (`npm run package`). */
export { MonitoringInventory, type MonitoringInventoryProps } from './monitoring-inventory.ts';
export { InventoryStack } from './inventory-stack.ts';
export { InvalidSettings, type InventorySettings } from './settings.ts';
