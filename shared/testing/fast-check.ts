import fc from 'fast-check';
import { testSeed } from './extent.ts';

// Without it each run draws a seed of its own.
fc.configureGlobal({ seed: testSeed });

export default fc;
