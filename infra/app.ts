import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { buildAssets } from './assets/assets.ts';
import { InventoryStack } from './inventory-stack.ts';
import { InvalidSettings, readContext } from './settings.ts';

export const app = new App();
try {
  const settings = readContext(app.node.getAllContext());
  new InventoryStack(app, 'MonitoringInventory', { inventory: { ...settings, assets: await buildAssets() } });
  // A finding of either pack makes the synthesis fail.
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));
} catch (error) {
  // An error in the settings is a message of a few lines. Any other error is a fault of this code, and keeps its stack.
  if (!(error instanceof InvalidSettings)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
