/** The app of `npx cdk deploy` for the emulator: the same stack, but for what the emulator cannot deploy. */
import { STACK_RESOURCE_LIMIT_CONTEXT } from 'aws-cdk-lib';
import { CONTEXT_ENV } from 'aws-cdk-lib/cx-api';
import { fitEmulator } from './fit-emulator.ts';

// A gateway of resources has more than CloudFormation permits in a stack. infra/inventory.test.ts limits those of the real stack.
const context = JSON.parse(process.env[CONTEXT_ENV] ?? '{}') as object;
process.env[CONTEXT_ENV] = JSON.stringify({ ...context, [STACK_RESOURCE_LIMIT_CONTEXT]: 1000 });

const { app } = await import('../../infra/app.ts');
fitEmulator(app);
