import fc from 'fast-check';
import { testSeed } from './extent.ts';

// Without it, every run uses another seed.
fc.configureGlobal({ seed: testSeed });

export default fc;
