/** The app of `npx cdk deploy` for the emulator: the same stack, but for what the emulator cannot deploy. */
import { app } from '../../infra/app.ts';
import { fitEmulator } from './fit-emulator.ts';

fitEmulator(app);
