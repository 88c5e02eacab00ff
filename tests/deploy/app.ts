/** The app of `npx cdk deploy` for the emulator: the same stack, but for what the emulator cannot deploy. */
import { STACK_RESOURCE_LIMIT_CONTEXT } from 'aws-cdk-lib';
import {
  CONTEXT_ENV,
  DISABLE_CREATION_STACK_TRACES,
  DISABLE_LOGICAL_ID_METADATA,
  DISABLE_METADATA_STACK_TRACE,
  ENABLE_ADDITIONAL_METADATA_COLLECTION,
} from 'aws-cdk-lib/cx-api';
import { ASSETS_ENV } from './built-assets.ts';
import { fitEmulator } from './fit-emulator.ts';

// The CLI reads the assembly's metadata twice for each of 500 stack events.
const withoutMetadata = {
  [DISABLE_CREATION_STACK_TRACES]: true,
  [DISABLE_METADATA_STACK_TRACE]: true,
  [DISABLE_LOGICAL_ID_METADATA]: true,
  [ENABLE_ADDITIONAL_METADATA_COLLECTION]: false,
};

// A gateway of resources has more than CloudFormation permits in a stack. infra/inventory.test.ts limits those of the real stack.
const context = JSON.parse(process.env[CONTEXT_ENV] ?? '{}') as object;
process.env[CONTEXT_ENV] = JSON.stringify({
  ...context,
  ...withoutMetadata,
  [STACK_RESOURCE_LIMIT_CONTEXT]: 1000,
  builtAssets: process.env[ASSETS_ENV],
});

const { app } = await import('../../infra/app.ts');
fitEmulator(app);
